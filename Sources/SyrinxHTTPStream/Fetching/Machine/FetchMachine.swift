import SyrinxByteStream

/// Decides which requests are sent, and when.
///
/// Events are calls of mutating methods, which return the actions to perform, in order. The machine uses no clock, no
/// sockets and no bytes, only offsets: `missing` is always the first missing offset from the reader or from the
/// transfer on.
struct FetchMachine: Sendable {
    enum Action: Sendable {
        case send(FetchRequest)
        /// Drop the current transfer, and close its connection unless other transfers share it.
        case stop
        /// Pause the current transfer until `resume`.
        case pause
        case resume
        /// Call `timerFired(id)` after this many seconds.
        case wait(id: Int, seconds: Double)
        /// Pause the current transfer until `resume`, because the disk is slow.
        ///
        /// Call `diskCaughtUp()` when the pending writes are done, or `diskTimedOut()` if they are not done after this
        /// many seconds.
        case waitForDisk(seconds: Double)
        case setLength(Int64)
        /// Metadata is interleaved in the body after each this many bytes; `nil` if there is none.
        case interleave(Int?)
        case emit(HTTPStreamEvent)
        case fail(SyrinxError)
    }

    enum Phase: Equatable, Sendable {
        case idle
        case requesting
        case receiving
        /// Paused, because the window is full.
        case paused
        /// Waiting for the next attempt.
        case waiting
        /// Failed or cancelled permanently.
        case over
    }

    enum RangeSupport: Sendable { case unknown, yes, no }

    /// The maximum backward step, in bytes, after which another one is expected: a demuxer that searches backward in a
    /// file without an index would otherwise cause a request for each frame.
    static let stepBack: Int64 = 8 << 10

    let options: HTTPByteStream.Options
    let name: String
    let original: RequestURL
    var current: RequestURL

    var phase = Phase.idle
    /// The number of the current transfer or timer; events of older ones are ignored.
    var id = 0
    /// The offset of the next byte of the current transfer, or the start of the next one.
    var position: Int64 = 0
    /// The end of the current transfer's body, if known.
    var expectedEnd: Int64?
    /// The end of the received bytes.
    private var furthest: Int64 = 0
    /// The offset at which the server last ended a response cleanly before the announced end.
    var earlyEnd: Int64?
    /// The length stated by the server if it sends less; `length` is then the actual length.
    var overstatedLength: Int64?
    /// The number of bytes received in the current transfer.
    var transferred: Int64 = 0
    var reader: Int64 = 0

    var entity: ResourceVersion?
    var rangeSupport = RangeSupport.unknown
    /// Whether the current request is conditional on an unchanged version.
    private(set) var hasCondition = false
    /// Whether the server once sent another range than requested.
    var hasBrokenRanges = false
    var receivedByteCount: Int64 = 0
    var retry = FetchAttempts()
    var isOffline = false
    /// Whether the resource is endless and not seekable: after an interruption, it continues at its current position.
    var isBroadcast = false
    /// The MIME type of the broadcast.
    var broadcastType: String?
    /// Whether the server compresses the body although that was not requested.
    var isDecoded = false
    var window: FetchWindow
    var redirects = RedirectChain()
    /// Whether the right version returned after another one: several servers have different versions.
    var hasMixedVersions = false
    var chance: SplitMixGenerator
    var gauge = TransferGauge()
    var disk = DiskBackpressure()

    init(url: RequestURL, options: HTTPByteStream.Options, name: String, seed: UInt64) {
        original = url
        current = url
        self.options = options
        self.name = name
        window = FetchWindow(ahead: Int64(options.windowAhead))
        if options.readsInOneAnswer { rangeSupport = .no }
        chance = SplitMixGenerator(seed: seed)
    }

    /// Takes over a version from an earlier run, so that the first request is for a range of it.
    mutating func adopt(_ entity: ResourceVersion) {
        self.entity = entity
        rangeSupport = .yes
    }

    /// The URL after redirects; `nil` if there were none.
    var redirected: RequestURL? { current == original ? nil : current }
    var length: Int64? { entity?.length }
    var isSeekable: Bool { rangeSupport != .no }

