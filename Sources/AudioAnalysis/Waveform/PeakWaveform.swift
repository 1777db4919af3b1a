/// The least and the greatest sample of every block of a recording: what a waveform is drawn from.
///
/// A block is as many frames as one pixel shows; the last one may be shorter. Samples are whole numbers of 16 bit, as
/// `SampleRounding` says. A value; any thread.
public struct PeakWaveform: Sendable, Equatable {
    /// Frames of the recording per second.
    public let sampleRate: Int
    /// Frames in a block, at least 1.
    public let samplesPerPixel: Int
    /// The channels of the waveform: those of the recording, or 1 if they were mixed.
    public let channelCount: Int
    /// For each block the least and the greatest sample of each channel in turn.
    public internal(set) var values: [Int16]
    /// For each block and channel the root mean square, 0 … 1; empty where it was not measured or is not known.
    ///
    /// The formats on disk have no place for it.
    public internal(set) var rms: [Float]

    /// A waveform of these values.
    /// - Precondition: `values` holds whole blocks, and `rms` nothing or one number for each block and channel.
    public init(sampleRate: Int, samplesPerPixel: Int, channelCount: Int, values: [Int16] = [], rms: [Float] = []) {
        precondition(samplesPerPixel > 0 && channelCount > 0, "a waveform has blocks of at least 1 frame, and channels")
        precondition(values.count % (2 * channelCount) == 0, "a waveform is made of whole blocks")
        precondition(rms.isEmpty || rms.count * 2 == values.count, "there is one RMS for each block and channel")
        self.sampleRate = sampleRate
        self.samplesPerPixel = samplesPerPixel
        self.channelCount = channelCount
        self.values = values
        self.rms = rms
    }

    /// The number of blocks.
    public var count: Int { values.count / (2 * channelCount) }

    /// The seconds that all blocks last, the last one taken as whole.
    public var duration: Double { Double(count) * Double(samplesPerPixel) / Double(max(sampleRate, 1)) }

    /// The least sample of a block.
    public func minimum(_ index: Int, channel: Int = 0) -> Int16 { values[2 * (index * channelCount + channel)] }

    /// The greatest sample of a block.
    public func maximum(_ index: Int, channel: Int = 0) -> Int16 { values[2 * (index * channelCount + channel) + 1] }

    /// The same, but with every value as a file of 8 bit would hold it: a multiple of 256, rounded towards zero.
    public func reducedTo8Bit() -> PeakWaveform {
        var result = self
        for index in result.values.indices { result.values[index] = result.values[index] / 256 * 256 }
        return result
    }
}

/// The conversion of the decoder's float samples to the whole numbers of a waveform.
///
/// The rules are those of the usual tool, so that its files and these agree value for value.
public enum SampleRounding: Sendable, Equatable {
    /// The recording holds integers: the upper 16 bit of each count, rounded down, as integers are cut.
    ///
    /// Exact for integers of up to 25 bits; for those of 32 if the float has their upper ones, as `MediaReader` gives them
    /// when asked for `roundsIntegersDown`.
    case integer
    /// The recording holds floats: 32 767 is full scale, and what is left of a step is dropped towards zero.
    ///
    /// The product is a float of 32 bits, so a sample just below a step may be rounded up to it.
    case float
    /// The recording was compressed with loss: the nearest step of 1/32 768, as decoders to 16 bit do it.
    case nearest

    /// The rule for a codec in FFmpeg's short name, as `MediaInfo.codec` has it.
    public init(codec: String) {
        if codec.hasPrefix("pcm_f") {
            self = .float
        } else if codec.hasPrefix("pcm_") || Self.lossless.contains(codec) {
            self = .integer
        } else {
            self = .nearest
        }
    }

    /// The whole number that a sample of 1 would become.
    var fullScale: Float { self == .float ? 32767 : 32768 }

    private static let lossless: Set = ["flac", "alac", "ape", "tta", "wavpack", "mlp", "truehd", "shorten"]

    /// The whole number for a sample, kept to 16 bit; 0 for what is not a number.
    func value(_ sample: Float) -> Float {
        guard !sample.isNaN else { return 0 }
        let scaled: Float =
            switch self {
            case .integer: (sample * 32768).rounded(.down)
            case .float: (sample * 32767).rounded(.towardZero)
            case .nearest: (sample * 32768).rounded(.toNearestOrEven)
            }
        return min(max(scaled, -32768), 32767)
    }
}
