/// The peak between the samples of one channel: four times oversampled, by the filter of ITU-R BS.1770-5, annex 2.
///
/// None of its four phases falls on a sample, so samples themselves count too.
struct TruePeakKernel: Sendable {
    /// The greatest magnitude so far, of samples and between them; 1 is full scale.
    private(set) var peak: Float = 0
    /// The greatest magnitude of a sample so far.
    private(set) var samplePeak: Float = 0

    private static let taps = 12
    private static let step = 1024
    /// The last eleven samples, then those of this step.
    private var line = [Float](repeating: 0, count: taps - 1 + step)

    /// The phases of the filter; the other two are these, reversed.
    private static let first: [Float] = [
        0.001708984375, 0.010986328125, -0.0196533203125, 0.033203125, -0.0594482421875, 0.1373291015625,
        0.97216796875, -0.102294921875, 0.047607421875, -0.026611328125, 0.014892578125, -0.00830078125,
    ]
    private static let second: [Float] = [
        -0.0291748046875, 0.029296875, -0.0517578125, 0.089111328125, -0.16650390625, 0.465087890625,
        0.77978515625, -0.2003173828125, 0.1015625, -0.0582275390625, 0.0330810546875, -0.0189208984375,
    ]

    /// Takes the next samples.
    mutating func append(_ samples: UnsafePointer<Float>, count: Int) {
        let history = Self.taps - 1
        var done = 0
        while done < count {
            let now = min(count - done, Self.step)
            let extent = PeakKernel.scan(samples + done, count: now, measuresEnergy: false)
            samplePeak = max(samplePeak, max(-extent.low, extent.high))
            let found = line.withUnsafeMutableBufferPointer { line -> Float in
                guard let base = line.baseAddress else { return 0 }
                for index in 0..<now { base[history + index] = samples[done + index] }
                let found = Self.greatest(base, count: now)
                for index in 0..<history { base[index] = base[now + index] }
                return found
            }
            peak = max(peak, found, samplePeak)
            done += now
        }
    }

    /// The greatest magnitude that the four phases make of `count` outputs.
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
