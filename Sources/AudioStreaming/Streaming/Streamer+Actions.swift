import AVFAudio
import AudioDevice
import ByteStream
import Foundation
import HTTPStream
import MediaCodec

/// What the machine decides, carried out. All of it under the streamer's lock.
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
            if progress.input == nil { break }
            reopen(andPlay: true)
        case .rewind:
            engine.holdForChange()
            resetNodes()
            rewind()
        case .finish: finish()
        case .fail: fail()
        }
    }

    // MARK: Input

    /// Begins with the input anew.
    func reopen(andPlay: Bool) {
        guard let input = progress.input else { return }
        dropPump()
        engine.holdForChange()
        resetNodes()
        progress.forgetPlaying()
        let new = makePump(input, start: progress.startTime)
        perform(machine.open(andPlay: andPlay))
        new.run()
    }

    private func makePump(_ input: StreamingInput, start: TimeInterval) -> Pump {
        var network = progress.network
        // One answer is of one version, whatever the next would be of.
        network.readsInOneAnswer = progress.changeCount > 1
        let new = Pump(
            input: input,
            network: network,
            cache: progress.cache,
            start: start,
            end: progress.endTime,
            readBufferSize: progress.readBufferSize,
            isListenedTo: engine.outputDevice?.isPaced ?? true,
            host: self
        )
        pump = new
        return new
    }

    /// A resource that changes more often than this, and gives no sound between, is not going to hold still.
    private static let maximumChanges = 3

    /// Goes on with the new version of an input that changed on the server, at the time that decoding had come to.
    ///
    /// What has been decoded of the old one is heard first; nothing of the two is mixed.
    /// - Returns: False if it is of no use to try.
    func goOnWithChangedInput(_ failure: StreamingError) -> Bool {
        guard let input = progress.input, progress.noteChange(atMost: Self.maximumChanges) else { return false }
        hub.send(.warning(failure))
        openAnew(input)
        return true
    }

    /// Reads from its start what cannot be gone back in, to go on at the time that was asked for.
    ///
    /// A server may lose its ranges at any time, and the listener who seeks back is not to blame for it; and what has been heard
    /// to its end is played again.
    /// - Returns: False if it is of no use to try: nothing has come of it since the last time.
    func goBackWithoutRanges(_ failure: StreamingError) -> Bool {
        guard let input = progress.input, input != .standardInput, progress.lostRangesCount == 0 else { return false }
        progress.lostRangesCount += 1
        if progress.info?.isSeekable == true { hub.send(.warning(failure)) }
        openAnew(input)
        return true
    }

    private func openAnew(_ input: StreamingInput) {
        progress.openCount = progress.seekCount
        // What is being sent now is not to be passed over until as much has come as was heard before.
        let isBroadcast = pump?.networkStream?.isBroadcast == true
        pump?.cancel()
        let new = makePump(input, start: isBroadcast ? 0 : progress.decodedTime)
        if [.playing, .paused].contains(machine.status) { new.readAhead() }
        new.run()
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
        let goesBack = time < progress.decodedTime
        progress.move(to: time, keepsTitles: pump?.networkStream?.isBroadcast == true && !goesBack)
        pump?.seek(to: time, count: progress.seekCount, goesBack: goesBack)
        let status = machine.status
        perform(machine.seek())
        // A status that changes has told it.
        if machine.status == status, progress.info != nil { tell(time) }
    }

    private func rewind() {
        progress.move(to: progress.startTime)
        progress.contentBaseline = nil
        pump?.seek(to: progress.startTime, count: progress.seekCount, goesBack: true)
    }

    // MARK: Output

    private func startOutput(fades: Bool, dropsUnheard: Bool) {
        playerNode.play()
        do {
            if progress.contentBaseline == nil {
                progress.contentBaseline = engine.outputFrames.content
                progress.underrunBaseline = engine.deviceUnderrunCount + playerNode.starvedCount
            }
            progress.lastContent = engine.outputFrames.content
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
        let frames = engine.outputFrames.content - (progress.contentBaseline ?? 0)
        let underruns = engine.deviceUnderrunCount + playerNode.starvedCount - progress.underrunBaseline
        hub.send(
            .ended(frameCount: frames, underrunCount: max(0, underruns), receivedByteCount: progress.received)
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
    }

    // MARK: Telling

    private func announce(_ status: PlaybackStatus) {
        // Nothing moves in a pause, and what comes in meanwhile tells itself.
        if [.buffering, .playing].contains(status) { startTicker() } else { stopTicker() }
        if status == .paused { pump?.readAhead() }
        let isSilent = [.buffering, .paused].contains(status)
        let time = isSilent ? standingTime() : heardTime()
        progress.pausedTime = status == .paused ? time : nil
        hub.send(.status(status, time: time))
        let state = StreamingState(status)
        tellDelegate { delegate, streamer in delegate.streamer(streamer, changedState: state) }
        // After the end the streamer stands at the start again.
        if status == .ended { progress.lastHeard = progress.startTime }
    }

    func tellDelegate(_ body: @escaping @Sendable (any StreamingDelegate, Streamer) -> Void) {
        guard delegate != nil else { return }
        progress.delegateQueue.async { [weak self] in
            guard let self, let delegate = self.delegate else { return }
            body(delegate, self)
        }
    }
}
