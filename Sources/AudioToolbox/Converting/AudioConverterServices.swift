internal import CoreAudioTypes
internal import SyrinxByteStream
internal import SyrinxMediaCodec

// The functions of AudioConverter.h. A converter is for one thread at a time.

private func converter(_ ref: AudioConverterRef) -> Converter {
    Unmanaged<Converter>.fromOpaque(UnsafeRawPointer(ref)).takeUnretainedValue()
}

/// Creates a converter between two formats.
///
/// ```swift
/// var from = AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 44_100, channels: 2, interleaved: true)!
///     .streamDescription.pointee
/// var to = AVAudioFormat(standardFormatWithSampleRate: 16_000, channels: 1)!.streamDescription.pointee
/// var converter: AudioConverterRef?
/// let status = AudioConverterNew(&from, &to, &converter)
/// ```
/// - Returns: `noErr`, or `FormatNotSupported` if the conversion is not possible.
@discardableResult
public func AudioConverterNew(
    _ inSourceFormat: UnsafePointer<AudioStreamBasicDescription>,
    _ inDestinationFormat: UnsafePointer<AudioStreamBasicDescription>,
    _ outAudioConverter: UnsafeMutablePointer<AudioConverterRef?>
) -> OSStatus {
    guard inSourceFormat.pointee.mSampleRate > 0 else { return kAudioConverterErr_InputSampleRateOutOfRange }
    guard inDestinationFormat.pointee.mSampleRate > 0 else { return kAudioConverterErr_OutputSampleRateOutOfRange }
    do throws(SyrinxError) {
        let made = try Converter(inSourceFormat.pointee, inDestinationFormat.pointee)
        outAudioConverter.pointee = AudioConverterRef(Unmanaged.passRetained(made).toOpaque())
        return noErr
    } catch {
        return kAudioConverterErr_FormatNotSupported
    }
}

/// Creates a converter with one of several codecs.
///
/// Each codec exists once, so the function equals `AudioConverterNew`.
@discardableResult
public func AudioConverterNewSpecific(
    _ inSourceFormat: UnsafePointer<AudioStreamBasicDescription>,
    _ inDestinationFormat: UnsafePointer<AudioStreamBasicDescription>,
    _ inNumberClassDescriptions: UInt32,
    _ inClassDescriptions: UnsafePointer<AudioClassDescription>,
    _ outAudioConverter: UnsafeMutablePointer<AudioConverterRef?>
) -> OSStatus {
    AudioConverterNew(inSourceFormat, inDestinationFormat, outAudioConverter)
}

/// Frees a converter.
@discardableResult
public func AudioConverterDispose(_ inAudioConverter: AudioConverterRef) -> OSStatus {
    Unmanaged<Converter>.fromOpaque(UnsafeRawPointer(inAudioConverter)).release()
    return noErr
}

/// Clears the internal state of a converter, so that you can convert another signal.
@discardableResult
public func AudioConverterReset(_ inAudioConverter: AudioConverterRef) -> OSStatus {
    converter(inAudioConverter).reset()
    return noErr
}

/// Fills buffers with converted audio, and calls a procedure for input as needed.
///
/// For each call, the procedure receives the number of packets to supply: one compressed packet, or several frames.
/// Its memory is read before the next call. To end the input, it returns no packets and `noErr`. Any other status ends
/// this call with that status, and no earlier input is lost.
///
/// ```swift
/// var frames: UInt32 = 4096
/// let status = AudioConverterFillComplexBuffer(
///     converter,
///     { _, ioPacketCount, ioData, _, _ in
///         ioPacketCount.pointee = 0  // no more input
///         return noErr
///     }, nil, &frames, buffer.mutableAudioBufferList, nil)
/// ```
/// - Parameters:
///   - inAudioConverter: The converter.
///   - inInputDataProc: The procedure that supplies the input.
///   - inInputDataProcUserData: A pointer for the procedure.
///   - ioOutputDataPacketSize: The number of packets to convert (for samples: frames), replaced with the number
///     converted.
///   - outOutputData: The buffers. Their sizes are the capacity in bytes, and are replaced with the number of bytes
///     written.
///   - outPacketDescription: Receives the offset and size of each packet of a compressed output.
/// - Returns: `noErr`, the status of the procedure, or a `kAudioConverterErr` code.
@discardableResult
public func AudioConverterFillComplexBuffer(
    _ inAudioConverter: AudioConverterRef,
    _ inInputDataProc: @escaping AudioConverterComplexInputDataProc,
    _ inInputDataProcUserData: UnsafeMutableRawPointer?,
    _ ioOutputDataPacketSize: UnsafeMutablePointer<UInt32>,
    _ outOutputData: UnsafeMutablePointer<AudioBufferList>,
    _ outPacketDescription: UnsafeMutablePointer<AudioStreamPacketDescription>?
) -> OSStatus {
    converter(inAudioConverter).fill(
        inAudioConverter,
        inInputDataProc,
        inInputDataProcUserData,
        ioOutputDataPacketSize,
        UnsafeMutableAudioBufferListPointer(outOutputData),
        outPacketDescription
    )
}

