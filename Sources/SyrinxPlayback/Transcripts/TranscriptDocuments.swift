public import Foundation
internal import SyrinxByteStream

/// Parses transcripts: Podcasting 2.0 documents, subtitle files, and lyrics.
///
/// Invalid parts of a document are skipped. Documents may be UTF-8, or UTF-16 with a byte order mark; other text is
/// read as Windows-1252.
public enum TranscriptDocuments {
    /// The maximum size of a document, in bytes: 8 MiB.
    public static let maximumBytes = 8 << 20
    /// The maximum number of passages: 100,000.
    public static let maximumCount = 100_000
    /// The maximum number of characters per passage: 2,000.
    public static let maximumTextLength = 2_000
    /// The maximum number of Unicode scalars per passage, because a character can have any number of combining marks.
    static let maximumScalarCount = 4 * maximumTextLength

    /// The format of a document.
    public enum Format: String, Sendable, CaseIterable {
        /// SubRip (`.srt`, `application/x-subrip`).
        case subRip
        /// WebVTT (`.vtt`, `text/vtt`).
        case webVTT
        /// The JSON format of Podcasting 2.0 (`.json`, `application/json`).
        case json
        /// The HTML format of Podcasting 2.0, with `cite`, `time` and `p` elements (`.html`, `text/html`).
        case html
        /// Lyrics with times in LRC format (`.lrc`).
        case lyrics
        /// Plain text without times.
        case plain

        /// Creates the format of a media type or file name extension; `nil` if both are unknown.
        ///
        /// - Parameters:
        ///   - mediaType: The media type, with or without parameters.
        ///   - name: The name of a file, or a URL.
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

    /// Parses a document.
    ///
    /// - Parameters:
    ///   - data: The bytes of the document.
    ///   - format: The format of the document.
    /// - Throws: ``PlaybackError`` (`media.badTranscript`) if the document contains no passage, or is too large.
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

    /// Parses the lyrics of a tag, in LRC format if they contain times, otherwise line by line.
    ///
    /// - Parameter text: The text of the tag.
    /// - Returns: The lines; an empty transcript if the text is too large.
    public static func lyrics(_ text: String) -> Transcript {
        guard text.utf8.count <= maximumBytes else { return Transcript() }
        let timed = LyricsReader.read(text)
        return timed.passages.isEmpty ? plain(text) : timed
    }

    /// Returns a transcript with a passage per line.
    private static func plain(_ text: String) -> Transcript {
        Transcript(lines(text).lazy.map { Transcript.Passage(text: shown($0)) })
    }

    // MARK: Text

    /// Decodes the text of a document.
    private static func text(_ data: Data) -> String {
        let marks: [[UInt8]] = [[0xFF, 0xFE], [0xFE, 0xFF]]
        if marks.contains(where: { data.starts(with: $0) }), let text = String(data: data, encoding: .utf16) {
            return text
        }
        let text = String(utf8OrWindows1252: data)
        return text.hasPrefix("\u{FEFF}") ? String(text.dropFirst()) : text
    }

    /// Returns the lines of a text with any line endings, including empty lines.
    static func lines(_ text: String) -> [Substring] {
        // A carriage return followed by a line feed is one `Character`.
        text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
    }

    /// Returns the text as a single line, with white space trimmed and collapsed.
    static func shown(_ text: some StringProtocol) -> String {
        let words = text.split(maxSplits: maximumTextLength, whereSeparator: \.isWhitespace)
        let shown = String(words.joined(separator: " ").prefix(maximumTextLength))
        // Counting bytes is fast, and rules out most texts with too many scalars.
        guard shown.utf8.count > maximumScalarCount else { return shown }
        return String(shown.unicodeScalars.prefix(maximumScalarCount))
    }
}
