import Foundation
import SyrinxByteStream

/// Reads the tracks of an XSPF playlist (version 1, <https://xspf.org/spec>).
struct XSPFReader {
    private var items = PlaylistItems()
    /// The names of the open elements.
    private var path: [String] = []
    /// The base URLs (XML Base) of each open element and of the elements around it, which share them.
    private var bases: [[String]] = []
    private var text = ""
    private var track = PlaylistItem(location: "")

    /// The largest number of base URLs that apply to one element; the reader ignores further ones.
    private static let mostBases = 8

    /// Returns the tracks with a location; `nil` if the document has no XML element, or ends before its root element does.
    static func items(in data: Data) -> PlaylistItems? {
        var reader = XSPFReader()
        let isComplete = LenientXMLParser.parse(data) { event in
            switch event {
            case .start(let name, let attributes): reader.begin(name, base: attributes["xml.base"])
            case .text(let text): reader.text += text
            case .end: reader.end()
            }
            return true
        }
        return isComplete ? reader.items : nil
    }

    private mutating func begin(_ name: String, base: String?) {
        path.append(name)
        var own = bases.last ?? []
        if let base, own.count < Self.mostBases { own.append(base) }
        bases.append(own)
        text = ""
        if name == "track" { track = PlaylistItem(location: "", bases: own) }
    }

    private mutating func end() {
        let isInTrack = path.dropLast().last == "track"
        let value = text.trimmingCharacters(in: .whitespacesAndNewlines)
        _ = bases.popLast()
        switch path.popLast() {
        // A track may name several places of one recording; the first is the preferred place.
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
