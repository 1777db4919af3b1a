import Foundation

/// The times of an input: what has been decoded, what is heard, and the seeks between.
///
/// Pure: times are seconds of the input, frames are those of the read format.
struct PlaybackTimeline {
    /// Frames per second of the read format.
    var sampleRate: Double
    /// The time in the input at which the samples decoded since the last seek begin.
    var baseTime: TimeInterval = 0
    /// The frame of the player at which that lies: 0, unless the input follows on another.
    var baseFrame: Int64 = 0
    /// Frames decoded since then.
    var decodedFrames: Int64 = 0
    /// The parts of the input that are left out since then.
    var cuts = PauseCuts()
    /// Whether all of it has been decoded, or all that there will be.
    var hasReachedEnd = false
    /// Frames that the input has given since the last seek, as soon as it has reached its end.
    var endFrames: Int64?
    /// The number of seeks, which tells samples decoded before a seek from those after it.
    private(set) var seekCount = 0
    /// The value of `seekCount` when the input was opened: the pump's first samples belong to it.
    private(set) var openCount = 0
    /// The frames that the input had given since the last seek when it was opened anew.
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

    /// Counts what the converter holds at the end as decoded, and returns how many frames that are.
    mutating func completeDecoding() -> Int64 {
        guard let endFrames else { return 0 }
        let frames = endFrames - cuts.frameCount
        defer { decodedFrames = frames }
        return frames - decodedFrames
    }

    /// The time that decoding has really come to, which a seek that is not carried out yet does not change.
    private var reachedTime: TimeInterval { decodedFrames > 0 ? decodedTime : leftTime }

    /// Returns the time of the frame at which the player has come to `playedFrames`.
    func renderedTime(playedFrames: Double) -> TimeInterval {
        baseTime + cuts.inputFrame(playedFrames - Double(baseFrame)) / sampleRate
    }

    /// Whether a part that is left out has not been passed yet.
    var hasCuts: Bool { !cuts.isEmpty }

    /// Passes the cuts that have been heard, and returns the seconds of the input that they leave out.
    mutating func passCuts(playedFrames: Double) -> TimeInterval {
        Double(cuts.pass(playedFrames - Double(baseFrame))) / sampleRate
    }

    /// Records the time that is heard, and returns it: it neither goes back nor lies behind `lastTime`.
    /// - Parameter hasFollower: Whether another input follows without an end between: its frames have times of their own.
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

    /// Returns whether samples of the seek of that number, 0 for none, are the ones to play.
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

    /// Corrects the time at which the next samples begin, before any have been decoded.
    mutating func land(at time: TimeInterval) {
        guard decodedFrames == 0, abs(time - baseTime) * sampleRate > 0.5 else { return }
        (baseTime, leftTime, lastHeard) = (time, time, time)
        if pausedTime != nil { pausedTime = time }
    }

    /// Starts a broadcast at its present, at any time that was asked for.
    mutating func beginNow() {
        move(to: 0)
        openCount = seekCount
        leftTime = 0
    }

    /// Moves a start beyond the end, of which nothing was decoded, back to the end.
    mutating func keepWithin(_ duration: TimeInterval?) {
        guard decodedFrames == 0, let duration, baseTime > duration else { return }
        baseTime = duration
        lastHeard = duration
    }
}
