import AVFAudio
import Foundation
import SyrinxDevice
import SyrinxHTTPStream
import SyrinxMediaCodec

/// Plays the inputs of a streamer: passes events to a `PlaybackMachine`, and performs its actions on tracks, output and
/// listeners.
///
/// Any thread may call the methods except the render thread.
final class PlaybackController: @unchecked Sendable {
    // Unchecked: `lock` guards all mutable state, here and in the objects below. It may be held during a call of the
    // engine, but must not be acquired within one.
    let lock = NSRecursiveLock()
    let output: StreamOutput
    let tracks: TrackQueue
    let reporter = StreamReporter()
    let network: NetworkObserver
    var machine = PlaybackMachine()
    private let clock: PlaybackClock
    /// Seconds of listening that shortened pauses have saved.
    var savings = TimeSavings()
    /// Whether the loss of the output was reported and nothing was heard since.
    var hasLostOutput = false
    let ticker = Ticker()
    /// The recording that was started last.
    var recording: BroadcastRecording?

    init(engine: AVAudioEngine, player: AVAudioPlayerNode) {
        output = StreamOutput(engine: engine, player: player)
        tracks = TrackQueue(output, reporter)
        network = NetworkObserver(tracks, reporter, lock: lock)
        clock = PlaybackClock(tracks, output)
        tracks.host = self
        engine.observeRenders { [weak self] in self?.afterRender() }
        engine.observeLoss { [weak self] error in self?.lostOutput(error) }
    }

    /// Stops everything for good.
    func shutDown() {
        for track in tracks.open { track.pump?.cancel() }
        ticker.stop()
        output.engine.observeRenders(nil)
        output.engine.observeLoss(nil)
        output.engine.endOutputSearch()
        output.endEarlyStart()
        output.engine.stop()
    }

    /// The state of the current input.
    var progress: StreamProgress {
        get { tracks.current.progress }
        _modify { yield &tracks.current.progress }
    }

    /// Whether the position is reported ten times a second.
    var isTicking: Bool { lock.withLock { ticker.isRunning } }

    /// The playback position in seconds.
    var heardTime: TimeInterval { clock.heardTime(machine.status) }

    /// Counts the shortened pauses that were passed.
    /// - Parameter isAtEnd: Whether all decoded audio of the input was heard.
    func notePassedPauses(isAtEnd: Bool = false) {
        // Checked first, because this runs after each render and the playback position is expensive to compute.
        guard progress.timeline.hasCuts, let item = progress.item else { return }
        let frame = isAtEnd ? .infinity : clock.heardFrame
        let seconds = progress.timeline.passCuts(playedFrames: frame) / output.playbackRate
        guard seconds > 0 else { return }
        progress.timeSaved += seconds
        savings.add(seconds, in: item.id)
    }

    // MARK: Transport

    func play() {
        perform(machine.play())
        if machine.status == .opening { output.startEarly() }
        // The decoded audio may suffice: a paused device requests none.
        feed()
    }

    func pause() {
        perform(machine.pause())
        endOutputSearch()
    }

    /// Stops playback and marks the input as unopened.
    /// - Returns: The pump of the input, which was cancelled.
    func stop() -> DecodePump? {
        let pump = tracks.current.pump
        // Pending audio will not be heard.
        _ = heardTime
        notePassedPauses()
        network.reportReceived()
        ticker.stop()
        tracks.cancelCurrent()
        tracks.dropFollowers()
        tracks.dropPreparing()
        let (content, underruns) = output.stop()
        let totals = progress.output.totals(content: content ?? progress.output.firstContent, underruns: underruns)
        output.nodes?.resetNodes()
        let last = machine.stop()
        endOutputSearch()
        if !last.isEmpty { reporter.report(totals) }
        perform(last)
        tracks.resetCurrent(keepsItem: true)
        return pump
    }