    /// Whether bytes are wanted now, even if the network is unavailable.
    var awaitsBytes: Bool {
        switch phase {
        case .requesting, .receiving, .waiting: true
        case .idle, .paused, .over: false
        }
    }

    /// Whether bytes are wanted now and can arrive.
    var needsLine: Bool {
        switch phase {
        case .requesting, .receiving: true
        case .waiting: !isOffline
        case .idle, .paused, .over: false
        }
    }

    // MARK: The reader

    /// Starts fetching at offset 0, unless fetching has already started.
    mutating func open(missing: Int64) -> [Action] {
        id == 0 ? requestBytes(from: 0, missing: missing) : []
    }

    /// Sets the maximum number of bytes ahead of the reader; `missing` is counted from the reader.
    mutating func windowChanged(to byteCount: Int, missing: Int64) -> [Action] {
        window.ahead = Int64(byteCount)
        return id == 0 ? [] : requestBytes(from: reader, missing: missing)
    }

    /// Returns whether a reader that waits at `offset` can ever receive bytes.
    func canReach(_ offset: Int64) -> Bool {
        guard rangeSupport == .no else { return true }
        switch phase {
        case .receiving, .paused, .idle: return offset >= position
        case .requesting, .waiting, .over: return true
        }
    }

    /// Returns whether the reader waits at `offset` for bytes that will never arrive.
    func waitsInVain(at offset: Int64, missing: Int64) -> Bool { missing == offset && !canReach(offset) }

    /// Moves the reader to `offset`, and starts fetching there.
    mutating func requestBytes(from offset: Int64, missing: Int64) -> [Action] {
        reader = offset
        switch phase {
        case .over:
            return []
        case .idle:
            return plan(missing)
        case .waiting:
            if shouldMove(to: missing) { position = missing }
            return []
        case .requesting, .receiving:
            return shouldMove(to: missing) ? [.stop] + begin(at: start(for: missing)) : []
        case .paused:
            if shouldMove(to: missing) { return [.stop] + begin(at: start(for: missing)) }
            guard position <= windowEnd - window.minimumSpace else { return [] }
            phase = .receiving
            return [.resume]
        }
    }

    private var windowEnd: Int64 { reader.addingClamped(window.ahead) }

    private func isWanted(_ offset: Int64) -> Bool { offset < windowEnd && offset < length ?? .max }

    /// Returns whether the current transfer should be abandoned for `missing`.
    private func shouldMove(to missing: Int64) -> Bool {
        guard rangeSupport != .no, missing != position, isWanted(missing) else { return false }
        if position < missing { return missing - position > window.seekThreshold }
        // The transfer is after a gap that precedes the reader. If no reader waits at the gap yet and the end is near
        // (an index, tags), the transfer continues: another request for the end would cost more.
        if missing > reader, let length, length - position <= window.seekThreshold { return false }
        return true
    }

    /// Returns the start of a request for `missing`: further back if the reader has just stepped back from the start of
    /// the last request.
    private func start(for missing: Int64) -> Int64 {
        let step = position - transferred - missing
        return step > 0 && step <= Self.stepBack ? max(missing - Self.stepBack, 0) : missing
    }

    /// Starts a request if bytes within the window are missing.
    private mutating func plan(_ missing: Int64) -> [Action] {
        guard phase == .idle, isWanted(missing) else { return [] }
        if rangeSupport == .no, entity != nil {
            let isComplete = length.map { position >= $0 } ?? true
            guard isBroadcast || (!isComplete && canBeTakenUp) else { return [] }
        }
        return begin(at: missing)
    }

    mutating func begin(at offset: Int64) -> [Action] {
        let usesRange = rangeSupport != .no
        // A broadcast cannot restart at offset 0.
        position = usesRange ? offset : isBroadcast ? position : 0
        id += 1
        phase = .requesting
        expectedEnd = nil
        transferred = 0
        let condition = usesRange && position > 0 ? entity?.rangeValidator : nil
        hasCondition = condition != nil
        return [
            .send(
                FetchRequest(
                    id: id,
                    url: current,
                    offset: position,
                    range: usesRange ? "bytes=\(position)-" : nil,
                    ifRange: condition,
                    asksForTitles: entity == nil || isBroadcast,
                    needsNewConnection: retry.attempts > 0,
                    isDecoded: isDecoded
                )
            )
        ]
    }

