/// Decides what a streamer does: what happens comes in, what is to be done goes out.
///
/// No sound, no thread, no clock.
struct PlaybackMachine {
    /// The actions, in the order in which they are to be performed.
    enum Action: Equatable {
        /// Say that the status is now this.
        case announce(PlaybackStatus)
        /// Let the output run, from the next frame on or over a fade; after a seek what the device still has is of no use.
        case startOutput(fades: Bool, dropsUnheard: Bool)
        /// Hold the output because data is missing; the device goes on in silence.
        case holdOutput
        /// Hold the output because the listener wants it so; the device may rest.
        case pauseOutput
        /// Look for an output, because there is none.
        case searchOutput
        /// Drop what has been decoded, under a fade, and go on elsewhere.
        case dropDecoded
        /// Open the input again, from its start.
        case reopen
        /// Go back to the start of the input.
        case rewind
        /// The input has been heard to its end.
        case finish
        /// Open the next input and play it.
        case openNext
        /// The input cannot be played on, for the reason given last.
        case fail
    }

    /// The decoded seconds at the output before sound begins, continues, or is held.
    enum Threshold {
        /// The first sound is to come soon: this is more than a device takes at once.
        static let start = 0.16
        /// After an unwanted pause there is to be none again at once: as mpv waits.
        static let resume = 1.0
        /// Twice the time that a device takes at once while it plays: for a fade, and a render in progress.
        static let low = 0.04
    }

    private(set) var status = PlaybackStatus.stopped
    private(set) var wantsToPlay = false
    /// Whether the output has been let run.
    private(set) var isOutputOpen = false
    /// Whether it waits for an output, because there is none.
    private(set) var awaitsOutput = false
    private var isOpened = false
    private var hasSounded = false
    private var hasRunDry = false
    private var hasSought = false
    private var failsAtEnd = false

    // MARK: The listener

    /// Another input, or the same one anew.
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
            // The last word on the input has been said.
            status = .stopped
            return []
        case .opening, .buffering, .playing, .paused: return move(to: .stopped)
        }
    }

    /// A seek: what has been decoded is of no use any more.
    ///
    /// Before the input is open there is nothing to drop.
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

    /// - Parameter hasSoundAhead: Whether there is sound left to be heard before the failure is felt.
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

    /// Reports the number of decoded seconds at the output that have not been played.
    /// - Parameter mayStarve: Whether the output would run on in silence; else it waits by itself.
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

    /// The output has gone, or there is none that could be started: what is to play waits for one, where it is.
    mutating func lostOutput() -> [Action] {
        isOutputOpen = false
        hasRunDry = false
        guard isOpened, wantsToPlay else { return [] }
        awaitsOutput = true
        return [.searchOutput] + move(to: .buffering)
    }

    /// An output has been found.
    mutating func foundOutput() { awaitsOutput = false }

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

    /// The last of what was decoded has been heard.
    /// - Parameter hasNext: Whether another input comes after it. After a failure it does not come by itself.
    mutating func outputEnded(hasNext: Bool = false) -> [Action] {
        guard isOutputOpen else { return [] }
        isOutputOpen = false
        wantsToPlay = false
        hasSounded = false
        // The device goes on, so that the next input is heard as soon as it is there.
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
