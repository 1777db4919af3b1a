public import Foundation
internal import SyrinxByteStream

/// Readers of transcripts: those of Podcasting 2.0, subtitles beside a recording, and lyrics.
///
/// A bad part of a document does not spoil the others. Documents may be UTF-8, or UTF-16 with a byte order mark; others are read as Windows-1252.
public enum TranscriptDocuments {
    /// The size, in bytes, up to which documents are read: 8 MiB.
    public static let maximumBytes = 8 << 20
    /// The number of passages that are taken from a document: 100,000.
    public static let maximumCount = 100_000
    /// The number of characters that are taken of a passage: 2,000.
    public static let maximumTextLength = 2_000
    /// The number of Unicode scalars that are taken of a passage: a character may have any number of marks.
    static let maximumScalarCount = 4 * maximumTextLength

    /// The kind of a document.
    public enum Format: String, Sendable, CaseIterable {
        /// SubRip (`.srt`, `application/x-subrip`).
        case subRip
        /// WebVTT (`.vtt`, `text/vtt`).
        case webVTT
        /// The JSON of Podcasting 2.0 (`.json`, `application/json`).
        case json
        /// The HTML of Podcasting 2.0: `cite`, `time` and `p` (`.html`, `text/html`).
        case html
        /// Lyrics with times, called LRC (`.lrc`).
        case lyrics
        /// Text without times.
        case plain

        /// The kind that a media type or the end of a name states; `nil` if neither is known.
        ///
        /// - Parameters:
        ///   - mediaType: The media type, with or without parameters.
        ///   - name: The name of a file or a URL.
        public init?(mediaType: String?, name: String = "") {
            let type = mediaType?.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
            let path = name.prefix { $0 != "?" && $0 != "#" }.lowercased()
            switch type {
            case "application/x-subrip", "application/srt", "text/srt", "application/subrip": self = .subRip
            case "text/vtt": self = .webVTT
            case "application/json": self = .json
            case "text/html": self = .html
            case _ where path.hasSuffix(".srt"): self = .subRip
            case _ where path.hasSuffix(".vtt"): self = .webVTT
            case _ where path.hasSuffix(".json"): self = .json
            case _ where path.hasSuffix(".html") || path.hasSuffix(".htm"): self = .html
            case _ where path.hasSuffix(".lrc"): self = .lyrics
            case "text/plain": self = .plain
            case _ where path.hasSuffix(".txt"): self = .plain
            default: return nil
            }
        }
    }

    /// Reads a document.
    ///
    /// - Parameters:
    ///   - data: The bytes of the document.
    ///   - format: The kind of the document.
    /// - Throws: ``PlaybackError`` (`media.badTranscript`) for a document without a passage, or one that is too large.
    public static func read(_ data: Data, as format: Format) throws -> Transcript {
        guard data.count <= maximumBytes else {
            throw PlaybackError(.badTranscript, "The transcript is larger than 8 MiB.")
        }
        let transcript: Transcript
        if format == .json {
            transcript = try json(data)
        } else {
            let text = text(data)
            switch format {
            case .subRip, .webVTT: transcript = CueReader.read(text)
            case .html: transcript = HTMLTranscriptReader.read(text)
            case .lyrics: transcript = lyrics(text)
            case .plain, .json: transcript = plain(text)
            }
        }
        guard !transcript.passages.isEmpty else {
            throw PlaybackError(.badTranscript, "The transcript has no passage that can be read.")
        }
        return transcript
    }

    /// Reads the lyrics of a tag: with times if there are any in them, else line by line.
    ///
    /// - Parameter text: The text of the tag.
    /// - Returns: The lines; none of a text that is too large.
    public static func lyrics(_ text: String) -> Transcript {
        guard text.utf8.count <= maximumBytes else { return Transcript() }
        let timed = LyricsReader.read(text)
        return timed.passages.isEmpty ? plain(text) : timed
    }

    /// A passage for each line.
    private static func plain(_ text: String) -> Transcript {
        Transcript(lines(text).lazy.map { Transcript.Passage(text: shown($0)) })
    }

    // MARK: Text

    /// The text of a document.
    private static func text(_ data: Data) -> String {
        let marks: [[UInt8]] = [[0xFF, 0xFE], [0xFE, 0xFF]]
        if marks.contains(where: { data.starts(with: $0) }), let text = String(data: data, encoding: .utf16) {
            return text
        }
        let text = String(utf8OrWindows1252: data)
        return text.hasPrefix("\u{FEFF}") ? String(text.dropFirst()) : text
    }

    /// The lines of a text, whatever ends them, with those that are empty.
    static func lines(_ text: String) -> [Substring] {
        // A carriage return and a line feed are one character.
        text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
    }

    /// The text of a passage on one line, without white space at its ends or twice.
    static func shown(_ text: some StringProtocol) -> String {
        let words = text.split(maxSplits: maximumTextLength, whereSeparator: \.isWhitespace)
        let shown = String(words.joined(separator: " ").prefix(maximumTextLength))
        // The bytes are counted at once, and most passages have too few of them for too many scalars.
        guard shown.utf8.count > maximumScalarCount else { return shown }
        return String(shown.unicodeScalars.prefix(maximumScalarCount))
    }
}
