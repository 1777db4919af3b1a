import Foundation
import FoundationXML

/// Takes the tracks out of an XSPF (version 1, <https://xspf.org/spec>).
final class XSPFReader: NSObject, XMLParserDelegate {
    private var items: [PlaylistItem] = []
    private var path: [String] = []
    private var text = ""
    private var track = PlaylistItem(location: "")

    /// The tracks with a location, or `nil` if the data are not XML.
    static func items(in data: Data) -> [PlaylistItem]? {
        let reader = XSPFReader()
        let parser = XMLParser(data: data)
        // What lies outside the document is never fetched.
        parser.shouldResolveExternalEntities = false
        parser.delegate = reader
        // A document that breaks off is well-formed to the parser on Linux, as far as it goes.
        return parser.parse() && reader.path.isEmpty ? reader.items : nil
    }

    func parser(
        _ parser: XMLParser,
        didStartElement elementName: String,
        namespaceURI: String?,
        qualifiedName: String?,
        attributes: [String: String]
    ) {
        path.append(elementName.lowercased())
        text = ""
        if path.last == "track" { track = PlaylistItem(location: "") }
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

    func parser(_ parser: XMLParser, foundCDATA CDATABlock: Data) {
        text += String(decoding: CDATABlock, as: UTF8.self)
    }

    func parser(
        _ parser: XMLParser,
        didEndElement elementName: String,
        namespaceURI: String?,
        qualifiedName: String?
    ) {
        let isInTrack = path.dropLast().last == "track"
        let value = text.trimmingCharacters(in: .whitespacesAndNewlines)
        switch path.popLast() {
        // A track may name several places of the same; the first is the one that is preferred.
        case "location" where isInTrack && track.location.isEmpty: track.location = value
        case "title" where isInTrack: track.title = value.isEmpty ? nil : value
        case "duration" where isInTrack:
            track.duration = Double(value).flatMap { $0 > 0 && $0.isFinite ? $0 / 1000 : nil }
        case "track" where !track.location.isEmpty: items.append(track)
        default: break
        }
        text = ""
    }
}
