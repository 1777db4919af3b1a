internal import CoreAudioTypes
internal import SyrinxByteStream
internal import SyrinxMediaCodec

// The functions of AudioConverter.h. A converter is for one thread at a time.

private func converter(_ ref: AudioConverterRef) -> Converter {
    Unmanaged<Converter>.fromOpaque(UnsafeRawPointer(ref)).takeUnretainedValue()
}

/// Makes a converter between two formats.
/// - Returns: `noErr`, or `FormatNotSupported` if there is no way between them.
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

/// Makes a converter, choosing between codecs: there is one of each here, so it does as `AudioConverterNew`.
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

/// Forgets what went in, for another signal.
@discardableResult
public func AudioConverterReset(_ inAudioConverter: AudioConverterRef) -> OSStatus {
    converter(inAudioConverter).reset()
    return noErr
}

/// Fills buffers with output, asking a procedure for input as it is needed: one packet at a time, of samples more.
///
/// What the procedure points to is read before it is called again. It ends the input by giving no packets and `noErr`; any
/// other status of its own ends this call with that status, and loses nothing of what went in before.
/// - Parameters:
///   - inAudioConverter: The converter.
///   - inInputDataProc: The callback that gives the input.
///   - inInputDataProcUserData: A pointer that is passed to the callback.
///   - ioOutputDataPacketSize: The packets (of samples: frames) that are wanted; gets those that there are.
///   - outOutputData: Its sizes say how much room there is, and then how much has been filled.
///   - outPacketDescription: Gets where each packet lies, if the output is compressed.
/// - Returns: `noErr`, the procedure's own status, or a `kAudioConverterErr`.
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

/// Converts samples in one buffer to samples in another, all at once: between formats of one rate, with their channels
/// interleaved, or with one.
///
/// Both buffers may be the same memory.
/// - Parameters:
///   - inAudioConverter: The converter.
///   - inInputDataSize: The bytes of whole frames.
///   - inInputData: The buffers with the input.
///   - ioOutputDataSize: The bytes that there is room for; gets those that have been written.
///   - outOutputData: The buffers that get the result.
/// - Returns: `noErr`; `OperationNotSupported` if the rate changes, or an end is compressed or lies in several buffers;
///   `InvalidInputSize` if there is a part of a frame; `InvalidOutputSize` if there is too little room.
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

/// Converts samples in buffers to samples in others, all at once: between formats of one rate.
///
/// Both lists may have the same memory.
/// - Parameters:
///   - inAudioConverter: The converter.
///   - inNumberPCMFrames: The frames to convert.
///   - inInputData: So many of them, at least.
///   - outOutputData: Its sizes say how much room there is, and then how much has been filled.
/// - Returns: `noErr`; `OperationNotSupported` if the rate changes or an end is compressed; `InvalidInputSize` or
///   `InvalidOutputSize` if the buffers are not those of the format, or too small.
@discardableResult
public func AudioConverterConvertComplexBuffer(
    _ inAudioConverter: AudioConverterRef,
    _ inNumberPCMFrames: UInt32,
    _ inInputData: UnsafePointer<AudioBufferList>,
    _ outOutputData: UnsafeMutablePointer<AudioBufferList>
) -> OSStatus {
    converter(inAudioConverter).convert(
        frameCount: Int(inNumberPCMFrames),
        // It is read only; there is one type for both.
        UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: inInputData)),
        into: UnsafeMutableAudioBufferListPointer(outOutputData)
    )
}

/// Tells how many bytes a property takes, and whether it can be set.
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

/// Reads a property.
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

/// Sets a property, which begins the conversion anew.
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
