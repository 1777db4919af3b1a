import AVFAudio
import Foundation
import SyrinxDevice
import SyrinxHTTPStream
import SyrinxMediaCodec

/// Plays the inputs of a streamer: reports what happens to a `PlaybackMachine`, and performs its actions on the tracks, the
/// output and the listeners.
///
/// Any thread may call it but the render thread.
final class PlaybackController: @unchecked Sendable {
    // Unchecked: everything that changes, here and in the objects below, is touched under `lock` only. The lock may be taken
    // while a method of the engine is called, never the other way round.
    let lock = NSRecursiveLock()
    let output: StreamOutput
    let tracks: TrackQueue
    let reporter = StreamReporter()
    let network: NetworkObserver
    var machine = PlaybackMachine()
    private let clock: PlaybackClock
    /// Seconds of listening that shortened pauses have saved.
    var savings = TimeSavings()
    /// Whether the loss of the output has been reported, and nothing has been heard since.
    var hasLostOutput = false
    let ticker = Ticker()

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

    /// The state of the input that is heard.
    var progress: StreamProgress {
        get { tracks.current.progress }
        _modify { yield &tracks.current.progress }
    }

    /// Whether the position is reported ten times a second.
    var isTicking: Bool { lock.withLock { ticker.isRunning } }

    /// The time of the input that is heard, in seconds.
    var heardTime: TimeInterval { clock.heardTime(machine.status) }

    /// Counts the shortened pauses that have been passed.
    /// - Parameter isAtEnd: Whether all that has been decoded of the input has been heard.
    func notePassedPauses(isAtEnd: Bool = false) {
        // It is called after each render, and the place that is heard takes time to find.
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
        // What has been decoded may be enough: the device of a pause rests, and asks for nothing.
        feed()
    }

    func pause() {
        perform(machine.pause())
        endOutputSearch()
    }

    /// Stops, and leaves the input as one that has not been opened.
    /// - Returns: The pump of the input, which has been cancelled.
    func stop() -> DecodePump? {
        let pump = tracks.current.pump
        // What is still on its way will not be heard.
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

    /// Begins with an input, or with the same one anew.
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
            throw SyrinxError(.badTime, "A time to seek to has to be a number.", name: item.input.name)
        }
        let target = min(max(time, 0), progress.lastTime ?? PlaybackTimeline.longest)
        try checkReach(of: target, item)
        // After a failure the pump has ended, though what it decoded may still be heard.
        if [.ended, .stopped, .failed].contains(machine.status) || progress.failure != nil {
            open(item, andPlay: machine.wantsToPlay)
        }
        if [.playing, .paused].contains(machine.status) { output.nodes?.keepsLoudness = true }
        tracks.seek(to: target)
        let status = machine.status
        perform(machine.seek())
        // A status that changes has told it.
        if machine.status == status, progress.info != nil { reporter.report(position: target) }
    }

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
        // Nothing moves in a pause, and what comes in meanwhile tells itself.
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
        // After the end the streamer stands at the start again.
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

    /// Tells the pump whether to decode on, and the machines how much there is.
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

    /// A render that was under way when a pause was asked for has given more than could be reported then.
    private func reportStandstill() {
        guard let told = progress.timeline.pausedTime, output.engine.isHeld else { return }
        progress.timeline.pausedTime = nil
        let time = clock.standingTime()
        if time - told >= 1 / progress.readFormat.sampleRate { reporter.report(position: time) }
    }

    /// Goes over to the next input, because the end of the one before has been heard.
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

    /// Once so much has been heard, in seconds of the input, the line is free for what comes later.
    private static let firstSecondsHeard = 0.25

    /// Has the timer look where no render ticks.
    func startTicking() { ticker.start { [weak self] in self?.lookForTick() } }

    /// Ticks by the timer, where no render does.
    private func lookForTick() {
        lock.withLock {
            guard ticker.isTickByTimer() else { return }
            noteOutput()
            tick()
        }
    }

    /// Does what is due ten times a second, after a look at the output.
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

    /// Reports the titles of a broadcast, or of the recordings of a chain, up to what is being heard.
    private func reportTitles(until time: TimeInterval) {
        for fields in progress.metadata.takeTitles(until: time) { reporter.send(.metadata(fields)) }
    }
}
