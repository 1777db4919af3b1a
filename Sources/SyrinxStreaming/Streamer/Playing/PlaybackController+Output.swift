import AVFAudio
import SyrinxDevice

/// Handles the loss of the output device, and the wait for another.
extension PlaybackController {
    /// The device has been lost, on the engine's callback queue.
    func lostOutput(_ error: DeviceError) {
        lock.withLock {
            let failure = SyrinxError(error, name: error.device)
            if tracks.current.pump != nil {
                if waitsForOutput(after: failure) { return standWhereHeard(failure) }
                progress.failure = failure
                perform(machine.failed(hasSoundAhead: false))
            }
            // So that playing again looks for a device anew.
            output.endEarlyStart()
            output.engine.stop()
        }
    }

    /// Returns whether playback waits for another output device after a failure; for a file that cannot be written, it
    /// does not.
    func waitsForOutput(after failure: SyrinxError) -> Bool {
        guard tracks.settings.waitsForOutput, output.hasStarted, output.mayStarve else { return false }
        // A reconnected sound card may use another format, for which it has to be reopened.
        if failure.code == .unsupportedFormat { return !output.hasFound }
        return [.deviceLost, .deviceUnavailable, .deviceNotFound].contains(failure.code)
    }

    /// Releases a lost output, and returns to the last heard position: later audio that it received is lost.
    private func standWhereHeard(_ failure: SyrinxError) {
        let isHeard = [.playing, .buffering].contains(machine.status)
        let (time, name) = (heardTime, output.engine.openedDevice?.outputName)
        progress.output.leave(content: output.contentFrames, underruns: output.underrunCount)
        let actions = machine.lostOutput()
        if machine.awaitsOutput { reportLoss(failure, of: name) }
        closeOutput(returningTo: isHeard ? time : nil)
        perform(actions)
    }

    /// Stops the output, and returns to `time`, if that is not `nil` and the input can be decoded from there.
    ///
    /// Otherwise, playback continues with the next unrendered frame.
    private func closeOutput(returningTo time: TimeInterval?) {
        let track = tracks.current
        output.endEarlyStart()
        output.engine.stop()
        if let time, track === tracks.current, canGoBack {
            output.nodes?.keepsLoudness = true
            tracks.seek(to: time)
            output.drop()
        }
    }

    /// Whether the current input can be decoded from an earlier time.
    private var canGoBack: Bool {
        guard let info = progress.info, progress.failure == nil, let pump = tracks.current.pump else { return false }
        return (info.isSeekable || pump.holdsFromStart) && pump.broadcastAhead == nil
    }

    // MARK: Another output

    /// Plays on another device, from the position that is heard.
    /// - Parameters:
    ///   - device: The device, which has been opened.
    ///   - isChosen: Whether the program has chosen it; otherwise it is the system's own output.
    ///   - format: The format of the device.
    func changeOutput(to device: any OutputDevice, isChosen: Bool, format: AVAudioFormat) {
        // A pause has let the rendered frames be heard.
        let time = [.playing, .buffering].contains(machine.status) ? heardTime : nil
        if !output.engine.isStopped {
            progress.output.leave(content: output.contentFrames, underruns: output.underrunCount)
        }
        output.engine.endOutputSearch()
        machine.leaveOutput()
        closeOutput(returningTo: time)
        output.engine.takeOutput(device, isChosen: isChosen, format: format)
        output.hasFound = false
        for track in tracks.open { track.progress.outputSampleRate = format.sampleRate }
        perform(machine.changedOutput())
        if machine.status == .opening, machine.wantsToPlay { output.startEarly() }
        // The wait for an output has stopped the ticks.
        if machine.status == .buffering { startTicking() }
        feed()
    }

    /// Waits for an output, because none could be started.
    func awaitOutput(after failure: SyrinxError) {
        if !hasLostOutput, failure.code != .unsupportedFormat { reportLoss(failure, of: nil) }
        perform(machine.lostOutput())
    }

    private func reportLoss(_ failure: SyrinxError, of output: String?) {
        let wait = "Playback continues here when there is one."
        let message =
            failure.code == .deviceLost
            ? "The output\(output.map { " “\($0)”" } ?? "") has gone. \(wait)"
            : "There is no sound output. \(wait)"
        reporter.send(.outputLost(SyrinxError(failure.code, message, name: failure.name, underlying: failure)))
        hasLostOutput = true
    }

    /// Reports that playback has continued, if a loss was reported.
    func reportFoundOutput() {
        guard hasLostOutput else { return }
        hasLostOutput = false
        reporter.send(.outputFound(output.engine.openedDevice?.outputName))
    }

    // MARK: The search

    /// Seconds until the next look after an output was found that could not be started.
    private static let patience = 1.0

    func searchOutput() {
        ticker.stop()
        let delay = output.hasFound ? Self.patience : 0
        output.hasFound = false
        output.engine.searchOutput(after: delay) { [weak self] in self?.foundOutput() }
    }

    /// Ends the search for an output device if playback does not wait for it.
    func endOutputSearch() {
        guard !machine.awaitsOutput else { return }
        output.engine.endOutputSearch()
        hasLostOutput = false
    }

    /// An output has been opened, on a queue of the engine's.
    private func foundOutput() {
        lock.withLock {
            guard machine.awaitsOutput else { return }
            output.hasFound = true
            machine.foundOutput()
            if let format = try? output.engine.openOutput() { progress.outputSampleRate = format.sampleRate }
            startTicking()
            feed()
        }
    }
}
