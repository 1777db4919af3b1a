/// The format in the file, an `AudioStreamBasicDescription`.
public let kExtAudioFileProperty_FileDataFormat: ExtAudioFilePropertyID = 0x6666_6D74
/// The `AudioChannelLayout` of the file.
public let kExtAudioFileProperty_FileChannelLayout: ExtAudioFilePropertyID = 0x6663_6C6F
/// The format of the samples that the program reads or writes, an `AudioStreamBasicDescription`.
public let kExtAudioFileProperty_ClientDataFormat: ExtAudioFilePropertyID = 0x6366_6D74
/// The number of frames at the sample rate of the file, an `Int64`.
public let kExtAudioFileProperty_FileLengthFrames: ExtAudioFilePropertyID = 0x2366_726D
/// An upper bound of the packet size in the file, in bytes, a `UInt32`.
public let kExtAudioFileProperty_FileMaxPacketSize: ExtAudioFilePropertyID = 0x666D_7073
/// The size of a frame of the client format in bytes, a `UInt32`.
public let kExtAudioFileProperty_ClientMaxPacketSize: ExtAudioFilePropertyID = 0x636D_7073
/// The channel layout of the client format, an `AudioChannelLayout`; has no effect.
public let kExtAudioFileProperty_ClientChannelLayout: ExtAudioFilePropertyID = 0x6363_6C6F
/// The manufacturer of the codec, a `UInt32`; has no effect, because there is only one codec for each format.
public let kExtAudioFileProperty_CodecManufacturer: ExtAudioFilePropertyID = 0x636D_616E
/// The settings of the converter; not supported.
public let kExtAudioFileProperty_ConverterConfig: ExtAudioFilePropertyID = 0x6163_6366
/// The size of the I/O buffer in bytes, a `UInt32`; has no effect.
public let kExtAudioFileProperty_IOBufferSizeBytes: ExtAudioFilePropertyID = 0x696F_6273
/// The manufacturer of Apple's software codecs.
public let kAppleSoftwareAudioCodecManufacturer: UInt32 = 0x6170_706C
/// The manufacturer of Apple's hardware codecs.
public let kAppleHardwareAudioCodecManufacturer: UInt32 = 0x6170_6877
/// The codec became unavailable, and the input was consumed.
public let kExtAudioFileError_CodecUnavailableInputConsumed: OSStatus = -66559
/// The codec became unavailable, and the input was not consumed.
public let kExtAudioFileError_CodecUnavailableInputNotConsumed: OSStatus = -66560
/// The file does not have this property.
public let kExtAudioFileError_InvalidProperty: OSStatus = -66561
/// The size of the value is wrong.
public let kExtAudioFileError_InvalidPropertySize: OSStatus = -66562
/// The client format is not linear PCM.
public let kExtAudioFileError_NonPCMClientFormat: OSStatus = -66563
/// The channel map is invalid.
public let kExtAudioFileError_InvalidChannelMap: OSStatus = -66564
/// The operation is not possible in the current state, such as reading a file that is open for writing.
public let kExtAudioFileError_InvalidOperationOrder: OSStatus = -66565
/// The data format is not supported.
public let kExtAudioFileError_InvalidDataFormat: OSStatus = -66566
/// The maximum packet size of the file is unknown.
public let kExtAudioFileError_MaxPacketSizeUnknown: OSStatus = -66567
/// The frame is outside the file.
public let kExtAudioFileError_InvalidSeek: OSStatus = -66568
/// An asynchronous write is larger than the buffer.
public let kExtAudioFileError_AsyncWriteTooLarge: OSStatus = -66569
/// Samples arrive faster than they can be written.
public let kExtAudioFileError_AsyncWriteBufferOverflow: OSStatus = -66570
