/// The number of frames to decode ahead of the output.
///
/// It is never less than the thresholds of the output and of `PlaybackMachine`, at any sample rate and playback rate.
/// Otherwise, decoding would stop below a threshold, and decoder and output would wait for each other.
struct DecodeLead {
    /// The maximum number of frames that the engine renders at a time.
    ///
    /// An output that does not keep time takes that many frames at once, and waits until they are available.
    static let blockFrames = 4096.0
    /// The lead in seconds of the input: enough for a jump to a high rate, and little memory.
    private static let inputSeconds = 4.0
    /// Seconds at the output: more than is waited for after running dry.
    private static let outputSeconds = 1.5 * PlaybackMachine.Threshold.resume

    /// Frames of the decoded format in a second.
    var sampleRate: Double
    /// The sample rate of the output in hertz.
    var outputSampleRate: Double
    /// Seconds of the input in a second at the output.
    var playbackRate: Double

    /// The fraction of the lead at which decoding resumes: more than the output waits for after an underrun.
    private static let refillShare = 0.8

    /// Frames of the decoded format at which decoding stops.
    var frameCount: Double { max(ownFrames, blocks) }

    /// The number of frames, in the decoded format, below which decoding resumes.
    ///
    /// The decoder wakes once for several buffers instead of for each one.
    var refillCount: Double { max(Self.refillShare * ownFrames, blocks) }

    private var ownFrames: Double { max(Self.inputSeconds, Self.outputSeconds * playbackRate) * sampleRate }

    /// The current block, the next one, and the lookahead of nodes that change the rate.
    private var blocks: Double {
        2 * Self.blockFrames * playbackRate * sampleRate / outputSampleRate + Self.blockFrames
    }
}
