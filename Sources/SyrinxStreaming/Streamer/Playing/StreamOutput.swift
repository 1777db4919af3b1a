import AVFAudio
import Foundation
import SyrinxDevice
import SyrinxMediaCodec

/// The nodes of a streamer that a subclass may replace or add to.
protocol StreamerNodes: AnyObject, Sendable {
    var playedFrameCount: Double { get }
    var playbackRate: Double { get }
    /// Seconds by which the effects delay the sound.
    var effectLatency: Double { get }
    /// Whether a reset is within one input, whose loudness stays what it was.
    var keepsLoudness: Bool { get set }
    /// Does what takes time in connecting them, on any thread and without any lock.
    func prepareNodes(for format: AVAudioFormat)
    func connectNodes()
    func resetNodes()
    func readFormat(for source: MediaInfo) -> AVAudioFormat
}

/// The output of a streamer: the engine, the player node, and the nodes behind it.
///
/// Used under the lock of the `PlaybackController`.
final class StreamOutput {
    let engine: AVAudioEngine
    let player: AVAudioPlayerNode
    private let earlyStart = EarlyStart()
    private var heard = HeardFrames()
    /// Whether the engine has ever been started: an output that has never been there is not waited for.
    private(set) var hasStarted = false
    /// Whether an output has been found that has not been started: one that cannot be is not looked for at once again.
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

    /// The seconds of the input in one second at the output.
    var playbackRate: Double { nodes?.playbackRate ?? 1 }
    /// Frames of the read format that have gone into what has been rendered since the nodes were reset.
    var playedFrames: Double { nodes?.playedFrameCount ?? 0 }
    /// Scheduled frames that have not been played.
    var framesAhead: Double { Double(player.framesAhead) }
    /// Seconds of sound that the effects hold: none once they have given all up to its end.
    var heldByEffects: Double { engine.hasOutputEnded ? 0 : nodes?.effectLatency ?? 0 }
    /// Frames of content, not silence, that have been rendered since the engine started.
    var contentFrames: Int64 { engine.outputFrames.content }
    /// The number of times that the output has run dry, ever.
    var underrunCount: Int { engine.deviceUnderrunCount + player.starvedCount }
    /// Whether the device keeps time, so that it plays silence when there is nothing to play.
    var mayStarve: Bool { engine.openedDevice?.isPaced ?? true }
    /// Whether somebody listens; else the device takes sound as fast as it comes.
    var isListenedTo: Bool { engine.outputDevice?.isPaced ?? true }

    /// Returns the frame of the player that is heard at `now`, without the effects' delay; `nil` where the device does not tell.
    /// - Parameter now: The time in monotonic nanoseconds.
    func heardFrame(at now: UInt64, framesPerSecond: Double) -> Double? {
        noteRendered()
        return heard.frame(at: now, framesPerSecond: framesPerSecond)
    }

    // MARK: Actions

    /// Records the time at which what has been rendered so far is heard.
    func noteRendered() {
        guard engine.contentHeardTime != nil else { return heard.removeAll() }
        let (frame, time) = engine.betweenRenders { (playedFrames, engine.contentHeardTime) }
        if let time { heard.note(frame: frame, heardAt: time) }
    }

    /// Starts the device while an input is being opened, if it is stopped and that brings the first sound forward.
    func startEarly() {
        guard mayStartEarly else { return }
        earlyStart.begin(engine) { [weak nodes] in nodes?.prepareNodes(for: $0) }
    }

    /// Stops the device if it has been started for an input from which nothing is heard.
    func endEarlyStart() {
        if earlyStart.end() { engine.stop() }
    }

    /// Has the output work in `format`, as far as that can still be settled.
    func prepare(for format: AVAudioFormat) throws {
        guard try engine.openOutput() != format else { return }
        endEarlyStart()
        // An output that runs keeps its own format.
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
        // Where the output runs on, the end of the input before may have reached what has just been connected.
        if !engine.isStopped { drop() }
    }

    /// Starts the engine, or lets it go on where it was held.
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

    /// Drops all sound that has been scheduled and that the nodes hold, under a fade.
    func drop() {
        engine.holdForChange()
        nodes?.resetNodes()
        noteLatency()
    }

    private func noteLatency() { engine.effectLatency = nodes?.effectLatency ?? 0 }

    /// Has the sound end with what is scheduled.
    func endAfterScheduled(_ format: AVAudioFormat) {
        guard let nothing = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 1) else { return }
        player.scheduleStreamed(nothing, isLast: true)
    }

    /// Stops the engine.
    /// - Returns: The frames of content and the underruns by then; the content is `nil` if the engine had been stopped before.
    func stop() -> (content: Int64?, underruns: Int) {
        earlyStart.end()
        // The fade that the end takes is given to the output too.
        let underruns = underrunCount
        let hadBeenStopped = engine.isStopped
        engine.stop()
        return (hadBeenStopped ? nil : engine.contentOfLastRun, underruns)
    }

    /// Returns the frames of content that had been rendered when the player came to `frame`, which it has passed.
    func content(atPlayedFrame frame: Int64, sampleRate: Double, outputSampleRate: Double) -> Int64 {
        let (content, played) = engine.betweenRenders { (contentFrames, playedFrames) }
        let excess = max(0, played - Double(frame)) * outputSampleRate / sampleRate
        // A file lacks the latency of the effects, which was left out at its beginning.
        let leftOut = isListenedTo ? 0 : (engine.effectLatency * outputSampleRate).rounded()
        return content - Int64(clamped: (excess / playbackRate - leftOut).rounded())
    }
}
