import SyrinxTerminal

/// The transcript of the current item.
package struct TranscriptView: Equatable, Sendable {
    /// The rows in chronological order; either all have a start, or none.
    package var lines: [TranscriptLine] {
        didSet { passageCount = Self.passageCount(lines) }
    }
    /// The number of passages, each of which may take several rows.
    package private(set) var passageCount: Int
    /// Whether the transcript is still being read.
    package var isLoading: Bool
    /// The error message if the transcript cannot be read.
    package var failure: String?

    package init(lines: [TranscriptLine] = [], isLoading: Bool = false, failure: String? = nil) {
        self.lines = lines
        passageCount = Self.passageCount(lines)
        self.isLoading = isLoading
        self.failure = failure
    }

    private static func passageCount(_ lines: [TranscriptLine]) -> Int { lines.count { !$0.isContinued } }

    /// Returns the transcript with long passages wrapped.
    ///
    /// - Parameter columns: The width of the screen; at least 16 columns are used for text.
    /// - Complexity: O(*n*) in the length of the transcript, so don't call it on a thread that draws.
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

/// A row of a transcript, which contains a passage or a part of one.
package struct TranscriptLine: Equatable, Sendable {
    /// The start in seconds; `nil` in a transcript without times.
    package var start: Double?
    package var speaker: String?
    package var text: String
    /// Whether the row continues the passage of the previous row.
    package var isContinued: Bool

    package init(start: Double?, speaker: String? = nil, text: String, isContinued: Bool = false) {
        self.start = start
        self.speaker = speaker
        self.text = text
        self.isContinued = isContinued
    }
}

extension PlayerView {
    /// The index of the first row of the current passage; `nil` before the first passage.
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

    /// Whether a row belongs to the current passage.
    func isHeard(row: Int, passage: Int?) -> Bool {
        guard let passage, row >= passage else { return false }
        return row == passage || transcript.lines[passage + 1...row].allSatisfy(\.isContinued)
    }
}
