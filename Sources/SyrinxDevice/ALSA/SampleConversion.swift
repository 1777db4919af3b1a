/// Converts planar floats to interleaved samples of a device, in which channel `i` becomes channel `order[i]`.
package enum SampleConversion {
    @_noLocks @_noAllocation
    package static func float32(
        _ channels: UnsafePointer<UnsafeMutablePointer<Float>>,
        _ order: UnsafePointer<Int>,
        channelCount: Int,
        frameCount: Int,
        into output: UnsafeMutablePointer<Float>
    ) {
        var channel = 0
        while channel < channelCount {
            let input = channels[channel]
            var target = order[channel]
            var frame = 0
            while frame < frameCount {
                output[target] = input[frame]
                target = target &+ channelCount
                frame = frame &+ 1
            }
            channel = channel &+ 1
        }
    }

    @_noLocks @_noAllocation
    package static func signed32(
        _ channels: UnsafePointer<UnsafeMutablePointer<Float>>,
        _ order: UnsafePointer<Int>,
        channelCount: Int,
        frameCount: Int,
        into output: UnsafeMutablePointer<Int32>
    ) {
        var channel = 0
        while channel < channelCount {
            let input = channels[channel]
            var target = order[channel]
            var frame = 0
            while frame < frameCount {
                output[target] = Int32(scaled(input[frame], 2_147_483_648))
                target = target &+ channelCount
                frame = frame &+ 1
            }
            channel = channel &+ 1
        }
    }

    @_noLocks @_noAllocation
    package static func signed16(
        _ channels: UnsafePointer<UnsafeMutablePointer<Float>>,
        _ order: UnsafePointer<Int>,
        channelCount: Int,
        frameCount: Int,
        into output: UnsafeMutablePointer<Int16>
    ) {
        var channel = 0
        while channel < channelCount {
            let input = channels[channel]
            var target = order[channel]
            var frame = 0
            while frame < frameCount {
                output[target] = Int16(scaled(input[frame], 32_768))
                target = target &+ channelCount
                frame = frame &+ 1
            }
            channel = channel &+ 1
        }
    }

    /// Returns the sample scaled to `limit`; samples beyond full scale are clipped, and NaN becomes 0.
    @_noLocks @_noAllocation
    private static func scaled(_ sample: Float, _ limit: Double) -> Double {
        let value = Double(sample) * limit
        if value >= limit - 1 { return limit - 1 }
        if value <= -limit { return -limit }
        if value != value { return 0 }
        // Converting to an integer truncates, so adding 0.5 rounds half away from zero.
        return value < 0 ? value - 0.5 : value + 0.5
    }
}
