/// The kind of file, an `AudioFileTypeID`.
public let kAudioFilePropertyFileFormat: AudioFilePropertyID = 0x6666_6D74
/// The `AudioStreamBasicDescription` of the packets.
public let kAudioFilePropertyDataFormat: AudioFilePropertyID = 0x6466_6D74
/// Whether the audio data is contiguous, a `UInt32`: always 1.
public let kAudioFilePropertyIsOptimized: AudioFilePropertyID = 0x6F70_746D
/// The configuration of the decoder, as bytes.
public let kAudioFilePropertyMagicCookieData: AudioFilePropertyID = 0x6D67_6963
/// The size of the audio data in bytes, a `UInt64`.
public let kAudioFilePropertyAudioDataByteCount: AudioFilePropertyID = 0x6263_6E74
/// The number of packets, a `UInt64`.
///
/// Without a packet table in the file, the whole file is read to count them.
public let kAudioFilePropertyAudioDataPacketCount: AudioFilePropertyID = 0x7063_6E74
/// The size of the largest packet in bytes, a `UInt32`.
///
/// Without a packet table, the whole file is read.
public let kAudioFilePropertyMaximumPacketSize: AudioFilePropertyID = 0x7073_7A65
/// The byte offset of the audio data in the file, an `Int64`.
public let kAudioFilePropertyDataOffset: AudioFilePropertyID = 0x646F_6666
/// The channel layout, an `AudioChannelLayout`.
public let kAudioFilePropertyChannelLayout: AudioFilePropertyID = 0x636D_6170
/// The frame of a packet: an `AudioFramePacketTranslation` in which you set the packet.
public let kAudioFilePropertyPacketToFrame: AudioFilePropertyID = 0x706B_6672
/// The packet of a frame: an `AudioFramePacketTranslation` in which you set the frame.
public let kAudioFilePropertyFrameToPacket: AudioFilePropertyID = 0x6672_706B
/// Whether decoding cannot start at every packet: 1 or 0, a `UInt32`.
public let kAudioFilePropertyRestrictsRandomAccess: AudioFilePropertyID = 0x7272_6170
/// The roll distance of a packet: an `AudioPacketRollDistanceTranslation` in which you set the packet.
public let kAudioFilePropertyPacketToRollDistance: AudioFilePropertyID = 0x706B_726C
/// The previous independent packet: an `AudioIndependentPacketTranslation` in which you set the packet.
public let kAudioFilePropertyPreviousIndependentPacket: AudioFilePropertyID = 0x7069_6E64
/// The next independent packet: an `AudioIndependentPacketTranslation` in which you set the packet.
public let kAudioFilePropertyNextIndependentPacket: AudioFilePropertyID = 0x6E69_6E64
/// The dependencies of a packet: an `AudioPacketDependencyInfoTranslation` in which you set the packet.
public let kAudioFilePropertyPacketToDependencyInfo: AudioFilePropertyID = 0x706B_6470
/// The byte offset of a packet: an `AudioBytePacketTranslation` in which you set the packet.
public let kAudioFilePropertyPacketToByte: AudioFilePropertyID = 0x706B_6279
/// The packet at a byte offset: an `AudioBytePacketTranslation` in which you set the byte.
public let kAudioFilePropertyByteToPacket: AudioFilePropertyID = 0x6279_706B
/// A `CFDictionary` of strings under the keys `kAFInfoDictionary_…`, which belongs to the caller.
public let kAudioFilePropertyInfoDictionary: AudioFilePropertyID = 0x696E_666F
/// The number of valid frames, and of priming and remainder frames around them: an `AudioFilePacketTableInfo`.
public let kAudioFilePropertyPacketTableInfo: AudioFilePropertyID = 0x706E_666F
/// The format of the packets, as one `AudioFormatListItem`.
///
/// The item has the `AudioStreamBasicDescription` and the tag of the channel layout.
public let kAudioFilePropertyFormatList: AudioFilePropertyID = 0x666C_7374
/// An upper bound of the packet size in bytes, a `UInt32`.
public let kAudioFilePropertyPacketSizeUpperBound: AudioFilePropertyID = 0x706B_7562
/// The estimated duration in seconds, a `Double`.
public let kAudioFilePropertyEstimatedDuration: AudioFilePropertyID = 0x6564_7572
/// The bit rate in bits per second, a `UInt32`.
public let kAudioFilePropertyBitRate: AudioFilePropertyID = 0x6272_6174
/// The bit depth of the samples before compression, an `Int32`.
public let kAudioFilePropertySourceBitDepth: AudioFilePropertyID = 0x7362_7464
/// The number of audio tracks, a `UInt32`: always 1, because only one track is read.
public let kAudioFilePropertyAudioTrackCount: AudioFilePropertyID = 0x6174_6374
/// Another error occurred.
public let kAudioFileUnspecifiedError: OSStatus = 0x7768_743F
/// The type of the file is not supported.
public let kAudioFileUnsupportedFileTypeError: OSStatus = 0x7479_703F
/// The codec is not supported in this type of file.
public let kAudioFileUnsupportedDataFormatError: OSStatus = 0x666D_743F
/// The property does not exist or has no value.
public let kAudioFileUnsupportedPropertyError: OSStatus = 0x7074_793F
/// The size of the value is wrong.
public let kAudioFileBadPropertySizeError: OSStatus = 0x2173_697A
/// The file was not opened with the required permission.
public let kAudioFilePermissionsError: OSStatus = 0x7072_6D3F
/// Other data follows the audio data, so that it cannot grow.
public let kAudioFileNotOptimizedError: OSStatus = 0x6F70_746D
/// A chunk is damaged.
public let kAudioFileInvalidChunkError: OSStatus = 0x6368_6B3F
/// The file would exceed the maximum size of its type.
public let kAudioFileDoesNotAllow64BitDataSizeError: OSStatus = 0x6F66_663F
/// The packet is outside the file.
public let kAudioFileInvalidPacketOffsetError: OSStatus = 0x7063_6B3F
/// A packet on which another one depends is missing.
public let kAudioFileInvalidPacketDependencyError: OSStatus = 0x6465_703F
/// The file is damaged.
public let kAudioFileInvalidFileError: OSStatus = 0x6474_613F
/// The operation is not supported for this file.
public let kAudioFileOperationNotSupportedError: OSStatus = 0x6F70_3F3F
/// The file is closed.
public let kAudioFileNotOpenError: OSStatus = -38
/// The file has ended.
public let kAudioFileEndOfFileError: OSStatus = -39
/// The position is outside the file.
public let kAudioFilePositionError: OSStatus = -40
/// The file does not exist.
public let kAudioFileFileNotFoundError: OSStatus = -43
