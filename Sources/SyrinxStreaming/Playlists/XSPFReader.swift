import Foundation
import FoundationXML
import SyrinxByteStream

/// Takes the tracks out of an XSPF (version 1, <https://xspf.org/spec>).
final class XSPFReader: NSObject, XMLParserDelegate {
    private var items = PlaylistItems()
    /// The names of the open elements in lower case; empty for elements of another namespace.
    private var path: [String] = []
    /// The base URLs (XML Base) of each open element and those around it, which share them.
    private var bases: [[String]] = []
    /// The namespace prefix of the playlist's elements, if there is one.
    private var prefix: Substring?
    private var text = ""
    private var track = PlaylistItem(location: "")

    /// The maximum nesting of base URLs; further ones are ignored.
    private static let mostBases = 8

    /// The tracks with a location, or `nil` if the data are not XML.
    static func items(in data: Data) -> PlaylistItems? {
        let reader = XSPFReader()
        let document = Data(DocumentDecoder.xml(data))
        // As a stream, because the parser on Linux accepts at most 10 MB as data.
        let parser = XMLParser(stream: InputStream(data: document))
        // External entities are never fetched.
        parser.shouldResolveExternalEntities = false
        parser.delegate = reader
        // On Linux, the parser accepts a truncated document as well-formed.
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
        // A track may have several alternative locations; the first is the preferred one.
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
