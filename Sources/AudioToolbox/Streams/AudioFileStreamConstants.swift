/// A `UInt32`: 1 once packets are going to come.
public let kAudioFileStreamProperty_ReadyToProducePackets: AudioFileStreamPropertyID = 0x7265_6479
/// The kind of file, an `AudioFileTypeID`.
public let kAudioFileStreamProperty_FileFormat: AudioFileStreamPropertyID = 0x6666_6D74
/// The `AudioStreamBasicDescription` of the packets.
public let kAudioFileStreamProperty_DataFormat: AudioFileStreamPropertyID = 0x6466_6D74
/// All formats that the packets can be decoded as: `AudioFormatListItem`s.
public let kAudioFileStreamProperty_FormatList: AudioFileStreamPropertyID = 0x666C_7374
/// The data that a decoder needs beside the format.
public let kAudioFileStreamProperty_MagicCookieData: AudioFileStreamPropertyID = 0x6D67_6963
/// Bytes of the sound, a `UInt64`.
public let kAudioFileStreamProperty_AudioDataByteCount: AudioFileStreamPropertyID = 0x6263_6E74
/// Packets of the sound, a `UInt64`.
public let kAudioFileStreamProperty_AudioDataPacketCount: AudioFileStreamPropertyID = 0x7063_6E74
/// Bytes of the largest packet seen, a `UInt32`.
public let kAudioFileStreamProperty_MaximumPacketSize: AudioFileStreamPropertyID = 0x7073_7A65
/// The offset of the sound in the file, an `Int64`.
public let kAudioFileStreamProperty_DataOffset: AudioFileStreamPropertyID = 0x646F_6666
/// An `AudioChannelLayout`.
public let kAudioFileStreamProperty_ChannelLayout: AudioFileStreamPropertyID = 0x636D_6170
/// An `AudioFramePacketTranslation`, of which the packet is given.
public let kAudioFileStreamProperty_PacketToFrame: AudioFileStreamPropertyID = 0x706B_6672
/// An `AudioFramePacketTranslation`, of which the frame is given.
public let kAudioFileStreamProperty_FrameToPacket: AudioFileStreamPropertyID = 0x6672_706B
/// An `AudioFilePacketTableInfo`: frames that are heard, and around them.
public let kAudioFileStreamProperty_PacketTableInfo: AudioFileStreamPropertyID = 0x706E_666F
/// More bytes than any packet can have, a `UInt32`.
public let kAudioFileStreamProperty_PacketSizeUpperBound: AudioFileStreamPropertyID = 0x706B_7562
/// Bytes of a packet on average, a `Double`.
public let kAudioFileStreamProperty_AverageBytesPerPacket: AudioFileStreamPropertyID = 0x6162_7070
/// Bits per second, a `UInt32`.
public let kAudioFileStreamProperty_BitRate: AudioFileStreamPropertyID = 0x6272_6174
/// A `UInt32`: 1 if not every packet can be begun with.
public let kAudioFileStreamProperty_RestrictsRandomAccess: AudioFileStreamPropertyID = 0x7272_6170
/// An `AudioPacketRollDistanceTranslation`, of which the packet is given: how many packets before it a decoder needs, so that
/// it gives the samples that it gives from the start.
public let kAudioFileStreamProperty_PacketToRollDistance: AudioFileStreamPropertyID = 0x706B_726C
/// An `AudioIndependentPacketTranslation`, of which the packet is given: the nearest before it that can be begun with, or −1.
public let kAudioFileStreamProperty_PreviousIndependentPacket: AudioFileStreamPropertyID = 0x7069_6E64
/// An `AudioIndependentPacketTranslation`, of which the packet is given: the nearest after it that can be begun with, or −1.
public let kAudioFileStreamProperty_NextIndependentPacket: AudioFileStreamPropertyID = 0x6E69_6E64
/// An `AudioPacketDependencyInfoTranslation`, of which the packet is given: whether it can be begun with, and how many more
/// then have to be decoded before the samples are right.
public let kAudioFileStreamProperty_PacketToDependencyInfo: AudioFileStreamPropertyID = 0x706B_6470
/// An `AudioBytePacketTranslation`, of which the packet is given: where it begins, counted from `DataOffset`.
public let kAudioFileStreamProperty_PacketToByte: AudioFileStreamPropertyID = 0x706B_6279
/// An `AudioBytePacketTranslation`, of which the byte is given, counted from `DataOffset`: the packet that it lies in.
public let kAudioFileStreamProperty_ByteToPacket: AudioFileStreamPropertyID = 0x6279_706B
/// A `CFDictionary` of strings under the keys `kAFInfoDictionary_…`, which belongs to the caller.
///
/// Asked for with a variable of type `Unmanaged<CFDictionary>?`, it is taken over by `takeRetainedValue()`.
public let kAudioFileStreamProperty_InfoDictionary: AudioFileStreamPropertyID = 0x696E_666F
/// The kind of file is not known.
public let kAudioFileStreamError_UnsupportedFileType: OSStatus = 0x7479_703F
/// The codec is not known in this kind of file.
public let kAudioFileStreamError_UnsupportedDataFormat: OSStatus = 0x666D_743F
/// There is no such property.
public let kAudioFileStreamError_UnsupportedProperty: OSStatus = 0x7074_793F
/// There is too little room for the property.
public let kAudioFileStreamError_BadPropertySize: OSStatus = 0x2173_697A
/// The index comes behind the sound, where it cannot be read yet.
public let kAudioFileStreamError_NotOptimized: OSStatus = 0x6F70_746D
/// There is no such packet.
public let kAudioFileStreamError_InvalidPacketOffset: OSStatus = 0x7063_6B3F
/// The file is damaged.
public let kAudioFileStreamError_InvalidFile: OSStatus = 0x6474_613F
/// The property is not known yet.
public let kAudioFileStreamError_ValueUnknown: OSStatus = 0x756E_6B3F
/// It takes more data.
public let kAudioFileStreamError_DataUnavailable: OSStatus = 0x6D6F_7265
/// That cannot be done with this kind of file.
public let kAudioFileStreamError_IllegalOperation: OSStatus = 0x6E6F_7065
/// Something else.
public let kAudioFileStreamError_UnspecifiedError: OSStatus = 0x7768_743F
/// There is nothing to go on with after a discontinuity.
public let kAudioFileStreamError_DiscontinuityCantRecover: OSStatus = 0x6473_6321
