import Foundation
import SyrinxPlayback

/// The rule by which recordings begin at their stored positions. Episodes have a rule of their own: ``EpisodeItem/startTime``.
///
/// One thread.
package final class Resumption {
    /// The inputs that continue.
    package enum Scope {
        /// The first input that can be opened.
        case first
        /// Every input that the listener opens.
        case every
    }

    private let keeper: PlaceKeeper
    private let scope: Scope
    /// Whether the listener has asked for it, so that short inputs continue too.
    private let isRequired: Bool
    /// The only input that the listener has asked for; `nil` for any.
    private let required: ListeningInput?
    private var isOver = false

    /// Creates a rule.
    ///
    /// - Parameters:
    ///   - keeper: The positions.
    ///   - scope: The inputs that continue.
    ///   - isRequired: Whether the listener has asked for it.
    ///   - input: The input that the listener has asked for; `nil` for any.
    package init(_ keeper: PlaceKeeper, _ scope: Scope, isRequired: Bool = false, of input: ListeningInput? = nil) {
        (self.keeper, self.scope, self.isRequired, required) = (keeper, scope, isRequired, input)
    }

    /// Returns the position, in seconds, at which `input` continues; `nil` for its start.
    /// - Parameter key: The address under which its position is kept; `nil` if it has none.
    func place(in input: ListeningInput, key: String?, at date: Date = Date()) -> Double? {
        guard !isOver, let key else { return nil }
        let former = { input.formerIdentity.flatMap(self.keeper.position) }
        guard let stored = keeper.position(of: key) ?? former() else { return nil }
        let rule = ResumeRule()
        if isRequired, required == nil || required == input {
            guard !stored.isFinished, stored.position > 0 else { return nil }
        } else {
            guard rule.resumes(stored), !hasChanged(input, since: stored.date) else { return nil }
        }
        return rule.position(resuming: stored.position, afterPause: date.timeIntervalSince1970 - stored.date)
    }

    /// Takes note that an input has been opened.
    func noteOpening() { if case .first = scope { isOver = true } }

    /// Whether a file was written after the position was: it may be another recording.
    private func hasChanged(_ input: ListeningInput, since date: Double) -> Bool {
        guard case .file(let path) = input.location, let status = path.status else { return false }
        return Double(status.st_mtim.tv_sec) > date
    }
}
