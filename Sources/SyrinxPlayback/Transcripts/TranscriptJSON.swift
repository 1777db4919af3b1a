import Foundation

extension TranscriptDocuments {
    /// The maximum length of a passage that is joined from words, in characters.
    private static let joinedLength = 80
    /// The shortest pause between words, in seconds, that starts a new passage.
    private static let joinedPause = 1.5

    /// Parses the JSON format of Podcasting 2.0.
    ///
    /// Many documents have a segment per word; they are joined to passages.
    static func json(_ data: Data) throws -> Transcript {
        let document: JSONTranscript
        do {
            document = try JSONDecoder().decode(JSONTranscript.self, from: data)
        } catch {
            throw PlaybackError(.badTranscript, "The transcript is not a JSON document with a list named segments.")
        }
        var passages: [Transcript.Passage] = []
        var end: Double?
        for segment in document.segments {
            if let last = passages.last, joins(segment, to: last, endingAt: end) {
                passages[passages.count - 1].text += " " + segment.text
            } else {
                let speaker = segment.speaker.flatMap { $0.isEmpty ? nil : $0 }
                passages.append(Transcript.Passage(start: segment.start, speaker: speaker, text: segment.text))
            }
            end = segment.end ?? segment.start
        }
        return Transcript(passages)
    }

    private static func joins(_ segment: JSONTranscript.Segment, to last: Transcript.Passage, endingAt end: Double?)
        -> Bool
    {
        guard !segment.text.contains(" "), (segment.speaker ?? "") == (last.speaker ?? ""),
            last.text.count + segment.text.count < joinedLength, let sign = last.text.last, !".?!…".contains(sign),
            let end, let start = last.start
        else { return false }
        return (start...max(start, end + joinedPause)).contains(segment.start)
    }
}

/// A JSON document in which invalid segments and fields are skipped.
private struct JSONTranscript: Decodable {
    struct Segment {
        var start: Double
        var end: Double?
        var speaker: String?
        var text: String
    }

    var segments: [Segment] = []

    /// The maximum number of entries that are decoded, including invalid ones.
    private static let maximumEntryCount = 2 * TranscriptDocuments.maximumCount

    private enum CodingKeys: String, CodingKey { case segments }

    private struct Entry: Decodable {
        var segment: Segment?

        private enum CodingKeys: String, CodingKey { case startTime, endTime, speaker, body }

        init(from decoder: any Decoder) throws {
            guard let fields = try? decoder.container(keyedBy: CodingKeys.self) else { return }
            func text(_ key: CodingKeys) -> String? {
                (try? fields.decode(String.self, forKey: key)).map { TranscriptDocuments.shown($0) }
            }
            func time(_ key: CodingKeys) -> Double? {
                if let number = try? fields.decode(Double.self, forKey: key) {
                    return (0...ChapterList.maximumTime).contains(number) ? number : nil
                }
                return text(key).flatMap(ChapterDocuments.playTime)
            }
            guard let start = time(.startTime), let body = text(.body), !body.isEmpty else { return }
            segment = Segment(start: start, end: time(.endTime), speaker: text(.speaker), text: body)
        }
    }

    init(from decoder: any Decoder) throws {
        var entries = try decoder.container(keyedBy: CodingKeys.self).nestedUnkeyedContainer(forKey: .segments)
        var count = 0
        while !entries.isAtEnd, segments.count < TranscriptDocuments.maximumCount, count < Self.maximumEntryCount {
            count += 1
            if let segment = try entries.decode(Entry.self).segment { segments.append(segment) }
        }
    }
}
