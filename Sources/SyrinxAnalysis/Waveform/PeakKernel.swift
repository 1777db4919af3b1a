/// Loops over samples for waveforms: eight lanes at a time, without allocation.
enum PeakKernel {
    /// The range of a run of samples.
    struct Extent {
        var low = Float.infinity
        var high = -Float.infinity
        var energy: Float = 0
    }

    /// Returns the minimum, the maximum and the sum of squares; NaN is ignored.
    static func scan(_ samples: UnsafePointer<Float>, count: Int, measuresEnergy: Bool) -> Extent {
        var low = SIMD8<Float>(repeating: .infinity)
        var high = SIMD8<Float>(repeating: -.infinity)
        var energy = SIMD8<Float>.zero
        let raw = UnsafeRawPointer(samples)
        var index = 0
        while index &+ 8 <= count {
            let lanes = raw.loadUnaligned(fromByteOffset: index &* 4, as: SIMD8<Float>.self)
            low.replace(with: lanes, where: lanes .< low)
            high.replace(with: lanes, where: lanes .> high)
            if measuresEnergy { energy += lanes * lanes }
            index &+= 8
        }
        var extent = Extent()
        for lane in 0..<8 {
            if low[lane] < extent.low { extent.low = low[lane] }
            if high[lane] > extent.high { extent.high = high[lane] }
            extent.energy += energy[lane]
        }
        while index < count {
            let sample = samples[index]
            if sample < extent.low { extent.low = sample }
            if sample > extent.high { extent.high = sample }
            extent.energy += sample * sample
            index &+= 1
        }
        return extent
    }

    /// The number of frames in the blocks into which measurements divide buffers.
    static let blockFrames = 256

    /// Returns the range from the first to the last frame in which a channel reaches `threshold`; `nil` if none does.
    ///
    /// NaN does not reach any threshold.
    static func sounding(
        _ channels: UnsafePointer<UnsafeMutablePointer<Float>>,
        channelCount: Int,
        _ frames: Range<Int>,
        threshold: Float
    ) -> Range<Int>? {
        func isReached(_ frame: Int) -> Bool {
            for channel in 0..<channelCount where abs(channels[channel][frame]) >= threshold { return true }
            return false
        }
        var isLoud = false
        for channel in 0..<channelCount where !isLoud {
            let extent = scan(channels[channel] + frames.lowerBound, count: frames.count, measuresEnergy: false)
            isLoud = extent.low <= -threshold || extent.high >= threshold
        }
        guard isLoud, let first = frames.first(where: isReached), let last = frames.last(where: isReached) else {
            return nil
        }
        return first..<last + 1
    }

    /// Rounds `samples` to integers, and adds them to `sum` or stores them there.
    static func addRounded(
        _ samples: UnsafePointer<Float>,
        to sum: UnsafeMutablePointer<Float>,
        count: Int,
        rounding: SampleRounding,
        isFirst: Bool
    ) {
        switch rounding {
        case .integer: add(samples, to: sum, count: count, scale: 32768, isFirst: isFirst, adjust: down)
        case .float: add(samples, to: sum, count: count, scale: 32767, isFirst: isFirst, adjust: towardZero)
        case .nearest:
            add(samples, to: sum, count: count, scale: 32768, isFirst: isFirst, adjust: { rounded, _ in rounded })
        }
    }

    @inline(__always)
    private static func add(
        _ samples: UnsafePointer<Float>,
        to sum: UnsafeMutablePointer<Float>,
        count: Int,
        scale: Float,
        isFirst: Bool,
        adjust: (SIMD8<Float>, SIMD8<Float>) -> SIMD8<Float>
    ) {
        // Adding and subtracting this number rounds a float below 2²² to the nearest integer, with ties to even.
        let magic = SIMD8<Float>(repeating: 12_582_912)
        let least = SIMD8<Float>(repeating: -32768)
        let greatest = SIMD8<Float>(repeating: 32767)
        let source = UnsafeRawPointer(samples)
        let target = UnsafeMutableRawPointer(sum)
        var index = 0
        while index < count {
            // The last few samples are processed in a vector of their own.
            let left = count &- index
            var lanes = SIMD8<Float>.zero
            if left >= 8 {
                lanes = source.loadUnaligned(fromByteOffset: index &* 4, as: SIMD8<Float>.self)
            } else {
                for lane in 0..<left { lanes[lane] = samples[index &+ lane] }
            }
            var scaled = lanes * scale
            scaled.replace(with: least, where: scaled .< least)
            scaled.replace(with: greatest, where: scaled .> greatest)
            scaled.replace(with: 0, where: scaled .!= scaled)
            var value = adjust((scaled + magic) - magic, scaled)
            if left >= 8 {
                if !isFirst { value += target.loadUnaligned(fromByteOffset: index &* 4, as: SIMD8<Float>.self) }
                target.storeBytes(of: value, toByteOffset: index &* 4, as: SIMD8<Float>.self)
            } else {
                for lane in 0..<left { sum[index &+ lane] = value[lane] + (isFirst ? 0 : sum[index &+ lane]) }
            }
            index &+= 8
        }
    }

    @inline(__always)
    private static func down(_ rounded: SIMD8<Float>, _ exact: SIMD8<Float>) -> SIMD8<Float> {
        rounded.replacing(with: rounded - 1, where: rounded .> exact)
    }

    @inline(__always)
    private static func towardZero(_ rounded: SIMD8<Float>, _ exact: SIMD8<Float>) -> SIMD8<Float> {
        let zero = SIMD8<Float>.zero
        let lower = rounded.replacing(with: rounded - 1, where: (rounded .> exact) .& (exact .> zero))
        return lower.replacing(with: lower + 1, where: (lower .< exact) .& (exact .< zero))
    }
}
