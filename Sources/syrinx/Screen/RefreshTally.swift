import Synchronization

/// The results of the refreshes of one request, reported after the last one.
final class RefreshTally: Sendable {
    private struct State {
        var left: Int
        var added = 0
        var failures = 0
    }

    private let count: Int
    private let state: Mutex<State>

    /// Creates a tally for this number of refreshes.
    init(count: Int) {
        self.count = count
        state = Mutex(State(left: count))
    }

    /// Records the end of a refresh.
    ///
    /// - Parameter added: The number of new episodes; `nil` for a refresh that failed.
    /// - Returns: The message about all refreshes, after the last one; `nil` before, and if all failed, because each
    ///   failure is reported separately.
    func note(added: Int?) -> String? {
        let state = state.withLock { state in
            state.left -= 1
            if let added { state.added += added } else { state.failures += 1 }
            return state
        }
        guard state.left == 0, state.failures < count else { return nil }
        let episodes =
            state.added == 0 ? "no new episodes" : state.added == 1 ? "1 new episode" : "\(state.added) new episodes"
        let failures = state.failures == 0 ? "" : ", \(state.failures) failed"
        return count == 1 ? "Refreshed: \(episodes)." : "\(count) podcasts refreshed: \(episodes)\(failures)."
    }
}
