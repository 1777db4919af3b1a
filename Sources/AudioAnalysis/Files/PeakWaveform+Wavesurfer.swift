internal import ByteStream
public import Foundation

extension PeakWaveform {
    /// The peaks that wavesurfer.js takes: for each channel the value furthest from zero in each of at most `maxLength`
    /// bins, in −1 … 1.
    ///
    /// Bin j covers the points ⌊j·s⌋ up to ⌈(j+1)·s⌉, s points a bin.
    /// - Parameters:
    ///   - maxLength: The number of blocks at most.
    ///   - precision: Values are rounded to so many steps a unit.
    public func wavesurferPeaks(maxLength: Int = 8000, precision: Int = 10000) -> [[Double]] {
        Self.wavesurferPeaks(count: count, channelCount: channelCount, maxLength: maxLength, precision: precision) {
            (range) throws(Never) in blocks(range)
        }
    }

    /// The same of a waveform of `count` points of which `blocks` gives a part.
    /// - Throws: What `blocks` throws.
    public static func wavesurferPeaks<Failure: Error>(
        count: Int,
        channelCount: Int,
        maxLength: Int = 8000,
        precision: Int = 10000,
        _ blocks: (Range<Int>) throws(Failure) -> PeakWaveform
    ) throws(Failure) -> [[Double]] {
        let bins = max(min(maxLength, count), 0)
        guard bins > 0 else { return Array(repeating: [], count: channelCount) }
        let step = Double(count) / Double(bins)
        let steps = Double(max(precision, 1))
        var peaks = [[Double]](repeating: [], count: channelCount)
        for bin in 0..<bins {
            let end = min(Int(clamped: (Double(bin + 1) * step).rounded(.up)), count)
            let part = try blocks(Int(Double(bin) * step)..<end)
            for channel in 0..<channelCount {
                let both = part.merged(0..<part.count, channel: channel)
                let peak = Int(both.high) >= -Int(both.low) ? both.high : both.low
                peaks[channel].append((Double(peak) / 32768 * steps).rounded() / steps)
            }
        }
        return peaks
    }

    /// The peaks as JSON, an object of `duration` (seconds) and `peaks` (an array for each channel), on one line.
    public func wavesurferFile(duration: Double? = nil, maxLength: Int = 8000, precision: Int = 10000) -> Data {
        let peaks = wavesurferPeaks(maxLength: maxLength, precision: precision)
        return Self.wavesurferFile(peaks: peaks, duration: duration ?? self.duration)
    }

    /// The same of peaks that have been made before.
    public static func wavesurferFile(peaks: [[Double]], duration: Double) -> Data {
        let rows = peaks.map { row in "[" + row.map { $0 == 0 ? "0" : "\($0)" }.joined(separator: ",") + "]" }
        return Data("{\"duration\":\(duration),\"peaks\":[\(rows.joined(separator: ","))]}\n".utf8)
    }
}
