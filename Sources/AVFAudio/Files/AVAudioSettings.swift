/// The codec: an `AudioFormatID`.
public let AVFormatIDKey = "AVFormatIDKey"
/// The sample rate in Hz.
public let AVSampleRateKey = "AVSampleRateKey"
/// The number of channels.
public let AVNumberOfChannelsKey = "AVNumberOfChannelsKey"
/// The bit depth of uncompressed samples: 8, 16, 24, 32, or for floats also 64.
public let AVLinearPCMBitDepthKey = "AVLinearPCMBitDepthKey"
/// Whether uncompressed samples are big-endian.
public let AVLinearPCMIsBigEndianKey = "AVLinearPCMIsBigEndianKey"
/// Whether uncompressed samples are floats.
public let AVLinearPCMIsFloatKey = "AVLinearPCMIsFloatKey"
/// Whether each channel has a separate buffer.
public let AVLinearPCMIsNonInterleaved = "AVLinearPCMIsNonInterleaved"
/// The container to write, an `AudioFileTypeID`, if the file name extension does not select one.
public let AVAudioFileTypeKey = "AVAudioFileTypeKey"
/// The quality of the encoder: an `AVAudioQuality`.
public let AVEncoderAudioQualityKey = "AVEncoderAudioQualityKey"
/// The quality of the encoder at a variable bit rate: an `AVAudioQuality`.
public let AVEncoderAudioQualityForVBRKey = "AVEncoderAudioQualityForVBRKey"
/// The bit rate of the encoder in bits per second.
public let AVEncoderBitRateKey = "AVEncoderBitRateKey"
/// The bit rate of the encoder per channel, in bits per second.
public let AVEncoderBitRatePerChannelKey = "AVEncoderBitRatePerChannelKey"
/// The strategy for a constant or variable bit rate, as a `String`; ignored on Linux.
public let AVEncoderBitRateStrategyKey = "AVEncoderBitRateStrategyKey"
/// The bit depth for lossless encoders: 16 or 24.
public let AVEncoderBitDepthHintKey = "AVEncoderBitDepthHintKey"
/// The algorithm of a sample rate conversion.
public let AVSampleRateConverterAlgorithmKey = "AVSampleRateConverterAlgorithmKey"
/// The quality of a sample rate conversion: an `AVAudioQuality`.
public let AVSampleRateConverterAudioQualityKey = "AVSampleRateConverterAudioQualityKey"
/// The assignment of channels to loudspeakers: the bytes of an `AudioChannelLayout`.
public let AVChannelLayoutKey = "AVChannelLayoutKey"

/// The quality of an encoder or of a sample rate conversion.
public enum AVAudioQuality: Int, Sendable {
    /// The minimum quality.
    case min = 0
    /// Low quality.
    case low = 0x20
    /// Medium quality.
    case medium = 0x40
    /// High quality.
    case high = 0x60
    /// The maximum quality.
    case max = 0x7F
}
