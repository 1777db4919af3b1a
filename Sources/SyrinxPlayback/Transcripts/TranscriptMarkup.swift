import SyrinxByteStream

/// Parses the tags and entities of HTML and WebVTT.
enum TranscriptMarkup {
    /// A part of a text.
    enum Piece: Equatable {
        case text(String)
        /// The contents of a tag without angle brackets, such as `/p` or `v Roger`.
        case tag(String)
    }

    /// The maximum length of a tag in bytes; longer ones are treated as text.
    static let maximumTagLength = 2_000

    /// Splits a text into tags and the text between them, in which entities are replaced.
    static func pieces(_ text: Substring) -> [Piece] {
        let bytes = Array(text.utf8)
        var pieces: [Piece] = []
        // The start of the current text, and the cached position of the next end of a tag.
        var (start, close) = (0, 0)
        func appendText(to end: Int) {
            guard start < end else { return }
            pieces.append(.text(resolved(Substring(decoding: bytes[start..<end], as: UTF8.self))))
        }
        var index = 0
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: "<") else {
                index += 1
                continue
            }
            close = max(close, index)
            while close < bytes.count, bytes[close] != UInt8(ascii: ">") { close += 1 }
            if close == bytes.count { break }
            // A less-than sign as in “a < b” does not start a tag.
            let isTag = close - index <= maximumTagLength && bytes[index + 1] > 0x20
            if isTag {
                appendText(to: index)
                pieces.append(.tag(String(decoding: bytes[(index + 1)..<close], as: UTF8.self)))
                start = close + 1
                index = close + 1
            } else {
                index += 1
            }
        }
        appendText(to: bytes.count)
        return pieces
    }

    /// Invisible marks of the writing direction.
    private static let invisible: Set = ["\u{200E}", "\u{200F}"]

    /// Replaces entities by characters; unknown entities are kept.
    static func resolved(_ text: Substring) -> String {
        guard text.contains("&") else { return String(text) }
        var result = ""
        var rest = text
        while let start = rest.firstIndex(of: "&") {
            result += rest[..<start]
            let after = rest[rest.index(after: start)...]
            if let end = after.prefix(12).firstIndex(of: ";"), let characters = HTMLEntities.characters(after[..<end]) {
                result += invisible.contains(characters) ? "" : characters
                rest = after[after.index(after: end)...]
            } else {
                result += "&"
                rest = after
            }
        }
        return result + rest
    }
}

/// Parses SubRip and WebVTT, whose cues consist of a line with two times, followed by text.
enum CueReader {
    static func read(_ text: String) -> Transcript {
        var passages: [Transcript.Passage] = []
        var start: Double?
        var lines: [Substring] = []
        func end() {
            defer { (start, lines) = (nil, []) }
            guard let start else { return }
            passages += Self.passages(lines, at: start)
        }
        for line in TranscriptDocuments.lines(text) {
            if passages.count >= TranscriptDocuments.maximumCount { break }
            if let time = startTime(line) {
                // Without an empty line between cues, the last line is the number of this cue.
                if start != nil, lines.last.map({ $0.allSatisfy(\.isNumber) }) == true { lines.removeLast() }
                end()
                start = time
            } else if line.allSatisfy(\.isWhitespace) {
                end()
            } else if start != nil {
                lines.append(line)
            }
        }
        end()
        return Transcript(passages)
    }

    /// Returns the start time of a cue's time line; `nil` for another line.
    private static func startTime(_ line: Substring) -> Double? {
        guard let arrow = line.firstRange(of: "-->") else { return nil }
        return time(line[..<arrow.lowerBound])
    }

    /// Parses a time such as `01:02:03,500`, in which hours are optional, and the comma may be a point.
    static func time(_ text: Substring) -> Double? {
        ChapterDocuments.playTime(String(text.map { $0 == "," ? "." : $0 }))
    }

