import Foundation
import SyrinxPlayback

/// Decides which recordings resume at their stored positions: those of 10 minutes or more that were partly played.
///
/// A recording that follows another one automatically begins at its start. For episodes, see ``EpisodeItem/startTime``.
/// Use it on one thread.
package final class Resumption {
    private let keeper: PlaceKeeper
    /// The input that resumes even if it is short; `nil` after the first opening.
    private var required: ListeningInput?

    /// Creates a rule.
    ///
    /// - Parameters:
    ///   - keeper: The positions.
    ///   - input: The first input, if the user requested to resume it, so that it resumes even if it is short.
    package init(_ keeper: PlaceKeeper, requiring input: ListeningInput? = nil) {
        (self.keeper, required) = (keeper, input)
    }

    /// Returns the position in seconds at which `input` resumes; `nil` for its start.
    /// - Parameter key: The identifier of its stored position; `nil` if it has none.
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

    /// Records that an input was opened.
    func noteOpening() { required = nil }

    /// Returns whether a file was changed after its position was stored, so that it may be another recording.
    private func hasChanged(_ input: ListeningInput, since date: Double) -> Bool {
        guard case .file(let path) = input.location, let status = path.status else { return false }
        return Double(status.st_mtim.tv_sec) > date
    }
}
