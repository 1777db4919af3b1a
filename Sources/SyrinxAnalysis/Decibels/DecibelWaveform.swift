internal import Foundation

/// The level of a recording over time in decibels: one number for each bar of a drawing.
///
/// All channels are mixed into one and rounded to 16 bits. 0 dB is full scale, and no level is below the noise floor. A
/// value; any thread may use it.
public struct DecibelWaveform: Sendable, Equatable {
    /// The levels in decibels, from `noiseFloor` to 0.
    public internal(set) var values: [Double]
    /// The lowest level, which counts as silence, in decibels below full scale.
    public let noiseFloor: Double

    /// Creates a waveform from levels in decibels.
    public init(values: [Double], noiseFloor: Double = -70) {
        self.values = values
        self.noiseFloor = noiseFloor
    }

    /// Creates a waveform of `count` levels from all samples at once.
    ///
    /// ```swift
    /// let waveform = DecibelWaveform(samples: samples, count: 300)
    /// let style = WaveformStyle.bars(width: 2, gap: 1, isRounded: true)
    /// let picture = WaveformDrawing(waveform, width: 900, height: 120, style: style)
    /// try Data(picture.svg.utf8).write(to: URL(fileURLWithPath: "waveform.svg"))
    /// ```
    /// - Parameters:
    ///   - samples: The samples; 32 767 is full scale.
    ///   - count: The number of levels.
    ///   - noiseFloor: The lowest level, in decibels.
    ///   - averages: Whether each level is the mean of its samples' decibels; otherwise it is that of its first sample.
    public init(samples: [Int16], count: Int, noiseFloor: Double = -70, averages: Bool = true) {
        var builder = DecibelBuilder(
            totalSampleCount: Int64(samples.count),
            count: count,
            noiseFloor: noiseFloor,
            averages: averages
        )
        builder.append(samples)
        self = builder.waveform
    }

    /// Converts amplitudes to decibels: 20·log₁₀(|value| / `zeroReference`).
    public static func decibels(_ values: [Double], zeroReference: Double) -> [Double] {
        values.map { 20 * log10(abs($0) / zeroReference) }
    }

    /// Returns the number of bars that fit into `width`, with gaps of `spacing` between them.
    public static func barCount(width: Double, barWidth: Double, spacing: Double) -> Int {
        let slot = barWidth + spacing
        guard slot > 0, width.isFinite, slot.isFinite, width > 0 else { return 0 }
        return Int(min(width / slot, 1e6))
    }

    /// Reduces groups of `factor` values to their means, or to their first values; an incomplete last group is dropped.
    public static func decimated(_ values: [Double], by factor: Int, averages: Bool = true) -> [Double] {
        guard factor > 0 else { return [] }
        return (0..<values.count / factor).map { group in
            let start = group * factor
            guard averages else { return values[start] }
            return values[start..<start + factor].reduce(0, +) / Double(factor)
        }
    }
}

/// Builds a `DecibelWaveform` from samples that arrive in buffers of any length; the result does not depend on their
/// lengths.
///
/// If the total length is known, the builder stores one sum. Otherwise it stores up to 262 144 numbers and computes the
/// levels in `finish()`. Use it on one thread at a time.
///
/// ```swift
/// var builder = DecibelBuilder(totalSampleCount: nil, count: 300)
/// builder.append(samples) // each buffer in turn
/// builder.finish()
/// print(builder.waveform.values)
/// ```
public struct DecibelBuilder: Sendable {
    /// The waveform with the levels so far.
    ///
    /// Without a known length, it is empty until `finish()`.
    public private(set) var waveform: DecibelWaveform
    /// The number of samples for each level: the total divided by the number of levels, rounded down, at least 1.
    ///
    /// Without a known length, it is 1 until `finish()`.
    public private(set) var decimationFactor: Int64

    private let averages: Bool
    private let count: Int
    private var cells: DecibelCells?
    private let table: [Double]
    private var sum = 0.0
    private var filled: Int64 = 0

    /// Creates a builder for `totalSampleCount` samples, or for an unknown number if it is `nil`, with `count` levels.
    ///
    /// If there are fewer samples than levels, each sample is one level. With an unknown number, more than 262 144
    /// samples are collected in at least 131 072 cells; a level whose edge is inside a cell takes a proportional share
    /// of it.
    public init(totalSampleCount: Int64?, count: Int, noiseFloor: Double = -70, averages: Bool = true) {
        let floor = noiseFloor.isFinite ? min(noiseFloor, -Double.leastNormalMagnitude) : -70
        waveform = DecibelWaveform(values: [], noiseFloor: floor)
        decimationFactor = max((totalSampleCount ?? 0) / Int64(max(count, 1)), 1)
        self.averages = averages
        self.count = count
        if totalSampleCount == nil { cells = DecibelCells(averages: averages) }
        // There are only 32 769 magnitudes: a logarithm for each sample would take longer than decoding it.
        table = (0...32768).map { min(max(20 * log10(Double($0) / 32767), floor), 0) }
    }

    /// Adds samples of a single channel.
    public mutating func append(_ samples: [Int16]) {
        samples.withUnsafeBufferPointer { buffer in
            for sample in buffer { append(magnitude: Int(sample.magnitude)) }
        }
    }

    /// Adds samples, one pointer for each channel, and mixes the channels into one.
    public mutating func append(
        _ channels: UnsafePointer<UnsafeMutablePointer<Float>>,
        channelCount: Int,
        frameCount: Int,
        rounding: SampleRounding
    ) {
        let step = 2048
        withUnsafeTemporaryAllocation(of: Float.self, capacity: step) { sum in
            guard let base = sum.baseAddress, channelCount > 0 else { return }
            var done = 0
            while done < frameCount {
                let count = min(step, frameCount - done)
                for channel in 0..<channelCount {
                    PeakKernel.addRounded(
                        channels[channel] + done,
                        to: base,
                        count: count,
                        rounding: rounding,
                        isFirst: channel == 0
                    )
                }
                let parts = Float(channelCount)
                for frame in 0..<count { append(magnitude: Int(abs(base[frame]) / parts)) }
                done += count
            }
        }
    }

    /// Ends the recording; has an effect only if the length was unknown.
    public mutating func finish() {
        guard let cells else { return }
        (decimationFactor, waveform.values) = cells.levels(count: count)
    }

    private mutating func append(magnitude: Int) {
        if cells != nil {
            cells?.append(table[magnitude])
            return
        }
        if averages {
            sum += table[magnitude]
        } else if filled == 0 {
            sum = table[magnitude]
        }
        filled += 1
        guard filled == decimationFactor else { return }
        waveform.values.append(averages ? sum / Double(filled) : sum)
        sum = 0
        filled = 0
    }
}
