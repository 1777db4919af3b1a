/// Decides the behavior of a streamer: events are method calls, and the results are actions.
///
/// A pure value, without audio, a thread or a clock.
struct PlaybackMachine {
    /// The actions, to be performed in order.
    enum Action: Equatable {
        /// Say that the status is now this.
        case announce(PlaybackStatus)
        /// Start the output, at the next frame or with a fade; after a seek, audio that the device holds is discarded.
        case startOutput(fades: Bool, dropsUnheard: Bool)
        /// Hold the output because data is missing; the device continues with silence.
        case holdOutput
        /// Pause the output for the listener; the device may stop.
        case pauseOutput
        /// Search for an output device, because there is none.
        case searchOutput
        /// Drop decoded audio with a fade, and continue elsewhere.
        case dropDecoded
        /// Open the input again, from its start.
        case reopen
        /// Go back to the start of the input.
        case rewind
        /// Finish the input, which was heard to its end.
        case finish
        /// Open the next input and play it.
        case openNext
        /// Fail with the last reported error.
        case fail
    }

    /// The thresholds, in decoded seconds at the output, for starting, resuming and holding the output.
    enum Threshold {
        /// The start threshold: small for a fast start, but more than a device takes at once.
        static let start = 0.16
        /// The rebuffering threshold (mpv's default), higher than the start threshold to avoid repeated stalls.
        static let resume = 1.0
        /// The hold threshold: twice the time that a device takes at once, for a fade and a render in progress.
        static let low = 0.04
    }

    private(set) var status = PlaybackStatus.stopped
    private(set) var wantsToPlay = false
    /// Whether the output is running.
    private(set) var isOutputOpen = false
    /// Whether playback waits for an output device.
    private(set) var awaitsOutput = false
    private var isOpened = false
    private var hasSounded = false
    private var hasRunDry = false
    private var hasSought = false
    private var failsAtEnd = false

    // MARK: The listener

    /// Opens another input, or the same one again.
    mutating func open(andPlay: Bool) -> [Action] {
        self = PlaybackMachine()
        wantsToPlay = andPlay
        return move(to: .opening)
    }

    mutating func play() -> [Action] {
        wantsToPlay = true
        switch status {
        case .opening, .buffering, .playing: return []
        case .paused: return move(to: .buffering)
        case .ended: return [.rewind] + move(to: .buffering)
        case .stopped, .failed: return [.reopen]
        }
    }

    mutating func pause() -> [Action] {
        wantsToPlay = false
        awaitsOutput = false
        switch status {
        case .opening, .paused, .stopped, .ended, .failed: return []
        case .buffering, .playing:
            isOutputOpen = false
            return [.pauseOutput] + move(to: .paused)
        }
    }

    mutating func stop() -> [Action] {
        self.wantsToPlay = false
        isOutputOpen = false
        awaitsOutput = false
        isOpened = false
        switch status {
        case .ended, .failed, .stopped:
            // No further report about the input follows.
            status = .stopped
            return []
        case .opening, .buffering, .playing, .paused: return move(to: .stopped)
        }
    }

    /// Handles a seek: decoded audio is obsolete.
    ///
    /// Before the input is open, there is nothing to drop.
    mutating func seek() -> [Action] {
        guard isOpened else { return [] }
        isOutputOpen = false
        hasRunDry = false
        hasSought = true
        failsAtEnd = false
        return [.dropDecoded] + move(to: wantsToPlay ? .buffering : .paused)
    }

    // MARK: The input

    mutating func opened() -> [Action] {
        isOpened = true
        return move(to: wantsToPlay ? .buffering : .paused)
    }

    /// - Parameter hasSoundAhead: Whether decoded audio remains to be played before the failure takes effect.
    mutating func failed(hasSoundAhead: Bool) -> [Action] {
        guard hasSoundAhead, isOpened else {
            isOutputOpen = false
            awaitsOutput = false
            wantsToPlay = false
            return [.fail] + move(to: .failed)
        }
        failsAtEnd = true
        return []
    }

    // MARK: The output

    /// Handles the number of decoded seconds at the output that were not played.
    /// - Parameter mayStarve: Whether the output would continue with silence, as opposed to waiting by itself.
    mutating func level(_ ahead: Double, isComplete: Bool, mayStarve: Bool) -> [Action] {
        guard isOpened, wantsToPlay, !awaitsOutput else { return [] }
        if !isOutputOpen {
            guard status == .buffering, isComplete || ahead >= (hasRunDry ? Threshold.resume : Threshold.start) else {
                return []
            }
            isOutputOpen = true
            defer { hasSought = false }
            return [.startOutput(fades: hasSounded, dropsUnheard: hasSought)]
        }
        guard mayStarve, !isComplete, ahead < Threshold.low else { return [] }
        isOutputOpen = false
        hasRunDry = true
        return [.holdOutput] + move(to: .buffering)
    }

    /// Handles a lost or unavailable output device: playback waits at its position.
    mutating func lostOutput() -> [Action] {
        isOutputOpen = false
        hasRunDry = false
        guard isOpened, wantsToPlay else { return [] }
        awaitsOutput = true
        return [.searchOutput] + move(to: .buffering)
    }

    /// An output has been found.
    mutating func foundOutput() { awaitsOutput = false }

    /// Handles the start of a change of the output device: no output starts before `changedOutput()`.
    mutating func leaveOutput() {
        isOutputOpen = false
        hasRunDry = false
        awaitsOutput = true
    }

    /// Handles another output device, which starts as soon as enough audio is decoded.
    mutating func changedOutput() -> [Action] {
        awaitsOutput = false
        return isOpened && wantsToPlay ? move(to: .buffering) : []
    }

    /// New samples of the input have reached the output.
    mutating func sounded() -> [Action] {
        guard isOutputOpen, status == .buffering else { return [] }
        hasSounded = true
        hasRunDry = false
        return move(to: .playing)
    }

    /// No new samples have reached the output for a while, though it runs.
    mutating func stalled() -> [Action] {
        status == .playing && isOutputOpen ? move(to: .buffering) : []
    }

    /// Handles the end of the decoded audio.
    /// - Parameter hasNext: Whether another input follows. After a failure, the streamer does not advance.
    mutating func outputEnded(hasNext: Bool = false) -> [Action] {
        guard isOutputOpen else { return [] }
        isOutputOpen = false
        wantsToPlay = false
        hasSounded = false
        // The device continues, so that the next input can start immediately.
        if hasNext, !failsAtEnd { return [.holdOutput, .finish] + move(to: .ended) + [.openNext] }
        let end: Action = failsAtEnd ? .fail : .finish
        let last: PlaybackStatus = failsAtEnd ? .failed : .ended
        failsAtEnd = false
        return [.pauseOutput, end] + move(to: last)
    }

    private mutating func move(to new: PlaybackStatus) -> [Action] {
        guard new != status else { return [] }
        status = new
        return [.announce(new)]
    }
}
