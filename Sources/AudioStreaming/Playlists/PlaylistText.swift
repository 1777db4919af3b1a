import ByteStream
import Foundation

/// An entry as a list writes it.
struct PlaylistItem: Equatable {
    var location: String
    var title: String?
    var duration: Double?
}

/// The text of a list, and the two ways of writing one that are plain text.
struct PlaylistText {
    let text: String

    /// Decodes `data`: UTF-8, with a byte order mark or not, or UTF-16 with one; what is not valid as that is Windows-1252, as
    /// old lists are.
    init(_ data: Data, isAlwaysUTF8: Bool) {
        if data.starts(with: [0xFF, 0xFE]) || data.starts(with: [0xFE, 0xFF]) {
            text = String(data: data.prefix(data.count & ~1), encoding: .utf16) ?? ""
            return
        }
        let bytes = data.starts(with: [0xEF, 0xBB, 0xBF]) ? data.dropFirst(3) : data
        text =
            isAlwaysUTF8
            ? String(decoding: bytes, as: UTF8.self)
            : String(utf8OrWindows1252: bytes)
    }

    private static func lines(_ text: String) -> some Sequence<String> {
        text.split(whereSeparator: \.isNewline).lazy.map { $0.trimmingCharacters(in: .whitespaces) }
    }

    /// Whether an M3U is not a list of recordings but the index of one that is cut into pieces.
    static func isLiveStreamIndex(_ text: String) -> Bool {
        lines(text).contains { $0.hasPrefix("#EXT-X-") }
    }

    static func m3u(_ text: String) -> [PlaylistItem] {
        var items: [PlaylistItem] = []
        var title: String?
        var duration: Double?
        for line in lines(text) where !line.isEmpty {
            if line.uppercased().hasPrefix("#EXTINF:") {
                (duration, title) = extendedInformation(line.dropFirst(8))
            } else if !line.hasPrefix("#") {
                items.append(PlaylistItem(location: line, title: title, duration: duration))
                (duration, title) = (nil, nil)
            }
        }
        return items
    }

    /// `123,Artist - Title`, or `-1 key="a,b",Title`: the comma that counts is the first outside quotes.
    private static func extendedInformation(_ text: Substring) -> (Double?, String?) {
        var isQuoted = false
        let comma = text.firstIndex { character in
            if character == "\"" { isQuoted.toggle() }
            return character == "," && !isQuoted
        }
        let head = text[..<(comma ?? text.endIndex)]
        let number = head.trimmingCharacters(in: .whitespaces).prefix { !$0.isWhitespace }
        let title = comma.map { text[text.index(after: $0)...].trimmingCharacters(in: .whitespaces) }
        return (seconds(number), title.flatMap { $0.isEmpty ? nil : $0 })
    }

    static func pls(_ text: String) -> [PlaylistItem] {
        var items: [Int: PlaylistItem] = [:]
        for line in lines(text) {
            let halves = line.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            guard halves.count == 2, !halves[1].isEmpty else { continue }
            let key = halves[0].lowercased()
            for name in ["file", "title", "length"] where key.hasPrefix(name) {
                guard let number = Int(key.dropFirst(name.count)) else { continue }
                var item = items[number] ?? PlaylistItem(location: "")
                switch name {
                case "file": item.location = halves[1]
                case "title": item.title = halves[1]
                default: item.duration = seconds(halves[1][...])
                }
                items[number] = item
            }
        }
        return items.sorted { $0.key < $1.key }.map(\.value).filter { !$0.location.isEmpty }
    }

    /// A length, which −1 and 0 say is not known.
    private static func seconds(_ text: Substring) -> Double? {
        Double(text).flatMap { $0 > 0 && $0.isFinite ? $0 : nil }
    }
}
