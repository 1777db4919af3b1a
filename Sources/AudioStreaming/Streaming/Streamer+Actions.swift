import AVFAudio
import AudioDevice
import ByteStream
import Foundation
import HTTPStream
import MediaCodec

/// Performs the machine's actions.
///
/// All of it runs under the streamer's lock.
extension Streamer {
    func perform(_ actions: [PlaybackMachine.Action]) {
        for action in actions { perform(action) }
    }

    private func perform(_ action: PlaybackMachine.Action) {
        switch action {
        case .announce(let status): announce(status)
        case .startOutput(let fades, let dropsUnheard): startOutput(fades: fades, dropsUnheard: dropsUnheard)
        case .holdOutput: engine.hold()
        case .pauseOutput: engine.pause()
        case .dropDecoded:
            engine.holdForChange()
            resetNodes()
        case .reopen:
            if let item = progress.item { reopen(item, andPlay: true) }
        case .rewind:
            engine.holdForChange()
            resetNodes()
            rewind()
        case .finish: finish()
        case .openNext: goOn()
        case .fail: fail()
        }
    }

    // MARK: Input

    /// Begins with an input, or with the same one anew.
    func reopen(_ item: StreamingItem, andPlay: Bool) {
        let ahead = preparing?.item == item ? preparing : nil
        if ahead != nil { preparing = nil }
        dropPump()
        dropFollowers()
        engine.holdForChange()
        resetNodes()
        current = ahead ?? Track(StreamProgress(item, on: progress))
        restartTransition()
        perform(machine.open(andPlay: andPlay))
        if let ahead {
            for event in ahead.takeHeldEvents() { hub.send(event) }
            ahead.pump?.start()
        } else {
            let new = makePump(current, start: item.startTime)
            pump = new
            new?.run()
        }
    }

    /// Goes on with the next input, which could not follow without an end between.
    private func goOn() {
        guard let next = queue.first else { return }
        queue.removeFirst()
        reopen(next, andPlay: true)
    }

    /// A pump for what `track` plays.
    /// - Parameter requiresStart: Whether a start at or behind the end is a failure.
    func makePump(
        _ track: Track,
        start: TimeInterval,
        isAhead: Bool = false,
        requiresStart: Bool = true
    ) -> DecodePump? {
        guard let item = track.item else { return nil }
        var network = settings.network
        // One answer is of one version, whatever the next would be of.
        network.readsInOneAnswer = track.progress.reopening.readsInOneAnswer
        let decoding = DecodePump.Settings(
            input: item.input,
            network: network,
            cache: settings.cache,
            start: start,
            end: item.endTime,
            readBufferSize: settings.readBufferSize,
            isListenedTo: engine.outputDevice?.isPaced ?? true,
            isAhead: isAhead,
            requiresStart: requiresStart
        )
        return DecodePump(decoding, host: self)
    }

    /// Goes on with the new version of an input that changed on the server, at the time that decoding had come to.
    ///
    /// What has been decoded of the old one is heard first; nothing of the two is mixed.
    /// - Returns: False if it is of no use to try.
    func goOnWithChangedInput(_ track: Track, _ failure: StreamingError) -> Bool {
        guard track.progress.reopening.mayFollowChange(sampleRate: track.progress.readFormat.sampleRate) else {
            return false
        }
        tell(.warning(failure), of: track)
        openAnew(track)
        return true
    }

    /// Reads from its start what cannot be gone back in, to go on at the time that was asked for.
    ///
    /// A server may lose its ranges at any time, and the listener who seeks back is not to blame for it; and what has been heard
    /// to its end is played again.
    /// - Returns: False if it is of no use to try: nothing has come of it since the last time.
    func goBackWithoutRanges(_ track: Track, _ failure: StreamingError) -> Bool {
        guard track.item?.input != .standardInput, track.progress.reopening.mayReadFromStart() else { return false }
        if track.progress.info?.isSeekable == true { tell(.warning(failure), of: track) }
        openAnew(track)
        return true
    }

    private func openAnew(_ track: Track) {
        track.progress.timeline.openedAnew()
        // What is being sent now is not to be passed over until as much has come as was heard before.
        let isBroadcast = track.pump?.networkStream?.isBroadcast == true
        track.pump?.cancel()
        let start = isBroadcast ? 0 : track.progress.timeline.decodedTime
        let new = makePump(track, start: start, requiresStart: false)
        track.pump = new
        if [.playing, .paused].contains(machine.status) { new?.readAhead() }
        new?.run()
    }

