import Foundation
import SyrinxByteStream
import SyrinxHTTPStream

/// Performs the decisions of an `HLSScheduler`: loads playlists, fetches segments ahead, and passes them to the reader
/// in order.
///
/// One thread takes and reads segments; any other thread may interrupt and cancel the loader.
final class HLSLoader: @unchecked Sendable {
    // Unchecked: `state` guards all mutable state; `onEvent` is set before the start.

    struct State {
        var scheduler: HLSScheduler
        var store = HLSStore()
        /// Segments that are planned and have not been taken, in order.
        var queue: [HLSPlan] = []
        /// The segment that was taken last.
        var taken: HLSPlan?
        /// Playlists that are being loaded.
        var playlists: [Int: PlaylistLoad] = [:]
        /// Other streams that the reader waits for.
        var small: [ObjectIdentifier: any ByteStream] = [:]
        var keys: [URL: [UInt8]] = [:]
        var initializations: [HLSMediaPlaylist.Initialization: [UInt8]] = [:]
        var variables: [String: String] = [:]
        var outcome: Outcome?
        var waitingSince: Double?
        var wakeAt = Double.infinity
        /// The resources that were requested before they were published.
        var prefetched: [HLSStore.Key] = []
        /// The number of requested playlists.
        var loadCount = 0
        /// The number of times that segments have been added to a live presentation.
        var arrivalCount = 0
        var readsAhead = false
        var isInterrupted = false
        var isCancelled = false
    }

    /// The reason why no segment follows those that are planned.
    enum Outcome {
        case end
        case failure(SyrinxError)
    }

    struct PlaylistLoad {
        let id: Int
        let stream: any ByteStream
        let began: Double
    }

    let state: Monitor<State>
    let transport: any HLSTransport
    let name: String
    let queue = DispatchQueue(label: "syrinx.hls")
    /// The handler of network events, which may block briefly.
    var onEvent: (@Sendable (HTTPStreamEvent) -> Void)?

    /// Seconds of segments that are fetched ahead.
    private static let aheadSeconds = 600.0
    /// The number of segments to fetch ahead before playback starts.
    private static let openingCount = 2
    /// Bytes of segments that are fetched ahead.
    static let aheadByteCount = 16 << 20
    /// The maximum number of segments to fetch ahead, however short and small: each event iterates over all of them.
    static let aheadCount = 256

    init(_ scheduler: HLSScheduler, variables: [String: String], transport: any HLSTransport, name: String) {
        var state = State(scheduler: scheduler)
        state.variables = variables
        self.state = Monitor(state)
        self.transport = transport
        self.name = name
    }

    deinit { cancel() }

    var now: Double { transport.clock.now }

    // MARK: Control, from any thread

    /// Ends everything; whatever waits throws `.cancelled`.
    func cancel() {
        let streams = state.update { state in
            state.isCancelled = true
            return Self.streams(of: state)
        }
        for stream in streams { stream.cancel() }
    }

    /// Interrupts waits, or ends the interruption.
    func setInterrupted(_ isInterrupted: Bool) {
        let streams = state.update { state in
            state.isInterrupted = isInterrupted
            return Self.streams(of: state)
        }
        for stream in streams { stream.setInterrupted(isInterrupted) }
    }

    private static func streams(of state: State) -> [any ByteStream] {
        state.store.resources.values.map(\.stream) + Array(state.small.values) + state.playlists.values.map(\.stream)
    }

    /// Switches to the large fetch-ahead window, which bridges network outages.
    func readAhead() {
        let isNew = state.update { state in
            defer { state.readsAhead = true }
            return !state.readsAhead
        }
        if isNew { queue.async { [weak self] in self?.advance() } }
    }

    /// Returns the stream of a segment that is at hand or on its way, if that is the whole of a resource on a server.
    func fetchedSegment(at url: URL) -> HTTPByteStream? {
        let location = CompactURL(url)
        return state.read { state in
            let found = state.store.resources.first { $0.key.location == location && $0.key.sequence != nil }
            return found?.value.stream as? HTTPByteStream
        }
    }

    /// The segments that can be played now.
    var window: HLSWindow? { state.read { $0.scheduler.window } }

    /// The segments that have been added to a live presentation.
    var arrival: HLSArrival? {
        state.read { state in
            guard let window = state.scheduler.window, window.isLive else { return nil }
            let target = window.usesParts ? window.partTarget : window.targetDuration
            return HLSArrival(count: state.arrivalCount, end: window.partsEnd, targetDuration: target)
        }
    }

    /// The number of bytes received so far.
    var receivedByteCount: Int64 { state.read { $0.store.receivedByteCount } }

    // MARK: Acting

