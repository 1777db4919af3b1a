/// A waveform: the minimum and the maximum sample of every block of a recording.
///
/// A block contains the frames of one pixel at the finest zoom; the last block may be shorter. Samples are 16-bit
/// integers, converted according to `SampleRounding`. A value; any thread may use it.
///
/// ```swift
/// let overview = try waveform.rescaled(to: 8192)
/// for block in 0..<overview.count { print(overview.minimum(block), overview.maximum(block)) }
/// ```
public struct PeakWaveform: Sendable, Equatable {
    /// The sample rate of the recording in hertz.
    public let sampleRate: Int
    /// The number of frames in a block, at least 1.
    public let samplesPerPixel: Int
    /// The number of channels: that of the recording, or 1 if they were mixed.
    public let channelCount: Int
    /// The minimum and the maximum of each channel in turn, block by block.
    public internal(set) var values: [Int16]
    /// The root mean square, 0…1, of each channel in turn, block by block; empty if it was not measured.
    ///
    /// Waveform files do not store it.
    public internal(set) var rms: [Float]

    /// Creates a waveform from values.
    /// - Parameters:
    ///   - sampleRate: The sample rate of the recording in hertz.
    ///   - samplesPerPixel: The number of frames in a block, at least 1.
    ///   - channelCount: The number of channels, at least 1.
    ///   - values: The minimum and the maximum of each channel in turn, block by block.
    ///   - rms: The root mean square, 0…1, of each channel in turn, block by block.
    /// - Precondition: `values` contains whole blocks, and `rms` is empty or has one number for each block and channel.
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

    /// The duration of all blocks in seconds; the last block counts as complete.
    public var duration: Double { Double(count) * Double(samplesPerPixel) / Double(max(sampleRate, 1)) }

    /// Returns the minimum sample of a block.
    public func minimum(_ index: Int, channel: Int = 0) -> Int16 { values[2 * (index * channelCount + channel)] }

    /// Returns the maximum sample of a block.
    public func maximum(_ index: Int, channel: Int = 0) -> Int16 { values[2 * (index * channelCount + channel) + 1] }

    /// Returns the waveform with the precision of an 8-bit file: each value is a multiple of 256, rounded towards zero.
    public func reducedTo8Bit() -> PeakWaveform {
        var result = self
        for index in result.values.indices { result.values[index] = result.values[index] / 256 * 256 }
        return result
    }

    // MARK: Other zooms

    /// Returns the waveform at a coarser zoom.
    ///
    /// Pixel k covers the pixels ⌊k·r⌋ up to, but not including, ⌊(k+1)·r⌋ of this waveform, where r is the ratio of
    /// both zooms, which may be fractional.
    /// - Throws: `.zoomTooFine` if `samplesPerPixel` is smaller than that of this waveform: a waveform can only be made
    ///   coarser.
    public func rescaled(to samplesPerPixel: Int) throws(AnalysisError) -> PeakWaveform {
        if samplesPerPixel == self.samplesPerPixel { return self }
        var rescaler = try PeakRescaler(from: blocks(0..<0), to: samplesPerPixel)
        var result = rescaler.append(self)
        result.append(rescaler.finish())
        return result
    }

    /// Appends the blocks of another waveform.
    /// - Precondition: Both waveforms have the same zoom and the same channels.
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

    /// The factor that scales the loudest value to full scale; 1 for silence.
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

    /// Returns the waveform with every value multiplied by `factor`, truncated and clamped to 16 bits.
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

    /// Returns a waveform with the blocks in `range` only.
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

    /// Appends one block that combines the blocks of `range` in `source`.
    mutating func appendMerged(_ source: PeakWaveform, _ range: Range<Int>) {
        for channel in 0..<channelCount {
            let merged = source.merged(range, channel: channel)
            values.append(merged.low)
            values.append(merged.high)
            if !source.rms.isEmpty { rms.append(merged.rms) }
        }
    }

    /// Returns the combination of the blocks in `range`.
    ///
    /// Empty blocks (minimum above maximum) are ignored.
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

    /// Appends empty blocks until there are at least `newCount` blocks.
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

/// The conversion of decoded float samples to the integers of a waveform.
///
/// The rules are those of audiowaveform, so that its files and these agree exactly.
public enum SampleRounding: Sendable, Equatable {
    /// For integer recordings: the upper 16 bits of each sample, rounded down.
    ///
    /// Exact for integers of up to 25 bits. Exact for 32-bit integers if the float has their upper bits, as
    /// `MediaReader` provides them with `roundsIntegersDown`.
    case integer
    /// For float recordings: the sample times 32 767, truncated.
    ///
    /// The product is a 32-bit float, so a sample just below a step may be rounded up to it.
    case float
    /// For lossy recordings: the nearest multiple of 1/32 768, as in decoders with 16-bit output.
    case nearest

    /// Selects the rule for a codec with FFmpeg's name, as in `MediaInfo.codec`.
    public init(codec: String) {
        if codec.hasPrefix("pcm_f") {
            self = .float
        } else if codec.hasPrefix("pcm_") || Self.lossless.contains(codec) {
            self = .integer
        } else {
            self = .nearest
        }
    }

    /// The integer for a sample of 1.
    var fullScale: Float { self == .float ? 32767 : 32768 }

    private static let lossless: Set = ["flac", "alac", "ape", "tta", "wavpack", "mlp", "truehd", "shorten"]

    /// Returns the integer for a sample, clamped to 16 bits; 0 for NaN.
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
