/// 1 when the parser is ready to supply packets, a `UInt32`.
public let kAudioFileStreamProperty_ReadyToProducePackets: AudioFileStreamPropertyID = 0x7265_6479
/// The kind of file, an `AudioFileTypeID`.
public let kAudioFileStreamProperty_FileFormat: AudioFileStreamPropertyID = 0x6666_6D74
/// The `AudioStreamBasicDescription` of the packets.
public let kAudioFileStreamProperty_DataFormat: AudioFileStreamPropertyID = 0x6466_6D74
/// The format of the packets, as one `AudioFormatListItem`.
///
/// The item has the `AudioStreamBasicDescription` and the tag of the channel layout.
public let kAudioFileStreamProperty_FormatList: AudioFileStreamPropertyID = 0x666C_7374
/// The configuration of the decoder, as bytes.
public let kAudioFileStreamProperty_MagicCookieData: AudioFileStreamPropertyID = 0x6D67_6963
/// The size of the audio data in bytes, a `UInt64`.
public let kAudioFileStreamProperty_AudioDataByteCount: AudioFileStreamPropertyID = 0x6263_6E74
/// The number of packets, a `UInt64`.
public let kAudioFileStreamProperty_AudioDataPacketCount: AudioFileStreamPropertyID = 0x7063_6E74
/// The size in bytes of the largest packet parsed so far, a `UInt32`.
///
/// Before the first packet, the error is `kAudioFileStreamError_ValueUnknown`. If the file has a table of
/// packet sizes, the value is the largest size in that table.
public let kAudioFileStreamProperty_MaximumPacketSize: AudioFileStreamPropertyID = 0x7073_7A65
/// The byte offset of the audio data in the file, an `Int64`.
public let kAudioFileStreamProperty_DataOffset: AudioFileStreamPropertyID = 0x646F_6666
/// The channel layout, an `AudioChannelLayout`.
public let kAudioFileStreamProperty_ChannelLayout: AudioFileStreamPropertyID = 0x636D_6170
/// The frame of a packet: an `AudioFramePacketTranslation` in which you set the packet.
public let kAudioFileStreamProperty_PacketToFrame: AudioFileStreamPropertyID = 0x706B_6672
/// The packet of a frame: an `AudioFramePacketTranslation` in which you set the frame.
public let kAudioFileStreamProperty_FrameToPacket: AudioFileStreamPropertyID = 0x6672_706B
/// The number of valid frames, and of priming and remainder frames around them: an `AudioFilePacketTableInfo`.
public let kAudioFileStreamProperty_PacketTableInfo: AudioFileStreamPropertyID = 0x706E_666F
/// An upper bound of the packet size in bytes, a `UInt32`.
public let kAudioFileStreamProperty_PacketSizeUpperBound: AudioFileStreamPropertyID = 0x706B_7562
/// The average packet size in bytes, a `Double`.
public let kAudioFileStreamProperty_AverageBytesPerPacket: AudioFileStreamPropertyID = 0x6162_7070
/// The bit rate in bits per second, a `UInt32`.
public let kAudioFileStreamProperty_BitRate: AudioFileStreamPropertyID = 0x6272_6174
/// Whether decoding cannot start at every packet: 1 or 0, a `UInt32`.
public let kAudioFileStreamProperty_RestrictsRandomAccess: AudioFileStreamPropertyID = 0x7272_6170
/// The number of preceding packets that a decoder needs to output correct samples.
///
/// The value is an `AudioPacketRollDistanceTranslation`: set `mPacket`, and read `mRollDistance`.
public let kAudioFileStreamProperty_PacketToRollDistance: AudioFileStreamPropertyID = 0x706B_726C
/// The nearest earlier packet at which decoding can start, or −1: an `AudioIndependentPacketTranslation` in which you
/// set the packet.
public let kAudioFileStreamProperty_PreviousIndependentPacket: AudioFileStreamPropertyID = 0x7069_6E64
/// The nearest later packet at which decoding can start, or −1: an `AudioIndependentPacketTranslation` in which you
/// set the packet.
public let kAudioFileStreamProperty_NextIndependentPacket: AudioFileStreamPropertyID = 0x6E69_6E64
/// Whether decoding can start at a packet, and how many more packets it then needs before the samples are correct.
///
/// An `AudioPacketDependencyInfoTranslation` in which you set the packet.
public let kAudioFileStreamProperty_PacketToDependencyInfo: AudioFileStreamPropertyID = 0x706B_6470
/// The byte offset of a packet from `DataOffset`: an `AudioBytePacketTranslation` in which you set the packet.
public let kAudioFileStreamProperty_PacketToByte: AudioFileStreamPropertyID = 0x706B_6279
/// The packet at a byte offset from `DataOffset`: an `AudioBytePacketTranslation` in which you set the byte.
public let kAudioFileStreamProperty_ByteToPacket: AudioFileStreamPropertyID = 0x6279_706B
/// A `CFDictionary` of strings under the keys `kAFInfoDictionary_…`, which belongs to the caller.
///
/// Get it into a variable of type `Unmanaged<CFDictionary>?`, and call `takeRetainedValue()`.
public let kAudioFileStreamProperty_InfoDictionary: AudioFileStreamPropertyID = 0x696E_666F
/// The type of the file is not supported.
public let kAudioFileStreamError_UnsupportedFileType: OSStatus = 0x7479_703F
/// The codec is not supported in this type of file.
public let kAudioFileStreamError_UnsupportedDataFormat: OSStatus = 0x666D_743F
/// The stream does not have this property.
public let kAudioFileStreamError_UnsupportedProperty: OSStatus = 0x7074_793F
/// The size of the value is wrong.
public let kAudioFileStreamError_BadPropertySize: OSStatus = 0x2173_697A
/// The index follows the audio data, so packets cannot be located yet.
public let kAudioFileStreamError_NotOptimized: OSStatus = 0x6F70_746D
/// The packet number is invalid.
public let kAudioFileStreamError_InvalidPacketOffset: OSStatus = 0x7063_6B3F
/// The file is damaged.
public let kAudioFileStreamError_InvalidFile: OSStatus = 0x6474_613F
/// The value of the property is not yet known.
public let kAudioFileStreamError_ValueUnknown: OSStatus = 0x756E_6B3F
/// More data is needed.
public let kAudioFileStreamError_DataUnavailable: OSStatus = 0x6D6F_7265
/// The operation is not supported for this type of file.
public let kAudioFileStreamError_IllegalOperation: OSStatus = 0x6E6F_7065
/// Another error occurred.
public let kAudioFileStreamError_UnspecifiedError: OSStatus = 0x7768_743F
/// Parsing cannot continue after a discontinuity.
public let kAudioFileStreamError_DiscontinuityCantRecover: OSStatus = 0x6473_6321