    /// Performs all due actions.
    func advance() {
        var evicted: [HLSStore.Resource] = []
        state.update { state in
            guard !state.isCancelled else { return }
            measure(&state)
            var isDone = false
            while !isDone { isDone = step(&state) }
            let keys = Self.wanted(state).map { HLSStore.Key($0.entry) } + state.prefetched
            evicted = state.store.evict(besides: Set(keys))
        }
        for resource in evicted { resource.stream.cancel() }
    }

    static func wanted(_ state: State) -> [HLSPlan] { [state.taken].compactMap(\.self) + state.queue }

    /// Performs one action.
    /// - Returns: Whether no more actions are due.
    private func step(_ state: inout State) -> Bool {
        let ahead = state.queue.reduce(0) { $0 + $1.segment.duration }
        let isFetching = isFetching(state)
        let hasSpace = hasSpace(state, ahead: ahead)
        let step = state.scheduler.next(
            at: now,
            hasRoom: hasSpace && !isFetching,
            ahead: ahead,
            isFetching: hasSpace && isFetching
        )
        switch step {
        case .load(let level, let query):
            load(level, query, &state)
            return false
        case .prefetch(let hints):
            prefetch(hints, &state)
            return false
        case .fetch(let plan):
            state.outcome = nil
            fetch(plan, &state)
            return false
        case .wait(let time):
            wake(at: time, &state)
            return true
        case .end:
            state.outcome = .end
            return true
        case .fail(let code):
            state.outcome = .failure(
                state.scheduler.failure
                    ?? SyrinxError(
                        code,
                        "Playback cannot continue, because no more data of the stream is available. Try again later.",
                        name: name
                    )
            )
            return true
        }
    }

    /// Whether the last segment that was planned is still on its way.
    private func isFetching(_ state: State) -> Bool {
        guard let last = state.queue.last, let resource = state.store.resources[HLSStore.Key(last.entry)] else {
            return false
        }
        return !resource.isComplete(last.segment.resource.range)
    }

    private func hasSpace(_ state: State, ahead: Double) -> Bool {
        guard state.queue.count < (state.readsAhead ? Self.aheadCount : Self.openingCount) else { return false }
        guard state.readsAhead else { return true }
        let bytes = state.queue.reduce(0) {
            $0 + ($1.segment.resource.range?.count ?? state.store.resources[HLSStore.Key($1.entry)]?.heldByteCount ?? 0)
        }
        return ahead < Self.aheadSeconds && bytes < Self.aheadByteCount
    }

    private func wake(at time: Double, _ state: inout State) {
        guard time < state.wakeAt, time.isFinite else { return }
        state.wakeAt = time
        transport.clock.schedule(after: time - now, on: queue) { [weak self] in
            guard let self else { return }
            self.state.update { $0.wakeAt = .infinity }
            advance()
        }
    }

    private func fetch(_ plan: HLSPlan, _ state: inout State) {
        state.queue.append(plan)
        let key = HLSStore.Key(plan.entry)
        if let known = state.store.use(key) {
            guard plan.segment.part != nil else { return }
            guard known.isOver else {
                // From now on it is complete on the server.
                if known.began == nil { (known.began, known.bytesBefore) = (now, known.receivedByteCount) }
                return
            }
            // A part that was requested too early may exist now.
            state.store.remove(key)?.stream.cancel()
        }
        do throws(SyrinxError) {
            try open(plan, as: key, &state)
        } catch {
            state.queue.removeLast()
            state.scheduler.segmentFailed(plan, after: state.queue.last ?? state.taken, error, at: now)
        }
    }

    func open(_ plan: HLSPlan, as key: HLSStore.Key, _ state: inout State) throws(SyrinxError) {
        let isPart = plan.segment.part != nil
        let purpose = isPart ? HLSPurpose.part(seconds: plan.segment.duration) : .segment
        let stream = try transport.open(plan.segment.resource.url, purpose)
        prepare(stream, &state)
        state.store.add(HLSStore.Resource(stream, began: now), as: key)
        begin(stream, at: plan.segment.resource.range?.lowerBound ?? 0)
    }

    private func prefetch(_ hints: [HLSMediaPlaylist.Hint], _ state: inout State) {
        let epoch = state.scheduler.window?.epoch ?? 0
        state.prefetched = hints.map { HLSStore.Key($0, epoch: epoch) }
        let seconds = state.scheduler.window?.partTarget ?? 1
        for (hint, key) in zip(hints, state.prefetched) where state.store.use(key) == nil {
            do throws(SyrinxError) {
                let stream = try transport.open(hint.url, .part(seconds: seconds))
                prepare(stream, &state)
                state.store.add(HLSStore.Resource(stream, began: nil), as: key)
                begin(stream, at: hint.start)
            } catch {
                // The segment is requested again when it is needed, and fails then.
                continue
            }
        }
    }

