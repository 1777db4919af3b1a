import Foundation
import FoundationXML
import SyrinxByteStream

/// Takes the tracks out of an XSPF (version 1, <https://xspf.org/spec>).
final class XSPFReader: NSObject, XMLParserDelegate {
    private var items = PlaylistItems()
    /// The names of the elements that are open, in lower case; empty for those of another namespace than the first one's.
    private var path: [String] = []
    /// The base URLs (XML Base) of each open element and those around it, which share them.
    private var bases: [[String]] = []
    /// The namespace prefix of the list's own elements, if there is one.
    private var prefix: Substring?
    private var text = ""
    private var track = PlaylistItem(location: "")

    /// Base URLs that are taken within each other; further ones are left out.
    private static let mostBases = 8

    /// The tracks with a location, or `nil` if the data are not XML.
    static func items(in data: Data) -> PlaylistItems? {
        let reader = XSPFReader()
        let document = Data(DocumentDecoder.xml(data))
        // As a stream: of data that it is given whole, the parser on Linux takes no more than 10 MB.
        let parser = XMLParser(stream: InputStream(data: document))
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
        let parts = elementName.split(separator: ":", maxSplits: 1)
        let namespace = parts.count > 1 ? parts[0] : nil
        if path.isEmpty { prefix = namespace }
        path.append(namespace == prefix ? parts.last?.lowercased() ?? "" : "")
        var own = bases.last ?? []
        if let base = attributes["xml:base"], own.count < Self.mostBases { own.append(base) }
        bases.append(own)
        text = ""
        if path.last == "track" { track = PlaylistItem(location: "", bases: bases.last ?? []) }
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
        _ = bases.popLast()
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
