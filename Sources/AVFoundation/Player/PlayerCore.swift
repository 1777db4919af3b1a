internal import AVFAudio
internal import CoreMedia
internal import Foundation
internal import Synchronization
internal import SyrinxByteStream
internal import SyrinxMediaCodec
internal import SyrinxStreaming

/// Plays the items of a player on its streamer, and holds the state of the player.
///
/// Any thread may call the methods. Changes, notifications and completions are reported on the main queue.
final class PlayerCore: @unchecked Sendable {
    // Unchecked: `lock` guards the mutable state. The streamer is called with the lock held and never waits for it: its
    // events arrive on a queue, and decoded ranges go to `arrival`, which has its own lock.
    let streamer: TimePitchStreamer
    let clock: PlayerClock
    weak var player: AVPlayer?
    let observers = KeyValueObservers<AVPlayer>()
    private let lock = NSRecursiveLock()
    private var current: PlayerState
    private let source: PlayerTime
    private let arrival = SeekArrival()
    private let mix: MixTimer
    private let events = DispatchQueue(label: "syrinx.player.events", qos: .userInitiated)
    /// The number of inputs given to the streamer: events of earlier inputs are ignored.
    private var generation = 0
    /// The item to which the streamer advances by itself after the end or failure of the current one.
    private var nextInStream: Int?
    /// Whether the streamer's current input is the current item.
    private var holdsCurrentItem = false
    private var failure: SyrinxError?
    private var itemEnded: (@Sendable (AVPlayerItem) -> Void)?

    init(_ streamer: TimePitchStreamer, actionAtItemEnd: AVPlayer.ActionAtItemEnd) {
        self.streamer = streamer
        current = PlayerState(actionAtItemEnd: actionAtItemEnd)
        let source = PlayerTime(streamer)
        self.source = source
        clock = PlayerClock { source.seconds }
        mix = MixTimer(streamer)
        let arrival = arrival
        streamer.decodingObserver = { arrival.decoded($0) }
    }

    /// Shuts the core down when the player is deallocated.
    func shutDown() {
        lock.withLock {
            generation += 1
            clock.run(at: 0)
            mix.stop()
            arrival.finish(false)
            streamer.stop()
            for item in current.items { item.player = nil }
        }
    }

    var state: PlayerState { lock.withLock { current } }

    /// The playback position in the current item, in seconds.
    var time: Double { source.seconds }

    // MARK: State

    /// Changes the state and reports the changes to observers.
    func change(_ body: (inout PlayerState) -> Void) {
        lock.withLock {
            let old = current
            body(&current)
            report(from: old)
            if current.timeControlStatus == .playing, old.timeControlStatus != .playing {
                current.currentItem?.playingBegan()
            }
            clock.run(at: current.timeControlStatus == .playing && !current.isAtEnd ? Double(current.rate) : 0)
            mix.run(current.timeControlStatus == .playing)
        }
    }

    /// Reports the differences to an earlier state.
    private func report(from old: PlayerState) {
        let reports = observers.reports(of: current.changes(from: old), from: old, to: current)
        let hasNewRate = current.rate != old.rate
        guard !reports.isEmpty || hasNewRate else { return }
        DispatchQueue.main.deliver { [weak player] in player?.report(reports, hasNewRate: hasNewRate) }
    }

    private func post(_ name: Notification.Name, _ item: AVPlayerItem, error: AVError? = nil) {
        let info = error.map { [AVPlayerItemFailedToPlayToEndTimeErrorKey: $0] }
        DispatchQueue.main.deliver { NotificationCenter.default.post(name: name, object: item, userInfo: info) }
    }

    // MARK: Transport

    /// Sets the rate; 0 or less pauses playback.
    func setRate(_ rate: Float) {
        lock.withLock {
            let rate = PlayerState.clamped(rate)
            guard current.mayTake(rate) else { return }
            change { $0.rate = rate }
            guard holdsCurrentItem, !current.isAtEnd else { return }
            applyRate()
            if rate == 0 { streamer.pause() } else { streamer.play() }
        }
    }

    private func applyRate() {
        guard current.rate > 0 else { return }
        streamer.rate = current.rate
        let algorithm = current.currentItem?.audioTimePitchAlgorithm ?? .timeDomain
        streamer.algorithm = algorithm.isTimeDomain ? .timeDomain : .spectral
        // Only for varispeed; otherwise the program controls the pitch.
        if algorithm == .varispeed {
            streamer.pitch = 1200 * log2(current.rate)
        } else if current.pitchFollowsRate {
            streamer.pitch = 0
        }
        change { $0.pitchFollowsRate = algorithm == .varispeed }
    }

    func setActionAtItemEnd(_ action: AVPlayer.ActionAtItemEnd) {
        lock.withLock {
            change { $0.actionAtItemEnd = action }
            updateUpcoming()
        }
    }

