import Synchronization
import SyrinxByteStream

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Performs the decisions of a `FetchMachine`: runs transfers and timers, fills the window, and reports events.
///
/// Any thread may call the methods. The lock is held only briefly, and never while the listener is called. The window
/// has its own lock, which may be acquired while this lock is held, but not the other way round.
final class Fetcher: TransferListener {
    struct State {
        var machine: FetchMachine
        var transfer: Transfer?
        var timer: TransportTimer?
        var mimeType: String?
        /// Whether the bytes on disk are known to be of the server's version, as far as validation is required.
        var isStoredConfirmed = false
        var diskTimer: TransportTimer?
        var silence = SilenceLimit()
        var silenceTimer: TransportTimer?
        var listener: (@Sendable (HTTPStreamEvent) -> Void)?
        var events: [HTTPStreamEvent] = []
        var isDelivering = false
        /// Whether the stream needs the network, as last reported to `demand`.
        var needsLine = false
        /// The demultiplexer that removes metadata from the body of the current transfer.
        var metadata: ICYDemultiplexer?
        var titles = TitleQueue()
        var marks = TitleMarks()
        /// The last bytes of a broadcast on disk.
        var ring: ByteRing?
    }

    let state: Mutex<State>
    let window: BlockingWindow
    let stored: CachedResource?
    private let demand: NetworkDemand?
    let options: HTTPByteStream.Options
    let transport: Transport

    init(_ machine: FetchMachine, window: BlockingWindow, transport: Transport) {
        var options = machine.options
        options.cookies = options.cookies ?? CookieJar()
        self.options = options
        self.transport = transport
        self.window = window
        stored = options.cache.map { CachedResource($0, machine.original) }
        demand = options.isInTheBackground ? nil : options.cache?.demand
        state = Mutex(State(machine: machine))
        guard let stored else { return }
        stored.onFailure { [weak self] message in self?.warn(message) }
        stored.entry.onGrowth { [weak self] in self?.releaseStored() }
        guard !options.readsInOneAnswer, let known = stored.fresh(now: Self.now) else { return }
        state.withLock { state in
            state.machine.adopt(known.entity)
            state.mimeType = known.mimeType
            state.isStoredConfirmed = true
        }
        window.length = known.entity.length
        window.begin()
    }

    private static var now: Double { Double(time(nil)) }

    private func warn(_ message: String) {
        let text = "nothing more is kept on disk: \(message)"
        act { _ in [.emit(.warning(code: .cacheFailed, message: text))] }
    }

    // MARK: Interface for the stream

    var listener: (@Sendable (HTTPStreamEvent) -> Void)? {
        get { state.withLock { $0.listener } }
        set { state.withLock { $0.listener = newValue } }
    }
    var mimeType: String? { state.withLock { $0.mimeType } }
    var validator: String? { state.withLock { $0.machine.entity?.validator } }
    var isSeekable: Bool { state.withLock { $0.machine.isSeekable } }
    var redirectedURL: String? { state.withLock { $0.machine.redirected?.string } }
    var receivedByteCount: Int64 { state.withLock { $0.machine.receivedByteCount } }
    var isBroadcast: Bool { state.withLock { $0.machine.isBroadcast } }
    var broadcastBytes: (read: Int64, unread: Int64)? {
        state.withLock { state in
            let machine = state.machine
            guard machine.isBroadcast, machine.phase != .paused else { return nil }
            return (machine.reader, max(0, machine.position - machine.reader))
        }
    }

    /// Starts fetching at offset 0, unless fetching has already started.
    func open() {
        act { state in
            state.machine.open(missing: firstMissing(from: 0, state))
        }
    }

    /// Moves the reader to `offset`; returns false if the bytes there will never arrive.
    @discardableResult
    func requestBytes(from offset: Int64) -> Bool {
        act { state in
            state.events += state.titles.removeTitles(before: offset).map { .metadata($0) }
            let missing = firstMissing(from: offset, state)
            if state.machine.waitsInVain(at: offset, missing: missing) { return ([], false) }
            return (state.machine.requestBytes(from: offset, missing: missing), true)
        }
    }

    func cancel() {
        act { $0.machine.cancel() }
    }

