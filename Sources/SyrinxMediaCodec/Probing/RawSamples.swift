internal import CSyrinxFFmpeg

/// The layout of samples in a stream without a header: frames one after the other, with all channels of each.
package struct RawSamples: Sendable, Equatable {
    /// The encoding of a sample; the names are those of other tools.
    package enum Encoding: String, Sendable, CaseIterable {
        case s8, u8
        case s16le, s16be
        case s24le, s24be
        case s32le, s32be
        case f32le, f32be
        case f64le, f64be

        /// The bytes of a sample.
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
    /// Frames per second.
    package let sampleRate: Int
    /// Samples in a frame.
    package let channelCount: Int

    /// Samples of this kind; `nil` for a rate outside 1 … 1,000,000 or channels outside 1 … 64.
    package init?(encoding: Encoding, sampleRate: Int, channelCount: Int) {
        guard (1...1_000_000).contains(sampleRate), (1...64).contains(channelCount) else { return nil }
        self.encoding = encoding
        self.sampleRate = sampleRate
        self.channelCount = channelCount
    }

    /// The bytes of a frame.
    var bytesPerFrame: Int32 { Int32(encoding.byteCount * channelCount) }

    /// Whole frames in so many bytes.
    func frameCount(ofBytes size: Int64) -> Int64 { size / Int64(bytesPerFrame) }

    /// Tells libavformat's demultiplexer of raw samples, whose name is the encoding's.
    func set(_ options: inout OpaquePointer?) {
        av_dict_set(&options, "sample_rate", "\(sampleRate)", 0)
        // The usual places of so many channels; `C` for a number that has none.
        av_dict_set(&options, "ch_layout", channelCount <= 8 ? "\(channelCount)c" : "\(channelCount)C", 0)
    }
}
