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
    /// The time at which the playlist was asked for that is known.
    private var knownSince = -Double.infinity
    /// Whether the last answer was a delta update that did not fit what is known.
    private var needsWhole = false

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
        // What seems to be older may be of a server that has begun anew: only all of it tells.
        if playlist.lacksSkipped || playlist.skippedCount > 0 && isBefore(playlist) {
            // Such an update that was not asked for is a failure, as it would be again and again.
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
        // RFC 8216, 6.3.4. A server that holds requests back until there is something new paces them itself.
        let isPaced = playlist.canBlockReload && change != .none
        let interval = isPaced ? Self.minimumInterval : change == .none ? target / 2 : target
        reloadAt = began + max(interval, Self.minimumInterval)
        freshUntil = began + max(change == .none ? target / 2 : target, Self.minimumInterval)
        if let window, window.usesParts {
            // The request is answered when there is another part; one that was not held back is not made again at once.
            reloadAt = began + window.partTarget * (change == .none ? 1 : Self.shareOfPart)
        }
        return change
    }

    private var onlyUpdates: SyrinxError {
        let message =
            "The server sends changes of the playlist in place of all of it: try again later, or tell the sender."
        return SyrinxError(.badResponse, message, name: StreamingInput.url(level.playlist.url).name)
    }

    /// Whether a version of the playlist ends before the one that is known.
    private func isBefore(_ playlist: HLSMediaPlaylist) -> Bool {
        window.map { playlist.endSequence < $0.playlist.endSequence } ?? false
    }

    /// So much of a part's duration lies between two loads of a playlist at least.
    private static let shareOfPart = 0.25

    /// The directives with which the playlist is loaded again (draft-pantos-hls-rfc8216bis, 6.2.5).
    func query(at now: Double) -> HLSReloadQuery {
        // A server that refused them may give the playlist without.
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
    /// Whether the server says that there is no such resource, or none for this client.
    var isAbsence: Bool { ["http.401", "http.403", "http.404", "http.410", "http.451"].contains(rawValue) }
}

/// The directives in a request for a playlist.
struct HLSReloadQuery: Equatable, Sendable {
    /// The segment that is waited for.
    var sequence: Int64?
    /// The part of it that is waited for.
    var part: Int?
    /// Whether older segments may be left out.
    var skips = false

    /// Names and values, in the order that the specification asks for.
    var items: [(name: String, value: String)] {
        var items: [(String, String)] = []
        if let sequence { items.append(("_HLS_msn", "\(sequence)")) }
        if let part { items.append(("_HLS_part", "\(part)")) }
        if skips { items.append(("_HLS_skip", "YES")) }
        return items
    }
}
