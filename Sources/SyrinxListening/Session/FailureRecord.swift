import SyrinxByteStream

/// The failures of a session: those that are reported, and the one that decides how the process ends.
///
/// Pure.
struct FailureRecord: Sendable {
    /// The way in which the session ends.
    private(set) var outcome = SessionOutcome.success
    /// The failure that was reported last.
    private(set) var last: Failure?
    /// A warning that is given once something can be heard.
    private var pendingWarning: Failure?

    init(warning: Failure?) { pendingWarning = warning }

    /// The listener has the process end.
    mutating func interrupt() { outcome = .interrupted }

    /// Returns the reports of the failure of an input.
    ///
    /// - Parameters:
    ///   - failure: The failure.
    ///   - isOfPart: Whether the input is a track of a CUE sheet: all of them fail alike if their file does.
    ///   - staysOpen: Whether the session waits for the listener at the end, so that no failure decides how it ends.
    mutating func note(_ failure: Failure, isOfPart: Bool, staysOpen: Bool) -> [SessionAction] {
        if outcome == .success, !staysOpen { outcome = .failure(failure) }
        let isSaid = isOfPart && failure == last
        last = failure
        return [.emit(.error(failure))] + (isSaid ? [] : [.say(failure)])
    }

    /// Returns the report of the warning that has waited for something to be heard, once.
    mutating func takeWarning() -> [SessionAction] { pendingWarning.take().map { [.emit(.warning($0))] } ?? [] }
}

extension Failure {
    /// Whether the input itself is damaged or missing, so that the next input need not fail too.
    var isOfInput: Bool { ["file", "media"].contains(code.rawValue.prefix { $0 != "." }) }
}