    /// Applies volume and muting to the streamer.
    func applyVolume() {
        lock.withLock { mix.volume = current.isMuted ? 0 : current.volume }
    }

    /// Applies changed settings of an item if it is the current one.
    func applySettings(of item: AVPlayerItem) {
        lock.withLock {
            guard item === current.currentItem else { return }
            mix.envelope = item.outputEnvelope
            applyRate()
        }
    }

    // MARK: Items

    /// Changes the list of items; the first one is the current item.
    func replaceItems(_ change: (inout [AVPlayerItem]) -> Void) {
        lock.withLock {
            var items = current.items
            change(&items)
            let old = current.items
            for item in old where !items.contains(where: { $0 === item }) { item.player = nil }
            for item in items { item.player = player }
            self.change { $0.items = items }
            if old.first === items.first { updateUpcoming() } else { openCurrent() }
        }
    }

    /// Sets a handler that is called, on any thread, when an item has ended and before the next item becomes current.
    func setItemEnded(_ handler: (@Sendable (AVPlayerItem) -> Void)?) { lock.withLock { itemEnded = handler } }

    /// Reopens the item at the playback position, if it is the current one.
    func reopen(_ item: AVPlayerItem) {
        lock.withLock {
            if item === current.currentItem, holdsCurrentItem, item.status != .failed { openCurrent(at: time) }
        }
    }

    /// Switches an item to the audio track that it now prefers.
    func changeSound(of item: AVPlayerItem) {
        lock.withLock { streamer.setSoundPreference(item.soundPreference, of: item.streamID) }
    }

    private func updateUpcoming() {
        if holdsCurrentItem { streamer.upcoming = upcoming }
    }

    private var upcoming: [StreamingItem] {
        guard current.actionAtItemEnd == .advance else { return [] }
        // The streamer does not advance past an item that it cannot play: the core handles that item in its turn.
        var upcoming: [StreamingItem] = []
        for item in current.items.dropFirst() {
            guard item.status != .failed, let streamed = item.streamingItem() else { break }
            upcoming.append(streamed)
        }
        return upcoming
    }

    /// Makes the streamer open the current item, or stop if there is none.
    private func openCurrent(at start: Double? = nil) {
        if start == nil { arrival.finish(false) }
        generation += 1
        (nextInStream, failure, holdsCurrentItem) = (nil, nil, false)
        source.begin(generation)
        guard let item = current.currentItem else {
            streamer.url = nil
            source.hold(0)
            return change { ($0.streamStatus, $0.isAtEnd) = (.stopped, false) }
        }
        guard item.status != .failed, let streamed = item.streamingItem(startingAt: start) else {
            streamer.url = nil
            return failCurrent(item.error as? AVError ?? .notPlayable(item.asset))
        }
        holdsCurrentItem = true
        mix.envelope = item.outputEnvelope
        change { ($0.streamStatus, $0.isAtEnd) = (.opening, false) }
        applyRate()
        let number = generation
        streamer.open(streamed, andPlay: current.rate > 0, followedBy: upcoming) { [weak self, events, source] event in
            if case .status(.ended, let time) = event { source.ended(at: time, number) }
            events.async { [self] in self?.receive(event, number) }
        }
        if item.log.opened(item.uri) { post(AVPlayerItem.newAccessLogEntryNotification, item) }
        jump(item, to: streamed.startTime)
    }

    // MARK: Seeking

    /// Seeks in an item, to a time in seconds.
    func seek(_ item: AVPlayerItem, to seconds: Double, completion: (@Sendable (Bool) -> Void)?) {
        lock.withLock {
            guard item.status != .failed, !seconds.isNaN else { return arrival.report(false, to: completion) }
            guard item === current.currentItem else {
                item.start(at: seconds)
                return arrival.report(true, to: completion)
            }
            let target = min(max(0, seconds), item.state.withLock(\.lastTime) ?? .greatestFiniteMagnitude)
            arrival.begin(target: target, completion)
            item.update { $0.sought() }
            if holdsCurrentItem {
                do {
                    try streamer.seek(to: target)
                } catch {
                    return arrival.finish(false)
                }
            } else {
                openCurrent(at: target)
            }
            source.hold(nil)
            change { $0.isAtEnd = false }
            if current.rate > 0 { streamer.play() }
            jump(item, to: target)
            post(AVPlayerItem.timeJumpedNotification, item)
        }
    }

    /// Notes that the position in the current item jumped.
    private func jump(_ item: AVPlayerItem, to seconds: Double) {
        clock.jump(to: seconds)
        item.timeJumped(to: seconds)
    }

    /// Cancels a pending seek.
    func cancelSeek() { arrival.finish(false) }

    // MARK: Events

    private func receive(_ event: StreamingEvent, _ generation: Int) {
        lock.withLock {
            if generation == self.generation { handle(event) }
        }
    }

