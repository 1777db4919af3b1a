import AsyncHTTPClient
import ByteStream
import NIOCore
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Does what a `FetchMachine` decides: runs transfers and timers, fills the cache, tells of events.
///
/// Any thread may call it. The lock is held for moments only, never while the listener is called; the cache has a lock
/// of its own, which may be taken inside this one, never the other way round.
final class Fetcher: Transfer.Listener {
    private struct State {
        var machine: FetchMachine
        var transfer: Transfer?
        var timer: Scheduled<Void>?
        var mimeType: String?
        var listener: (@Sendable (HTTPStreamEvent) -> Void)?
        var events: [HTTPStreamEvent] = []
        var isDelivering = false
        var lastCount = NIODeadline.uptimeNanoseconds(0)
    }

    private let state: Mutex<State>
    private let cache: SpanCache
    private let options: HTTPByteStream.Options
    private let authorization: String?
    private let loop: any EventLoop

    init(_ machine: FetchMachine, cache: SpanCache) {
        options = machine.options
        authorization = machine.original.authorization
        self.cache = cache
        loop = HTTPClient.defaultEventLoopGroup.any()
        state = Mutex(State(machine: machine))
    }

    // MARK: For the stream

    var listener: (@Sendable (HTTPStreamEvent) -> Void)? {
        get { state.withLock { $0.listener } }
        set { state.withLock { $0.listener = newValue } }
    }
    var mimeType: String? { state.withLock { $0.mimeType } }
    var isSeekable: Bool { state.withLock { $0.machine.isSeekable } }
    var receivedByteCount: Int64 { state.withLock { $0.machine.receivedByteCount } }

    /// Begins at the start, unless something has begun already.
    func open() {
        act { state in
            guard state.machine.id == 0 else { return [] }
            return state.machine.readerMoved(to: 0, missing: cache.firstMissing(from: 0))
        }
    }

    /// Says that the reader is at `offset`; false if it waits there for what will not come.
    @discardableResult
    func readerMoved(to offset: Int64) -> Bool {
        act { state in
            let missing = cache.firstMissing(from: offset)
            if missing == offset, !state.machine.canReach(offset) { return ([], false) }
            return (state.machine.readerMoved(to: offset, missing: missing), true)
        }
    }

    func cancel() {
        act { $0.machine.cancel() }
    }

    // MARK: Transfer.Listener

    func transfer(_ transfer: Transfer, responded head: ResponseHead) {
        act { $0.machine.responded(transfer.request.id, head, now: Double(time(nil))) }
    }

    func transfer(_ transfer: Transfer, received buffer: ByteBuffer) -> Bool {
        let id = transfer.request.id
        return act { state in
            guard let offset = state.machine.offset(forTransfer: id) else { return ([], true) }
            buffer.withUnsafeReadableBytes { cache.insert($0, at: offset) }
            let missing = cache.firstMissing(from: offset + Int64(buffer.readableBytes))
            let actions = state.machine.received(id, count: buffer.readableBytes, missing: missing)
            // Ten a second are enough for an eye.
            if state.listener != nil, NIODeadline.now() - state.lastCount >= .milliseconds(100) {
                state.lastCount = .now()
                state.events.append(.received(state.machine.receivedByteCount))
            }
            return (actions, state.machine.phase != .paused || state.machine.id != id)
        }
    }

    func transferEnded(_ transfer: Transfer) {
        act { state in
            if state.transfer === transfer { state.transfer = nil }
            let missing = cache.firstMissing(from: state.machine.reader)
            return state.machine.ended(transfer.request.id, missing: missing)
        }
    }

    func transfer(_ transfer: Transfer, failed failure: FetchFailure) {
        act { state in
            if state.transfer === transfer { state.transfer = nil }
            return state.machine.failed(transfer.request.id, failure)
        }
    }

    // MARK: Acting

    private func act(_ decide: (inout State) -> [FetchMachine.Action]) {
        act { (decide(&$0), ()) }
    }

    private func act<Answer: Sendable>(_ decide: (inout State) -> ([FetchMachine.Action], Answer)) -> Answer {
        let answer = state.withLock { state in
            let (actions, answer) = decide(&state)
            for action in actions { perform(action, &state) }
            return answer
        }
        deliver()
        return answer
    }

    /// Only starts things that happen elsewhere: nothing here calls back while the lock is held.
    private func perform(_ action: FetchMachine.Action, _ state: inout State) {
        switch action {
        case .send(let request):
            let authorization = request.carriesSecrets ? authorization : request.url.authorization
            state.transfer = Transfer(request, options, authorization: authorization, loop: loop, listener: self)
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
            let amount = TimeAmount.nanoseconds(Int64(seconds * 1e9))
            state.timer = loop.scheduleTask(in: amount) { [weak self] in
                guard let self else { return }
                act { $0.machine.timerFired(id) }
            }
        case .setLength(let length):
            cache.length = length
            // What a container keeps at its end is asked for more than once: tags, an index.
            cache.pin(max(0, length - Int64(SpanStore.segmentSize))..<length)
        case .emit(let event):
            if case .response(_, _, let mimeType, _) = event {
                state.mimeType = mimeType
                cache.begin()
            }
            if case .completed = event { state.events.append(.received(state.machine.receivedByteCount)) }
            state.events.append(event)
        case .fail(let error):
            cache.fail(error)
        }
    }

    /// Calls the listener with what has happened, in order, one call at a time, without the lock.
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
