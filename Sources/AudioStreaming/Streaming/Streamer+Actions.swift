import AVFAudio
import AudioDevice
import ByteStream
import Foundation

/// What the machine decides, carried out. All of it under the streamer's lock.
extension Streamer {
    func perform(_ actions: [PlaybackMachine.Action]) {
        for action in actions { perform(action) }
    }

    private func perform(_ action: PlaybackMachine.Action) {
        switch action {
        case .announce(let status): announce(status)
        case .startOutput(let fades): startOutput(fades: fades)
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
        let new = Pump(
            input: input,
            start: progress.startTime,
            end: progress.endTime,
            readBufferSize: progress.readBufferSize,
            host: self
        )
        pump = new
        perform(machine.open(andPlay: andPlay))
        new.run()
        startTicker()
    }

    func dropPump() {
        pump?.cancel()
        pump = nil
        stopTicker()
    }

    func go(to time: TimeInterval) {
        progress.move(to: time)
        pump?.seek(to: time, count: progress.seekCount)
        perform(machine.seek())
    }

    private func rewind() {
        progress.move(to: progress.startTime)
        progress.contentBaseline = nil
        pump?.seek(to: progress.startTime, count: progress.seekCount)
        startTicker()
    }

    // MARK: Output

    private func startOutput(fades: Bool) {
        playerNode.play()
        do {
            if progress.contentBaseline == nil {
                progress.contentBaseline = engine.outputFrames.content
                progress.underrunBaseline = engine.deviceUnderrunCount + playerNode.starvedCount
            }
            progress.lastContent = engine.outputFrames.content
            if engine.isRunning { engine.release(fades: fades) } else { try engine.start() }
        } catch {
            progress.failure = StreamingError(error, name: engine.openedDevice?.name ?? "output")
            perform(machine.failed(hasSoundAhead: false))
        }
    }

    // MARK: Ends

    private func finish() {
        let frames = engine.outputFrames.content - (progress.contentBaseline ?? 0)
        let underruns = engine.deviceUnderrunCount + playerNode.starvedCount - progress.underrunBaseline
        hub.send(
            .ended(frameCount: frames, underrunCount: max(0, underruns), receivedByteCount: progress.received)
        )
        stopTicker()
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
        hub.send(.status(status, time: heardTime()))
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
