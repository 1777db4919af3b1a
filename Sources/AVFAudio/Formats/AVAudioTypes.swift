/// A number of frames.
///
/// A frame has one sample per channel.
public typealias AVAudioFrameCount = UInt32
/// A position in frames.
public typealias AVAudioFramePosition = Int64
/// A number of packets of a compressed stream.
public typealias AVAudioPacketCount = UInt32
/// A number of channels.
public typealias AVAudioChannelCount = UInt32
/// The index of an input or output of a node, from 0.
public typealias AVAudioNodeBus = Int

/// The common types of uncompressed samples.
public enum AVAudioCommonFormat: UInt, Sendable {
    /// Any other format, compressed or not.
    case otherFormat = 0
    /// 32-bit float in native byte order, the engine's sample type.
    case pcmFormatFloat32 = 1
    /// 64-bit float in the machine's byte order.
    case pcmFormatFloat64 = 2
    /// 16-bit signed integer in the machine's byte order.
    case pcmFormatInt16 = 3
    /// 32-bit signed integer in the machine's byte order.
    case pcmFormatInt32 = 4

    var bytesPerSample: UInt32 {
        switch self {
        case .otherFormat: 0
        case .pcmFormatInt16: 2
        case .pcmFormatFloat32, .pcmFormatInt32: 4
        case .pcmFormatFloat64: 8
        }
    }
}
