import SyrinxByteStream

/// Decides what to ask of the server and when.
///
/// Events come in as calls of the mutating methods, and what is to be done about them comes out as actions, in order.
/// It knows no clock, no socket and no bytes, only offsets: `missing` is always the first offset, from the reader or
/// from the fetch on, that is not held.
struct FetchMachine: Sendable {
    enum Action: Sendable {
        case send(FetchRequest)
        /// Drop the transfer that runs, and its connection, unless others share it.
        case stop
        /// Take no more bytes of the transfer that runs until `resume`.
        case pause
        case resume
        /// Call `timerFired(id)` after that many seconds.
        case wait(id: Int, seconds: Double)
        /// Take no more bytes of the transfer that runs until `resume`.
        ///
        /// Call `diskCaughtUp()` as soon as the disk has, and `diskTimedOut()` if it has not after that many seconds.
        case waitForDisk(seconds: Double)
        case setLength(Int64)
        /// The body of the running transfer has metadata after so many bytes each; `nil`: it has none.
        case interleave(Int?)
        case emit(HTTPStreamEvent)
        case fail(SyrinxError)
    }

    enum Phase: Equatable, Sendable {
        case idle
        case requesting
        case receiving
        /// The window is full.
        case paused
        /// For the next attempt.
        case waiting
        /// Failed or cancelled: nothing will be fetched any more.
        case over
    }

    enum RangeSupport: Sendable { case unknown, yes, no }

    /// The largest step back for which another step back is expected: a reader that looks for the start of a frame in a file
    /// without an index goes back frame by frame, each of which would be a request.
    static let stepBack: Int64 = 8 << 10

    let options: HTTPByteStream.Options
    let name: String
    let original: RequestURL
    var current: RequestURL

    var phase = Phase.idle
    /// The transfer or timer that counts; events of older ones are ignored.
    var id = 0
    /// The offset of the next byte of the running transfer, or the start of the next one.
    var position: Int64 = 0
    /// The end of the running transfer's body, if that is known.
    var expectedEnd: Int64?
    /// The end of the bytes that have arrived.
    private var furthest: Int64 = 0
    /// The offset at which the server last ended a response in good order before the announced end.
    var earlyEnd: Int64?
    /// The length that the server states though it sends less; `length` is then that of what it sends.
    var overstatedLength: Int64?
    /// The number of bytes that the running transfer has brought.
    var transferred: Int64 = 0
    var reader: Int64 = 0

    var entity: ResourceVersion?
    var rangeSupport = RangeSupport.unknown
    /// Whether the running request asks for its part only if nothing has changed.
    private(set) var hasCondition = false
    /// Whether the server once gave another range than asked for.
    var hasBrokenRanges = false
    var receivedByteCount: Int64 = 0
    var retry = FetchAttempts()
    var isOffline = false
    /// Whether there is no end, and no way back: what is cut off goes on with whatever is being sent then.
    var isBroadcast = false
    /// The media type of the live stream.
    var broadcastType: String?
    /// Whether the server compresses the body though it was asked not to.
    var isDecoded = false
    var window: FetchWindow
    var redirects = RedirectChain()
    /// Whether the version that is read came back after another: the answers are from servers that do not agree.
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

    /// Takes over what is known from an earlier run: ranges of that version are asked for from the beginning.
    mutating func adopt(_ entity: ResourceVersion) {
        self.entity = entity
        rangeSupport = .yes
    }

    /// The URL to which redirects have led.
    var redirected: RequestURL? { current == original ? nil : current }
    var length: Int64? { entity?.length }
    var isSeekable: Bool { rangeSupport != .no }

    /// Whether bytes are wanted now, whatever becomes of it.
    var awaitsBytes: Bool {
        switch phase {
        case .requesting, .receiving, .waiting: true
        case .idle, .paused, .over: false
        }
    }

    /// Whether bytes are wanted now, and could come.
    var needsLine: Bool {
        switch phase {
        case .requesting, .receiving: true
        case .waiting: !isOffline
        case .idle, .paused, .over: false
        }
    }

    // MARK: The reader