    /// Opens an input, or the same one again.
    func open(_ item: StreamingItem, andPlay: Bool) {
        ticker.stop()
        output.nodes?.keepsLoudness = false
        output.drop()
        savings.restart(item.id)
        tracks.replaceCurrent(with: item)
        perform(machine.open(andPlay: andPlay))
        endOutputSearch()
        reporter.sendHeldEvents(of: tracks.current)
        tracks.startCurrent()
        if andPlay { output.startEarly() }
    }

    /// Goes to a time of the input; see `Streamer.seek(to:)`.
    func seek(to time: TimeInterval) throws {
        guard let item = progress.item else {
            throw SyrinxError(.noInput, "There is nothing to seek in: set a URL first.", name: "seek")
        }
        guard time.isFinite else {
            throw SyrinxError(.badTime, "The time to seek to must be a number.", name: item.input.name)
        }
        var target = min(max(time, 0), progress.lastTime ?? PlaybackTimeline.longest)
        if let sent = tracks.current.pump?.broadcastSeconds {
            target = try reach(of: target, sent: sent, item)
        } else {
            try checkReach(of: target, item)
        }
        // After a failure the pump has ended, though its decoded audio may still be playing.
        if [.ended, .stopped, .failed].contains(machine.status) || progress.failure != nil {
            open(item, andPlay: machine.wantsToPlay)
        }
        if [.playing, .paused].contains(machine.status) { output.nodes?.keepsLoudness = true }
        tracks.seek(to: target)
        let status = machine.status
        perform(machine.seek())
        // A change of status already reports the position.
        if machine.status == status, progress.info != nil { reporter.report(position: target) }
    }

    /// Returns the target of a seek in a broadcast that supports seeking.
    private func reach(of time: TimeInterval, sent: Double, _ item: StreamingItem) throws -> TimeInterval {
        let heard = heardTime
        let latest = max(sent - Self.liveLead, heard)
        guard time <= heard || heard < latest else {
            let message = "This is live: there is nothing ahead to skip to."
            throw SyrinxError(.notSeekable, message, name: item.input.name)
        }
        return min(max(time, tracks.current.pump?.follower?.mark(at: 0)?.seconds ?? 0), latest)
    }

    /// Seconds behind the end of what has arrived at which a broadcast is heard live.
    static let liveLead = 4.0

    private func checkReach(of time: TimeInterval, _ item: StreamingItem) throws {
        let pump = tracks.current.pump
        if let info = progress.info, !info.isSeekable, time < heardTime, pump?.holdsFromStart != true {
            throw SyrinxError(.notSeekable, "This stream cannot be rewound.", name: item.input.name)
        }
        if let ahead = pump?.broadcastAhead, !progress.timeline.hasBeenSent(time, ahead: ahead) {
            let message = "This is live: there is nothing ahead to skip to."
            throw SyrinxError(.notSeekable, message, name: item.input.name)
        }
    }

    // MARK: Actions

    func perform(_ actions: [PlaybackMachine.Action]) {
        for action in actions { perform(action) }
    }

    private func perform(_ action: PlaybackMachine.Action) {
        switch action {
        case .announce(let status): announce(status)
        case .startOutput(let fades, let dropsUnheard): startOutput(fades: fades, dropsUnheard: dropsUnheard)
        case .holdOutput: output.engine.hold()
        case .pauseOutput: output.engine.pause()
        case .searchOutput: searchOutput()
        case .dropDecoded: output.drop()
        case .reopen:
            if let item = progress.item { open(item, andPlay: true) }
        case .rewind:
            output.nodes?.keepsLoudness = true
            output.drop()
            progress.output.restart()
            progress.timeSaved = 0
            if let item = progress.item { savings.restart(item.id) }
            tracks.seek(to: progress.startTime, goesBack: true)
        case .finish: finish()
        case .openNext:
            // It could not follow without an end between.
            if let next = tracks.takeNextItem() {
                reporter.report(tracks.takePassedOver(), before: next)
                open(next, andPlay: true)
            }
        case .fail: fail()
        }
    }

