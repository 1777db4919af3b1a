internal import CoreAudioTypes

// The functions of AudioFileStream.h. A stream is for one thread at a time; what it calls back, it calls on that thread.

private func stream(_ id: AudioFileStreamID) -> AudioFileStreamParser {
    Unmanaged<AudioFileStreamParser>.fromOpaque(UnsafeRawPointer(id)).takeUnretainedValue()
}

/// Makes a parser of pushed bytes.
/// - Parameters:
///   - inClientData: Is given to the callbacks.
///   - inPropertyListenerProc: Is called as properties become known; `ReadyToProducePackets` is the last before packets.
///   - inPacketsProc: Is called with packets; those of plain samples come without descriptions.
///   - inFileTypeHint: What it may be. It is not needed: the bytes tell.
///   - outAudioFileStream: Gets the parser, which `AudioFileStreamClose` ends.
@discardableResult
public func AudioFileStreamOpen(
    _ inClientData: UnsafeMutableRawPointer?,
    _ inPropertyListenerProc: @escaping AudioFileStream_PropertyListenerProc,
    _ inPacketsProc: @escaping AudioFileStream_PacketsProc,
    _ inFileTypeHint: AudioFileTypeID,
    _ outAudioFileStream: UnsafeMutablePointer<AudioFileStreamID?>
) -> OSStatus {
    // A callback is owed a pointer, even by those who have none to give.
    let client = inClientData ?? UnsafeMutableRawPointer(outAudioFileStream)
    let stream = AudioFileStreamParser(client: client, listen: inPropertyListenerProc, give: inPacketsProc)
    outAudioFileStream.pointee = AudioFileStreamID(Unmanaged.passRetained(stream).toOpaque())
    return noErr
}

/// Creates a parser of pushed bytes for a callback whose packet descriptions are not optional, as in older headers of Apple's.
///
/// The callback gets descriptions of plain samples too, one for each frame: a null pointer would be undefined behaviour.
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

/// Gives the next bytes to a parser, which calls back with what is in them before this returns.
///
/// A packet is given out as soon as its last byte has come, also the last packet of a file. In Ogg and Matroska, which Apple's
/// parser does not know, the bytes behind a packet have to come first. The format of a file is known after 64 KB at the latest.
/// `.discontinuity` marks bytes from another offset. Then an incomplete packet is dropped, unless the bytes continue at the end
/// of the last ones. MP3, ADTS, AC-3, FLAC and plain samples can be entered anywhere. In MP4 the offset
/// has to come from `AudioFileStreamSeek`. A call with no bytes, `nil`, marks the end: it is needed only for streams that are
/// shorter than four frames.
/// - Returns: `noErr`, or why the bytes are no sound.
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

/// Seeks to a packet and returns its offset, in bytes from the start of the sound (`DataOffset`).
///
/// The bytes of the next `AudioFileStreamParseBytes` are taken to come from that offset, with or without `.discontinuity`. FLAC
/// packets before the requested one are left out.
/// - Parameters:
///   - inAudioFileStream: The stream.
///   - inPacketOffset: The number of the packet.
///   - outDataByteOffset: Gets the offset in bytes, from the first byte of sound.
///   - ioFlags: Says `.offsetIsEstimated` where the packets differ in size, unless that one has come already or the file
///     has a table of them.
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

/// Tells how many bytes a property takes, and whether it can be set, which none can.
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
///   - ioPropertyDataSize: The room that there is; gets the bytes that were written.
///   - outPropertyData: The memory that gets the value.
/// - Returns: `noErr`; `BadPropertySize` if there is too little room; `ValueUnknown` if there is nothing to tell, yet;
///   `InvalidPacketOffset` if a translation is asked for of a packet below 0.
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

/// Sets a property: there is none that can be.
/// - Returns: `UnsupportedProperty`.
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
