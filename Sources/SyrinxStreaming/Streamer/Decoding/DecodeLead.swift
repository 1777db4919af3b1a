/// The number of frames to decode ahead of what the output has taken.
///
/// It is never less than what the output and `PlaybackMachine` wait for, at any sample rate and any playback rate: otherwise
/// decoding would stop short of what makes the output go on, and both would wait for each other.
struct DecodeLead {
    /// Frames that the engine renders at a time, at the most.
    ///
    /// An output that keeps no time takes that many, and waits until there are as many.
    static let blockFrames = 4096.0
    /// Seconds of the input: enough for a jump to a high rate, little enough to take no memory to speak of.
    private static let inputSeconds = 4.0
    /// Seconds at the output: more than is waited for after running dry.
    private static let outputSeconds = 1.5 * PlaybackMachine.Threshold.resume

    /// Frames of the decoded format in a second.
    var sampleRate: Double
    /// Frames in a second that the output takes.
    var outputSampleRate: Double
    /// Seconds of the input in a second at the output.
    var playbackRate: Double

    /// The share of the lead that is left when decoding begins again: more than the output waits for after running dry.
    private static let refillShare = 0.8

    /// Frames of the decoded format at which decoding stops.
    var frameCount: Double { max(ownFrames, blocks) }

    /// Frames of the decoded format below which decoding begins again.
    ///
    /// The decoder wakes once for several buffers, and not for each of them.
    var refillCount: Double { max(Self.refillShare * ownFrames, blocks) }

    private var ownFrames: Double { max(Self.inputSeconds, Self.outputSeconds * playbackRate) * sampleRate }

    /// A block in hand and one to come, and what nodes that change the rate look ahead.
    private var blocks: Double {
        2 * Self.blockFrames * playbackRate * sampleRate / outputSampleRate + Self.blockFrames
    }
}