    // MARK: The body

    /// Returns the offset of the next bytes of transfer `id`; `nil` if they are no longer wanted.
    func offset(forTransfer id: Int) -> Int64? {
        id == self.id && (phase == .receiving || phase == .paused) ? position : nil
    }

    /// Handles received bytes of transfer `id`; `missing` is counted from their end.
    mutating func received(_ id: Int, count: Int, missing: Int64) -> [Action] {
        guard offset(forTransfer: id) != nil, count > 0 else { return [] }
        position += Int64(count)
        transferred += Int64(count)
        receivedByteCount += Int64(count)
        // Without ranges, the resource is sent again from its start. Bytes up to the earlier end are not progress.
        if rangeSupport != .no || position > furthest {
            retry.reset()
        }
        furthest = max(furthest, position)
        let news: [Action] = isOffline ? [.emit(.networkIsBack)] : []
        isOffline = false
        if rangeSupport == .yes, missing - position > window.seekThreshold {
            phase = .idle
            return news + [.stop] + plan(missing)
        }
        guard phase == .receiving, position >= windowEnd else { return news }
        phase = .paused
        return news + [.pause]
    }

    /// Handles the clean end of the body of transfer `id`; `missing` is counted from the reader.
    mutating func ended(_ id: Int, missing: Int64) -> [Action] {
        guard offset(forTransfer: id) != nil else { return [] }
        if isBroadcast {
            return failed(id, FetchFailure(.connectionLost, "the broadcast was cut off", .reconnect))
        }
        if let expectedEnd, position < expectedEnd {
            return failed(id, .cutShort(at: position, of: expectedEnd))
        }
        if let length, position < length {
            // The part ended before the resource: continue after it.
            guard transferred > 0 else { return failed(id, .cutShort(at: position, of: length)) }
            phase = .idle
            return plan(missing)
        }
        guard position > 0 else { return finish(.emptyBody) }
        var actions: [Action] = []
        if length != position {
            entity?.length = position
            actions.append(.setLength(position))
        }
        phase = .idle
        return actions + [.emit(.completed)] + plan(missing)
    }

    // MARK: FetchArrival

    /// Handles received and stored bytes of transfer `id`.
    mutating func received(_ id: Int, _ arrival: FetchArrival) -> [Action] {
        guard offset(forTransfer: id) != nil else { return [] }
        var actions = received(id, count: arrival.storedCount, missing: arrival.missing)
        if let rate = gauge.received(arrival.byteCount, at: arrival.time, of: id) {
            window.measured(bytesPerSecond: rate, answered: gauge.latency)
        }
        if phase != .receiving { gauge.interrupt() }
        if arrival.isObserved, gauge.reportsProgress(at: arrival.time) {
            actions.insert(.emit(.received(receivedByteCount)), at: 0)
        }
        guard arrival.isDiskBehind, isReceiving(id),
            disk.begin(
                transfer: id,
                bytesAhead: position - reader,
                isHeard: options.isHeard && !options.isInTheBackground
            )
        else { return actions }
        gauge.interrupt()
        return actions + [.waitForDisk(seconds: options.diskPatience)]
    }

    /// Returns whether `id` is the current transfer and its body is being received.
    func isReceiving(_ id: Int) -> Bool { id == self.id && phase == .receiving }

    /// Returns whether transfer `id` continues to be read; an obsolete transfer does, so that it ends.
    func continuesReading(_ id: Int) -> Bool {
        id != self.id || (phase != .paused && !disk.isWaiting(id))
    }

    /// Handles the end of pending disk writes after `.waitForDisk`.
    mutating func diskCaughtUp() -> [Action] { resume(disk.caughtUp()) }

    /// Handles the timeout of `.waitForDisk`: bytes that the disk does not accept are not cached.
    mutating func diskTimedOut() -> [Action] { resume(disk.timedOut()) }

    private func resume(_ transfer: Int?) -> [Action] {
        guard let transfer, isReceiving(transfer) else { return [] }
        return [.resume]
    }
}
