internal import CoreAudioTypes

// The functions of AudioFileStream.h. Use a stream from one thread at a time; callbacks run on that thread.

private func stream(_ id: AudioFileStreamID) -> AudioFileStreamParser {
    Unmanaged<AudioFileStreamParser>.fromOpaque(UnsafeRawPointer(id)).takeUnretainedValue()
}

/// Creates a parser for pushed bytes.
///
/// ```swift
/// var stream: AudioFileStreamID?
/// let status = AudioFileStreamOpen(
///     nil,
///     { _, _, property, _ in print("property", property) },
///     { _, byteCount, packetCount, _, _ in print(packetCount, "packets,", byteCount, "bytes") },
///     0, &stream)
/// ```
/// - Parameters:
///   - inClientData: A pointer for the callbacks.
///   - inPropertyListenerProc: Called when a property becomes available; `ReadyToProducePackets` is the last one
///     before the first packets.
///   - inPacketsProc: Called with packets; for PCM without packet descriptions.
///   - inFileTypeHint: Ignored: the type is detected from the data.
///   - outAudioFileStream: Receives the parser. Close it with `AudioFileStreamClose`.
@discardableResult
public func AudioFileStreamOpen(
    _ inClientData: UnsafeMutableRawPointer?,
    _ inPropertyListenerProc: @escaping AudioFileStream_PropertyListenerProc,
    _ inPacketsProc: @escaping AudioFileStream_PacketsProc,
    _ inFileTypeHint: AudioFileTypeID,
    _ outAudioFileStream: UnsafeMutablePointer<AudioFileStreamID?>
) -> OSStatus {
    // The callback's parameter is not optional, so it needs a pointer even if the caller has passed none.
    let client = inClientData ?? UnsafeMutableRawPointer(outAudioFileStream)
    let stream = AudioFileStreamParser(client: client, listen: inPropertyListenerProc, give: inPacketsProc)
    outAudioFileStream.pointee = AudioFileStreamID(Unmanaged.passRetained(stream).toOpaque())
    return noErr
}

/// Creates a parser for pushed bytes, for a callback with non-optional packet descriptions as in older headers of
/// Apple's.
///
/// This callback receives descriptions for PCM too, one per frame, because a null pointer would be undefined behavior.
@_disfavoredOverload
@discardableResult
public func AudioFileStreamOpen(
    _ inClientData: UnsafeMutableRawPointer?,
    _ inPropertyListenerProc: @escaping AudioFileStream_PropertyListenerProc,
    _ inPacketsProc:
        @escaping @convention(c) (
            UnsafeMutableRawPointer, UInt32, UInt32, UnsafeRawPointer,
            UnsafeMutablePointer<AudioStreamPacketDescription>
        ) -> Void,
    _ inFileTypeHint: AudioFileTypeID,
    _ outAudioFileStream: UnsafeMutablePointer<AudioFileStreamID?>
) -> OSStatus {
    // The same function of C: a pointer that may be null is passed in the same way, and this one never is.
    let give = unsafeBitCast(inPacketsProc, to: AudioFileStream_PacketsProc.self)
    let client = inClientData ?? UnsafeMutableRawPointer(outAudioFileStream)
    let stream = AudioFileStreamParser(
        client: client,
        listen: inPropertyListenerProc,
        give: give,
        describesSamples: true
    )
    outAudioFileStream.pointee = AudioFileStreamID(Unmanaged.passRetained(stream).toOpaque())
    return noErr
}

/// Parses the next bytes, and calls the callbacks before it returns.
///
/// A packet is delivered as soon as its last byte has arrived, including the last packet of a file. In Ogg and
/// Matroska, which Apple's parser does not support, the bytes after the packet have to arrive first. The format is
/// detected after at most 64 KB.
///
/// `.discontinuity` marks bytes from another offset: an incomplete packet is then dropped, unless the bytes continue
/// the previous ones. In MP3, ADTS, AC-3, FLAC and PCM, parsing can resume at any offset. In MP4 the offset has to be
/// one from `AudioFileStreamSeek`. A call with 0 bytes and `nil` marks the end; only streams with less than four
/// frames need it.
/// - Returns: `noErr`, or the error if the bytes are not audio.
@discardableResult
public func AudioFileStreamParseBytes(
    _ inAudioFileStream: AudioFileStreamID,
    _ inDataByteSize: UInt32,
    _ inData: UnsafeRawPointer?,
    _ inFlags: AudioFileStreamParseFlags
) -> OSStatus {
    let data = UnsafeRawBufferPointer(start: inData, count: inData == nil ? 0 : Int(inDataByteSize))
    let stream = stream(inAudioFileStream)
    // A callback may close it.
    return withExtendedLifetime(stream) { stream.parse(data, isDiscontinuous: inFlags.contains(.discontinuity)) }
}

