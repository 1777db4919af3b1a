import AVFAudio
import Foundation
import SyrinxDevice
import SyrinxMediaCodec

/// The nodes of a streamer that a subclass may replace or add to.
protocol StreamerNodes: AnyObject, Sendable {
    var playedFrameCount: Double { get }
    var playbackRate: Double { get }
    /// The latency of the effects in seconds.
    var effectLatency: Double { get }
    /// Whether a reset is within one input, so that its loudness state is kept.
    var keepsLoudness: Bool { get set }
    /// Does slow preparations for connecting the nodes, on any thread and without locks.
    func prepareNodes(for format: AVAudioFormat)
    func connectNodes()
    func resetNodes()
    func readFormat(for source: MediaInfo) -> AVAudioFormat
}

/// The output of a streamer: the engine, the player node, and the nodes after it.
///
/// Used with the lock of the `PlaybackController` held.
final class StreamOutput {
    let engine: AVAudioEngine
    let player: AVAudioPlayerNode
    private let earlyStart = EarlyStart()
    private var heard = HeardFrames()
    /// Whether the engine was ever started: playback does not wait for an output that never existed.
    private(set) var hasStarted = false
    /// Whether an output was found but not started: an unusable one is not searched for again at once.
    var hasFound = false
    /// Whether the format does not depend on the input, so that the output can be started before that is open.
    var mayStartEarly = true
    /// `nil` once the streamer is being released.
    weak var nodes: (any StreamerNodes)?

    init(engine: AVAudioEngine, player: AVAudioPlayerNode) {
        self.engine = engine
        self.player = player
    }

    // MARK: State

    /// The playback rate: seconds of the input for each second of output.
    var playbackRate: Double { nodes?.playbackRate ?? 1 }
    /// The number of frames of the read format that were rendered since the nodes were reset.
    var playedFrames: Double { nodes?.playedFrameCount ?? 0 }
    /// Scheduled frames that have not been played.
    var framesAhead: Double { Double(player.framesAhead) }
    /// The seconds of audio that the effects hold; 0 after they have output everything.
    var heldByEffects: Double { engine.hasOutputEnded ? 0 : nodes?.effectLatency ?? 0 }
    /// Frames of content, not silence, that have been rendered since the engine started.
    var contentFrames: Int64 { engine.outputFrames.content }
    /// The number of times that the output has run dry, ever.
    var underrunCount: Int { engine.deviceUnderrunCount + player.starvedCount }
    /// Whether the device keeps time, so that it plays silence without audio.
    var mayStarve: Bool { engine.openedDevice?.isPaced ?? true }
    /// Whether the device plays in real time; otherwise, it takes audio as fast as possible.
    var isListenedTo: Bool { engine.outputDevice?.isPaced ?? true }

    /// Returns the player frame that is heard at `now`, without the latency of effects; `nil` if the device does not
    /// report it.
    /// - Parameter now: The time in monotonic nanoseconds.
    func heardFrame(at now: UInt64, framesPerSecond: Double) -> Double? {
        noteRendered()
        return heard.frame(at: now, framesPerSecond: framesPerSecond)
    }

    // MARK: Actions

    /// Records the time at which the rendered audio is heard.
    func noteRendered() {
        guard engine.contentHeardTime != nil else { return heard.removeAll() }
        let (frame, time) = engine.betweenRenders { (playedFrames, engine.contentHeardTime) }
        if let time { heard.note(frame: frame, heardAt: time) }
    }

    /// Starts the device while an input is being opened, if it is stopped and that makes playback start sooner.
    func startEarly() {
        guard mayStartEarly else { return }
        earlyStart.begin(engine) { [weak nodes] in nodes?.prepareNodes(for: $0) }
    }

    /// Stops a device that was started early for an input that was not heard.
    func endEarlyStart() {
        if earlyStart.end() { engine.stop() }
    }

    /// Sets the format of the output to `format`, if it can still change.
    func prepare(for format: AVAudioFormat) throws {
        guard try engine.openOutput() != format else { return }
        endEarlyStart()
        // A running output keeps its format.
        guard engine.isStopped else { return }
        engine.preferredOutputFormat = DeviceFormat(
            sampleRate: format.sampleRate,
            channelCount: Int(format.channelCount)
        )
        _ = try engine.openOutput()
    }

    /// Connects the nodes anew.
    func connect() {
        nodes?.connectNodes()
        // If the output is running, the end of the previous input may have reached the newly connected nodes.
        if !engine.isStopped { drop() }
    }

    /// Starts or resumes the engine.
    func start(fades: Bool, dropsUnheard: Bool) throws {
        earlyStart.end()
        noteLatency()
        if engine.isRunning {
            engine.release(fades: fades, dropsUnheard: dropsUnheard)
        } else {
            try engine.start()
        }
        (hasStarted, hasFound) = (true, false)
    }

    /// Drops all scheduled audio and the audio in the nodes, with a fade.
    func drop() {
        engine.holdForChange()
        nodes?.resetNodes()
        noteLatency()
    }

    /// Takes the latency of the effects.
    func noteLatency() { engine.effectLatency = nodes?.effectLatency ?? 0 }

    /// Ends playback after the scheduled audio.
    func endAfterScheduled(_ format: AVAudioFormat) {
        guard let nothing = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 1) else { return }
        player.scheduleStreamed(nothing, isLast: true)
    }

    /// Stops the engine.
    /// - Returns: The frames of content and the underruns by then; the content is `nil` if the engine had been stopped before.
    func stop() -> (content: Int64?, underruns: Int) {
        earlyStart.end()
        // The final fade is sent to the output too.
        let underruns = underrunCount
        let hadBeenStopped = engine.isStopped
        engine.stop()
        return (hadBeenStopped ? nil : engine.contentOfLastRun, underruns)
    }

    /// Returns the number of content frames that were rendered when the player passed `frame`.
    func content(atPlayedFrame frame: Int64, sampleRate: Double, outputSampleRate: Double) -> Int64 {
        let (content, played) = engine.betweenRenders { (contentFrames, playedFrames) }
        let excess = max(0, played - Double(frame)) * outputSampleRate / sampleRate
        // A file lacks the latency of the effects, which was left out at its beginning.
        let leftOut = isListenedTo ? 0 : (engine.effectLatency * outputSampleRate).rounded()
        return content - Int64(clamped: (excess / playbackRate - leftOut).rounded())
    }
}
