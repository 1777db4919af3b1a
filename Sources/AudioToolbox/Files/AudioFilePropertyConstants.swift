/// The kind of file, an `AudioFileTypeID`.
public let kAudioFilePropertyFileFormat: AudioFilePropertyID = 0x6666_6D74
/// The `AudioStreamBasicDescription` of the packets.
public let kAudioFilePropertyDataFormat: AudioFilePropertyID = 0x6466_6D74
/// A `UInt32`: 1, since the sound is in one piece.
public let kAudioFilePropertyIsOptimized: AudioFilePropertyID = 0x6F70_746D
/// The data that a decoder needs beside the format.
public let kAudioFilePropertyMagicCookieData: AudioFilePropertyID = 0x6D67_6963
/// Bytes of the sound, a `UInt64`.
public let kAudioFilePropertyAudioDataByteCount: AudioFilePropertyID = 0x6263_6E74
/// Packets of the sound, a `UInt64`; where the file has no table of them, all of it is read to count them.
public let kAudioFilePropertyAudioDataPacketCount: AudioFilePropertyID = 0x7063_6E74
/// Bytes of the largest packet, a `UInt32`; where the file has no table, all of it is read.
public let kAudioFilePropertyMaximumPacketSize: AudioFilePropertyID = 0x7073_7A65
/// The offset of the sound in the file, an `Int64`.
public let kAudioFilePropertyDataOffset: AudioFilePropertyID = 0x646F_6666
/// An `AudioChannelLayout`.
public let kAudioFilePropertyChannelLayout: AudioFilePropertyID = 0x636D_6170
/// An `AudioFramePacketTranslation`, of which the packet is given.
public let kAudioFilePropertyPacketToFrame: AudioFilePropertyID = 0x706B_6672
/// An `AudioFramePacketTranslation`, of which the frame is given.
public let kAudioFilePropertyFrameToPacket: AudioFilePropertyID = 0x6672_706B
/// A `UInt32`: 1 if not every packet can be begun with.
public let kAudioFilePropertyRestrictsRandomAccess: AudioFilePropertyID = 0x7272_6170
/// An `AudioPacketRollDistanceTranslation`, of which the packet is given.
public let kAudioFilePropertyPacketToRollDistance: AudioFilePropertyID = 0x706B_726C
/// An `AudioIndependentPacketTranslation`, of which the packet is given.
public let kAudioFilePropertyPreviousIndependentPacket: AudioFilePropertyID = 0x7069_6E64
/// An `AudioIndependentPacketTranslation`, of which the packet is given.
public let kAudioFilePropertyNextIndependentPacket: AudioFilePropertyID = 0x6E69_6E64
/// An `AudioPacketDependencyInfoTranslation`, of which the packet is given.
public let kAudioFilePropertyPacketToDependencyInfo: AudioFilePropertyID = 0x706B_6470
/// An `AudioBytePacketTranslation`, of which the packet is given.
public let kAudioFilePropertyPacketToByte: AudioFilePropertyID = 0x706B_6279
/// An `AudioBytePacketTranslation`, of which the byte is given.
public let kAudioFilePropertyByteToPacket: AudioFilePropertyID = 0x6279_706B
/// A `CFDictionary` of strings under the keys `kAFInfoDictionary_…`, which belongs to the caller.
public let kAudioFilePropertyInfoDictionary: AudioFilePropertyID = 0x696E_666F
/// An `AudioFilePacketTableInfo`: frames that are heard, and around them.
public let kAudioFilePropertyPacketTableInfo: AudioFilePropertyID = 0x706E_666F
/// All formats that the packets can be decoded as: `AudioFormatListItem`s.
public let kAudioFilePropertyFormatList: AudioFilePropertyID = 0x666C_7374
/// More bytes than any packet can have, a `UInt32`.
public let kAudioFilePropertyPacketSizeUpperBound: AudioFilePropertyID = 0x706B_7562
/// Seconds, a `Double`.
public let kAudioFilePropertyEstimatedDuration: AudioFilePropertyID = 0x6564_7572
/// Bits per second, a `UInt32`.
public let kAudioFilePropertyBitRate: AudioFilePropertyID = 0x6272_6174
/// Bits of a sample before it was compressed, an `Int32`.
public let kAudioFilePropertySourceBitDepth: AudioFilePropertyID = 0x7362_7464
/// A `UInt32`: 1, since one track is read.
public let kAudioFilePropertyAudioTrackCount: AudioFilePropertyID = 0x6174_6374
/// Something else.
public let kAudioFileUnspecifiedError: OSStatus = 0x7768_743F
/// The kind of file is not known.
public let kAudioFileUnsupportedFileTypeError: OSStatus = 0x7479_703F
/// The codec is not known in this kind of file.
public let kAudioFileUnsupportedDataFormatError: OSStatus = 0x666D_743F
/// There is no such property, or it has no value.
public let kAudioFileUnsupportedPropertyError: OSStatus = 0x7074_793F
/// There is too little room for the property.
public let kAudioFileBadPropertySizeError: OSStatus = 0x2173_697A
/// The file was opened for something else.
public let kAudioFilePermissionsError: OSStatus = 0x7072_6D3F
/// Data after the sound is in the way.
public let kAudioFileNotOptimizedError: OSStatus = 0x6F70_746D
/// A chunk is damaged.
public let kAudioFileInvalidChunkError: OSStatus = 0x6368_6B3F
/// The file would be too long for its kind.
public let kAudioFileDoesNotAllow64BitDataSizeError: OSStatus = 0x6F66_663F
/// There is no such packet.
public let kAudioFileInvalidPacketOffsetError: OSStatus = 0x7063_6B3F
/// A packet that another one depends on is missing.
public let kAudioFileInvalidPacketDependencyError: OSStatus = 0x6465_703F
/// The file is damaged.
public let kAudioFileInvalidFileError: OSStatus = 0x6474_613F
/// That cannot be done with this file.
public let kAudioFileOperationNotSupportedError: OSStatus = 0x6F70_3F3F
/// The file is closed.
public let kAudioFileNotOpenError: OSStatus = -38
/// The file has ended.
public let kAudioFileEndOfFileError: OSStatus = -39
/// There is no such place.
public let kAudioFilePositionError: OSStatus = -40
/// There is no such file.
public let kAudioFileFileNotFoundError: OSStatus = -43