    private func announce(_ status: PlaybackStatus) {
        // While paused, positions do not change, and other changes are reported by themselves.
        if [.buffering, .playing].contains(status), !machine.awaitsOutput { startTicking() } else { ticker.stop() }
        if status == .paused {
            tracks.current.pump?.readAhead()
            output.endEarlyStart()
        }
        let isSilent = [.buffering, .paused].contains(status)
        let time = isSilent ? clock.standingTime() : heardTime
        progress.timeline.pausedTime = status == .paused ? time : nil
        if status == .playing { reportFoundOutput() }
        reporter.report(status, time: time)
        // After the end, the position is that of the start again.
        if status == .ended { progress.timeline.lastHeard = progress.startTime }
    }

    private func startOutput(fades: Bool, dropsUnheard: Bool) {
        output.player.play()
        do {
            progress.output.begin(content: output.contentFrames, underruns: output.underrunCount)
            try output.start(fades: fades, dropsUnheard: dropsUnheard)
        } catch {
            let failure = SyrinxError(error, name: output.engine.openedDevice?.name ?? "output")
            if waitsForOutput(after: failure) { return awaitOutput(after: failure) }
            progress.failure = failure
            perform(machine.failed(hasSoundAhead: false))
        }
    }

    private func finish() {
        notePassedPauses(isAtEnd: true)
        reportTitles(until: .infinity)
        network.reportReceived()
        if let next = tracks.passedOver.first?.item ?? tracks.nextItem { reporter.send(.advancing(to: next)) }
        reporter.report(progress.output.totals(content: output.contentFrames, underruns: output.underrunCount))
    }

    private func fail() {
        let name = progress.input?.name ?? "input"
        reporter.report(progress.failure ?? SyrinxError(.unknown, "it failed", name: name))
        endOutputSearch()
        output.endEarlyStart()
        output.engine.pause()
        ticker.stop()
        tracks.cancelCurrent()
        tracks.dropFollowers()
        tracks.restartTransition()
    }

    // MARK: The output

    /// Looks at the output after each render, on the engine's own thread.
    private func afterRender() {
        lock.withLock {
            guard tracks.current.pump != nil else { return }
            noteOutput()
            reportStandstill()
            if ticker.isTickByRender() { tick() }
        }
    }

    private func noteOutput() {
        noteContent()
        notePassedPauses()
        feed()
        while let next = tracks.followerHeard(at: monotonicNanoseconds()) { advance(to: next) }
        noteEnd()
    }

    /// Updates the pump and the state machines with the amount of decoded audio.
    func feed() {
        guard progress.info != nil else { return }
        let wanted = DecodeLead(
            sampleRate: progress.readFormat.sampleRate,
            outputSampleRate: progress.outputSampleRate,
            playbackRate: output.playbackRate
        )
        tracks.scheduleHeld(untilAhead: wanted.frameCount)
        let ahead = output.framesAhead
        tracks.tail.pump?.noteLevel(ahead, of: wanted)
        let seconds = ahead / wanted.sampleRate / wanted.playbackRate
        let mayStarve = output.mayStarve
        tracks.noteLevel(mayStarve && machine.isOutputOpen ? seconds : nil)
        let isComplete = tracks.tail.progress.timeline.hasReachedEnd
        perform(machine.level(seconds, isComplete: isComplete, mayStarve: mayStarve))
    }

    private func noteContent() {
        output.noteRendered()
        let isDecoded = progress.timeline.decodedFrames > 0
        if progress.output.note(content: output.contentFrames, at: monotonicNanoseconds(), isDecoded: isDecoded) {
            perform(machine.sounded())
        }
    }

