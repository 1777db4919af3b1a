internal import Foundation

/// The level of a recording over time in decibels: one number for each bar of a drawing.
///
/// All channels are one, of 16 bit; 0 dB is the greatest sample that there can be, and nothing is below the noise floor.
/// A value; any thread.
public struct DecibelWaveform: Sendable, Equatable {
    /// The levels, `noiseFloor` … 0 dB.
    public internal(set) var values: [Double]
    /// The level that counts as silence, in decibels below 0.
    public let noiseFloor: Double

    /// A waveform of these levels.
    public init(values: [Double], noiseFloor: Double = -70) {
        self.values = values
        self.noiseFloor = noiseFloor
    }

    /// The whole of `samples` at once, brought to `count` levels.
    /// - Parameters:
    ///   - samples: The samples, −1…1.
    ///   - count: The number of levels.
    ///   - noiseFloor: The lowest level, in decibels.
    ///   - averages: Whether each level is the mean of its samples' decibels; else it is that of the first one.
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

    /// 20·log₁₀(|value| / reference) for each value: decibels of an amplitude.
    public static func decibels(_ values: [Double], zeroReference: Double) -> [Double] {
        values.map { 20 * log10(abs($0) / zeroReference) }
    }

    /// Returns the number of bars that lie within `width`, with the gaps between them.
    public static func barCount(width: Double, barWidth: Double, spacing: Double) -> Int {
        let slot = barWidth + spacing
        guard slot > 0, width.isFinite, slot.isFinite, width > 0 else { return 0 }
        return Int(min(width / slot, 1e6))
    }

    /// Reduces values to the means of groups of `factor`, or to the first of each group; a rest that fills none is dropped.
    public static func decimated(_ values: [Double], by factor: Int, averages: Bool = true) -> [Double] {
        guard factor > 0 else { return [] }
        return (0..<values.count / factor).map { group in
            let start = group * factor
            guard averages else { return values[start] }
            return values[start..<start + factor].reduce(0, +) / Double(factor)
        }
    }
}

/// Makes a `DecibelWaveform` of samples as they come: what is kept between two buffers is one sum.
///
/// If the length is not known before, it is some hundred thousand numbers, and the levels are known at the end.
/// Buffers of any length give the same result. One thread at a time.
public struct DecibelBuilder: Sendable {
    /// The levels so far.
    ///
    /// None before `finish()` if the length was not known.
    public private(set) var waveform: DecibelWaveform
    /// The number of samples for each level: all samples divided by the number of levels, rounded down, at least 1.
    ///
    /// 1 before `finish()` if the length was not known.
    public private(set) var decimationFactor: Int64

    private let averages: Bool
    private let count: Int
    private var cells: DecibelCells?
    private let table: [Double]
    private var sum = 0.0
    private var filled: Int64 = 0

    /// A builder for `totalSampleCount` samples, or as many as come if it is `nil`, to be brought to `count` levels.
    ///
    /// With fewer samples than levels, each sample is one level. Without a total, more than 262 144 samples are collected in
    /// at least 131 072 cells. A level that begins or ends within a cell takes its share of it.
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

    /// Takes the next samples of all channels in one.
    public mutating func append(_ samples: [Int16]) {
        samples.withUnsafeBufferPointer { buffer in
            for sample in buffer { append(magnitude: Int(sample.magnitude)) }
        }
    }

    /// Takes the next samples, one pointer for each channel, and makes one of all channels.
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

    /// Says that nothing more comes; only where the length was not known does it change anything.
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
