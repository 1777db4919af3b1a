internal import CoreAudioTypes
public import Foundation
internal import SyrinxByteStream
internal import SyrinxMediaCodec

// The functions of AudioFile.h that read. A file is for one thread at a time.

private func file(_ id: AudioFileID) -> PacketFile {
    Unmanaged<PacketFile>.fromOpaque(UnsafeRawPointer(id)).takeUnretainedValue()
}

/// The number of Core Audio that comes nearest to a failure.
func fileStatus(_ error: SyrinxError) -> OSStatus {
    switch error.code {
    case .fileNotFound: kAudio_FileNotFoundError
    case .filePermissionDenied: kAudio_FilePermissionError
    case .notAudio, .empty: kAudioFileUnsupportedFileTypeError
    case .unsupported: kAudioFileUnsupportedDataFormatError
    case .corrupt, .truncated: kAudioFileInvalidFileError
    default: kAudioFileUnspecifiedError
    }
}

private func open(_ stream: any ByteStream, _ outAudioFile: UnsafeMutablePointer<AudioFileID?>) -> OSStatus {
    do throws(SyrinxError) {
        let file = try PacketFile(stream)
        outAudioFile.pointee = AudioFileID(Unmanaged.passRetained(file).toOpaque())
        return noErr
    } catch {
        return fileStatus(error)
    }
}

/// Opens a file, to read its packets.
/// - Parameters:
///   - inFileRef: The URL of a file.
///   - inPermissions: `.readPermission`: nothing is written through this interface.
///   - inFileTypeHint: What it may be. It is not needed: the bytes tell.
///   - outAudioFile: Gets the file, which `AudioFileClose` closes.
/// - Returns: `noErr`, or why it cannot be read; `kAudioFileOperationNotSupportedError` for another permission.
@discardableResult
public func AudioFileOpenURL(
    _ inFileRef: CFURL,
    _ inPermissions: AudioFilePermissions,
    _ inFileTypeHint: AudioFileTypeID,
    _ outAudioFile: UnsafeMutablePointer<AudioFileID?>
) -> OSStatus {
    guard inPermissions == .readPermission else { return kAudioFileOperationNotSupportedError }
    guard inFileRef.isFileURL else { return kAudio_ParamError }
    do throws(SyrinxError) {
        return open(try FileByteStream(path: inFileRef.path), outAudioFile)
    } catch {
        return fileStatus(error)
    }
}

/// Opens a file whose bytes functions of the caller give.
/// - Parameters:
///   - inClientData: Is given to the functions.
///   - inReadFunc: Copies bytes from a position; fewer than asked for only at the end. It is called on the thread that calls this
///     interface.
///   - inWriteFunc: Is not called: nothing is written through this interface.
///   - inGetSizeFunc: Tells the bytes of the file.
///   - inSetSizeFunc: Is not called.
///   - inFileTypeHint: What it may be. It is not needed: the bytes tell.
///   - outAudioFile: Gets the file, which `AudioFileClose` closes.
/// - Returns: `noErr`, or why it cannot be read: what `inReadFunc` fails with is `kAudioFileUnspecifiedError`.
@discardableResult
public func AudioFileOpenWithCallbacks(
    _ inClientData: UnsafeMutableRawPointer,
    _ inReadFunc: @escaping AudioFile_ReadProc,
    _ inWriteFunc: AudioFile_WriteProc?,
    _ inGetSizeFunc: @escaping AudioFile_GetSizeProc,
    _ inSetSizeFunc: AudioFile_SetSizeProc?,
    _ inFileTypeHint: AudioFileTypeID,
    _ outAudioFile: UnsafeMutablePointer<AudioFileID?>
) -> OSStatus {
    open(CallbackBytes(client: inClientData, read: inReadFunc, size: inGetSizeFunc), outAudioFile)
}

/// Closes a file.
@discardableResult
public func AudioFileClose(_ inAudioFile: AudioFileID) -> OSStatus {
    Unmanaged<PacketFile>.fromOpaque(UnsafeRawPointer(inAudioFile)).release()
    return noErr
}