    /// Sets the maximum number of bytes to fetch ahead of the reader.
    func setWindowAhead(_ count: Int) {
        let ring = state.withLock { $0.ring }
        // With a buffer on disk, the memory holds the bytes near the reader, and the disk the others.
        window.setLimit(options.memoryLimit(windowAhead: ring == nil ? count : Int(Self.nearReader)))
        let count = ring.map { max(count, $0.limit - Self.ringReserve) } ?? count
        act { state in
            state.machine.windowChanged(to: count, missing: firstMissing(from: state.machine.reader, state))
        }
    }

    /// Returns the first offset, starting at `offset`, that is neither in memory nor on disk.
    func firstMissing(from offset: Int64) -> Int64 { state.withLock { firstMissing(from: offset, $0) } }

    private func firstMissing(from offset: Int64, _ state: borrowing State) -> Int64 {
        let stored = state.isStoredConfirmed ? stored : nil
        guard stored != nil || state.ring != nil else { return window.firstMissing(from: offset) }
        var missing = offset
        while true {
            var next = window.firstMissing(from: missing)
            if let stored { next = stored.entry.firstMissing(from: next) }
            if let ring = state.ring { next = ring.firstMissing(from: next) }
            if next == missing { return missing }
            missing = next
        }
    }

    /// Loads the block at `offset` from disk into memory; returns false if it is not on disk.
    func load(_ offset: Int64) -> Bool {
        if loadFromRing(offset) { return true }
        guard let stored, state.withLock({ $0.isStoredConfirmed }),
            let block = stored.entry.block(containing: offset)
        else { return false }
        block.bytes.withUnsafeBytes { window.insert($0, at: block.start) }
        releaseStored()
        return true
    }

    /// The number of bytes before and after the reader that stay in memory even if they are on disk.
    static let nearReader: Int64 = 1 << 20

    /// Evicts bytes from memory that are on disk and far from the reader.
    private func releaseStored() {
        guard let stored else { return }
        window.release(near: Self.nearReader) { stored.entry.holds($0) }
    }

    /// The ranges that are in memory or on disk.
    var heldRanges: [Range<Int64>] {
        if let ring = state.withLock({ $0.ring }) { return Array(RangeSet(window.heldRanges + [ring.held]).ranges) }
        guard let stored, state.withLock({ $0.isStoredConfirmed }) else { return window.heldRanges }
        return Array(RangeSet(window.heldRanges + stored.entry.heldRanges).ranges)
    }

    // MARK: TransferListener

    func transfer(_ transfer: Transfer, responded head: ResponseHead) {
        act { state in
            if state.transfer === transfer {
                state.machine.gauge.answered(at: Uptime.now)
                state.silence.sign(at: Uptime.now)
            }
            let actions = state.machine.responded(transfer.request.id, head, now: Self.now)
            if state.machine.isReceiving(transfer.request.id), let stored {
                stored.answered(head, state.machine.entity, now: Self.now)
                state.isStoredConfirmed = true
            }
            return actions
        }
    }

    func transfer(_ transfer: Transfer, received bytes: UnsafeRawBufferPointer) -> Bool {
        let id = transfer.request.id
        return act { state in
            guard let offset = state.machine.offset(forTransfer: id) else { return ([], true) }
            state.silence.sign(at: Uptime.now)
            let count = keep(bytes, at: offset, &state)
            let arrival = FetchArrival(
                byteCount: bytes.count,
                storedCount: count,
                missing: firstMissing(from: offset + Int64(count), state),
                time: Uptime.now,
                isDiskBehind: isDiskBehind,
                isObserved: state.listener != nil
            )
            let actions = state.machine.received(id, arrival)
            return (actions, state.machine.continuesReading(id))
        }
    }

    func transferEnded(_ transfer: Transfer) {
        act { state in
            if state.transfer === transfer { state.transfer = nil }
            let missing = firstMissing(from: state.machine.reader, state)
            return state.machine.ended(transfer.request.id, missing: missing)
        }
    }

    func transfer(_ transfer: Transfer, failed failure: FetchFailure) {
        act { state in
            if state.transfer === transfer { state.transfer = nil }
            return state.machine.failed(transfer.request.id, failure)
        }
    }

    // MARK: Silence limit

