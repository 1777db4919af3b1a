/// The spoken or sung words of a recording, in the order in which they are heard.
///
/// Either all passages have a time, or none has.
public struct Transcript: Sendable, Equatable {
    /// A sentence or so of a transcript.
    public struct Passage: Sendable, Equatable {
        /// Seconds from the start of the recording, 0…``ChapterList/maximumTime``; `nil` if the document states no times.
        public var start: Double?
        /// The person who speaks, if the document names one.
        public var speaker: String?
        /// The words, on one line and without markup.
        public var text: String

        /// A passage.
        ///
        /// - Parameters:
        ///   - start: Seconds from the start of the recording.
        ///   - speaker: The person who speaks.
        ///   - text: The words.
        public init(start: Double? = nil, speaker: String? = nil, text: String) {
            self.start = start
            self.speaker = speaker
            self.text = text
        }
    }

    /// The passages by their start.
    public private(set) var passages: [Passage]

    /// Whether the passages have times.
    public var isTimed: Bool { passages.first?.start != nil }

    /// An empty transcript.
    public init() { passages = [] }

    /// A transcript of these passages, brought into the order of their starts.
    ///
    /// Passages without words or with an unusable time are left out, and so are those without a time where others have one. At
    /// most ``TranscriptDocuments/maximumCount`` are taken.
    ///
    /// - Parameter passages: The passages in any order.
    public init(_ passages: some Sequence<Passage>) {
        let usable = passages.lazy.filter { passage in
            !passage.text.isEmpty && passage.start.map { (0...ChapterList.maximumTime).contains($0) } != false
        }
        let taken = Array(usable.prefix(TranscriptDocuments.maximumCount))
        let timed = taken.filter { $0.start != nil }
        // The order of equal starts is kept.
        self.passages =
            timed.isEmpty
            ? taken
            : timed.enumerated().sorted { ($0.element.start ?? 0, $0.offset) < ($1.element.start ?? 0, $1.offset) }
                .map(\.element)
    }

    /// Returns the place of the passage that is heard at a time.
    ///
    /// - Parameter time: Seconds from the start of the recording.
    /// - Returns: The last passage that has begun; `nil` before the first, and without times.
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