/// Reads bytes of the sound, as they lie in the file.
/// - Parameters:
///   - inAudioFile: The file.
///   - inUseCache: Without meaning here: the system caches files.
///   - inStartingByte: Counted from the first byte of the sound.
///   - ioNumBytes: The bytes that are wanted; gets those that there are.
///   - outBuffer: The memory that gets the bytes.
/// - Returns: `noErr`; `kAudioFileEndOfFileError` where there are fewer.
@discardableResult
public func AudioFileReadBytes(
    _ inAudioFile: AudioFileID,
    _ inUseCache: Bool,
    _ inStartingByte: Int64,
    _ ioNumBytes: UnsafeMutablePointer<UInt32>,
    _ outBuffer: UnsafeMutableRawPointer
) -> OSStatus {
    guard inStartingByte >= 0 else { return kAudioFilePositionError }
    let wanted = ioNumBytes.pointee
    ioNumBytes.pointee = 0
    do throws(SyrinxError) {
        let buffer = UnsafeMutableRawBufferPointer(start: outBuffer, count: Int(wanted))
        ioNumBytes.pointee = UInt32(clamping: try file(inAudioFile).read(from: inStartingByte, into: buffer))
        return ioNumBytes.pointee < wanted ? kAudioFileEndOfFileError : noErr
    } catch {
        return fileStatus(error)
    }
}

/// Reads packets, one behind the other.
/// - Parameters:
///   - inAudioFile: The file.
///   - inUseCache: Without meaning here: the system caches files.
///   - ioNumBytes: The bytes that there is room for; gets those that were written.
///   - outPacketDescriptions: Gets where each packet lies in the buffer; may be `nil` for plain samples.
///   - inStartingPacket: The number of the first, from 0.
///   - ioNumPackets: The packets that are wanted; gets those that have been read: fewer where there is no room for more or the file
///     ends, 0 behind its end.
///   - outBuffer: The memory that gets the bytes.
/// - Returns: `noErr`, also at the end; or why the packets cannot be read.
@discardableResult
public func AudioFileReadPacketData(
    _ inAudioFile: AudioFileID,
    _ inUseCache: Bool,
    _ ioNumBytes: UnsafeMutablePointer<UInt32>,
    _ outPacketDescriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?,
    _ inStartingPacket: Int64,
    _ ioNumPackets: UnsafeMutablePointer<UInt32>,
    _ outBuffer: UnsafeMutableRawPointer?
) -> OSStatus {
    guard inStartingPacket >= 0 else { return kAudioFileInvalidPacketOffsetError }
    let room = outBuffer == nil ? 0 : Int(ioNumBytes.pointee)
    let wanted = ioNumPackets.pointee
    (ioNumBytes.pointee, ioNumPackets.pointee) = (0, 0)
    guard let outBuffer else { return wanted == 0 ? noErr : kAudio_ParamError }
    let file = file(inAudioFile)
    let buffer = UnsafeMutableRawBufferPointer(start: outBuffer, count: room)
    do throws(SyrinxError) {
        let count: (packets: Int, bytes: Int)
        if file.facts.bytesPerPacket > 0 {
            count = try file.readSamples(from: inStartingPacket, count: Int(wanted), into: buffer)
        } else {
            count = try file.readPackets(
                from: inStartingPacket,
                count: Int(wanted),
                into: buffer,
                outPacketDescriptions
            )
        }
        ioNumPackets.pointee = UInt32(clamping: count.packets)
        ioNumBytes.pointee = UInt32(clamping: count.bytes)
        return noErr
    } catch {
        return fileStatus(error)
    }
}

/// Reads packets, one behind the other, into a buffer that has room for as many of the largest kind.
/// - Parameters:
///   - inAudioFile: The file.
///   - inUseCache: Not used: the system caches files.
///   - outNumBytes: Gets the bytes that were written.
///   - outPacketDescriptions: The memory that gets a description of each packet, or `nil`.
///   - inStartingPacket: The number of the first packet.
///   - ioNumPackets: As in `AudioFileReadPacketData`.
///   - outBuffer: The memory that gets the bytes.
@discardableResult
public func AudioFileReadPackets(
    _ inAudioFile: AudioFileID,
    _ inUseCache: Bool,
    _ outNumBytes: UnsafeMutablePointer<UInt32>,
    _ outPacketDescriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?,
    _ inStartingPacket: Int64,
    _ ioNumPackets: UnsafeMutablePointer<UInt32>,
    _ outBuffer: UnsafeMutableRawPointer?
) -> OSStatus {
    let largest = file(inAudioFile).facts.upperBound
    let (room, isTooLarge) = ioNumPackets.pointee.multipliedReportingOverflow(by: largest)
    outNumBytes.pointee = isTooLarge ? .max : room
    return AudioFileReadPacketData(
        inAudioFile,
        inUseCache,
        outNumBytes,
        outPacketDescriptions,
        inStartingPacket,
        ioNumPackets,
        outBuffer
    )
}