    private func begin(_ stream: any ByteStream, at offset: Int64) {
        guard let stream = stream as? HTTPByteStream else { return }
        stream.onEvent = { [weak self, weak stream] event in
            guard let self, let stream else { return }
            // The time of the event: a busy machine may handle it much later.
            let time = now
            queue.async { [weak self] in self?.note(event, of: stream, at: time) }
        }
        stream.fetch(from: offset)
    }

    private func prepare(_ stream: any ByteStream, _ state: inout State) {
        if state.isInterrupted { stream.setInterrupted(true) }
    }

    // MARK: Playlists

    private func load(_ level: Int, _ query: HLSReloadQuery, _ state: inout State) {
        var url = state.scheduler.levels[level].level.playlist.url
        if !query.items.isEmpty {
            url.append(queryItems: query.items.map { URLQueryItem(name: $0.name, value: $0.value) })
        }
        do throws(SyrinxError) {
            let stream = try transport.open(url, .playlist)
            state.loadCount += 1
            // A wait usually outlives the load, and holds none of its bytes.
            let id = state.loadCount
            state.playlists[level] = PlaylistLoad(id: id, stream: stream, began: now)
            guard let remote = stream as? HTTPByteStream else {
                return queue.async { [weak self] in self?.note(.completed, ofLoad: id, level) }
            }
            remote.onEvent = { [weak self] event in
                guard let self else { return }
                queue.async { [weak self] in self?.note(event, ofLoad: id, level) }
            }
            remote.open()
            transport.clock.schedule(after: Self.playlistPatience, on: queue) { [weak self] in
                guard let self, let load = current(id, of: level) else { return }
                fail(load, of: level, Self.tooSlow(load.stream.name))
            }
        } catch {
            state.scheduler.playlistFailed(error, level: level, at: now)
        }
    }

    /// The time limit for loading a playlist, in seconds.
    private static let playlistPatience = 60.0

    private static func tooSlow(_ name: String) -> SyrinxError {
        SyrinxError(
            .timedOut,
            "The playlist did not arrive within \(Int(playlistPatience)) seconds: the server or the line is too slow. Try again later.",
            name: name
        )
    }

    private func note(_ event: HTTPStreamEvent, ofLoad id: Int, _ level: Int) {
        guard let load = current(id, of: level) else { return }
        switch event {
        case .completed: finish(load, of: level)
        case .failed(let error): fail(load, of: level, error)
        case .received(let count) where count > HLSPlaylist.maximumSize:
            fail(load, of: level, HLSText.tooLong(load.stream.name))
        case .retry, .waitingForNetwork, .networkIsBack, .warning: onEvent?(event)
        case .received, .response, .metadata, .discontinuity: break
        }
    }

    /// The load of a playlist, while it is waited for.
    private func current(_ id: Int, of level: Int) -> PlaylistLoad? {
        state.read { state in state.playlists[level].flatMap { $0.id == id ? $0 : nil } }
    }

    private func finish(_ load: PlaylistLoad, of level: Int) {
        do throws(SyrinxError) {
            let text = try HLSText.read(load.stream)
            guard !state.read({ $0.isCancelled }) else { return }
            let locator = HLSLocator(
                base: HLSText.location(
                    of: load.stream,
                    asked: state.read { $0.scheduler.levels[level].level.playlist.url }
                ),
                allowsInsecure: transport.allowsInsecure
            )
            let (variables, known) = state.read { ($0.variables, $0.scheduler.levels[level].window) }
            let parsed = try HLSPlaylistParser.parse(text, locator: locator, importing: variables) { sequence in
                known?.index(ofSequence: sequence, epoch: known?.epoch ?? 0).flatMap { known?.entries[$0].segment }
            }
            guard case .media(let playlist) = parsed else {
                let message =
                    "The playlist of a rendition names further playlists and no segments: ask the sender for another address."
                throw SyrinxError(.unsupported, message, name: load.stream.name)
            }
            try HLSText.check(playlist, name: load.stream.name)
            load.stream.cancel()
            state.update { state in
                state.playlists[level] = nil
                let change = state.scheduler.loaded(playlist, level: level, began: load.began)
                if change != .none, level == state.scheduler.level { state.arrivalCount += 1 }
                // URIs may refer to other resources now.
                if change == .restarted { (state.keys, state.initializations) = ([:], [:]) }
            }
            advance()
        } catch {
            fail(load, of: level, error)
        }
    }

    private func fail(_ load: PlaylistLoad, of level: Int, _ error: SyrinxError) {
        let isCurrent = state.update { state in
            guard state.playlists[level]?.id == load.id else { return false }
            state.playlists[level] = nil
            state.scheduler.playlistFailed(error, level: level, at: now)
            return true
        }
        guard isCurrent else { return }
        load.stream.cancel()
        advance()
    }
}

extension HLSLoader {
    /// Returns when all events have been reported that have happened.
    ///
    /// Not from the handler of events.
    func flushEvents() { queue.sync {} }
}
