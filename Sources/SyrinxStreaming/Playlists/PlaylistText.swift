import Foundation
import SyrinxByteStream
import SyrinxMediaCodec

/// An entry as a list writes it.
struct PlaylistItem: Equatable {
    /// May carry bytes (`ByteText`).
    var location: String
    var title: String?
    var duration: Double?
    /// The part of the file, if the entry is not the whole file.
    var part: StreamingInput.Part?
    /// The tags of the list beside the title.
    var tags: [String: String] = [:]
    /// References against which locations are resolved, outermost first, after the playlist itself.
    var bases: [String] = []
}

/// The entries of a list as it writes them, of which the first `Playlist.mostEntries` are held.
struct PlaylistItems {
    private(set) var items: [PlaylistItem] = []
    /// The number of entries beyond those.
    var surplusCount = 0

    /// Appends an entry, or counts it if the list is full.
    mutating func append(_ item: PlaylistItem) {
        if items.count < Playlist.mostEntries { items.append(item) } else { surplusCount += 1 }
    }
}

/// The text of a playlist, and the parsers of the text formats.
struct PlaylistText {
    /// The text of the list.
    ///
    /// Bytes that are not UTF-8 are carried (`ByteText`), because they may belong to a file name.
    let text: String
    /// The encoding of non-UTF-8 bytes; `nil` for Windows-1252.
    let codePage: CodePage?

    /// Decodes `data`: UTF-8 with or without a byte order mark, UTF-16 with a mark, or otherwise the most probable
    /// encoding.
    init(_ data: Data) {
        if data.starts(with: [0xFF, 0xFE]) || data.starts(with: [0xFE, 0xFF]) {
            text = String(data: data.prefix(data.count & ~1), encoding: .utf16) ?? ""
            codePage = nil
            return
        }
        text = ByteText.text(carrying: data.starts(with: [0xEF, 0xBB, 0xBF]) ? data.dropFirst(3) : data)
        codePage = ByteText.carriesBytes(text) ? CodePage(ofText: data) : nil
    }

    private func readable(_ text: String) -> String { Self.readable(text, codePage) }

    /// Returns a part of the text for display.
    /// - Parameter codePage: The encoding of non-UTF-8 bytes; `nil` for Windows-1252.
    static func readable(_ text: String, _ codePage: CodePage?) -> String {
        // In a list of a code page, text that is valid UTF-8 is so by chance.
        guard codePage != nil || ByteText.carriesBytes(text) else { return text }
        return String(ByteText.bytes(of: text), codePage: codePage)
    }

    /// The tracks of a CUE sheet.
    func cue() -> PlaylistItems {
        let sheet = CueSheet(text) { Self.readable($0, codePage) }
        var items = PlaylistItems()
        for track in sheet.tracks {
            var item = PlaylistItem(location: track.location)
            item.part = StreamingInput.Part(start: track.start, end: track.end)
            item.tags = track.tags
            item.title = track.tags["title"]
            // Rounded to disc frames of 1/75 s.
            item.duration = track.end.map { (($0 - track.start) * 75).rounded() / 75 }
            items.append(item)
        }
        items.surplusCount += sheet.leftOutCount
        return items
    }

    /// Returns whether an M3U is the index of an HLS stream, as opposed to a list of recordings.
    static func isLiveStreamIndex(_ text: String) -> Bool {
        PlainLines(Array(text.utf8)).contains { $0.begins(with: "#EXT-X-") }
    }

    func m3u() -> PlaylistItems {
        var items = PlaylistItems()
        var title: String?
        var duration: Double?
        var times: [String: Double] = [:]
        for line in PlainLines(Array(text.utf8)) {
            if line.begins(withAnyCaseOf: "#EXTINF:") {
                (duration, title) = Self.extendedInformation(line.dropFirst(8))
            } else if line.begins(withAnyCaseOf: "#EXTVLCOPT:") {
                let halves = line.dropFirst(11).text.split(separator: "=", maxSplits: 1)
                if halves.count == 2, ["start-time", "stop-time"].contains(halves[0]) {
                    times[String(halves[0])] = Self.seconds(halves[1])
                }
            } else if line.first != UInt8(ascii: "#"), case let location = Self.trimmed(line), !location.isEmpty {
                var item = PlaylistItem(location: location, title: title.map(readable), duration: duration)
                let (start, end) = (times["start-time"] ?? 0, times["stop-time"])
                if !times.isEmpty, end.map({ $0 > start }) ?? true {
                    item.part = StreamingInput.Part(start: start, end: end)
                }
                items.append(item)
                (duration, title, times) = (nil, nil, [:])
            }
        }
        return items
    }

    /// The text of bytes, without white space of any kind at its ends.
    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> String {
        let bytes = PlainLines.trimmed(bytes)
        let isPlain = [bytes.first, bytes.last].allSatisfy { $0.map { $0 < 0x80 } ?? true }
        return isPlain ? bytes.text : bytes.text.trimmingCharacters(in: .whitespaces)
    }

    /// Parses `123,Artist - Title` or `-1 key="a,b",Title`: the first comma outside quotes separates the title.
    private static func extendedInformation(_ text: ArraySlice<UInt8>) -> (Double?, String?) {
        var isQuoted = false
        let comma = text.firstIndex { byte in
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            return byte == UInt8(ascii: ",") && !isQuoted
        }
        let number = PlainLines.trimmed(text[..<(comma ?? text.endIndex)]).prefix { !PlainLines.isSpace($0) }
        let title = comma.map { trimmed(text[($0 + 1)...]) }
        return (seconds(number.text[...]), title.flatMap { $0.isEmpty ? nil : $0 })
    }

    func pls() -> PlaylistItems {
        var items: [Int: PlaylistItem] = [:]
        var result = PlaylistItems()
        for line in PlainLines(Array(text.utf8)) {
            let halves = line.text.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            guard halves.count == 2, !halves[1].isEmpty else { continue }
            let key = halves[0].lowercased()
            for name in ["file", "title", "length"] where key.hasPrefix(name) {
                guard let number = Int(key.dropFirst(name.count)) else { continue }
                guard items[number] != nil || items.count < Playlist.mostEntries else {
                    if name == "file" { result.surplusCount += 1 }
                    continue
                }
                var item = items[number] ?? PlaylistItem(location: "")
                switch name {
                case "file": item.location = halves[1]
                case "title": item.title = readable(halves[1])
                default: item.duration = Self.seconds(halves[1][...])
                }
                items[number] = item
            }
        }
        for (_, item) in items.sorted(by: { $0.key < $1.key }) where !item.location.isEmpty { result.append(item) }
        return result
    }

    /// Parses a duration in seconds; −1 and 0 mean unknown.
    private static func seconds(_ text: Substring) -> Double? {
        Double(text).flatMap { $0 > 0 && $0.isFinite ? $0 : nil }
    }
}
