internal import CSyrinxFFmpeg

/// The layout of interleaved samples in a stream without a header.
package struct RawSamples: Sendable, Equatable {
    /// The encoding of a sample, with the names that other tools use.
    package enum Encoding: String, Sendable, CaseIterable {
        case s8, u8
        case s16le, s16be
        case s24le, s24be
        case s32le, s32be
        case f32le, f32be
        case f64le, f64be

        /// The size of a sample, in bytes.
        package var byteCount: Int {
            switch self {
            case .s8, .u8: 1
            case .s16le, .s16be: 2
            case .s24le, .s24be: 3
            case .s32le, .s32be, .f32le, .f32be: 4
            case .f64le, .f64be: 8
            }
        }
    }

    /// The encoding of a sample.
    package let encoding: Encoding
    /// The sample rate, in hertz.
    package let sampleRate: Int
    /// The number of channels.
    package let channelCount: Int

    /// Returns `nil` for a rate outside 1…1,000,000 Hz or a channel count outside 1…64.
    package init?(encoding: Encoding, sampleRate: Int, channelCount: Int) {
        guard (1...1_000_000).contains(sampleRate), (1...64).contains(channelCount) else { return nil }
        self.encoding = encoding
        self.sampleRate = sampleRate
        self.channelCount = channelCount
    }

    /// The size of a frame, in bytes.
    var bytesPerFrame: Int32 { Int32(encoding.byteCount * channelCount) }

    /// Returns the number of complete frames in `size` bytes.
    func frameCount(ofBytes size: Int64) -> Int64 { size / Int64(bytesPerFrame) }

    /// Adds the options of libavformat's demuxer of raw samples, whose name is that of the encoding.
    func set(_ options: inout OpaquePointer?) {
        av_dict_set(&options, "sample_rate", "\(sampleRate)", 0)
        // `c` selects the default layout of a channel count, `C` a layout without speaker positions.
        av_dict_set(&options, "ch_layout", channelCount <= 8 ? "\(channelCount)c" : "\(channelCount)C", 0)
    }
}
