import SyrinxByteStream

/// Takes the tracks out of a CUE sheet: what a recording of a whole disc, or several of them, is made of.
///
/// It is written as in the CDRWIN user's guide, appendix A. Places are minutes, seconds and frames, of which there are 75 in a second.
/// A track begins at its `INDEX 01`, in the file named last before it. The pause before it (`INDEX 00`) is the end of the track before,
/// so that tracks of one file follow each other as they do on the disc; one before the first track is left out.
struct CueSheet {
    private struct Track {
        var location = ""
        var isSound = false
        var start: Int64?
        var fields: [String: String] = [:]
    }

    /// Frames in a second.
    private static let framesPerSecond: Int64 = 75
    /// A disc has no more than 99; a sheet may be of several.
    private static let mostTracks = 10_000
    /// Beyond this a number is no time.
    private static let largestNumber: Int64 = 1_000_000

    private var disc: [String: String] = [:]
    private var location: String?
    private var tracks: [Track] = []

    /// The tracks of sound, in their order.
    /// - Parameter text: May carry bytes (`ByteText`), as names of files do.
    static func items(in text: String) -> PlaylistItems {
        var sheet = CueSheet()
        for line in PlainLines(Array(text.utf8)) { sheet.read(line.text[...]) }
        var items = PlaylistItems()
        for item in sheet.items { items.append(item) }
        return items
    }

    // MARK: Reading

    private mutating func read(_ line: Substring) {
        let words = line.split(maxSplits: 1, whereSeparator: \.isWhitespace)
        guard let command = words.first?.uppercased(), words.count == 2 else { return }
        let rest = words[1].drop(while: \.isWhitespace)
        switch command {
        case "FILE": location = Self.fileName(rest)
        case "TRACK":
            guard tracks.count < Self.mostTracks else { return }
            let fields = rest.split(whereSeparator: \.isWhitespace)
            var track = Track(isSound: fields.last?.uppercased() == "AUDIO")
            track.fields["track"] = fields.first.flatMap { Int($0) }.map(String.init)
            tracks.append(track)
        case "INDEX": readIndex(rest)
        case "REM":
            let remark = rest.split(maxSplits: 1, whereSeparator: \.isWhitespace)
            guard remark.count == 2, let name = Self.remarks[remark[0].uppercased()] else { return }
            note(name, remark[1])
        default: if let name = Self.commands[command] { note(name, rest) }
        }
    }

    /// The tags that commands stand for.
    private static let commands = ["TITLE": "title", "PERFORMER": "artist", "SONGWRITER": "composer", "ISRC": "isrc"]
    private static let remarks = [
        "DATE": "date", "GENRE": "genre", "DISCNUMBER": "disc", "COMPOSER": "composer", "COMMENT": "comment",
    ]

    private mutating func note(_ name: String, _ text: Substring) {
        let value = PlaylistText.readable(String(Self.unquoted(text)))
        guard !value.isEmpty else { return }
        if tracks.isEmpty { disc[name] = value } else { tracks[tracks.count - 1].fields[name] = value }
    }

    private mutating func readIndex(_ text: Substring) {
        let fields = text.split(whereSeparator: \.isWhitespace)
        guard fields.count == 2, Int(fields[0]) == 1, let location, !tracks.isEmpty, let frame = Self.frame(fields[1])
        else {
            return
        }
        tracks[tracks.count - 1].location = location
        tracks[tracks.count - 1].start = frame
    }

    /// `mm:ss:ff`, of which the minutes may be any number.
    private static func frame(_ text: Substring) -> Int64? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Int64($0) }
        guard parts.count == 3, let minutes = parts[0], let seconds = parts[1], let frames = parts[2],
            0...largestNumber ~= minutes, 0..<60 ~= seconds, 0..<framesPerSecond ~= frames
        else { return nil }
        // Bounded: at most a million minutes.
        return (minutes * 60 + seconds) * framesPerSecond + frames
    }

    /// The name of a file, behind which its kind may stand.
    private static func fileName(_ text: Substring) -> String {
        guard !text.hasPrefix("\""), let end = text.lastIndex(where: \.isWhitespace) else { return unquoted(text) }
        return unquoted(text[..<end])
    }

    /// Returns the text between the first quotation mark and the last, or all of it.
    private static func unquoted(_ text: Substring) -> String {
        let trimmed = text.drop(while: \.isWhitespace)
        if let first = trimmed.firstIndex(of: "\""), first == trimmed.startIndex {
            let last = trimmed.lastIndex(of: "\"") ?? first
            let start = trimmed.index(after: first)
            return String(start <= last ? trimmed[start..<last] : trimmed[start...])
        }
        return String(trimmed.trimmingSuffix(while: \.isWhitespace))
    }

    // MARK: Giving out

    private var items: [PlaylistItem] {
        tracks.indices.compactMap { index in
            let track = tracks[index]
            guard track.isSound, let start = track.start else { return nil }
            let next = tracks[(index + 1)...].first { $0.start != nil }
            let end = next.flatMap { $0.location == track.location ? $0.start : nil }
            if let end, end <= start { return nil }
            var item = PlaylistItem(location: track.location)
            item.part = StreamingInput.Part(start: Self.seconds(start), end: end.map(Self.seconds))
            item.tags = tags(of: track)
            item.title = item.tags["title"]
            item.duration = end.map { Self.seconds($0 - start) }
            return item
        }
    }

    private func tags(of track: Track) -> [String: String] {
        var tags = disc
        tags["album"] = tags.removeValue(forKey: "title")
        tags["album_artist"] = tags["artist"]
        return tags.merging(track.fields) { $1 }
    }

    private static func seconds(_ frames: Int64) -> Double { Double(frames) / Double(framesPerSecond) }
}

extension Substring {
    fileprivate func trimmingSuffix(while isDropped: (Character) -> Bool) -> Substring {
        self[..<(lastIndex { !isDropped($0) }.map(index(after:)) ?? startIndex)]
    }
}