    /// Returns the passages of a cue: one, or one per WebVTT voice.
    private static func passages(_ lines: [Substring], at start: Double) -> [Transcript.Passage] {
        var passages: [Transcript.Passage] = []
        var speaker: String?
        var text = ""
        func end() {
            let shown = TranscriptDocuments.shown(text)
            if !shown.isEmpty { passages.append(Transcript.Passage(start: start, speaker: speaker, text: shown)) }
            text = ""
        }
        for piece in TranscriptMarkup.pieces(Substring(lines.joined(separator: "\n"))) {
            switch piece {
            case .text(let part): text += part
            case .tag(let tag):
                // In <v.loud Roger Bingham>, classes precede the name.
                guard tag == "v" || tag.hasPrefix("v ") || tag.hasPrefix("v.") else { continue }
                end()
                let name = TranscriptDocuments.shown(TranscriptMarkup.resolved(tag.drop { !$0.isWhitespace }))
                speaker = name.isEmpty ? nil : name
            }
        }
        end()
        // SubRip may contain Sub Station Alpha positions, such as {\an8}.
        return passages.map { passage in
            var passage = passage
            // There may be hundreds, so copy the remaining text only once.
            var rest = passage.text[...]
            while rest.hasPrefix("{\\"), let close = rest.firstIndex(of: "}") {
                rest = rest[rest.index(after: close)...].drop(while: \.isWhitespace)
            }
            passage.text = String(rest)
            return passage
        }
    }
}

/// Parses the HTML format of Podcasting 2.0, in which `cite` is the speaker, `time` the time, and `p` the text.
enum HTMLTranscriptReader {
    static func read(_ text: String) -> Transcript {
        var passages: [Transcript.Passage] = []
        var (start, speaker): (Double?, String?)
        var (words, field) = ("", "")
        var open: String?
        func end() {
            let shown = TranscriptDocuments.shown(words)
            words = ""
            guard !shown.isEmpty else { return }
            passages.append(Transcript.Passage(start: start, speaker: speaker, text: shown))
        }
        for piece in TranscriptMarkup.pieces(Substring(text)) {
            if passages.count >= TranscriptDocuments.maximumCount { break }
            switch piece {
            case .text(let part):
                switch open {
                case "cite", "time": field += part
                case "head", "style", "script", "title": break
                default: words += part
                }
            case .tag(let tag):
                let name = tag.prefix { $0 != "/" || $0 == tag.first }.prefix { !$0.isWhitespace }.lowercased()
                switch name {
                case "cite", "time":
                    end()
                    // A new speaker starts; the time remains until the next one.
                    if name == "cite" { speaker = nil }
                    (open, field) = (name, "")
                case "/cite":
                    let named = TranscriptDocuments.shown(field)
                    speaker = named.isEmpty ? nil : named.hasSuffix(":") ? String(named.dropLast()) : named
                    open = nil
                case "/time":
                    start = CueReader.time(Substring(TranscriptDocuments.shown(field))) ?? start
                    open = nil
                case "head", "style", "script", "title": open = name
                case "/head", "/style", "/script", "/title": open = nil
                case "p", "/p", "br", "div", "/div", "li", "/li": end()
                default: break
                }
            }
        }
        end()
        return Transcript(passages)
    }
}

/// Parses LRC lyrics: `[mm:ss.xx]` before each line, and `[offset:…]` in milliseconds.
enum LyricsReader {
    static func read(_ text: String) -> Transcript {
        var passages: [Transcript.Passage] = []
        var offset = 0.0
        for line in TranscriptDocuments.lines(text) {
            if passages.count >= TranscriptDocuments.maximumCount { break }
            var rest = line.drop(while: \.isWhitespace)
            var starts: [Double] = []
            while rest.first == "[", let close = rest.prefix(64).firstIndex(of: "]") {
                let inside = rest[rest.index(after: rest.startIndex)..<close]
                if let time = CueReader.time(inside), inside.contains(":") {
                    starts.append(time)
                } else if let value = value(of: "offset", in: inside), let milliseconds = Double(value),
                    abs(milliseconds) <= 1e7
                {
                    offset = milliseconds / 1000
                } else if starts.isEmpty, inside.contains(":") {
                    // Skip other metadata, such as [ar:…].
                } else {
                    break
                }
                rest = rest[rest.index(after: close)...].drop(while: \.isWhitespace)
            }
            let words = TranscriptMarkup.pieces(rest).map { piece in
                // Times of single words are tags.
                if case .text(let part) = piece { part } else { " " }
            }
            let shown = TranscriptDocuments.shown(words.joined())
            guard !shown.isEmpty else { continue }
            for start in starts.prefix(64) {
                // A positive offset makes words appear earlier.
                passages.append(Transcript.Passage(start: max(start - offset, 0), text: shown))
            }
        }
        return Transcript(passages)
    }

    private static func value(of name: String, in property: Substring) -> String? {
        guard property.lowercased().hasPrefix(name + ":") else { return nil }
        return property.dropFirst(name.count + 1).filter { !$0.isWhitespace && $0 != "+" }
    }
}
