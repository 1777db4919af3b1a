import AVFAudio
import Foundation
import SyrinxMediaCodec

/// The state of one input of a streamer.
struct StreamProgress {
    var item: StreamingItem?
    var info: MediaInfo?
    /// The format that is decoded to.
    var readFormat = Self.initialFormat {
        didSet { timeline.sampleRate = readFormat.sampleRate }
    }
    /// The sample rate of the output in hertz.
    var outputSampleRate = 44_100.0
    var timeline = PlaybackTimeline(sampleRate: 44_100)
    var metadata = InputMetadata()
    var output = OutputCounters()
    var reopening = ReopeningLimit()
    /// The clock drift between a broadcast and the output; `nil` for other inputs.
    var pace: DriftEstimator?
    /// The same for a presentation of HTTP Live Streaming, and the number of arrivals that it has seen.
    var segmentPace = HLSPace()
    private var arrivalCount = 0
    var failure: SyrinxError?
    /// Seconds of listening that shortened pauses have saved.
    var timeSaved: TimeInterval = 0

    /// Nothing to play.
    init() {}

    /// Creates the state of an unopened input, on an output that is in use.
    init(_ item: StreamingItem, on old: StreamProgress) {
        self.item = item
        (readFormat, outputSampleRate) = (old.readFormat, old.outputSampleRate)
        timeline = PlaybackTimeline(start: item.startTime, sampleRate: readFormat.sampleRate)
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

    /// The end time of playback, if known.
    var lastTime: TimeInterval? {
        switch (endTime, info?.duration) {
        case (let end?, let duration?): min(end, duration)
        case (let end?, nil): end
        case (nil, let duration): duration
        }
    }

    /// The smallest distance of the sound that was heard from the end of what had arrived, in seconds.
    private var smallestLead = 40.0

    /// Returns the seconds behind the end of what has arrived at which a broadcast counts as live.
    ///
    /// A station sends some seconds at once, which are the smallest distance from then on.
    mutating func liveLead(sent: Double, heard: Double) -> Double {
        if sent > heard { smallestLead = min(smallestLead, sent - heard) }
        // A frame of half a second, and the sound that is on its way to the output.
        return max(smallestLead + 1, PlaybackController.liveLead + 1)
    }

    /// Moves to `time` for a seek.
    /// - Parameter keepsTitles: Whether all skipped data was read, or will be.
    mutating func move(to time: TimeInterval, keepsTitles: Bool = false) {
        timeline.move(to: time)
        if !keepsTitles { metadata.dropTitles() }
        reopening.move()
        output.move()
        failure = nil
    }

    /// Starts a broadcast at its current position, regardless of the requested time.
    mutating func beginNow() {
        timeline.beginNow()
        metadata.applyFromStart()
        reopening.move()
        output.move()
        failure = nil
    }

    /// Measures the distance of the playback position from the end of a live presentation.
    /// - Parameters:
    ///   - arrival: The latest segments; `nil` while it does not play.
    ///   - framesAhead: The number of decoded frames that were not played.
    /// - Returns: The new playback ratio; `nil` if it does not change.
    mutating func measurePace(arrival: HLSArrival?, framesAhead: Double) -> Double? {
        guard let arrival else {
            segmentPace.rest()
            return nil
        }
        guard arrival.count != arrivalCount, timeline.decodedFrames > 0 else { return nil }
        arrivalCount = arrival.count
        let played = timeline.decodedTime - framesAhead / readFormat.sampleRate
        return segmentPace.note(distance: arrival.end - played, targetDuration: arrival.targetDuration)
    }

    /// Measures the arrival rate of a broadcast.
    /// - Parameters:
    ///   - bytes: The bytes that were decoded, and those that wait; `nil` while the rate is not measured.
    ///   - framesAhead: The number of decoded frames that were not played.
    ///   - played: The number of played frames.
    /// - Returns: The new playback ratio; `nil` if it does not change.
    mutating func measurePace(bytes: (read: Int64, unread: Int64)?, framesAhead: Double, played: Int64) -> Double? {
        guard let bytes, bytes.read > 0, timeline.decodedFrames > 0 else {
            pace?.rest()
            return nil
        }
        let undecoded = Double(bytes.unread) * Double(timeline.decodedFrames) / Double(bytes.read)
        var estimator = pace ?? DriftEstimator(sampleRate: readFormat.sampleRate)
        defer { pace = estimator }
        return estimator.note(held: framesAhead + undecoded, played: played)
    }
}