    private func noteEnd() {
        guard machine.isOutputOpen, tracks.followers.isEmpty, progress.timeline.hasReachedEnd,
            output.engine.hasOutputEnded,
            progress.output.end.isHeard(at: monotonicNanoseconds(), latency: output.engine.presentationLatency)
        else { return }
        progress.timeline.keepWithin(progress.info?.duration)
        progress.timeline.lastHeard = heardTime
        perform(machine.outputEnded(hasNext: tracks.nextItem != nil))
    }

    /// Reports the final position if a render in progress continued after a pause was requested.
    private func reportStandstill() {
        guard let told = progress.timeline.pausedTime, output.engine.isHeld else { return }
        progress.timeline.pausedTime = nil
        let time = clock.standingTime()
        if time - told >= 1 / progress.readFormat.sampleRate { reporter.report(position: time) }
    }

    /// Advances to the next input after the end of the previous one was heard.
    private func advance(to next: Track) {
        guard let item = next.item else { return }
        notePassedPauses(isAtEnd: true)
        reportTitles(until: .infinity)
        network.reportReceived()
        let end = output.content(
            atPlayedFrame: next.progress.timeline.baseFrame,
            sampleRate: progress.readFormat.sampleRate,
            outputSampleRate: progress.outputSampleRate
        )
        let underruns = output.underrunCount
        reporter.send(.advancing(to: next.failedBefore.first?.item ?? item))
        reporter.report(progress.output.totals(content: end, underruns: underruns))
        reporter.send(.status(.ended, time: heardTime))
        reporter.report(next.failedBefore, before: item)
        next.progress.output.take(from: progress.output, content: end, underruns: underruns)
        tracks.advance()
        reporter.send(.status(.opening, time: next.progress.startTime))
        reporter.sendHeldEvents(of: next)
        reporter.send(.status(machine.status, time: heardTime))
        if let duration = progress.info?.duration { reporter.tellDelegate(ofDuration: duration) }
        tracks.updateNext()
        if next.progress.failure != nil {
            perform(machine.failed(hasSoundAhead: output.framesAhead > 0 && machine.wantsToPlay))
        }
    }

    // MARK: Ticks

    /// The seconds of the input after which the network is free for later inputs.
    private static let firstSecondsHeard = 0.25

    /// Starts the timer, which ticks when no renders occur.
    func startTicking() { ticker.start { [weak self] in self?.lookForTick() } }

    /// Ticks by the timer if no renders occur.
    private func lookForTick() {
        lock.withLock {
            guard ticker.isTickByTimer() else { return }
            noteOutput()
            tick()
        }
    }

    /// Performs the work that is due ten times a second.
    private func tick() {
        keepPace()
        guard machine.status == .playing else { return }
        reportTitles(until: heardTime)
        if progress.output.isStalled(at: monotonicNanoseconds()) { return perform(machine.stalled()) }
        let time = heardTime
        if time - progress.timeline.baseTime > Self.firstSecondsHeard { tracks.current.pump?.readAhead() }
        reporter.report(position: time)
    }

    /// Has a broadcast played as fast as it is sent.
    func keepPace() {
        let pump = tracks.current.pump
        let keepsTime = machine.status == .playing && output.playbackRate == 1
        if let presentation = pump?.presentation {
            let arrival = keepsTime ? presentation.arrival : nil
            let ratio = progress.measurePace(arrival: arrival, framesAhead: output.framesAhead)
            if let ratio { pump?.setPace(ratio) }
            return
        }
        let bytes = keepsTime ? pump?.broadcastBytes : nil
        let ratio = progress.measurePace(
            bytes: bytes,
            framesAhead: output.framesAhead,
            played: output.player.playedFrames
        )
        if let ratio { pump?.setPace(ratio) }
    }

    /// Reports the titles of a broadcast, or of the recordings of a chain, up to the playback position.
    private func reportTitles(until time: TimeInterval) {
        for fields in progress.metadata.takeTitles(until: time) { reporter.send(.metadata(fields)) }
    }
}
