public import Foundation

extension PeakWaveform {
    /// The peaks that wavesurfer.js takes: for each channel the value furthest from zero in each of at most `maxLength`
    /// bins, in −1 … 1.
    ///
    /// Bin j covers the points ⌊j·s⌋ up to ⌈(j+1)·s⌉, s points a bin.
    /// - Parameter precision: Values are rounded to so many steps a unit.
    public func wavesurferPeaks(maxLength: Int = 8000, precision: Int = 10000) -> [[Double]] {
        let bins = max(min(maxLength, count), 0)
        guard bins > 0 else { return Array(repeating: [], count: channelCount) }
        let step = Double(count) / Double(bins)
        let steps = Double(max(precision, 1))
        return (0..<channelCount).map { channel in
            (0..<bins).map { bin in
                let end = min(Int((Double(bin + 1) * step).rounded(.up)), count)
                let both = merged(Int(Double(bin) * step)..<end, channel: channel)
                let peak = Int(both.high) >= -Int(both.low) ? both.high : both.low
                return (Double(peak) / 32768 * steps).rounded() / steps
            }
        }
    }

    /// The peaks as JSON, an object of `duration` (seconds) and `peaks` (an array for each channel), on one line.
    public func wavesurferFile(duration: Double? = nil, maxLength: Int = 8000, precision: Int = 10000) -> Data {
        let rows = wavesurferPeaks(maxLength: maxLength, precision: precision).map { row in
            "[" + row.map { $0 == 0 ? "0" : "\($0)" }.joined(separator: ",") + "]"
        }
        let seconds = duration ?? self.duration
        return Data("{\"duration\":\(seconds),\"peaks\":[\(rows.joined(separator: ","))]}\n".utf8)
    }
}
