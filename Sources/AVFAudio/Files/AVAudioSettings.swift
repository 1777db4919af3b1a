/// The codec, an `AudioFormatID`.
public let AVFormatIDKey = "AVFormatIDKey"
/// Frames per second.
public let AVSampleRateKey = "AVSampleRateKey"
/// The number of channels.
public let AVNumberOfChannelsKey = "AVNumberOfChannelsKey"
/// Bits of an uncompressed sample: 8, 16, 24, 32 or, of floats, 64.
public let AVLinearPCMBitDepthKey = "AVLinearPCMBitDepthKey"
/// Whether uncompressed samples are big-endian.
public let AVLinearPCMIsBigEndianKey = "AVLinearPCMIsBigEndianKey"
/// Whether uncompressed samples are floats.
public let AVLinearPCMIsFloatKey = "AVLinearPCMIsFloatKey"
/// Whether each channel has a separate buffer.
public let AVLinearPCMIsNonInterleaved = "AVLinearPCMIsNonInterleaved"
/// The container to write, an `AudioFileTypeID`, if the file name extension does not select one.
public let AVAudioFileTypeKey = "AVAudioFileTypeKey"
/// An `AVAudioQuality` of the encoder.
public let AVEncoderAudioQualityKey = "AVEncoderAudioQualityKey"
/// An `AVAudioQuality` of the encoder at a variable bit rate.
public let AVEncoderAudioQualityForVBRKey = "AVEncoderAudioQualityForVBRKey"
/// Bits per second of the encoder.
public let AVEncoderBitRateKey = "AVEncoderBitRateKey"
/// Bits per second of the encoder for each channel.
public let AVEncoderBitRatePerChannelKey = "AVEncoderBitRatePerChannelKey"
/// Whether the bit rate is constant or variable.
public let AVEncoderBitRateStrategyKey = "AVEncoderBitRateStrategyKey"
/// The bit depth for lossless encoders: 16 or 24.
public let AVEncoderBitDepthHintKey = "AVEncoderBitDepthHintKey"
/// The algorithm of a change of rate.
public let AVSampleRateConverterAlgorithmKey = "AVSampleRateConverterAlgorithmKey"
/// An `AVAudioQuality` of a change of rate.
public let AVSampleRateConverterAudioQualityKey = "AVSampleRateConverterAudioQualityKey"
/// Which channel is which loudspeaker: the bytes of an `AudioChannelLayout`.
public let AVChannelLayoutKey = "AVChannelLayoutKey"

/// The quality of an encoder or of a change of rate.
public enum AVAudioQuality: Int, Sendable {
    /// The least.
    case min = 0
    /// Little.
    case low = 0x20
    /// Some.
    case medium = 0x40
    /// Much.
    case high = 0x60
    /// All there is.
    case max = 0x7F
}
