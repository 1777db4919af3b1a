import ByteStream

/// A rendition of a presentation, and the state of its playlist.
struct HLSLevelState {
    let level: HLSSelection.Level
    /// The segments; `nil` until the playlist has been loaded.
    var window: HLSWindow?
    /// Whether a request for the playlist is under way.
    var isLoading = false
    /// The time from which the playlist may be loaded again, in seconds.
    private(set) var reloadAt = -Double.infinity
    /// The time until which it is not chosen, because it failed.
    var avoidedUntil = -Double.infinity
    /// Attempts in a row that failed.
    private(set) var failureCount = 0
    /// The last failure.
    private(set) var failure: StreamingError?

    /// Attempts in a row after which a playlist that the server does not have is given up.
    private static let patience = 3
    /// The shortest time between two loads of a playlist, in seconds.
    static let minimumInterval = 0.5

    init(_ level: HLSSelection.Level) { self.level = level }

    /// Whether the playlist cannot be had any more.
    var isLost: Bool { avoidedUntil == .infinity }

    /// Takes the playlist that a request brought which was made at `began`.
    /// - Returns: Whether there are new segments.
    mutating func loaded(_ playlist: HLSMediaPlaylist, start: Double, began: Double) -> HLSWindow.Change {
        isLoading = false
        failureCount = 0
        failure = nil
        avoidedUntil = min(avoidedUntil, began)
        let change: HLSWindow.Change
        if window == nil {
            window = HLSWindow(playlist, start: start)
            change = .advanced
        } else {
            change = window?.update(playlist) ?? .none
        }
        let target = window?.targetDuration ?? 1
        // RFC 8216, 6.3.4. A server that holds requests back until there is something new paces them itself.
        let isPaced = playlist.canBlockReload && change != .none
        let interval = isPaced ? Self.minimumInterval : change == .none ? target / 2 : target
        reloadAt = began + max(interval, Self.minimumInterval)
        return change
    }

    /// Notes that the playlist could not be loaded.
    mutating func failed(_ error: StreamingError, at now: Double) {
        isLoading = false
        failureCount += 1
        failure = error
        guard let window else {
            avoidedUntil = .infinity
            return
        }
        if error.code.isAbsence, failureCount >= Self.patience { avoidedUntil = .infinity }
        reloadAt = now + min(max(window.targetDuration / 2, 1) * Double(min(failureCount, 8)), 10)
    }
}

extension ErrorCode {
    /// Whether the server says that there is no such resource, or none for this client.
    var isAbsence: Bool { ["http.401", "http.403", "http.404", "http.410", "http.451"].contains(rawValue) }
}
