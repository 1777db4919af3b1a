/// The size in bytes of the smallest input that results in output, a `UInt32`.
public let kAudioConverterPropertyMinimumInputBufferSize: AudioConverterPropertyID = 0x6D69_6273
/// The minimum size of an output buffer in bytes, a `UInt32`.
public let kAudioConverterPropertyMinimumOutputBufferSize: AudioConverterPropertyID = 0x6D6F_6273
/// The maximum size of an input packet in bytes, a `UInt32`.
public let kAudioConverterPropertyMaximumInputPacketSize: AudioConverterPropertyID = 0x7869_7073
/// The maximum size of an output packet in bytes, a `UInt32`.
public let kAudioConverterPropertyMaximumOutputPacketSize: AudioConverterPropertyID = 0x786F_7073
/// The size in bytes of the input for an amount of output: set the output size as the value, and get the property; a
/// `UInt32`.
public let kAudioConverterPropertyCalculateInputBufferSize: AudioConverterPropertyID = 0x6369_6273
/// The size in bytes of the output for an amount of input: set the input size as the value, and get the property; a
/// `UInt32`.
public let kAudioConverterPropertyCalculateOutputBufferSize: AudioConverterPropertyID = 0x636F_6273
/// The algorithm of the sample rate conversion, a `UInt32`; has no effect, because there is only one.
public let kAudioConverterSampleRateConverterComplexity: AudioConverterPropertyID = 0x7372_6361
/// The quality of the sample rate conversion, 0…127, a `UInt32`.
public let kAudioConverterSampleRateConverterQuality: AudioConverterPropertyID = 0x7372_6371
/// The quality of the codec, 0…127, a `UInt32`; has no effect when it is set.
public let kAudioConverterCodecQuality: AudioConverterPropertyID = 0x6364_7175
/// The treatment of the first frames in a sample rate conversion, a `UInt32`: a constant `kConverterPrimeMethod_…`.
public let kAudioConverterPrimeMethod: AudioConverterPropertyID = 0x7072_6D6D
/// The frames that the filter or the encoder needs at both ends, an `AudioConverterPrimeInfo`.
public let kAudioConverterPrimeInfo: AudioConverterPropertyID = 0x7072_696D
/// An `Int32` for each output channel: the input channel, or −1.
public let kAudioConverterChannelMap: AudioConverterPropertyID = 0x6368_6D70
/// The configuration of the decoder, as bytes.
public let kAudioConverterDecompressionMagicCookie: AudioConverterPropertyID = 0x646D_6763
/// The configuration for a decoder of the output, as bytes.
public let kAudioConverterCompressionMagicCookie: AudioConverterPropertyID = 0x636D_6763
/// The bit rate of the encoder in bits per second, a `UInt32`; 0 selects the default.
public let kAudioConverterEncodeBitRate: AudioConverterPropertyID = 0x6272_6174
/// The output format with all fields set, an `AudioStreamBasicDescription`.
public let kAudioConverterCurrentOutputStreamDescription: AudioConverterPropertyID = 0x6163_6F64
/// The input format with all fields set, an `AudioStreamBasicDescription`.
public let kAudioConverterCurrentInputStreamDescription: AudioConverterPropertyID = 0x6163_6964
/// A conversion between the formats is not supported.
public let kAudioConverterErr_FormatNotSupported: OSStatus = 0x666D_743F
/// The operation is not supported for these formats.
public let kAudioConverterErr_OperationNotSupported: OSStatus = 0x6F70_3F3F
/// The converter does not have this property.
public let kAudioConverterErr_PropertyNotSupported: OSStatus = 0x7072_6F70
/// The input is not a whole number of packets.
public let kAudioConverterErr_InvalidInputSize: OSStatus = 0x696E_737A
/// The output buffer is too small for a packet.
public let kAudioConverterErr_InvalidOutputSize: OSStatus = 0x6F74_737A
/// Another error occurred.
public let kAudioConverterErr_UnspecifiedError: OSStatus = 0x7768_6174
/// The size of the value is wrong.
public let kAudioConverterErr_BadPropertySizeError: OSStatus = 0x2173_697A
/// Packets of variable size were supplied without packet descriptions.
public let kAudioConverterErr_RequiresPacketDescriptionsError: OSStatus = 0x2170_6B64
/// The sample rate of the input is not supported.
public let kAudioConverterErr_InputSampleRateOutOfRange: OSStatus = 0x2169_7372
/// The sample rate of the output is not supported.
public let kAudioConverterErr_OutputSampleRateOutOfRange: OSStatus = 0x216F_7372
/// The hardware codec is in use; never returned, because Syrinx uses no hardware codecs.
public let kAudioConverterErr_HardwareInUse: OSStatus = 0x6877_6975
/// The hardware codec may not be used; never returned, because Syrinx uses no hardware codecs.
public let kAudioConverterErr_NoHardwarePermission: OSStatus = 0x7065_726D
/// The filter uses leading and trailing frames.
///
/// The leading frames are assumed to be silent, as with `Normal`.
public let kConverterPrimeMethod_Pre: UInt32 = 0
/// The filter uses only trailing frames; the leading ones are assumed to be silent.
public let kConverterPrimeMethod_Normal: UInt32 = 1
/// The filter uses neither leading nor trailing frames, so the output is delayed by half of the filter's length.
public let kConverterPrimeMethod_None: UInt32 = 2
