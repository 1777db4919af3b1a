internal import SyrinxByteStream

/// A CUE sheet, which lists the tracks of one or more recordings of a disc.
///
/// The syntax is that of the CDRWIN user's guide, appendix A. Times consist of minutes, seconds and frames of 1/75 s. A
/// track starts at its `INDEX 01`, in the file of the preceding `FILE` command. The pause before it (`INDEX 00`)
/// belongs to the previous track, as on the disc; a pause before the first track is omitted.
package struct CueSheet {
    /// A part of a file.
    package struct Track {
        /// The name of the file, which may contain encoded bytes (`ByteText`).
        package var location: String
        /// The start, in seconds.
        package var start: Double
        /// The end, in seconds; `nil` for the end of the file.
        package var end: Double?
        /// The tags, with the keys of `MediaInfo.tags`.
        package var tags: [String: String]
    }

    private struct Entry {
        var isSound = false
        var start: Place?
        /// The position of the first index other than 1, used if there is no index 1.
        var other: Place?
        var fields: [String: String] = [:]
        var place: Place? { start ?? other }
    }

    private struct Place {
        let location: String
        /// The position in frames of 1/75 s.
        let frame: Int64
    }

    /// Frames in a second.
    private static let framesPerSecond: Int64 = 75
    /// The maximum number of tracks; a disc has at most 99, but a sheet may describe several.
    private static let mostTracks = 10_000
    /// The largest number that is accepted in a time.
    private static let largestNumber: Int64 = 1_000_000

    /// The audio tracks, in the order of the sheet.
    package private(set) var tracks: [Track] = []
    /// The number of skipped tracks: data tracks, tracks without a position or length, and those beyond the maximum.
    package private(set) var leftOutCount = 0

    private let readable: (String) -> String
    private var disc: [String: String] = [:]
    private var location: String?
    private var entries: [Entry] = []

    /// Parses a sheet.
    /// - Parameters:
    ///   - text: The text, in which file names may contain encoded bytes (`ByteText`).
    ///   - readable: Converts encoded bytes to readable text.
    package init(_ text: String, readable: @escaping (String) -> String = { $0 }) {
        self.readable = readable
        for line in PlainLines(Array(text.utf8)) { read(line.text[...]) }
        makeTracks()
    }

    // MARK: Reading

    private mutating func read(_ line: Substring) {
        let words = line.split(maxSplits: 1, whereSeparator: \.isWhitespace)
        guard let command = words.first?.uppercased(), words.count == 2 else { return }
        let rest = words[1].drop(while: \.isWhitespace)
        switch command {
        case "FILE": location = Self.fileName(rest)
        case "TRACK":
            guard entries.count < Self.mostTracks else {
                leftOutCount += 1
                return
            }
            let fields = rest.split(whereSeparator: \.isWhitespace)
            var entry = Entry(isSound: fields.last?.uppercased() == "AUDIO")
            entry.fields["track"] = fields.first.flatMap { Int($0) }.map(String.init)
            entries.append(entry)
        case "INDEX": readIndex(rest)
        case "REM":
            let remark = rest.split(maxSplits: 1, whereSeparator: \.isWhitespace)
            guard remark.count == 2, let name = Self.name(ofRemark: remark[0]) else { return }
            note(name, remark[1])
        default: if let name = Self.commands[command] { note(name, rest) }
        }
    }

    /// The tag name of each command.
    private static let commands = ["TITLE": "title", "PERFORMER": "artist", "SONGWRITER": "composer", "ISRC": "isrc"]
    private static let remarks = [
        "DATE": "date", "GENRE": "genre", "DISCNUMBER": "disc", "COMPOSER": "composer", "COMMENT": "comment",
    ]

    private static func name(ofRemark word: Substring) -> String? {
        let word = word.uppercased()
        return word.hasPrefix("REPLAYGAIN_") ? word.lowercased() : remarks[word]
    }

    private mutating func note(_ name: String, _ text: Substring) {
        let value = readable(String(Self.unquoted(text)))
        guard !value.isEmpty else { return }
        if entries.isEmpty { disc[name] = value } else { entries[entries.count - 1].fields[name] = value }
    }

    private mutating func readIndex(_ text: Substring) {
        let fields = text.split(whereSeparator: \.isWhitespace)
        guard fields.count == 2, let index = Int(fields[0]), let location, !entries.isEmpty,
            let frame = Self.frame(fields[1])
        else { return }
        let place = Place(location: location, frame: frame)
        if index == 1 {
            entries[entries.count - 1].start = place
        } else if entries[entries.count - 1].other == nil {
            entries[entries.count - 1].other = place
        }
    }

    /// Parses `mm:ss:ff`, in which the minutes may exceed 99.
    private static func frame(_ text: Substring) -> Int64? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Int64($0) }
        guard parts.count == 3, let minutes = parts[0], let seconds = parts[1], let frames = parts[2],
            0...largestNumber ~= minutes, 0..<60 ~= seconds, 0..<framesPerSecond ~= frames
        else { return nil }
        // Bounded: at most a million minutes.
        return (minutes * 60 + seconds) * framesPerSecond + frames
    }

    /// Returns a file name, without the file type that may follow it.
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

    /// Ends each track at the start of the next one in the same file, by time, because edited sheets may be unordered.
    private mutating func makeTracks() {
        let byFile = Dictionary(grouping: entries.indices.filter { entries[$0].place != nil }) {
            entries[$0].place?.location ?? ""
        }
        var ends: [Int: Int64] = [:]
        for indices in byFile.values {
            let frames = indices.map { entries[$0].place?.frame ?? 0 }
            let order = frames.indices.sorted { frames[$0] < frames[$1] }
            for (one, next) in zip(order, order.dropFirst()) { ends[indices[one]] = frames[next] }
        }
        for (index, entry) in entries.enumerated() {
            guard entry.isSound, let place = entry.place, ends[index].map({ $0 > place.frame }) ?? true else {
                leftOutCount += 1
                continue
            }
            // The last track of a file extends to its end.
            tracks.append(
                Track(
                    location: place.location,
                    start: Self.seconds(place.frame),
                    end: ends[index].map(Self.seconds),
                    tags: tags(of: entry)
                )
            )
        }
    }

    private func tags(of entry: Entry) -> [String: String] {
        var tags = disc
        tags["album"] = tags.removeValue(forKey: "title")
        tags["album_artist"] = tags["artist"]
        return tags.merging(entry.fields) { $1 }
    }

    private static func seconds(_ frames: Int64) -> Double { Double(frames) / Double(framesPerSecond) }
}

extension Substring {
    fileprivate func trimmingSuffix(while isDropped: (Character) -> Bool) -> Substring {
        self[..<(lastIndex { !isDropped($0) }.map(index(after:)) ?? startIndex)]
    }
}
