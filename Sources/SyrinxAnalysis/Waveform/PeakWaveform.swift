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

    // MARK: Other zooms

    /// The waveform at a coarser zoom.
    ///
    /// Pixel k covers the pixels ⌊k·r⌋ up to ⌊(k+1)·r⌋ of this one, r the ratio of both zooms, which need not be whole.
    /// - Throws: `.zoomTooFine` if `samplesPerPixel` is less than that of this one: what is not there cannot be drawn.
    public func rescaled(to samplesPerPixel: Int) throws(AnalysisError) -> PeakWaveform {
        if samplesPerPixel == self.samplesPerPixel { return self }
        var rescaler = try PeakRescaler(from: blocks(0..<0), to: samplesPerPixel)
        var result = rescaler.append(self)
        result.append(rescaler.finish())
        return result
    }

    /// Adds the blocks of another waveform behind those of this one.
    /// - Precondition: It has the zoom and the channels of this one.
    public mutating func append(_ other: PeakWaveform) {
        precondition(
            other.samplesPerPixel == samplesPerPixel && other.channelCount == channelCount,
            "blocks have the zoom and the channels of what they are added to"
        )
        let hasRMS = !rms.isEmpty || !other.rms.isEmpty
        let former = values.count / 2
        values.append(contentsOf: other.values)
        guard hasRMS else { return }
        rms.append(contentsOf: repeatElement(0, count: former - rms.count))
        rms.append(contentsOf: other.rms)
        rms.append(contentsOf: repeatElement(0, count: values.count / 2 - rms.count))
    }

    /// The factor that makes the loudest value just fit, which is 1 for silence.
    public var automaticScale: Double {
        var low = 0
        var high = 0
        for value in values {
            low = min(low, Int(value))
            high = max(high, Int(value))
        }
        let up = high > 0 ? 32767 / Double(high) : .infinity
        let down = low < 0 ? 32767 / Double(-low) : .infinity
        let scale = min(up, down)
        return scale.isFinite ? scale : 1
    }

    /// Every value times `factor`, what is left of a step dropped, kept to 16 bit.
    public func scaled(by factor: Double) -> PeakWaveform {
        guard factor != 1, factor.isFinite else { return self }
        var result = self
        for index in result.values.indices {
            let scaled = (Double(result.values[index]) * factor).rounded(.towardZero)
            result.values[index] = Int16(min(max(scaled, -32768), 32767))
        }
        for index in result.rms.indices { result.rms[index] = min(result.rms[index] * Float(abs(factor)), 1) }
        return result
    }

    /// The blocks of `range`, and nothing else.
    public func blocks(_ range: Range<Int>) -> PeakWaveform {
        let range = range.clamped(to: 0..<count)
        return PeakWaveform(
            sampleRate: sampleRate,
            samplesPerPixel: samplesPerPixel,
            channelCount: channelCount,
            values: Array(values[range.lowerBound * 2 * channelCount..<range.upperBound * 2 * channelCount]),
            rms: rms.isEmpty ? [] : Array(rms[range.lowerBound * channelCount..<range.upperBound * channelCount])
        )
    }

    /// Adds one block that covers all those of `range` in `source`.
    mutating func appendMerged(_ source: PeakWaveform, _ range: Range<Int>) {
        for channel in 0..<channelCount {
            let merged = source.merged(range, channel: channel)
            values.append(merged.low)
            values.append(merged.high)
            if !source.rms.isEmpty { rms.append(merged.rms) }
        }
    }

    /// Returns the merged blocks of `range`.
    ///
    /// Blocks without a sample (low above high) do not count.
    func merged(_ range: Range<Int>, channel: Int) -> (low: Int16, high: Int16, rms: Float) {
        var low = Int16.max
        var high = Int16.min
        var energy: Float = 0
        var known: Float = 0
        var index = range.lowerBound &* channelCount &+ channel
        let end = range.upperBound &* channelCount &+ channel
        let hasRMS = !rms.isEmpty
        values.withUnsafeBufferPointer { values in
            rms.withUnsafeBufferPointer { rms in
                while index < end {
                    let one = values[2 &* index]
                    let two = values[2 &* index &+ 1]
                    if one < low { low = one }
                    if two > high { high = two }
                    if hasRMS, one <= two {
                        energy += rms[index] * rms[index]
                        known += 1
                    }
                    index &+= channelCount
                }
            }
        }
        return (low, high, known > 0 ? (energy / known).squareRoot() : 0)
    }

    // MARK: Growing

    /// Makes it have at least `newCount` blocks; the new ones are empty.
    mutating func reserve(_ newCount: Int) {
        while count < newCount {
            for _ in 0..<channelCount {
                values.append(.max)
                values.append(.min)
            }
        }
    }

    mutating func replace(from index: Int, with blocks: PeakWaveform) {
        let width = 2 * channelCount
        values.replaceSubrange(index * width..<(index + blocks.count) * width, with: blocks.values)
        guard !blocks.rms.isEmpty || !rms.isEmpty else { return }
        padRMS()
        let measured = blocks.rms.isEmpty ? Array(repeating: 0, count: blocks.count * channelCount) : blocks.rms
        rms.replaceSubrange(index * channelCount..<(index + blocks.count) * channelCount, with: measured)
    }

    mutating func setMerged(_ source: PeakWaveform, _ range: Range<Int>, at index: Int) {
        if !source.rms.isEmpty { padRMS() }
        for channel in 0..<channelCount {
            let merged = source.merged(range, channel: channel)
            let at = index * channelCount + channel
            values[2 * at] = merged.low
            values[2 * at + 1] = merged.high
            if !rms.isEmpty { rms[at] = merged.rms }
        }
    }

    private mutating func padRMS() {
        let missing = values.count / 2 - rms.count
        if missing > 0 { rms.append(contentsOf: repeatElement(0, count: missing)) }
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