/// Converts a complete buffer of samples without a change of sample rate.
///
/// Each format has one buffer: interleaved, or one channel.
///
/// Both buffers may be the same memory.
/// - Parameters:
///   - inAudioConverter: The converter.
///   - inInputDataSize: The size of the input in bytes, a multiple of the frame size.
///   - inInputData: The input samples.
///   - ioOutputDataSize: The capacity of the output in bytes, replaced with the number of bytes written.
///   - outOutputData: Receives the converted samples.
/// - Returns: `noErr`; `OperationNotSupported` if the sample rate changes, or if a format is compressed or has several
///   buffers; `InvalidInputSize` for an incomplete frame; `InvalidOutputSize` if the output is too small.
@discardableResult
public func AudioConverterConvertBuffer(
    _ inAudioConverter: AudioConverterRef,
    _ inInputDataSize: UInt32,
    _ inInputData: UnsafeRawPointer,
    _ ioOutputDataSize: UnsafeMutablePointer<UInt32>,
    _ outOutputData: UnsafeMutableRawPointer
) -> OSStatus {
    converter(inAudioConverter).convert(
        UnsafeRawBufferPointer(start: inInputData, count: Int(inInputDataSize)),
        into: outOutputData,
        ioOutputDataSize
    )
}

/// Converts complete buffers of samples without a change of sample rate.
///
/// Both lists may use the same memory.
/// - Parameters:
///   - inAudioConverter: The converter.
///   - inNumberPCMFrames: The number of frames to convert.
///   - inInputData: At least this number of input frames.
///   - outOutputData: The buffers. Their sizes are the capacity in bytes, and are replaced with the number of bytes
///     written.
/// - Returns: `noErr`; `OperationNotSupported` if the sample rate changes or a format is compressed;
///   `InvalidInputSize` or `InvalidOutputSize` if the buffers do not match the format or are too small.
@discardableResult
public func AudioConverterConvertComplexBuffer(
    _ inAudioConverter: AudioConverterRef,
    _ inNumberPCMFrames: UInt32,
    _ inInputData: UnsafePointer<AudioBufferList>,
    _ outOutputData: UnsafeMutablePointer<AudioBufferList>
) -> OSStatus {
    converter(inAudioConverter).convert(
        frameCount: Int(inNumberPCMFrames),
        // The list is only read, but the view type exists only for mutable lists.
        UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: inInputData)),
        into: UnsafeMutableAudioBufferListPointer(outOutputData)
    )
}

/// Gets the size of a property in bytes, and whether it is writable.
@discardableResult
public func AudioConverterGetPropertyInfo(
    _ inAudioConverter: AudioConverterRef,
    _ inPropertyID: AudioConverterPropertyID,
    _ outSize: UnsafeMutablePointer<UInt32>?,
    _ outWritable: UnsafeMutablePointer<DarwinBoolean>?
) -> OSStatus {
    var value = [UInt8](repeating: 0, count: 4096)
    var size = UInt32(value.count)
    let status = value.withUnsafeMutableBytes { buffer in
        buffer.baseAddress.map { AudioConverterGetProperty(inAudioConverter, inPropertyID, &size, $0) }
            ?? kAudioConverterErr_UnspecifiedError
    }
    guard status == noErr else { return status }
    outSize?.pointee = size
    outWritable?.pointee = DarwinBoolean(ConverterProperties.writable.contains(inPropertyID))
    return noErr
}

/// Gets the value of a property.
/// - Parameters:
///   - inAudioConverter: The converter.
///   - inPropertyID: A constant `kAudioConverter…`, whose comment states the type of the value.
///   - ioPropertyDataSize: The capacity in bytes, which is replaced with the size of the value.
///   - outPropertyData: Receives the value.
/// - Returns: `noErr`, `kAudioConverterErr_BadPropertySizeError` if the capacity is too small, or
///   `kAudioConverterErr_PropertyNotSupported`.
@discardableResult
public func AudioConverterGetProperty(
    _ inAudioConverter: AudioConverterRef,
    _ inPropertyID: AudioConverterPropertyID,
    _ ioPropertyDataSize: UnsafeMutablePointer<UInt32>,
    _ outPropertyData: UnsafeMutableRawPointer
) -> OSStatus {
    ConverterProperties(converter: converter(inAudioConverter))
        .read(inPropertyID, ioPropertyDataSize, outPropertyData)
}

/// Sets a property, and restarts the conversion.
/// - Parameters:
///   - inAudioConverter: The converter.
///   - inPropertyID: A constant `kAudioConverter…`, whose comment states the type of the value.
///   - inPropertyDataSize: The size of the value in bytes.
///   - inPropertyData: The value.
/// - Returns: `noErr`, `kAudioConverterErr_BadPropertySizeError` if the value is too small, or
///   `kAudioConverterErr_PropertyNotSupported`, also for a property that is read-only.
@discardableResult
public func AudioConverterSetProperty(
    _ inAudioConverter: AudioConverterRef,
    _ inPropertyID: AudioConverterPropertyID,
    _ inPropertyDataSize: UInt32,
    _ inPropertyData: UnsafeRawPointer
) -> OSStatus {
    ConverterProperties(converter: converter(inAudioConverter))
        .write(inPropertyID, UnsafeRawBufferPointer(start: inPropertyData, count: Int(inPropertyDataSize)))
}