    /// Sets a timer for the end of the silence limit, unless one is set.
    private func watchSilence(_ state: inout State) {
        state.silence.note(isWanted: state.machine.awaitsBytes, at: Uptime.now)
        guard let due = state.silence.due(after: state.machine.silenceLimit) else {
            state.silenceTimer?.cancel()
            state.silenceTimer = nil
            return
        }
        guard state.silenceTimer == nil else { return }
        state.silenceTimer = transport.schedule(at: due) { [weak self] in self?.lookForSilence() }
    }

    private func lookForSilence() {
        act { state in
            state.silenceTimer = nil
            // If bytes have arrived since the timer was set, `watchSilence` sets another timer.
            guard let due = state.silence.due(after: state.machine.silenceLimit), due <= Uptime.now else { return [] }
            return state.machine.fellSilent()
        }
    }

    // MARK: Actions

    func act(_ decide: (inout State) -> [FetchMachine.Action]) {
        act { (decide(&$0), ()) }
    }

    private func act<Answer: Sendable>(_ decide: (inout State) -> ([FetchMachine.Action], Answer)) -> Answer {
        let answer = state.withLock { state in
            let (actions, answer) = decide(&state)
            for action in actions { perform(action, &state) }
            watchSilence(&state)
            if let demand, state.needsLine != state.machine.needsLine {
                state.needsLine.toggle()
                demand.note(self, waits: state.needsLine)
            }
            return answer
        }
        deliver()
        return answer
    }

    /// Only starts asynchronous work: nothing in this method calls back while the lock is held.
    private func perform(_ action: FetchMachine.Action, _ state: inout State) {
        switch action {
        case .send(let request):
            let wanted = transferRequest(request, from: state.machine.original)
            state.transfer = Transfer(wanted, transport: transport, listener: self)
            state.machine.gauge.requestSent(at: Uptime.now)
            state.transfer?.start()
        case .stop:
            state.transfer?.cancel()
            state.transfer = nil
            state.timer?.cancel()
            state.timer = nil
        case .pause:
            break
        case .resume:
            state.transfer?.resume()
        case .wait(let id, let seconds):
            state.timer = transport.schedule(after: seconds) { [weak self] in
                self?.act { $0.machine.timerFired(id) }
            }
        case .waitForDisk(let seconds):
            waitForDisk(seconds: seconds, &state)
        case .setLength(let length):
            window.length = length
            // The end of a file is read more than once, for tags and an index.
            window.pin(max(0, length - Int64(SparseBuffer.segmentSize))..<length)
        case .interleave(let interval):
            state.metadata = interval.map { ICYDemultiplexer(interval: $0, after: state.metadata) }
        case .emit(let event):
            if case .response(_, _, let mimeType, _) = event {
                state.mimeType = mimeType
                beginRing(&state)
                window.begin()
            }
            if case .completed = event { state.events.append(.received(state.machine.receivedByteCount)) }
            state.events.append(event)
        case .fail(let error):
            stored?.failed(error)
            window.fail(error)
        }
    }

    private func transferRequest(_ wanted: FetchRequest, from original: RequestURL) -> TransferRequest {
        var request = TransferRequest(wanted.url, original, options)
        request.id = wanted.id
        request.isDecoded = wanted.isDecoded
        request.needsNewConnection = wanted.needsNewConnection
        if wanted.isDecoded { request.headers.set("Accept-Encoding", nil) }
        if wanted.asksForTitles { request.headers.set("Icy-MetaData", "1") }
        if let range = wanted.range { request.headers.set("Range", range) }
        if let condition = wanted.ifRange { request.headers.set("If-Range", condition) }
        return request
    }

    /// Blocks until the listener has received all pending events, at most 0.1 s.
    ///
    /// Do not call it from the listener.
    func flushEvents() {
        for _ in 0..<1_000 {
            deliver()
            guard state.withLock({ $0.isDelivering || !$0.events.isEmpty }) else { return }
            usleep(100)
        }
    }

    /// Calls the listener with pending events in order, one at a time, without the lock.
    private func deliver() {
        while true {
            let next = state.withLock { state -> (HTTPStreamEvent, (@Sendable (HTTPStreamEvent) -> Void)?)? in
                guard !state.isDelivering, !state.events.isEmpty else { return nil }
                state.isDelivering = true
                return (state.events.removeFirst(), state.listener)
            }
            guard let (event, listener) = next else { return }
            listener?(event)
            state.withLock { $0.isDelivering = false }
        }
    }
}
