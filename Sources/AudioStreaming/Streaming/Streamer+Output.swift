import AVFAudio
import AudioDevice
import Foundation

/// Follows the output, after each render and ten times a second.
extension Streamer {
    /// Once so much has been heard, in seconds of the input, the line is free for what comes later.
    private static let firstSecondsHeard = 0.25
    /// After how long without new samples it is not playing any more.
    private static let stallTime: UInt64 = 300_000_000
    private static let tickInterval = DispatchTimeInterval.milliseconds(100)

    /// On the engine's own thread.
    func afterRender() {
        lock.withLock {
            guard pump != nil else { return }
            noteContent()
            feed()
            noteTransition()
            noteEnd()
            noteRest()
        }
    }

    /// On the engine's callback queue: the sound server has gone, or the file cannot be written.
    func lostOutput(_ error: DeviceError) {
        lock.withLock {
            if pump != nil {
                progress.failure = StreamingError(error, name: error.device)
                perform(machine.failed(hasSoundAhead: false))
            }
            // So that playing again looks for a device anew.
            engine.stop()
        }
    }

    /// Tells the pump whether to decode on, and the machine how much there is.
    func feed() {
        guard progress.info != nil else { return }
        let ahead = Double(playerNode.framesAhead)
        let wanted = DecodeAhead(
            sampleRate: progress.readFormat.sampleRate,
            outputSampleRate: progress.outputSampleRate,
            playbackRate: playbackRate
        )
        tail.pump?.setHungry(ahead < wanted.frameCount)
        let seconds = ahead / wanted.sampleRate / wanted.playbackRate
        let mayStarve = engine.openedDevice?.isPaced ?? true
        noteRemaining()
        if mayStarve, machine.isOutputOpen { noteRunningDry(secondsAhead: seconds) }
        perform(machine.level(seconds, isComplete: tail.progress.timeline.hasReachedEnd, mayStarve: mayStarve))
    }

    private func noteContent() {
        let content = engine.outputFrames.content
        // Beyond the end nothing is decoded: the output runs, to come to its end, without a sample.
        if content > progress.output.lastContent, progress.timeline.decodedFrames > 0 {
            progress.output.lastContentAt = monotonicNanoseconds()
            perform(machine.sounded())
        }
        progress.output.lastContent = content
    }

    private func noteEnd() {
        guard machine.isOutputOpen, followers.isEmpty, progress.timeline.hasReachedEnd, engine.hasOutputEnded else {
            return
        }
        let now = monotonicNanoseconds()
        let endedAt = progress.output.endedAt ?? now
        progress.output.endedAt = endedAt
        // The end has been rendered; it has been heard when the device is through with it.
        guard Double(now - endedAt) >= engine.presentationLatency * 1e9 else { return }
        progress.timeline.keepWithin(progress.info?.duration)
        progress.timeline.lastHeard = heardTime()
        perform(machine.outputEnded(hasNext: !queue.isEmpty))
    }

    /// A render that was under way when a pause was asked for has given more than could be reported then.
    private func noteRest() {
        guard let told = progress.timeline.pausedTime, engine.isHeld else { return }
        progress.timeline.pausedTime = nil
        let time = standingTime()
        if time - told >= 1 / progress.readFormat.sampleRate { tell(time) }
    }

    // MARK: Ticks

    func startTicker() {
        guard ticker == nil else { return }
        let timer = DispatchSource.makeTimerSource(queue: .global(qos: .userInitiated))
        timer.schedule(deadline: .now() + Self.tickInterval, repeating: Self.tickInterval, leeway: .milliseconds(10))
        timer.setEventHandler { [weak self] in self?.tick() }
        ticker = timer
        timer.resume()
    }

    func stopTicker() {
        ticker?.cancel()
        ticker = nil
    }

    private func tick() {
        lock.withLock {
            guard ticker != nil else { return }
            noteContent()
            feed()
            noteTransition()
            noteEnd()
            keepPace()
            guard machine.status == .playing else { return }
            tellTitles(until: heardTime())
            if monotonicNanoseconds() - progress.output.lastContentAt > Self.stallTime, progress.output.endedAt == nil {
                perform(machine.stalled())
                return
            }
            let time = heardTime()
            if time - progress.timeline.baseTime > Self.firstSecondsHeard { pump?.readAhead() }
            tell(time)
        }
    }

    /// Tells where in the input what is heard lies.
    func tell(_ time: TimeInterval) {
        hub.send(.position(time))
        tellDelegate { delegate, streamer in delegate.streamer(streamer, updatedCurrentTime: time) }
    }

    /// Has a broadcast played as fast as it is sent.
    func keepPace() {
        guard let pump, machine.status == .playing, playbackRate == 1, progress.timeline.decodedFrames > 0,
            let bytes = pump.broadcastBytes, bytes.read > 0
        else {
            progress.pace?.rest()
            return
        }
        let undecoded = Double(bytes.unread) * Double(progress.timeline.decodedFrames) / Double(bytes.read)
        var pace = progress.pace ?? DriftEstimator(sampleRate: progress.readFormat.sampleRate)
        let held = Double(playerNode.framesAhead) + undecoded
        if let ratio = pace.note(held: held, played: playerNode.playedFrames) { pump.setPace(ratio) }
        progress.pace = pace
    }

    /// Tells what a broadcast, or another recording of a chain, says of what is being heard now.
    func tellTitles(until time: TimeInterval) {
        for fields in progress.metadata.takeTitles(until: time) { hub.send(.metadata(fields)) }
    }

    // MARK: Time

    /// Returns the time in the input that is heard, in seconds: that of the rendered frames, less the output's latency.
    func heardTime() -> TimeInterval {
        switch machine.status {
        case .ended, .stopped, .opening: return progress.timeline.lastHeard
        case .failed, .paused, .buffering, .playing: break
        }
        var onItsWay = 0.0
        if progress.output.lastContentAt > 0 {
            let since = Double(monotonicNanoseconds() - progress.output.lastContentAt) / 1e9
            onItsWay = max(0, engine.presentationLatency - since)
        }
        return noteHeard(renderedTime - onItsWay * playbackRate)
    }

    /// Returns the time at which the sound stops once the fade and the frames on their way have been heard.
    func standingTime() -> TimeInterval {
        noteHeard(min(renderedTime + engine.fadeAhead * playbackRate, max(renderedTime, progress.timeline.decodedTime)))
    }

    private var renderedTime: TimeInterval {
        progress.timeline.renderedTime(playedFrames: playedFrameCount)
    }

    private func noteHeard(_ time: TimeInterval) -> TimeInterval {
        progress.timeline.heard(time, lastTime: progress.lastTime, hasFollower: !followers.isEmpty)
    }
}
