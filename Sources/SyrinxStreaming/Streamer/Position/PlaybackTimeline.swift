import Foundation

/// The times of an input: its decoding position, its playback position, and its seeks.
///
/// A pure value; times are seconds of the input, frames are those of the read format.
struct PlaybackTimeline {
    /// Frames per second of the read format.
    var sampleRate: Double
    /// The time in the input of the first sample since the last seek.
    var baseTime: TimeInterval = 0
    /// The player frame of that sample: 0, unless the input follows another one.
    var baseFrame: Int64 = 0
    /// Frames decoded since then.
    var decodedFrames: Int64 = 0
    /// The parts of the input that are left out since then.
    var cuts = PauseCuts()
    /// Whether the whole input, or all that is available, was decoded.
    var hasReachedEnd = false
    /// The number of frames of the input since the last seek, after its end was reached.
    var endFrames: Int64?
    /// The number of seeks, which distinguishes samples before and after a seek.
    private(set) var seekCount = 0
    /// The value of `seekCount` when the input was opened: the pump's first samples belong to it.
    private(set) var openCount = 0
    /// The number of frames, since the last seek, before the input was reopened.
    private(set) var framesBefore: Int64 = 0
    /// The last time reported, which does not go back.
    var lastHeard: TimeInterval = 0
    /// The time that was reported for a pause, until the pause ends.
    var pausedTime: TimeInterval?
    /// The time that decoding had reached at the last seek.
    private var leftTime: TimeInterval = 0
    /// The time up to which a broadcast is known to have been sent.
    private var furthestSent: TimeInterval = 0

    /// The length of the longest input, in seconds: 31 years, which are a number of frames at any rate.
    static let longest: TimeInterval = 1e9

    /// The timeline of an input that starts at `time`.
    init(start time: TimeInterval = 0, sampleRate: Double) {
        (baseTime, leftTime, lastHeard) = (time, time, time)
        self.sampleRate = sampleRate
    }

    /// The time of the next samples to be scheduled.
    var decodedTime: TimeInterval { baseTime + cuts.inputFrame(Double(decodedFrames)) / sampleRate }

    /// Counts the frames in the converter at the end as decoded, and returns their number.
    mutating func completeDecoding() -> Int64 {
        guard let endFrames else { return 0 }
        let frames = endFrames - cuts.frameCount
        defer { decodedFrames = frames }
        return frames - decodedFrames
    }

    /// The actual decoding position, which a pending seek does not change.
    private var reachedTime: TimeInterval { decodedFrames > 0 ? decodedTime : leftTime }

    /// Returns the time of the player frame `playedFrames`.
    func renderedTime(playedFrames: Double) -> TimeInterval {
        baseTime + cuts.inputFrame(playedFrames - Double(baseFrame)) / sampleRate
    }

    /// Whether a part that is left out has not been passed yet.
    var hasCuts: Bool { !cuts.isEmpty }

    /// Removes the cuts that were heard, and returns the seconds of the input that they omit.
    mutating func passCuts(playedFrames: Double) -> TimeInterval {
        Double(cuts.pass(playedFrames - Double(baseFrame))) / sampleRate
    }

    /// Records and returns the playback position, which never goes back and never exceeds `lastTime`.
    /// - Parameter hasFollower: Whether another input follows without a gap: its frames have their own times.
    mutating func heard(_ time: TimeInterval, lastTime: TimeInterval?, hasFollower: Bool) -> TimeInterval {
        let limit = hasFollower ? min(time, decodedTime) : time
        let heard = max(limit, lastHeard)
        lastHeard = min(heard, lastTime.map { max($0, lastHeard) } ?? heard)
        return lastHeard
    }

    /// Returns whether a broadcast has been sent up to `time`.
    /// - Parameter ahead: Seconds that have been received and wait to be decoded.
    mutating func hasBeenSent(_ time: TimeInterval, ahead: Double) -> Bool {
        // What has been passed over since does not wait any more, and has been sent all the same.
        furthestSent = max(furthestSent, reachedTime + ahead)
        return time <= max(decodedTime, furthestSent)
    }

    /// Returns whether samples of the seek with this number (0 for none) are current.
    func isCurrent(seek: Int) -> Bool { seek == 0 ? seekCount == openCount : seek == seekCount }

    /// Records that the input is opened anew: the next samples without a seek are current.
    mutating func openedAnew() {
        openCount = seekCount
        framesBefore = decodedFrames.addingClamped(cuts.frameCount)
        cuts.startAgain(at: decodedFrames)
    }

    /// Moves to `time` for a seek.
    mutating func move(to time: TimeInterval) {
        leftTime = reachedTime
        baseTime = time
        baseFrame = 0
        cuts = PauseCuts()
        endFrames = nil
        decodedFrames = 0
        framesBefore = 0
        lastHeard = time
        hasReachedEnd = false
        pausedTime = nil
        seekCount += 1
    }

    /// Corrects the time of the next samples, before any were decoded.
    mutating func land(at time: TimeInterval) {
        guard decodedFrames == 0, abs(time - baseTime) * sampleRate > 0.5 else { return }
        (baseTime, leftTime, lastHeard) = (time, time, time)
        if pausedTime != nil { pausedTime = time }
    }

    /// Starts a broadcast at its current position, regardless of the requested time.
    mutating func beginNow() {
        move(to: 0)
        openCount = seekCount
        leftTime = 0
    }

    /// Clamps a start after the end, where nothing was decoded, to the end.
    mutating func keepWithin(_ duration: TimeInterval?) {
        guard decodedFrames == 0, let duration, baseTime > duration else { return }
        baseTime = duration
        lastHeard = duration
    }
}
