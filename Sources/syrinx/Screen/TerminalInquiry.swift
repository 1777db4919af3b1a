import SyrinxTerminal

/// The questions to a terminal about its pictures and its background, and the answers.
///
/// The terminal is queried only after an input is open: if the player ended immediately, the answers would appear at
/// the shell's prompt.
struct TerminalInquiry: Equatable, Sendable {
    /// The answers, in the order in which they came.
    private(set) var answers: [TerminalAnswer] = []
    private var hasAskedForPictures = false
    private var hasAskedForBackground = false

    /// Whether the background is known to be light.
    var hasLightBackground: Bool {
        answers.contains { if case .background(isLight: true) = $0 { true } else { false } }
    }

    /// The size of a cell in pixels; `nil` if the terminal has not reported it.
    var cellSize: (width: Int, height: Int)? {
        answers.reversed().lazy.compactMap {
            if case .cellSize(let width, let height) = $0 { (width, height) } else { nil }
        }.first
    }

    /// Returns the questions that are due, each once.
    ///
    /// - Parameters:
    ///   - hasCover: Whether there is a cover to show.
    ///   - isOpen: Whether an input is open, or the listener is waited for.
    mutating func questions(hasCover: Bool, isOpen: Bool) -> [UInt8] {
        var bytes: [UInt8] = []
        if hasCover, !hasAskedForPictures {
            bytes += GridPainter.questions
            hasAskedForPictures = true
        }
        if isOpen, !hasAskedForBackground {
            bytes += GridPainter.backgroundQuestion
            hasAskedForBackground = true
        }
        return bytes
    }

    /// Processes an answer.
    mutating func take(_ answer: TerminalAnswer) { answers.append(answer) }
}
