/// The spoken or sung words of a recording, in chronological order.
///
/// Either all passages have a time, or none.
///
/// ```swift
/// let data = try Data(contentsOf: URL(fileURLWithPath: "episode.vtt"))
/// let transcript = try TranscriptDocuments.read(data, as: .webVTT)
/// // At each playback position that the player reports:
/// if let index = transcript.index(at: position) {
///     let passage = transcript.passages[index]
///     print(passage.speaker ?? "", passage.text)
/// }
/// ```
public struct Transcript: Sendable, Equatable {
    /// A passage of a transcript, usually a sentence.
    public struct Passage: Sendable, Equatable {
        /// The start in seconds, 0…``ChapterList/maximumTime``; `nil` if the document contains no times.
        public var start: Double?
        /// The name of the speaker; `nil` if it is not stated.
        public var speaker: String?
        /// The words, as a single line without markup.
        public var text: String

        /// Creates a passage.
        ///
        /// - Parameters:
        ///   - start: The start in seconds, or `nil`.
        ///   - speaker: The name of the speaker, or `nil`.
        ///   - text: The words.
        public init(start: Double? = nil, speaker: String? = nil, text: String) {
            self.start = start
            self.speaker = speaker
            self.text = text
        }
    }

    /// The passages, sorted by start.
    public private(set) var passages: [Passage]

    /// Whether the passages have times.
    public var isTimed: Bool { passages.first?.start != nil }

    /// Creates an empty transcript.
    public init() { passages = [] }

    /// Creates a transcript, sorting passages by their start.
    ///
    /// Passages without words or with an invalid time are omitted. If some passages have a time, those without are
    /// omitted too. At most ``TranscriptDocuments/maximumCount`` passages are used.
    ///
    /// - Parameter passages: The passages in any order.
    public init(_ passages: some Sequence<Passage>) {
        let usable = passages.lazy.filter { passage in
            !passage.text.isEmpty && passage.start.map { (0...ChapterList.maximumTime).contains($0) } != false
        }
        let taken = Array(usable.prefix(TranscriptDocuments.maximumCount))
        let timed = taken.filter { $0.start != nil }
        // The sort preserves the order of equal starts.
        self.passages =
            timed.isEmpty
            ? taken
            : timed.enumerated().sorted { ($0.element.start ?? 0, $0.offset) < ($1.element.start ?? 0, $1.offset) }
                .map(\.element)
    }

    /// Returns the index of the passage at a time.
    ///
    /// - Parameter time: The playback position, in seconds.
    /// - Returns: The index of the last passage that has started; `nil` before the first passage, and without times.
    public func index(at time: Double) -> Int? {
        guard isTimed, time.isFinite else { return nil }
        var (low, high) = (0, passages.count)
        while low < high {
            let middle = (low + high) / 2
            if (passages[middle].start ?? 0) <= time { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? low - 1 : nil
    }
}
