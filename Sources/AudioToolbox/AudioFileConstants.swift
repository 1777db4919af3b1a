/// The format in the file, an `AudioStreamBasicDescription`.
public let kExtAudioFileProperty_FileDataFormat: ExtAudioFilePropertyID = 0x6666_6D74
/// The `AudioChannelLayout` of the file.
public let kExtAudioFileProperty_FileChannelLayout: ExtAudioFilePropertyID = 0x6663_6C6F
/// The format that is read in, an `AudioStreamBasicDescription`.
public let kExtAudioFileProperty_ClientDataFormat: ExtAudioFilePropertyID = 0x6366_6D74
/// Frames of the file at its own rate, an `Int64`.
public let kExtAudioFileProperty_FileLengthFrames: ExtAudioFilePropertyID = 0x2366_726D
/// More bytes than a packet of the file can have, a `UInt32`.
public let kExtAudioFileProperty_FileMaxPacketSize: ExtAudioFilePropertyID = 0x666D_7073
/// Bytes of a frame that is read, a `UInt32`.
public let kExtAudioFileProperty_ClientMaxPacketSize: ExtAudioFilePropertyID = 0x636D_7073
/// There is no such property.
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
/// There is no such frame.
public let kExtAudioFileError_InvalidSeek: OSStatus = -66568
/// There is no such file.
public let kAudioFileFileNotFoundError: OSStatus = -43
/// The file may not be read.
public let kAudioFilePermissionsError: OSStatus = -54
/// The kind of file is not known.
public let kAudioFileUnsupportedFileTypeError: OSStatus = 0x7479_703F
/// The codec is not known.
public let kAudioFileUnsupportedDataFormatError: OSStatus = 0x666D_743F
/// The file is damaged.
public let kAudioFileInvalidFileError: OSStatus = 0x6474_613F
/// Something else.
public let kAudioFileUnspecifiedError: OSStatus = 0x7768_743F
/// A parameter is wrong.
public let kAudio_ParamError: OSStatus = -50
