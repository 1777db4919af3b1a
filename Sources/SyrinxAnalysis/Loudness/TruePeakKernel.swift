/// The true peak of one channel: four times oversampled, with the filter of ITU-R BS.1770-5, annex 2.
///
/// None of the four phases falls on a sample, so the samples themselves count too. Most samples are not filtered: a
/// group is skipped if its outputs cannot exceed the peak so far, which does not change the result.
struct TruePeakKernel: Sendable {
    /// The true peak so far; 1 is full scale.
    var peak: Float { peaks.all }
    /// The sample peak so far; 1 is full scale.
    var samplePeak: Float { peaks.sample }

    private static let taps = 12
    private static let step = 1024
    /// The number of outputs that are computed or skipped together; at least `taps`, so that a group needs samples of
    /// one earlier group only.
    private static let group = 32
    private var peaks = Peaks()
    /// The last eleven samples, then those of this step.
    private var line = [Float](repeating: 0, count: taps - 1 + step)

    /// Two phases of the filter; the other two are the same in reverse.
    private static let first: [Float] = [
        0.001708984375, 0.010986328125, -0.0196533203125, 0.033203125, -0.0594482421875, 0.1373291015625,
        0.97216796875, -0.102294921875, 0.047607421875, -0.026611328125, 0.014892578125, -0.00830078125,
    ]
    private static let second: [Float] = [
        -0.0291748046875, 0.029296875, -0.0517578125, 0.089111328125, -0.16650390625, 0.465087890625,
        0.77978515625, -0.2003173828125, 0.1015625, -0.0582275390625, 0.0330810546875, -0.0189208984375,
    ]

    /// Adds samples.
    mutating func append(_ samples: UnsafePointer<Float>, count: Int) {
        let history = Self.taps - 1
        var peaks = self.peaks
        var done = 0
        while done < count {
            let now = min(count - done, Self.step)
            line.withUnsafeMutableBufferPointer { line in
                guard let base = line.baseAddress else { return }
                for index in 0..<now { base[history + index] = samples[done + index] }
                var start = 0
                while start < now {
                    let count = min(Self.group, now - start)
                    peaks.add(UnsafePointer(base + start), count: count)
                    start += count
                }
                for index in 0..<history { base[index] = base[now + index] }
            }
            done += now
        }
        self.peaks = peaks
    }

    /// The peaks so far.
    private struct Peaks: Sendable {
        /// The true peak.
        var all: Float = 0
        /// The sample peak.
        var sample: Float = 0
        /// The peak of the last group.
        var lastExtent: Float = 0

        /// Adds a group of `count` samples, which follow eleven earlier ones in `line`.
        mutating func add(_ line: UnsafePointer<Float>, count: Int) {
            typealias Kernel = TruePeakKernel
            let range = PeakKernel.scan(line + (Kernel.taps - 1), count: count, measuresEnergy: false)
            let extent = max(-range.low, range.high, 0)
            sample = max(sample, extent)
            all = max(all, extent)
            // A group that is shorter than the filter does not contain all samples that the next group reads.
            let largest = max(lastExtent, extent)
            lastExtent = count < Kernel.taps ? largest : extent
            if largest * Kernel.gain <= all { return }
            let bend = Kernel.greatestBend(line, count: Kernel.taps - 1 + count)
            if largest * Kernel.lineGain + bend * Kernel.bendGain <= all { return }
            all = max(all, Kernel.greatest(line, count: count))
        }
    }

    // Bounds of the outputs, a little larger than they are, for what rounding adds.
    //
    // Of samples of magnitudes up to M, an output is at most M times the sum of the magnitudes of its taps: 1.4342 M and 2.0229 M.
    //
    // Let second differences of the samples be at most D. The taps of each phase are those of a straight line through the two samples
    // in the middle, with the same sum and the same first moment (0.1735 and 0.8281; 0.2980 and 0.6750), and a remainder without
    // either. The remainder is a sum of second differences, whose factors are the remainder's taps summed twice: their magnitudes have
    // the sums 0.1642 and 0.5697. So an output is at most 1.0016 M + 0.1642 D, or 0.9731 M + 0.5697 D.
    private static let gain: Float = 2.024
    private static let lineGain: Float = 1.002
    private static let bendGain: Float = 0.5705

    /// Returns the maximum magnitude of the second differences of `count` samples; infinity if a sample is NaN.
    private static func greatestBend(_ line: UnsafePointer<Float>, count: Int) -> Float {
        var bend: Float = 0
        var index = 2
        while index < count {
            let difference = abs((line[index] - line[index &- 1]) - (line[index &- 1] - line[index &- 2]))
            if !(difference <= bend) { bend = difference.isNaN ? .infinity : difference }
            index &+= 1
        }
        return bend
    }

    /// Returns the maximum magnitude of `count` outputs of all four phases.
    private static func greatest(_ line: UnsafePointer<Float>, count: Int) -> Float {
        first.withUnsafeBufferPointer { first in
            second.withUnsafeBufferPointer { second in
                let raw = UnsafeRawPointer(line)
                var greatest = SIMD8<Float>.zero
                var index = 0
                while index &+ 8 <= count {
                    var a = SIMD8<Float>.zero
                    var b = SIMD8<Float>.zero
                    var c = SIMD8<Float>.zero
                    var d = SIMD8<Float>.zero
                    var tap = 0
                    while tap < taps {
                        let lanes = raw.loadUnaligned(fromByteOffset: (index &+ tap) &* 4, as: SIMD8<Float>.self)
                        let mirror = taps &- 1 &- tap
                        a += lanes * first[tap]
                        b += lanes * second[tap]
                        c += lanes * second[mirror]
                        d += lanes * first[mirror]
                        tap &+= 1
                    }
                    a.replace(with: b, where: magnitude(b) .> magnitude(a))
                    c.replace(with: d, where: magnitude(d) .> magnitude(c))
                    a.replace(with: c, where: magnitude(c) .> magnitude(a))
                    greatest.replace(with: magnitude(a), where: magnitude(a) .> greatest)
                    index &+= 8
                }
                var peak = greatest.max()
                while index < count {
                    var phases = SIMD4<Float>.zero
                    for tap in 0..<taps {
                        let mirror = taps &- 1 &- tap
                        phases += SIMD4(first[tap], second[tap], second[mirror], first[mirror]) * line[index &+ tap]
                    }
                    for phase in 0..<4 { peak = max(peak, abs(phases[phase])) }
                    index &+= 1
                }
                return peak
            }
        }
    }

    @inline(__always)
    private static func magnitude(_ lanes: SIMD8<Float>) -> SIMD8<Float> {
        lanes.replacing(with: -lanes, where: lanes .< SIMD8<Float>.zero)
    }
}