/// Tells how many bytes a property takes, and whether it can be set, which none can.
@discardableResult
public func AudioFileGetPropertyInfo(
    _ inAudioFile: AudioFileID,
    _ inPropertyID: AudioFilePropertyID,
    _ outDataSize: UnsafeMutablePointer<UInt32>?,
    _ isWritable: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
    do throws(SyrinxError) {
        guard let size = try FileProperties(file: file(inAudioFile)).size(of: inPropertyID) else {
            return kAudioFileUnsupportedPropertyError
        }
        outDataSize?.pointee = size
        isWritable?.pointee = 0
        return noErr
    } catch {
        return fileStatus(error)
    }
}

/// Reads a property.
/// - Parameters:
///   - inAudioFile: The file.
///   - inPropertyID: The property.
///   - ioDataSize: The room that there is; gets the bytes that were written.
///   - outPropertyData: The memory that gets the value.
/// - Returns: `noErr`; `kAudioFileBadPropertySizeError` if there is too little room; `kAudioFileUnsupportedPropertyError` if
///   there is nothing to tell.
@discardableResult
public func AudioFileGetProperty(
    _ inAudioFile: AudioFileID,
    _ inPropertyID: AudioFilePropertyID,
    _ ioDataSize: UnsafeMutablePointer<UInt32>,
    _ outPropertyData: UnsafeMutableRawPointer
) -> OSStatus {
    do throws(SyrinxError) {
        return try FileProperties(file: file(inAudioFile)).read(inPropertyID, ioDataSize, outPropertyData)
    } catch {
        return fileStatus(error)
    }
}

/// Sets a property: there is none that can be.
/// - Returns: `kAudioFileUnsupportedPropertyError`.
@discardableResult
public func AudioFileSetProperty(
    _ inAudioFile: AudioFileID,
    _ inPropertyID: AudioFilePropertyID,
    _ inDataSize: UInt32,
    _ inPropertyData: UnsafeRawPointer
) -> OSStatus {
    kAudioFileUnsupportedPropertyError
}

extension PacketFile {
    /// Copies frames of plain samples.
    func readSamples(
        from frame: Int64,
        count: Int,
        into buffer: UnsafeMutableRawBufferPointer
    ) throws(SyrinxError) -> (packets: Int, bytes: Int) {
        let size = facts.bytesPerPacket
        let (byte, isTooFar) = frame.multipliedReportingOverflow(by: Int64(size))
        guard !isTooFar else { return (0, 0) }
        let room = min(count, buffer.count / size) * size
        let got = try read(from: byte, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<room]))
        return (got / size, got - got % size)
    }

    /// Copies packets that differ in size.
    func readPackets(
        from number: Int64,
        count: Int,
        into buffer: UnsafeMutableRawBufferPointer,
        _ descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
    ) throws(SyrinxError) -> (packets: Int, bytes: Int) {
        var done = 0
        var bytes = 0
        while done < count {
            let (next, isTooFar) = number.addingReportingOverflow(Int64(done))
            guard !isTooFar, let packet = try packet(next) else { break }
            guard packet.count <= buffer.count - bytes else {
                hold(packet, number: next)
                break
            }
            buffer[bytes...].copyBytes(from: packet)
            descriptions?[done] = AudioStreamPacketDescription(
                mStartOffset: Int64(bytes),
                mVariableFramesInPacket: 0,
                mDataByteSize: UInt32(packet.count)
            )
            bytes += packet.count
            done += 1
        }
        return (done, bytes)
    }
}
