public import AVFAudio
public import SyrinxDevice

/// A streamer whose rate and pitch can change during playback.
///
/// ```swift
/// let streamer = TimePitchStreamer()
/// streamer.url = url
/// streamer.rate = 1.5   // half as fast again, at the original pitch
/// streamer.pitch = -100 // one semitone lower
/// streamer.play()
/// ```
open class TimePitchStreamer: Streamer, @unchecked Sendable {
    // Unchecked: the node is the only state, and it is thread-safe.

    /// The node that changes rate and pitch, between the player and the mixer.
    public let timePitchNode = AVAudioUnitTimePitch()

    /// Creates a streamer without an input, with rate 1 and pitch 0.
    /// - Parameter device: The output device; `nil`, the default, is the system's default output.
    public override init(device: (any OutputDevice)? = nil) { super.init(device: device) }

    /// The playback rate, 1/32…32; 1 by default.
    ///
    /// Values outside are clamped. The pitch does not change with the rate.
    public var rate: Float {
        get { timePitchNode.rate }
        set { timePitchNode.rate = newValue }
    }

    /// The pitch shift in cents, −2400…2400; 0 by default.
    ///
    /// Values outside are clamped.
    public var pitch: Float {
        get { timePitchNode.pitch }
        set { timePitchNode.pitch = newValue }
    }

    /// The algorithm that changes rate and pitch; `automatic` by default.
    ///
    /// A change during playback takes effect within 50 ms, without a click.
    public var algorithm: AVAudioUnitTimePitch.Algorithm {
        get { timePitchNode.algorithm }
        set { timePitchNode.algorithm = newValue }
    }

    /// Whether formants keep their frequencies when the pitch changes, so that a voice sounds natural; false by
    /// default.
    public var preservesFormants: Bool {
        get { timePitchNode.preservesFormants }
        set { timePitchNode.preservesFormants = newValue }
    }

    /// Attaches the player and the time-pitch unit to the engine.
    open override func attachNodes() {
        super.attachNodes()
        engine.attach(timePitchNode)
    }

    override func prepareNodes(for format: AVAudioFormat) { timePitchNode.prepare(for: format) }

    /// Connects the player through the time-pitch unit to the mixer.
    open override func connectNodes() {
        engine.connect(playerNode, to: timePitchNode, format: readFormat)
        connectToMixer(timePitchNode)
    }

    /// Discards the audio that the player and the time-pitch unit hold.
    open override func resetNodes() {
        super.resetNodes()
        timePitchNode.reset()
    }

    /// The number of frames of the input that were rendered, according to the time-pitch unit.
    open override var playedFrameCount: Double {
        max(0, timePitchNode.inputPosition - Double(playerNode.starvedFrames))
    }

    /// The current rate; 1 while the time-pitch unit is bypassed.
    open override var playbackRate: Double { timePitchNode.bypass ? 1 : Double(rate) }
}
