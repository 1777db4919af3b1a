/// The size in bytes of the smallest input that results in output, a `UInt32`.
public let kAudioConverterPropertyMinimumInputBufferSize: AudioConverterPropertyID = 0x6D69_6273
/// Bytes of the smallest output, a `UInt32`.
public let kAudioConverterPropertyMinimumOutputBufferSize: AudioConverterPropertyID = 0x6D6F_6273
/// Bytes of the largest input packet, a `UInt32`.
public let kAudioConverterPropertyMaximumInputPacketSize: AudioConverterPropertyID = 0x7869_7073
/// Bytes of the largest output packet, a `UInt32`.
public let kAudioConverterPropertyMaximumOutputPacketSize: AudioConverterPropertyID = 0x786F_7073
/// Bytes of output in; out: bytes of input that they take, a `UInt32`.
public let kAudioConverterPropertyCalculateInputBufferSize: AudioConverterPropertyID = 0x6369_6273
/// Bytes of input in; out: bytes of output that they give, a `UInt32`.
public let kAudioConverterPropertyCalculateOutputBufferSize: AudioConverterPropertyID = 0x636F_6273
/// A `UInt32`, of which one value is as good as another here.
public let kAudioConverterSampleRateConverterComplexity: AudioConverterPropertyID = 0x7372_6361
/// 0 … 127, a `UInt32`.
public let kAudioConverterSampleRateConverterQuality: AudioConverterPropertyID = 0x7372_6371
/// 0 … 127, a `UInt32`.
public let kAudioConverterCodecQuality: AudioConverterPropertyID = 0x6364_7175
/// The treatment of the first frames when the rate changes, a `UInt32`.
public let kAudioConverterPrimeMethod: AudioConverterPropertyID = 0x7072_6D6D
/// An `AudioConverterPrimeInfo`.
public let kAudioConverterPrimeInfo: AudioConverterPropertyID = 0x7072_696D
/// An `Int32` for each output channel: the input channel, or −1.
public let kAudioConverterChannelMap: AudioConverterPropertyID = 0x6368_6D70
/// The data that the decoder needs beside the input format.
public let kAudioConverterDecompressionMagicCookie: AudioConverterPropertyID = 0x646D_6763
/// The data that a decoder of the output needs.
public let kAudioConverterCompressionMagicCookie: AudioConverterPropertyID = 0x636D_6763
/// Bits per second, a `UInt32`.
public let kAudioConverterEncodeBitRate: AudioConverterPropertyID = 0x6272_6174
/// The output format, complete.
public let kAudioConverterCurrentOutputStreamDescription: AudioConverterPropertyID = 0x6163_6F64
/// The input format, complete.
public let kAudioConverterCurrentInputStreamDescription: AudioConverterPropertyID = 0x6163_6964
/// There is no way between the formats.
public let kAudioConverterErr_FormatNotSupported: OSStatus = 0x666D_743F
/// That cannot be done with these formats.
public let kAudioConverterErr_OperationNotSupported: OSStatus = 0x6F70_3F3F
/// The converter does not have this property.
public let kAudioConverterErr_PropertyNotSupported: OSStatus = 0x7072_6F70
/// The input is not a whole number of packets.
public let kAudioConverterErr_InvalidInputSize: OSStatus = 0x696E_737A
/// There is no room for one packet.
public let kAudioConverterErr_InvalidOutputSize: OSStatus = 0x6F74_737A
/// Something else.
public let kAudioConverterErr_UnspecifiedError: OSStatus = 0x7768_6174
/// There is too little room for the property.
public let kAudioConverterErr_BadPropertySizeError: OSStatus = 0x2173_697A
/// Packets of variable size were supplied without packet descriptions.
public let kAudioConverterErr_RequiresPacketDescriptionsError: OSStatus = 0x2170_6B64
/// The input's rate cannot be.
public let kAudioConverterErr_InputSampleRateOutOfRange: OSStatus = 0x2169_7372
/// The output's rate cannot be.
public let kAudioConverterErr_OutputSampleRateOutOfRange: OSStatus = 0x216F_7372
/// The hardware codec is in use; never returned, because Syrinx uses no hardware codecs.
public let kAudioConverterErr_HardwareInUse: OSStatus = 0x6877_6975
/// The hardware codec may not be used; never returned, because Syrinx uses no hardware codecs.
public let kAudioConverterErr_NoHardwarePermission: OSStatus = 0x7065_726D
/// The filter uses leading and trailing frames.
///
/// The leading frames are assumed to be silent, as with `Normal`.
public let kConverterPrimeMethod_Pre: UInt32 = 0
/// Trailing input only.
public let kConverterPrimeMethod_Normal: UInt32 = 1
/// Neither: the output is late by the filter's reach.
public let kConverterPrimeMethod_None: UInt32 = 2
