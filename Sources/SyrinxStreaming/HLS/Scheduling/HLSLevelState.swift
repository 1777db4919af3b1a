import SyrinxByteStream

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
    private(set) var failure: SyrinxError?
    /// The time until which the segments are news enough to go over to.
    private(set) var freshUntil = -Double.infinity
    /// The time of the request for the current playlist.
    private var knownSince = -Double.infinity
    /// Whether the last response was a delta update that does not match the known playlist.
    private var needsWhole = false

    /// The number of consecutive attempts for a missing playlist.
    private static let patience = 3
    /// The shortest time between two loads of a playlist, in seconds.
    static let minimumInterval = 0.5

    init(_ level: HLSSelection.Level) { self.level = level }

    /// Whether the playlist cannot be had any more.
    var isLost: Bool { avoidedUntil == .infinity }

    /// Processes a playlist that was requested at `began`.
    /// - Returns: The change of the window.
    mutating func loaded(_ playlist: HLSMediaPlaylist, start: Double, began: Double) -> HLSWindow.Change {
        isLoading = false
        // A playlist that seems older may be that of a restarted server: only a complete playlist shows this.
        if playlist.lacksSkipped || playlist.skippedCount > 0 && isBefore(playlist) {
            // An unrequested delta update is a failure, because it would be sent again and again.
            if needsWhole { failed(onlyUpdates, at: began) }
            needsWhole = true
            reloadAt = max(reloadAt, began + Self.minimumInterval)
            return .none
        }
        needsWhole = false
        failureCount = 0
        failure = nil
        avoidedUntil = min(avoidedUntil, began)
        knownSince = began
        let change: HLSWindow.Change
        if window == nil {
            window = HLSWindow(playlist, start: start)
            change = .advanced
        } else {
            change = window?.update(playlist) ?? .none
        }
        let target = window?.targetDuration ?? 1
        // RFC 8216, 6.3.4. A server that blocks requests until there is a change paces them itself.
        let isPaced = playlist.canBlockReload && change != .none
        let interval = isPaced ? Self.minimumInterval : change == .none ? target / 2 : target
        reloadAt = began + max(interval, Self.minimumInterval)
        freshUntil = began + max(change == .none ? target / 2 : target, Self.minimumInterval)
        if let window, window.usesParts {
            // The server responds when there is another part; a request that was not blocked is not repeated at once.
            reloadAt = began + window.partTarget * (change == .none ? 1 : Self.shareOfPart)
        }
        return change
    }

    private var onlyUpdates: SyrinxError {
        let message =
            "The server sends changes of the playlist in place of all of it: try again later, or tell the sender."
        return SyrinxError(.badResponse, message, name: StreamingInput.url(level.playlist.url).name)
    }

    /// Returns whether a version of the playlist ends before the known one.
    private func isBefore(_ playlist: HLSMediaPlaylist) -> Bool {
        window.map { playlist.endSequence < $0.playlist.endSequence } ?? false
    }

    /// The minimum fraction of a part's duration between two loads of a playlist.
    private static let shareOfPart = 0.25

    /// The directives with which the playlist is loaded again (draft-pantos-hls-rfc8216bis, 6.2.5).
    func query(at now: Double) -> HLSReloadQuery {
        // A server that refused the directives may return the playlist without them.
        guard let window, failureCount == 0 else { return HLSReloadQuery() }
        let playlist = window.playlist
        var query = HLSReloadQuery()
        if playlist.canBlockReload {
            query.sequence = playlist.endSequence
            if window.usesParts { query.part = playlist.openParts.count }
        }
        if let boundary = playlist.skipBoundary, !needsWhole { query.skips = now - knownSince < boundary / 2 }
        return query
    }

    /// Notes that the playlist could not be loaded.
    mutating func failed(_ error: SyrinxError, at now: Double) {
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
    /// Whether the code means that the resource does not exist, or is not available to this client.
    var isAbsence: Bool { ["http.401", "http.403", "http.404", "http.410", "http.451"].contains(rawValue) }
}

/// The directives in a request for a playlist.
struct HLSReloadQuery: Equatable, Sendable {
    /// The segment that is waited for.
    var sequence: Int64?
    /// The number of the part to wait for.
    var part: Int?
    /// Whether older segments may be left out.
    var skips = false

    /// Names and values, in the order that the specification requires.
    var items: [(name: String, value: String)] {
        var items: [(String, String)] = []
        if let sequence { items.append(("_HLS_msn", "\(sequence)")) }
        if let part { items.append(("_HLS_part", "\(part)")) }
        if skips { items.append(("_HLS_skip", "YES")) }
        return items
    }
}
