/// The format in the file, an `AudioStreamBasicDescription`.
public let kExtAudioFileProperty_FileDataFormat: ExtAudioFilePropertyID = 0x6666_6D74
/// The `AudioChannelLayout` of the file.
public let kExtAudioFileProperty_FileChannelLayout: ExtAudioFilePropertyID = 0x6663_6C6F
/// The format that is read in, an `AudioStreamBasicDescription`.
public let kExtAudioFileProperty_ClientDataFormat: ExtAudioFilePropertyID = 0x6366_6D74
/// The number of frames at the sample rate of the file, an `Int64`.
public let kExtAudioFileProperty_FileLengthFrames: ExtAudioFilePropertyID = 0x2366_726D
/// More bytes than a packet of the file can have, a `UInt32`.
public let kExtAudioFileProperty_FileMaxPacketSize: ExtAudioFilePropertyID = 0x666D_7073
/// Bytes of a frame that is read, a `UInt32`.
public let kExtAudioFileProperty_ClientMaxPacketSize: ExtAudioFilePropertyID = 0x636D_7073
/// The channel layout of the client's format, an `AudioChannelLayout`.
public let kExtAudioFileProperty_ClientChannelLayout: ExtAudioFilePropertyID = 0x6363_6C6F
/// The maker of the codec, a `UInt32`: there is one of each here.
public let kExtAudioFileProperty_CodecManufacturer: ExtAudioFilePropertyID = 0x636D_616E
/// The settings of the converter; not supported.
public let kExtAudioFileProperty_ConverterConfig: ExtAudioFilePropertyID = 0x6163_6366
/// Bytes that are read or written at once, a `UInt32`: any number will do.
public let kExtAudioFileProperty_IOBufferSizeBytes: ExtAudioFilePropertyID = 0x696F_6273
/// Apple's codecs in software.
public let kAppleSoftwareAudioCodecManufacturer: UInt32 = 0x6170_706C
/// Apple's codecs in hardware.
public let kAppleHardwareAudioCodecManufacturer: UInt32 = 0x6170_6877
/// The codec has gone, and the input with it.
public let kExtAudioFileError_CodecUnavailableInputConsumed: OSStatus = -66559
/// The codec has gone, and the input is still to be converted.
public let kExtAudioFileError_CodecUnavailableInputNotConsumed: OSStatus = -66560
/// The file does not have this property.
public let kExtAudioFileError_InvalidProperty: OSStatus = -66561
/// There is too little room for the property.
public let kExtAudioFileError_InvalidPropertySize: OSStatus = -66562
/// A file is read as samples only.
public let kExtAudioFileError_NonPCMClientFormat: OSStatus = -66563
/// There is no way between the channels.
public let kExtAudioFileError_InvalidChannelMap: OSStatus = -66564
/// That has to be done before.
public let kExtAudioFileError_InvalidOperationOrder: OSStatus = -66565
/// The format cannot be.
public let kExtAudioFileError_InvalidDataFormat: OSStatus = -66566
/// The maximum packet size of the file is unknown.
public let kExtAudioFileError_MaxPacketSizeUnknown: OSStatus = -66567
/// The frame is outside the file.
public let kExtAudioFileError_InvalidSeek: OSStatus = -66568
/// More is to be written at once than is kept.
public let kExtAudioFileError_AsyncWriteTooLarge: OSStatus = -66569
/// Samples arrive faster than they can be written.
public let kExtAudioFileError_AsyncWriteBufferOverflow: OSStatus = -66570
