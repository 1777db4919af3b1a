import Foundation
import SyrinxPlayback

/// The rule by which recordings that are opened begin at their stored positions: those of 10 minutes or more that were left in the middle.
///
/// A recording that follows on another by itself begins at its start. Episodes have a rule of their own: ``EpisodeItem/startTime``.
///
/// One thread.
package final class Resumption {
    private let keeper: PlaceKeeper
    /// The input that continues even if it is short, until one has been opened.
    private var required: ListeningInput?

    /// Creates a rule.
    ///
    /// - Parameters:
    ///   - keeper: The positions.
    ///   - input: The first input, if the listener has asked to continue it, so that it does even if it is short.
    package init(_ keeper: PlaceKeeper, requiring input: ListeningInput? = nil) {
        (self.keeper, required) = (keeper, input)
    }

    /// Returns the position, in seconds, at which `input` continues; `nil` for its start.
    /// - Parameter key: The address under which its position is kept; `nil` if it has none.
    func place(in input: ListeningInput, key: String?, at date: Date = Date()) -> Double? {
        guard let key else { return nil }
        let former = { input.formerIdentity.flatMap(self.keeper.position) }
        guard let stored = keeper.position(of: key) ?? former() else { return nil }
        let rule = ResumeRule()
        if required == input {
            guard !stored.isFinished, stored.position > 0 else { return nil }
        } else {
            guard rule.resumes(stored), !hasChanged(input, since: stored.date) else { return nil }
        }
        return rule.position(resuming: stored.position, afterPause: date.timeIntervalSince1970 - stored.date)
    }

    /// Takes note that an input has been opened.
    func noteOpening() { required = nil }

    /// Whether a file was written after the position was: it may be another recording.
    private func hasChanged(_ input: ListeningInput, since date: Double) -> Bool {
        guard case .file(let path) = input.location, let status = path.status else { return false }
        return Double(status.st_mtim.tv_sec) > date
    }
}
