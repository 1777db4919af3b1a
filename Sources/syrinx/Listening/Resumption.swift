import Foundation
import SyrinxListening
import SyrinxPlayback

/// The place at which the first input of a player goes on.
///
/// One thread.
final class Resumption {
    private let state: ListeningStore
    /// Whether it has been asked for, so that short inputs go on too.
    private let isRequired: Bool
    /// The only input that is meant by that; `nil` for any.
    private let required: ListeningInput?
    private var isOver = false

    /// Creates the place of the first input.
    ///
    /// - Parameters:
    ///   - state: The positions.
    ///   - isRequired: Whether it has been asked for.
    ///   - input: The input that it has been asked for; `nil` for any.
    init(_ state: ListeningStore, isRequired: Bool, of input: ListeningInput? = nil) {
        (self.state, self.isRequired, required) = (state, isRequired, input)
    }

    /// Returns the place, in seconds, at which `input` goes on; `nil` for its start.
    func place(in input: ListeningInput, at date: Date = Date()) -> Double? {
        guard !isOver, let item = input.identity, let stored = state.positions.position(of: item) else { return nil }
        let rule = ResumeRule()
        if isRequired, required == nil || required == input {
            guard !stored.isFinished, stored.position > 0 else { return nil }
        } else {
            guard rule.resumes(stored), !hasChanged(input, since: stored.date) else { return nil }
        }
        return rule.position(resuming: stored.position, afterPause: date.timeIntervalSince1970 - stored.date)
    }

    /// Ends it, once an input has been opened: the inputs after the first begin at their start.
    func end() { isOver = true }

    /// Whether a file was written after the position was: it may be another recording.
    private func hasChanged(_ input: ListeningInput, since date: Double) -> Bool {
        guard case .file(let path) = input.location, let status = path.status else { return false }
        return Double(status.st_mtim.tv_sec) > date
    }
}
