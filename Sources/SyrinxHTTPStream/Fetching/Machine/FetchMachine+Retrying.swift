import SyrinxByteStream

/// The handling of transfers that fail or end too early.
extension FetchMachine {
    /// Handles the failure of transfer `id`, or a useless response.
    mutating func failed(_ id: Int, _ failure: FetchFailure) -> [Action] {
        guard id == self.id, phase != .over, phase != .idle, phase != .waiting else { return [] }
        if failure.isEarlyEnd, phase == .receiving, !isBroadcast, position > 0 {
            if earlyEnd == position { return endEarly() }
            // A response without any bytes does not indicate the end of the resource.
            if transferred > 0 { earlyEnd = position }
        }
        guard failure.remedy != .none, failure.remedy != .withoutDecoding else { return finish(failure) }
        // Continuing is impossible: the next bytes could belong to another version.
        if rangeSupport == .no, receivedByteCount > 0, !canBeTakenUp, !isBroadcast { return finish(failure) }
        if phase == .paused {
            // Servers close connections that are not read. The next request is sent when the window has free space.
            phase = .idle
            return []
        }
        retry.attempts += 1
        guard !isHopeless(failure) else { return finish(asOutage(failure)) }
        // The target of the redirects may be gone: request the original URL again.
        if retry.attempts > 1 { current = original }
        redirects = RedirectChain()
        phase = .waiting
        self.id += 1
        let delay = delay(failure)
        retry.outage += delay + (failure.code == .timedOut ? options.stallTimeout : 0)
        let isNews =
            !isOffline && failure.remedy == .reconnect && entity != nil && retry.attempts >= Self.attemptsBeforeOffline
        if isNews { isOffline = true }
        let news: [Action] = isNews ? [.emit(.waitingForNetwork)] : []
        return [
            .wait(id: self.id, seconds: delay),
            .emit(.retry(attempt: retry.attempts + 1, delay: delay, code: failure.code)),
        ] + news
    }

    /// The number of attempts before an outage is reported: outages below about a second are not reported.
    private static let attemptsBeforeOffline = 3

    /// Whether a resource without range support can be read again from its start, to continue after a broken
    /// connection.
    var canBeTakenUp: Bool { entity?.canBeRecognised == true }

    /// Handles the end of a delay from `.wait`.
    mutating func timerFired(_ id: Int) -> [Action] {
        guard id == self.id, phase == .waiting else { return [] }
        return begin(at: position)
    }

    mutating func cancel() -> [Action] {
        guard phase != .over else { return [] }
        phase = .over
        id += 1
        return [.stop]
    }

    /// Ends fetching permanently.
    mutating func finish(_ failure: FetchFailure) -> [Action] {
        phase = .over
        id += 1
        let error = SyrinxError(failure.code, failure.message, name: name, underlying: failure.underlying)
        return [.stop, .fail(error), .emit(.failed(error))]
    }

    /// Handles a response that ended twice at the same offset: this is the end of the resource, regardless of the
    /// stated length.
    ///
    /// The demuxer decides whether data is missing.
    /// - Parameter isConfirmed: Whether the server confirms that the resource ends there.
    mutating func endEarly(isConfirmed: Bool = false) -> [Action] {
        let isNews = length.map { $0 != position } ?? !isConfirmed
        if isNews { overstatedLength = length }
        entity?.length = position
        phase = .idle
        id += 1
        let stated = overstatedLength.map { "announces \($0) bytes but" } ?? "twice"
        let message = "the server \(stated) ended its answer after \(position), which is taken for the end"
        let warning: [Action] = isNews ? [.emit(.warning(code: .bodyTruncated, message: message))] : []
        return [.stop, .setLength(position)] + warning + [.emit(.completed)]
    }

    /// Handles the end of the silence limit.
    mutating func fellSilent() -> [Action] {
        guard awaitsBytes else { return [] }
        return finish(.outage(seconds: silenceLimit, host: current.host))
    }

    /// The maximum time without a byte in seconds, over all requests together.
    var silenceLimit: Double {
        isBroadcast && receivedByteCount > 0 ? options.maximumBroadcastOutage : options.maximumOutage
    }

    /// Returns the final failure: for a host that became unreachable after a response, a timeout after the whole
    /// outage.
    private func asOutage(_ failure: FetchFailure) -> FetchFailure {
        guard entity != nil, failure.remedy == .reconnect, !failure.code.isHTTPStatus else { return failure }
        return .outage(seconds: silenceLimit, host: current.host, after: failure)
    }

    private func isHopeless(_ failure: FetchFailure) -> Bool {
        // A server that replaces an offline station may send any status.
        if isBroadcast, receivedByteCount > 0 { return retry.outage >= silenceLimit }
        guard failure.remedy == .reconnect else { return retry.attempts >= options.maximumAttempts }
        return entity == nil ? retry.attempts >= options.maximumConnectAttempts : retry.outage >= silenceLimit
    }

    private mutating func delay(_ failure: FetchFailure) -> Double {
        // Random, so that many clients do not reconnect at the same moment.
        let fraction = Double(chance.next() >> 11) / Double(1 << 53)
        let doublings = Double(1 << min(retry.attempts - 1, 20))
        let usual = min(options.initialRetryDelay * doublings, options.maximumRetryDelay) * (0.75 + fraction / 2)
        guard let asked = failure.retryAfter else { return usual }
        return max(usual, min(asked, options.maximumServerDelay))
    }
}

extension FetchFailure {
    static let emptyBody = FetchFailure(.emptyBody, "the server sent nothing", .none)

    static func cutShort(at position: Int64, of end: Int64) -> FetchFailure {
        let message = "the connection was closed after \(position) of \(end) bytes"
        return FetchFailure(.connectionLost, message, .retry, isEarlyEnd: true)
    }

    /// Returns the failure after `seconds` without a byte; `last` is the failure of the last attempt.
    static func outage(seconds: Double, host: String, after last: FetchFailure? = nil) -> FetchFailure {
        let time = seconds < 1 ? "\(seconds) s" : "\(Int(clamped: seconds.rounded())) s"
        // A last attempt that timed out too adds no information.
        let reason = last.flatMap { $0.code == .timedOut ? nil : ": \($0.message)" } ?? ""
        return FetchFailure(.timedOut, "no data arrived from \(host) for \(time)\(reason)", .none, underlying: last)
    }
}

extension ErrorCode {
    /// Whether the failure is an HTTP status, as opposed to a network failure.
    fileprivate var isHTTPStatus: Bool {
        guard rawValue.hasPrefix("http.") else { return false }
        return Int(rawValue.dropFirst("http.".count)) != nil
    }
}