    /// Begins at the start, unless something has begun already.
    mutating func open(missing: Int64) -> [Action] {
        id == 0 ? requestBytes(from: 0, missing: missing) : []
    }

    /// Fetches at most so many bytes ahead of the reader from now on; `missing` counts from the reader.
    mutating func windowChanged(to byteCount: Int, missing: Int64) -> [Action] {
        window.ahead = Int64(byteCount)
        return id == 0 ? [] : requestBytes(from: reader, missing: missing)
    }

    /// Whether the reader, waiting at `offset`, will get there at all.
    func canReach(_ offset: Int64) -> Bool {
        guard rangeSupport == .no else { return true }
        switch phase {
        case .receiving, .paused, .idle: return offset >= position
        case .requesting, .waiting, .over: return true
        }
    }

    /// Whether the reader, which has come to `offset`, waits there in vain.
    func waitsInVain(at offset: Int64, missing: Int64) -> Bool { missing == offset && !canReach(offset) }

    /// The reader is at `offset` now, or begins there.
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

    /// Whether the fetch should leave where it is for `missing`.
    private func shouldMove(to missing: Int64) -> Bool {
        guard rangeSupport != .no, missing != position, isWanted(missing) else { return false }
        if position < missing { return missing - position > window.seekThreshold }
        // The fetch is beyond a gap that lies before the reader. If no reader waits at the gap yet, and the end is near
        // (an index, tags), that end comes first: another request for it would cost more.
        if missing > reader, let length, length - position <= window.seekThreshold { return false }
        return true
    }

    /// Returns the start of a request for `missing`: further back if the reader has stepped back from the start of the last
    /// one.
    private func start(for missing: Int64) -> Int64 {
        let step = position - transferred - missing
        return step > 0 && step <= Self.stepBack ? max(missing - Self.stepBack, 0) : missing
    }

    /// Begins a request if something is missing within the window.
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
        // A broadcast has no start to go back to.
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

    /// Returns the offset of the next bytes of transfer `id`; `nil` if they are not wanted any more.
    func offset(forTransfer id: Int) -> Int64? {
        id == self.id && (phase == .receiving || phase == .paused) ? position : nil
    }

    /// Says that bytes of transfer `id` have come; `missing` counts from behind them.
    mutating func received(_ id: Int, count: Int, missing: Int64) -> [Action] {
        guard offset(forTransfer: id) != nil, count > 0 else { return [] }
        position += Int64(count)
        transferred += Int64(count)
        receivedByteCount += Int64(count)
        // Without ranges all comes again from the start, up to where the last attempt had come: that is no progress.
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

    /// Says that the body of transfer `id` is over, in order as far as HTTP can tell; `missing` counts from the reader.
    mutating func ended(_ id: Int, missing: Int64) -> [Action] {
        guard offset(forTransfer: id) != nil else { return [] }
        if isBroadcast {
            return failed(id, FetchFailure(.connectionLost, "the broadcast was cut off", .reconnect))
        }
        if let expectedEnd, position < expectedEnd {
            return failed(id, .cutShort(at: position, of: expectedEnd))
        }
        if let length, position < length {
            // A part that ends before the whole does: go on behind it.
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

    /// Says that bytes of transfer `id` have come.
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

    /// Whether `id` is the transfer that counts, and its body is being received.
    func isReceiving(_ id: Int) -> Bool { id == self.id && phase == .receiving }

    /// Whether transfer `id` goes on being read: one that counts no more is, so that it ends.
    func continuesReading(_ id: Int) -> Bool {
        id != self.id || (phase != .paused && !disk.isWaiting(id))
    }

    /// Says that the disk has caught up, after `.waitForDisk`.
    mutating func diskCaughtUp() -> [Action] { resume(disk.caughtUp()) }

    /// Says that the seconds of `.waitForDisk` are over: what the disk does not take is not kept.
    mutating func diskTimedOut() -> [Action] { resume(disk.timedOut()) }

    private func resume(_ transfer: Int?) -> [Action] {
        guard let transfer, isReceiving(transfer) else { return [] }
        return [.resume]
    }
}