    private func handle(_ event: StreamingEvent) {
        guard let item = current.currentItem else { return }
        switch event {
        case .opened(let info): opened(item, info)
        case .status(let status, let time): statusChanged(item, status, at: time)
        case .duration(let duration, _): item.update { $0.estimate(duration: duration) }
        case .download(let received, let total, let ranges):
            item.log.received(received)
            item.update { $0.downloaded(total: total, ranges: ranges) }
        case .metadata(let fields): item.receive(fields, at: time, artwork: streamer.artwork)
        case .retry(_, let delay, let code): log("The request is tried again in \(delay) s.", code, of: item)
        case .warning(let warning): log(warning.message, warning.code.rawValue, of: item)
        case .outputLost(let loss): log(loss.message, loss.code.rawValue, of: item)
        case .missing(let sound): log(sound.error.message, sound.error.code.rawValue, of: item)
        case .failed(let failure):
            self.failure = failure
            log(failure.message, failure.code.rawValue, of: item)
        case .advancing(let next): nextInStream = next.id
        case .position:
            // Only the window of a live presentation changes.
            if item.state.withLock({ $0.isSeekable && $0.duration == nil }) {
                let window = streamer.seekableRange
                item.update { $0.liveWindow = window }
            }
        case .outputFound, .ended: break
        }
    }

    private func log(_ message: String, _ code: String, of item: AVPlayerItem) {
        item.log.failed(code: code, message)
        post(AVPlayerItem.newErrorLogEntryNotification, item)
    }

    private func opened(_ item: AVPlayerItem, _ info: MediaInfo) {
        let window = info.duration == nil ? streamer.seekableRange : nil
        item.update { state in
            state.liveWindow = window
            state.opened(info)
            state.endTime = item.endSeconds
        }
        change { $0.hasBeenReady = true }
    }

    private func statusChanged(_ item: AVPlayerItem, _ status: PlaybackStatus, at time: Double) {
        switch status {
        case .ended: return endCurrent(item, at: time)
        case .failed:
            let error = failure.map { AVError($0, url: item.url) } ?? .notPlayable(item.asset)
            return failure?.code == .notAudio ? openInSilence(item, error) : failCurrent(error)
        case .opening, .buffering, .playing, .paused, .stopped: break
        }
        // After a gapless transition, the streamer is already playing.
        let status = status == .opening ? streamer.status : status
        var hasStalled = false
        item.update { hasStalled = $0.streamed(status) }
        if hasStalled {
            item.log.stalled()
            post(AVPlayerItem.playbackStalledNotification, item)
        }
        change { $0.streamStatus = status }
        if hasStalled, !current.waitsToMinimizeStalling { setRate(0) }
    }

    /// Plays a video without audio as silence of its duration; an item without video fails.
    private func openInSilence(_ item: AVPlayerItem, _ error: AVError) {
        failure = nil
        let number = generation
        DispatchQueue.global(qos: .userInitiated).async { [weak self] in
            let plays = item.playInSilence()
            guard let self else { return }
            lock.withLock {
                guard number == self.generation, item === self.current.currentItem else { return }
                if plays { self.openCurrent() } else { self.failCurrent(error) }
            }
        }
    }

    /// Handles the end of the current item, at `time`.
    private func endCurrent(_ item: AVPlayerItem, at time: Double) {
        arrival.finish(true)
        item.update { _ = $0.streamed(.ended) }
        post(AVPlayerItem.didPlayToEndTimeNotification, item)
        itemEnded?(item)
        conclude(failed: false) { source.hold(time) }
    }

    private func failCurrent(_ error: AVError) {
        arrival.finish(false)
        guard let item = current.currentItem else { return }
        let wasReady = item.status == .readyToPlay
        let time = time
        item.update { $0.fail(error) }
        if wasReady { post(AVPlayerItem.failedToPlayToEndTimeNotification, item, error: error) }
        failure = nil
        conclude(failed: true) { source.hold(time) }
    }

    private func conclude(failed: Bool, holdTime: () -> Void) {
        let next = nextInStream
        nextInStream = nil
        let removed = current.currentItem
        var conclusion = PlayerState.Conclusion.stay
        change { conclusion = $0.conclude(failed: failed, nextInStream: next) }
        if conclusion != .stay { removed?.player = nil }
        switch conclusion {
        case .stay:
            holdTime()
            guard next != nil else { return }
            // Stops the streamer, which would otherwise continue with an item that was removed.
            generation += 1
            holdsCurrentItem = false
            streamer.url = nil
        case .follow:
            source.follow(hasEnded: !failed)
            mix.envelope = current.currentItem?.outputEnvelope
            applyRate()
            if let item = current.currentItem { jump(item, to: time) }
            updateUpcoming()
        case .open: openCurrent()
        }
        if conclusion == .follow, let item = current.currentItem, item.log.opened(item.uri) {
            post(AVPlayerItem.newAccessLogEntryNotification, item)
        }
    }
}
