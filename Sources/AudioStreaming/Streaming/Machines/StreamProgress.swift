import AVFAudio
import Foundation
import MediaCodec

/// The state of a streamer's input and the position in it.
struct StreamProgress {
    var item: StreamingItem?
    var info: MediaInfo?
    var readFormat = Self.initialFormat
    /// Frames in a second that the output takes.
    var outputSampleRate = 44_100.0

    /// The time in the input, in seconds, at which the samples decoded since the last seek begin.
    var baseTime: TimeInterval = 0
    /// The frame of the player at which that lies: 0, unless the input follows on another.
    var baseFrame: Int64 = 0
    /// Frames of the read format decoded since then.
    var decodedFrames: Int64 = 0
    /// The time that decoding had reached at the last seek.
    private var leftTime: TimeInterval = 0
    /// The time up to which a broadcast is known to have been sent.
    private var furthestSent: TimeInterval = 0
    /// The number of times that the input has changed on the server since it was opened.
    var changeCount = 0
    /// Frames of the read format decoded since it changed last.
    private var framesSinceChange: Int64 = 0
    /// The number of times in a row that it was reopened because it is not seekable.
    var lostRangesCount = 0
    /// The titles of a live stream or of the recordings of a chain, with the time of the input from which each applies.
    var titles: [(time: TimeInterval, fields: [String: String], isOfRecording: Bool)] = []
    /// The tags of the recording that was decoded last, and of the one that was heard last.
    var tags: [String: String] = [:]
    var heardTags: [String: String] = [:]
    /// The drift between a live stream and the output; `nil` for other inputs.
    var pace: DriftEstimator?
    /// Counts the seeks, so that what was decoded before one is known.
    var seekCount = 0
    /// The value of `seekCount` when the input was opened: the pump's first samples belong to it.
    var openCount = 0
    /// Whether all of it has been decoded, or all that there will be.
    var hasReachedEnd = false
    /// Frames of the read format that the input has given since the last seek, as soon as it has reached its end.
    var endFrames: Int64?
    var failure: StreamingError?

    /// Content that the output had been given before this input, in frames.
    var contentBaseline: Int64?
    var lastContent: Int64 = 0
    /// When content last reached the output, in monotonic nanoseconds.
    var lastContentAt: UInt64 = 0
    var endedAt: UInt64?
    var underrunBaseline = 0
    /// The last time told, which does not go back.
    var lastHeard: TimeInterval = 0
    /// The time that was reported for a pause, until the pause ends.
    var pausedTime: TimeInterval?
    var received: Int64 = 0

    /// Nothing to play.
    init() {}

    /// An input that has not been opened, on an output in use for another.
    init(_ item: StreamingItem, on old: StreamProgress) {
        self.item = item
        (readFormat, outputSampleRate) = (old.readFormat, old.outputSampleRate)
        (baseTime, leftTime, lastHeard) = (item.startTime, item.startTime, item.startTime)
    }

    var input: StreamingInput? { item?.input }
    var startTime: TimeInterval { item?.startTime ?? 0 }
    var endTime: TimeInterval? { item?.endTime }

    private static var initialFormat: AVAudioFormat {
        guard let format = AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2) else {
            preconditionFailure("44.1 kHz stereo is a format.")
        }
        return format
    }

    /// The time that the next samples to be decoded belong to.
    var decodedTime: TimeInterval { baseTime + Double(decodedFrames) / readFormat.sampleRate }

    /// The time that decoding has really come to, which a seek that is not carried out yet does not change.
    private var reachedTime: TimeInterval { decodedFrames > 0 ? decodedTime : leftTime }

    /// Whether a broadcast of which so many seconds wait to be decoded has been sent up to `time`.
    mutating func hasBeenSent(_ time: TimeInterval, ahead: Double) -> Bool {
        // What has been passed over since does not wait any more, and has been sent all the same.
        furthestSent = max(furthestSent, reachedTime + ahead)
        return time <= max(decodedTime, furthestSent)
    }

    /// Begins with what a broadcast sends now, whatever time was asked for.
    mutating func beginNow() {
        move(to: 0, keepsTitles: true)
        openCount = seekCount
        leftTime = 0
        for index in titles.indices { titles[index].time = 0 }
    }

    /// Seconds of sound between two changes that make the second one no worse than the first.
    private static let secondsBetweenChanges: TimeInterval = 1

    /// Takes note of a change of the input; false if there have been too many of them.
    mutating func noteChange(atMost most: Int) -> Bool {
        // That it is read in one answer stays.
        let seconds = Double(framesSinceChange) / readFormat.sampleRate
        if seconds >= Self.secondsBetweenChanges { changeCount = min(changeCount, most - 1) }
        guard changeCount < most else { return false }
        changeCount += 1
        framesSinceChange = 0
        return true
    }

    /// Takes note of frames that have been decoded.
    mutating func decoded(_ count: Int64) {
        decodedFrames += count
        framesSinceChange += count
    }

    /// Takes note of how many frames the input has given, now that it has reached its end.
    mutating func settle(frames: Int64) { decodedFrames = frames }

    /// Takes note of what the recording calls itself to which what was decoded last belongs.
    mutating func note(tags new: [String: String]) {
        guard new != tags else { return }
        tags = new
        titles.append((decodedTime, new, isOfRecording: true))
    }

    /// Takes over what is known of the output from the input before, which ended when `content` frames had been given.
    mutating func takeOutput(of old: StreamProgress, content: Int64, underruns: Int) {
        (contentBaseline, underrunBaseline) = (content, underruns)
        (lastContent, lastContentAt) = (old.lastContent, old.lastContentAt)
    }

    /// No input is longer, in seconds: 31 years, which are a number of frames at any rate.
    static let longest: TimeInterval = 1e9

    /// The time that nothing lies behind, if it is known.
    var lastTime: TimeInterval? {
        switch (endTime, info?.duration) {
        case (let end?, let duration?): min(end, duration)
        case (let end?, nil): end
        case (nil, let duration): duration
        }
    }

    /// Brings a time beyond the end, of which nothing was decoded, back to the end.
    mutating func keepWithinInput() {
        guard decodedFrames == 0, let end = info?.duration, baseTime > end else { return }
        baseTime = end
        lastHeard = end
    }

    /// Takes back what a seek makes untrue: titles too, unless all that is passed over has been, or is going to be, read.
    mutating func move(to time: TimeInterval, keepsTitles: Bool = false) {
        leftTime = reachedTime
        baseTime = time
        baseFrame = 0
        endFrames = nil
        decodedFrames = 0
        if !keepsTitles {
            titles = []
            tags = heardTags
        }
        lostRangesCount = 0
        lastHeard = time
        hasReachedEnd = false
        failure = nil
        lastContentAt = 0
        endedAt = nil
        pausedTime = nil
        seekCount += 1
    }
}
