import SyrinxByteStream

/// The handling of transfers that fail, or end too early.
extension FetchMachine {
    /// Transfer `id` has failed and is gone, or its answer is of no use.
    mutating func failed(_ id: Int, _ failure: FetchFailure) -> [Action] {
        guard id == self.id, phase != .over, phase != .idle, phase != .waiting else { return [] }
        if failure.isEarlyEnd, phase == .receiving, !isBroadcast, position > 0 {
            if earlyEnd == position { return endEarly() }
            // An answer that brought nothing says nothing of where the resource ends.
            if transferred > 0 { earlyEnd = position }
        }
        guard failure.remedy != .none, failure.remedy != .withoutDecoding else { return finish(failure) }
        // Nothing to continue with: the next bytes could not be distinguished from another resource's.
        if rangeSupport == .no, receivedByteCount > 0, !canBeTakenUp, !isBroadcast { return finish(failure) }
        if phase == .paused {
            // Servers drop connections that are not read. It will be requested again when there is room.
            phase = .idle
            return []
        }
        retry.attempts += 1
        guard !isHopeless(failure) else { return finish(asOutage(failure)) }
        // What the redirects led to may have gone away: ask the original again.
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

    /// A network that is gone for less than about a second is not worth a word.
    private static let attemptsBeforeOffline = 3

    /// Whether a resource that gives no ranges can be read again from its start, to go on where it broke off.
    var canBeTakenUp: Bool { entity?.canBeRecognised == true }

    /// The time set by `.wait` is over.
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

    /// The end of it: nothing will be fetched any more.
    mutating func finish(_ failure: FetchFailure) -> [Action] {
        phase = .over
        id += 1
        let error = SyrinxError(failure.code, failure.message, name: name, underlying: failure.underlying)
        return [.stop, .fail(error), .emit(.failed(error))]
    }

    /// The answer has ended at the same place twice: this is the end of the resource, whatever length the server states.
    ///
    /// Whether anything is missing is for the container to say.
    /// - Parameter isConfirmed: Whether the server says that the resource ends there.
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

    /// Nothing has come for as long as is waited for.
    mutating func fellSilent() -> [Action] {
        guard awaitsBytes else { return [] }
        return finish(.outage(seconds: silenceLimit, host: current.host))
    }

    /// Seconds without a byte that the stream waits, over all requests together.
    var silenceLimit: Double {
        isBroadcast && receivedByteCount > 0 ? options.maximumBroadcastOutage : options.maximumOutage
    }

    /// The failure to end with: of a host that is out of reach after it has answered, that it was waited for in vain.
    private func asOutage(_ failure: FetchFailure) -> FetchFailure {
        guard entity != nil, failure.remedy == .reconnect, !failure.code.isHTTPStatus else { return failure }
        return .outage(seconds: silenceLimit, host: current.host, after: failure)
    }

    private func isHopeless(_ failure: FetchFailure) -> Bool {
        // Whatever stands in for a station that is gone may answer as it likes.
        if isBroadcast, receivedByteCount > 0 { return retry.outage >= silenceLimit }
        guard failure.remedy == .reconnect else { return retry.attempts >= options.maximumAttempts }
        return entity == nil ? retry.attempts >= options.maximumConnectAttempts : retry.outage >= silenceLimit
    }

    private mutating func delay(_ failure: FetchFailure) -> Double {
        // By chance, so that many clients do not come back at the same moment.
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

    /// Nothing has come for `seconds`, the last attempt having failed with `last`.
    static func outage(seconds: Double, host: String, after last: FetchFailure? = nil) -> FetchFailure {
        let time = seconds < 1 ? "\(seconds) s" : "\(Int(clamped: seconds.rounded())) s"
        // A last attempt that was silent too has nothing to add.
        let reason = last.flatMap { $0.code == .timedOut ? nil : ": \($0.message)" } ?? ""
        return FetchFailure(.timedOut, "nothing has come from \(host) for \(time)\(reason)", .none, underlying: last)
    }
}

extension ErrorCode {
    /// Whether the server's answer is the failure: then the network is not.
    fileprivate var isHTTPStatus: Bool {
        guard rawValue.hasPrefix("http.") else { return false }
        return Int(rawValue.dropFirst("http.".count)) != nil
    }
}
