import SyrinxTerminal

/// The transcript of the item that plays.
package struct TranscriptView: Equatable, Sendable {
    /// The rows in the order in which they are heard: either all have a start, or none has.
    package var lines: [TranscriptLine] {
        didSet { passageCount = Self.passageCount(lines) }
    }
    /// The number of passages, of which each may take several rows.
    package private(set) var passageCount: Int
    /// Whether it is still being read.
    package var isLoading: Bool
    /// The sentence about why it cannot be read, if so.
    package var failure: String?

    package init(lines: [TranscriptLine] = [], isLoading: Bool = false, failure: String? = nil) {
        self.lines = lines
        passageCount = Self.passageCount(lines)
        self.isLoading = isLoading
        self.failure = failure
    }

    private static func passageCount(_ lines: [TranscriptLine]) -> Int { lines.count { !$0.isContinued } }

    /// Returns the transcript with passages that are longer than a row divided between words.
    ///
    /// - Parameter columns: The width of the screen; rows have at least 16 columns for the words.
    /// - Complexity: O(n) in the length of the transcript: not for a thread that draws.
    package func wrapped(columns: Int) -> Self {
        let isTimed = lines.first?.start != nil
        let room = min(max(columns - (isTimed ? 15 : 5), 16), CellGrid.maximumSide)
        var result = self
        result.lines = lines.flatMap { line in
            let text = (line.speaker.map { $0 + ": " } ?? "") + line.text
            guard DisplayWidth.of(text) > room else { return [line] }
            return text.wrapped(columns: room).enumerated().map { index, text in
                TranscriptLine(start: line.start, text: text, isContinued: index > 0)
            }
        }
        return result
    }
}

/// A row of a transcript: a passage, or a part of one.
package struct TranscriptLine: Equatable, Sendable {
    /// In seconds; `nil` in a transcript without times.
    package var start: Double?
    package var speaker: String?
    package var text: String
    /// Whether it goes on with the passage of the row above.
    package var isContinued: Bool

    package init(start: Double?, speaker: String? = nil, text: String, isContinued: Bool = false) {
        self.start = start
        self.speaker = speaker
        self.text = text
        self.isContinued = isContinued
    }
}

extension PlayerView {
    /// The place of the first row of the passage that is being heard; `nil` before the first passage.
    var currentPassage: Int? {
        let lines = transcript.lines
        guard lines.first?.start != nil, state.time.isFinite else { return nil }
        var (low, high) = (0, lines.count)
        while low < high {
            let middle = (low + high) / 2
            if (lines[middle].start ?? 0) <= state.time { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return nil }
        var index = low - 1
        while index > 0, lines[index].isContinued { index -= 1 }
        return index
    }

    /// Whether a row belongs to the passage that is being heard.
    func isHeard(row: Int, passage: Int?) -> Bool {
        guard let passage, row >= passage else { return false }
        return row == passage || transcript.lines[passage + 1...row].allSatisfy(\.isContinued)
    }
}
