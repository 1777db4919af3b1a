public import AVFAudio
public import SyrinxDevice

/// A streamer whose rate and pitch can be changed while it plays.
open class TimePitchStreamer: Streamer, @unchecked Sendable {
    // Unchecked: no state of its own but the node, which is safe to use from any thread.

    /// The node that changes them, between the player and the mixer.
    public let timePitchNode = AVAudioUnitTimePitch()

    /// A streamer with nothing to play, at rate 1 and pitch 0.
    /// - Parameter device: Where it plays; `nil` is the system's own output.
    public override init(device: (any OutputDevice)? = nil) { super.init(device: device) }

    /// The seconds of the input in one second: 1/32…32, default 1.
    ///
    /// Values outside are clamped.
    public var rate: Float {
        get { timePitchNode.rate }
        set { timePitchNode.rate = newValue }
    }

    /// The shift in cents: −2400…2400, default 0.
    ///
    /// Values outside are clamped.
    public var pitch: Float {
        get { timePitchNode.pitch }
        set { timePitchNode.pitch = newValue }
    }

    /// The algorithm that changes rate and pitch, default `automatic`.
    ///
    /// Can be set while it plays; heard within 50 ms, without a click.
    public var algorithm: AVAudioUnitTimePitch.Algorithm {
        get { timePitchNode.algorithm }
        set { timePitchNode.algorithm = newValue }
    }

    /// Whether a voice keeps its size when the pitch changes, default false.
    public var preservesFormants: Bool {
        get { timePitchNode.preservesFormants }
        set { timePitchNode.preservesFormants = newValue }
    }

    /// Puts the player and the time-pitch unit into the engine.
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

    /// Drops what the player and the unit hold.
    open override func resetNodes() {
        super.resetNodes()
        timePitchNode.reset()
    }

    /// Frames of the input that have gone into what has been rendered: the unit's own map tells.
    open override var playedFrameCount: Double {
        max(0, timePitchNode.inputPosition - Double(playerNode.starvedFrames))
    }

    /// The rate, unless the unit is bypassed.
    open override var playbackRate: Double { timePitchNode.bypass ? 1 : Double(rate) }
}