    /// Whether all that a server without ranges has sent is at hand, to be read again from its start.
    var holdsFromStart: Bool {
        guard let stream = pump?.networkStream, !stream.isBroadcast else { return false }
        let ranges = stream.heldRanges
        return ranges.count == 1 && ranges[0].lowerBound == 0
    }

    func dropPump() {
        pump?.cancel()
        pump = nil
        stopTicker()
    }

    func go(to time: TimeInterval) {
        let goesBack = time < progress.timeline.decodedTime
        restartDecoding()
        progress.move(to: time, keepsTitles: pump?.networkStream?.isBroadcast == true && !goesBack)
        pump?.seek(to: time, count: progress.timeline.seekCount, goesBack: goesBack)
        let status = machine.status
        perform(machine.seek())
        // A status that changes has told it.
        if machine.status == status, progress.info != nil { tell(time) }
    }

    /// Forgets the decisions about the end of the input.
    private func restartDecoding() {
        dropFollowers()
        transition.restarted()
        updateNext()
    }

    private func rewind() {
        restartDecoding()
        progress.move(to: progress.startTime)
        progress.output.restart()
        pump?.seek(to: progress.startTime, count: progress.timeline.seekCount, goesBack: true)
    }

    // MARK: Output

    private func startOutput(fades: Bool, dropsUnheard: Bool) {
        playerNode.play()
        do {
            progress.output.begin(content: engine.outputFrames.content, underruns: underrunCount)
            if engine.isRunning {
                engine.release(fades: fades, dropsUnheard: dropsUnheard)
            } else {
                try engine.start()
            }
        } catch {
            progress.failure = StreamingError(error, name: engine.openedDevice?.name ?? "output")
            perform(machine.failed(hasSoundAhead: false))
        }
    }

    // MARK: Ends

    private func finish() {
        tellTitles(until: .infinity)
        tellReceived()
        if let next = queue.first { hub.send(.advancing(to: next)) }
        tell(progress.output.totals(content: engine.outputFrames.content, underruns: underrunCount))
    }

    /// The number of times that the output has run dry, ever.
    var underrunCount: Int { engine.deviceUnderrunCount + playerNode.starvedCount }

    /// Stops the output, and says what has come of the input by then.
    func stopOutput() -> OutputCounters.Totals {
        // The fade that the end takes is given to the output too.
        let underruns = underrunCount
        let hadBeenStopped = engine.isStopped
        engine.stop()
        let content = hadBeenStopped ? progress.output.firstContent : engine.contentOfLastRun
        return progress.output.totals(content: content, underruns: underruns)
    }

    func tell(_ totals: OutputCounters.Totals) {
        hub.send(
            .ended(
                frameCount: totals.frameCount,
                underrunCount: totals.underrunCount,
                receivedByteCount: totals.receivedByteCount
            )
        )
    }

    private func fail() {
        let error = progress.failure ?? StreamingError(.unknown, "it failed", name: progress.input?.name ?? "input")
        hub.send(.failed(error))
        tellDelegate { delegate, streamer in
            guard let url = streamer.url else { return }
            delegate.streamer(streamer, failedDownloadWithError: error, forURL: url)
        }
        engine.pause()
        dropPump()
        dropFollowers()
        restartTransition()
    }

    // MARK: Telling

    /// Tells what happens to an input, at once or in its turn.
    func tell(_ event: StreamingEvent, of track: Track) {
        if !track.hold(event) { hub.send(event) }
    }

    private func announce(_ status: PlaybackStatus) {
        // Nothing moves in a pause, and what comes in meanwhile tells itself.
        if [.buffering, .playing].contains(status) { startTicker() } else { stopTicker() }
        if status == .paused { pump?.readAhead() }
        let isSilent = [.buffering, .paused].contains(status)
        let time = isSilent ? standingTime() : heardTime()
        progress.timeline.pausedTime = status == .paused ? time : nil
        hub.send(.status(status, time: time))
        let state = StreamingState(status)
        tellDelegate { delegate, streamer in delegate.streamer(streamer, changedState: state) }
        // After the end the streamer stands at the start again.
        if status == .ended { progress.timeline.lastHeard = progress.startTime }
    }

    func tellDelegate(_ body: @escaping @Sendable (any StreamingDelegate, Streamer) -> Void) {
        guard delegate != nil else { return }
        settings.delegateQueue.async { [weak self] in
            guard let self, let delegate = self.delegate else { return }
            body(delegate, self)
        }
    }
}
