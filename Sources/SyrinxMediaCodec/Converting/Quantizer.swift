internal import CSyrinxFFmpeg

/// Converts float samples to the sample format of an encoder.
///
/// Rounds to the nearest step, ties to even, so that 16-bit and 24-bit integers that were read as floats are written
/// unchanged. Samples beyond full scale are clipped, and NaN becomes 0.
enum Quantizer {
    /// Fills `frame` with `count` samples per channel.
    /// - Parameter bits: The number of used bits of a 32-bit sample, starting with the most significant.
    static func fill(
        _ frame: UnsafeMutablePointer<AVFrame>,
        from channels: UnsafePointer<UnsafeMutablePointer<Float>>,
        channelCount: Int,
        count: Int,
        bits: Int
    ) {
        guard let planes = frame.pointee.extended_data else { return }
        let format = AVSampleFormat(rawValue: frame.pointee.format)
        let isPlanar = av_sample_fmt_is_planar(format) == 1
        for channel in 0..<channelCount {
            guard let plane = planes[isPlanar ? channel : 0] else { return }
            let raw = UnsafeMutableRawPointer(plane)
            let first = isPlanar ? 0 : channel
            let step = isPlanar ? 1 : channelCount
            let source = UnsafePointer(channels[channel])
            switch av_get_packed_sample_fmt(format) {
            case AV_SAMPLE_FMT_FLT:
                copy(source, to: raw.assumingMemoryBound(to: Float.self) + first, step, count)
            case AV_SAMPLE_FMT_DBL:
                widen(source, to: raw.assumingMemoryBound(to: Double.self) + first, step, count)
            case AV_SAMPLE_FMT_S16:
                round16(source, to: raw.assumingMemoryBound(to: Int16.self) + first, step, count)
            default:
                round32(source, to: raw.assumingMemoryBound(to: Int32.self) + first, step, count, bits)
            }
        }
    }

    private static func copy(
        _ source: UnsafePointer<Float>,
        to out: UnsafeMutablePointer<Float>,
        _ step: Int,
        _ count: Int
    ) {
        var place = 0
        for index in 0..<count {
            out[place] = source[index]
            place += step
        }
    }

    private static func widen(
        _ source: UnsafePointer<Float>,
        to out: UnsafeMutablePointer<Double>,
        _ step: Int,
        _ count: Int
    ) {
        var place = 0
        for index in 0..<count {
            out[place] = Double(source[index])
            place += step
        }
    }

    private static func round16(
        _ source: UnsafePointer<Float>,
        to out: UnsafeMutablePointer<Int16>,
        _ step: Int,
        _ count: Int
    ) {
        var place = 0
        for index in 0..<count {
            let value = source[index] * 32768
            let rounded = value.isNaN ? 0 : value.rounded(.toNearestOrEven)
            out[place] = rounded >= 32767 ? 32767 : rounded <= -32768 ? -32768 : Int16(rounded)
            place += step
        }
    }

    private static func round32(
        _ source: UnsafePointer<Float>,
        to out: UnsafeMutablePointer<Int32>,
        _ step: Int,
        _ count: Int,
        _ bits: Int
    ) {
        let scale = Double(Int64(1) << (bits - 1))
        let shift = Int32(32 - bits)
        var place = 0
        for index in 0..<count {
            let value = Double(source[index]) * scale
            let rounded = value.isNaN ? 0 : value.rounded(.toNearestOrEven)
            out[place] = Int32(min(max(rounded, -scale), scale - 1)) << shift
            place += step
        }
    }
}
