public import Foundation
import SyrinxByteStream

/// Parses chapter documents that are not part of a recording.
///
/// Times beyond ``ChapterList/maximumTime`` are rejected, and at most ``ChapterList/maximumCount`` chapters are read.
public enum ChapterDocuments {
    /// The maximum size of a document, in bytes: 4 MiB.
    public static let maximumBytes = 4 << 20

    /// Parses a JSON document of Podcasting 2.0 (`application/json+chapters`, version 1.2).
    ///
    /// Entries without a valid `startTime` are skipped. Times may be strings, such as `"62.5"` or `"00:01:02.5"`.
    /// - Throws: ``PlaybackError`` (`media.badChapters`) if the document is not JSON, has no `chapters`, or is too
    ///   large.
    public static func podcastDocument(_ data: Data) throws -> [Chapter] {
        try checkSize(data)
        do {
            return try JSONDecoder().decode(PodcastDocument.self, from: data).chapters
        } catch {
            throw PlaybackError(.badChapters, "The chapters are not a JSON document with a list named chapters.")
        }
    }

    /// Parses Podlove Simple Chapters: `chapter` elements with a `start`, in a feed item or in a separate document.
    ///
    /// Namespace prefixes and document types are ignored, so entities are not expanded. From a truncated document, the
    /// chapters before the truncation are returned.
    /// - Throws: ``PlaybackError`` (`media.badChapters`) if an invalid document has no chapters, or if it is too large.
    public static func podlove(_ data: Data) throws -> [Chapter] {
        try checkSize(data)
        var chapters: [Chapter] = []
        let isComplete = LenientXMLParser.parse(data) { event in
            guard case .start(let name, let attributes) = event, name.split(separator: ".").last == "chapter",
                let start = attributes["start"].flatMap(playTime)
            else { return true }
            chapters.append(
                Chapter(
                    start: start,
                    title: text(attributes["title"]),
                    link: text(attributes["href"]),
                    image: text(attributes["image"])
                )
            )
            return chapters.count < ChapterList.maximumCount
        }
        guard isComplete || !chapters.isEmpty else {
            throw PlaybackError(.badChapters, "The chapters are not a well-formed XML document.")
        }
        return chapters
    }

    /// Parses a normal play time: `S`, `M:S` or `H:M:S`, with optional fractions of seconds (RFC 2326, 3.6).
    ///
    /// - Returns: The time in seconds; `nil` for other text, and for times beyond ``ChapterList/maximumTime``.
    public static func playTime(_ text: String) -> Double? {
        let parts = text.trimmingCharacters(in: .whitespacesAndNewlines).utf8.split(
            separator: UInt8(ascii: ":"),
            omittingEmptySubsequences: false
        )
        guard (1...3).contains(parts.count) else { return nil }
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        var seconds = 0.0
        for (index, part) in parts.enumerated() {
            let isLast = index == parts.count - 1
            let isNumber = part.allSatisfy { digits.contains($0) || isLast && $0 == UInt8(ascii: ".") }
            guard isNumber, part.first.map(digits.contains) == true, let value = Double(String(Substring(part))) else {
                return nil
            }
            seconds = seconds * 60 + value
        }
        return usable(seconds)
    }

    fileprivate static func usable(_ seconds: Double) -> Double? {
        (0...ChapterList.maximumTime).contains(seconds) ? seconds : nil
    }

    fileprivate static func text(_ value: String?) -> String? {
        guard let text = value?.trimmingCharacters(in: .whitespacesAndNewlines), !text.isEmpty else { return nil }
        return text
    }

    private static func checkSize(_ data: Data) throws {
        guard data.count <= maximumBytes else {
            throw PlaybackError(.badChapters, "The document of chapters is larger than 4 MiB.")
        }
    }
}

/// A Podcasting 2.0 document, in which invalid entries and fields are skipped.
private struct PodcastDocument: Decodable {
    var chapters: [Chapter] = []

    private enum CodingKeys: String, CodingKey { case chapters }

    private struct Entry: Decodable {
        var chapter: Chapter?

        private enum CodingKeys: String, CodingKey { case startTime, endTime, title, url, img, toc }

        init(from decoder: any Decoder) throws {
            guard let fields = try? decoder.container(keyedBy: CodingKeys.self) else { return }
            func text(_ key: CodingKeys) -> String? { try? fields.decode(String.self, forKey: key) }
            func time(_ key: CodingKeys) -> Double? {
                if let number = try? fields.decode(Double.self, forKey: key) { return ChapterDocuments.usable(number) }
                return text(key).flatMap(ChapterDocuments.playTime)
            }
            guard let start = time(.startTime) else { return }
            chapter = Chapter(
                start: start,
                end: time(.endTime),
                title: ChapterDocuments.text(text(.title)),
                link: ChapterDocuments.text(text(.url)),
                image: ChapterDocuments.text(text(.img)),
                isHidden: (try? fields.decode(Bool.self, forKey: .toc)) == false
            )
        }
    }

    init(from decoder: any Decoder) throws {
        var entries = try decoder.container(keyedBy: CodingKeys.self).nestedUnkeyedContainer(forKey: .chapters)
        while !entries.isAtEnd, chapters.count < ChapterList.maximumCount {
            if let chapter = try entries.decode(Entry.self).chapter { chapters.append(chapter) }
        }
    }
}