/// Seeks to a packet and returns its offset, in bytes from the start of the audio data (`DataOffset`).
///
/// The next `AudioFileStreamParseBytes` expects bytes from that offset, with or without `.discontinuity`. FLAC packets
/// before the requested one are not delivered.
/// - Parameters:
///   - inAudioFileStream: The stream.
///   - inPacketOffset: The number of the packet.
///   - outDataByteOffset: Receives the offset in bytes from the first audio byte.
///   - ioFlags: Receives `.offsetIsEstimated` if packets vary in size, unless that packet has already arrived or the
///     file has a packet table.
@discardableResult
public func AudioFileStreamSeek(
    _ inAudioFileStream: AudioFileStreamID,
    _ inPacketOffset: Int64,
    _ outDataByteOffset: UnsafeMutablePointer<Int64>,
    _ ioFlags: UnsafeMutablePointer<AudioFileStreamSeekFlags>
) -> OSStatus {
    guard inPacketOffset >= 0 else { return kAudioFileStreamError_InvalidPacketOffset }
    guard let place = stream(inAudioFileStream).seek(toPacket: inPacketOffset) else {
        return kAudioFileStreamError_DataUnavailable
    }
    outDataByteOffset.pointee = place.byte
    ioFlags.pointee = place.isEstimate ? .offsetIsEstimated : []
    return noErr
}

/// Gets the size of a property in bytes, and whether it is writable; no property is.
@discardableResult
public func AudioFileStreamGetPropertyInfo(
    _ inAudioFileStream: AudioFileStreamID,
    _ inPropertyID: AudioFileStreamPropertyID,
    _ outPropertyDataSize: UnsafeMutablePointer<UInt32>?,
    _ outWritable: UnsafeMutablePointer<DarwinBoolean>?
) -> OSStatus {
    let stream = stream(inAudioFileStream)
    guard let facts = stream.facts else { return kAudioFileStreamError_ValueUnknown }
    guard let size = facts.size(of: inPropertyID, stream) else { return kAudioFileStreamError_UnsupportedProperty }
    outPropertyDataSize?.pointee = size
    outWritable?.pointee = false
    return noErr
}

/// Reads a property.
/// - Parameters:
///   - inAudioFileStream: The stream.
///   - inPropertyID: The property.
///   - ioPropertyDataSize: The capacity in bytes, replaced with the number of bytes written.
///   - outPropertyData: Receives the value.
/// - Returns: `noErr`; `BadPropertySize` if the capacity is too small; `ValueUnknown` if the value is not known yet;
///   `InvalidPacketOffset` for a translation of a negative packet number.
@discardableResult
public func AudioFileStreamGetProperty(
    _ inAudioFileStream: AudioFileStreamID,
    _ inPropertyID: AudioFileStreamPropertyID,
    _ ioPropertyDataSize: UnsafeMutablePointer<UInt32>,
    _ outPropertyData: UnsafeMutableRawPointer
) -> OSStatus {
    let stream = stream(inAudioFileStream)
    if let facts = stream.facts { return facts.read(inPropertyID, stream, ioPropertyDataSize, outPropertyData) }
    guard inPropertyID == kAudioFileStreamProperty_ReadyToProducePackets else {
        return kAudioFileStreamError_ValueUnknown
    }
    return put(UInt32(0), ioPropertyDataSize, outPropertyData, badSize: kAudioFileStreamError_BadPropertySize)
}

/// Returns an error, because no property can be set.
/// - Returns: `kAudioFileStreamError_UnsupportedProperty`.
@discardableResult
public func AudioFileStreamSetProperty(
    _ inAudioFileStream: AudioFileStreamID,
    _ inPropertyID: AudioFileStreamPropertyID,
    _ inPropertyDataSize: UInt32,
    _ inPropertyData: UnsafeRawPointer
) -> OSStatus {
    kAudioFileStreamError_UnsupportedProperty
}

/// Ends a parser and frees it.
@discardableResult
public func AudioFileStreamClose(_ inAudioFileStream: AudioFileStreamID) -> OSStatus {
    let stream = Unmanaged<AudioFileStreamParser>.fromOpaque(UnsafeRawPointer(inAudioFileStream))
    stream.takeUnretainedValue().close()
    stream.release()
    return noErr
}
