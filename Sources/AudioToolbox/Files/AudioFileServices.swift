internal import CoreAudioTypes
public import Foundation
internal import SyrinxByteStream
internal import SyrinxMediaCodec

// The functions of AudioFile.h that read. A file is for one thread at a time.

private func file(_ id: AudioFileID) -> PacketFile {
    Unmanaged<PacketFile>.fromOpaque(UnsafeRawPointer(id)).takeUnretainedValue()
}

/// Returns the Core Audio status that is closest to an error.
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

/// Opens a file for reading its packets.
///
/// ```swift
/// var file: AudioFileID?
/// let url = URL(fileURLWithPath: "talk.mp3") as CFURL
/// guard AudioFileOpenURL(url, .readPermission, 0, &file) == noErr, let file else { return }
/// var duration = 0.0
/// var size = UInt32(MemoryLayout<Double>.size)
/// AudioFileGetProperty(file, kAudioFilePropertyEstimatedDuration, &size, &duration)
/// print(duration, "seconds")
/// AudioFileClose(file)
/// ```
/// - Parameters:
///   - inFileRef: A `file:` URL.
///   - inPermissions: `.readPermission`, because these functions cannot write.
///   - inFileTypeHint: Ignored: the type is detected from the contents.
///   - outAudioFile: Receives the file. Close it with `AudioFileClose`.
/// - Returns: `noErr`; `kAudioFileOperationNotSupportedError` for another permission; or the error of reading the
///   file.
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

/// Opens a file whose bytes the caller's functions supply.
/// - Parameters:
///   - inClientData: A pointer for the functions.
///   - inReadFunc: Copies bytes from a position, fewer than requested only at the end. It is called on the thread that
///     calls an `AudioFile` function.
///   - inWriteFunc: Ignored, because these functions cannot write.
///   - inGetSizeFunc: Returns the size of the file in bytes.
///   - inSetSizeFunc: Ignored.
///   - inFileTypeHint: Ignored: the type is detected from the contents.
///   - outAudioFile: Receives the file. Close it with `AudioFileClose`.
/// - Returns: `noErr`, or the error of reading the file. An error of `inReadFunc` is reported as
///   `kAudioFileUnspecifiedError`.
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

/// Reads audio bytes as they are stored in the file.
/// - Parameters:
///   - inAudioFile: The file.
///   - inUseCache: Ignored: the system caches files.
///   - inStartingByte: The offset from the first audio byte.
///   - ioNumBytes: The number of bytes to read, replaced with the number read.
///   - outBuffer: Receives the bytes.
/// - Returns: `noErr`, or `kAudioFileEndOfFileError` if fewer bytes are available.
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

/// Reads consecutive packets.
/// - Parameters:
///   - inAudioFile: The file.
///   - inUseCache: Ignored: the system caches files.
///   - ioNumBytes: The capacity of the buffer in bytes, replaced with the number of bytes read.
///   - outPacketDescriptions: Receives the offset and size of each packet; may be `nil` for PCM.
///   - inStartingPacket: The number of the first packet, from 0.
///   - ioNumPackets: The number of packets to read, replaced with the number read: fewer if the buffer is full or the
///     file ends, and 0 after the end.
///   - outBuffer: Receives the bytes.
/// - Returns: `noErr`, also at the end; or the error of reading the packets.
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

/// Reads consecutive packets into a buffer with capacity for this number of packets of the maximum size.
/// - Parameters:
///   - inAudioFile: The file.
///   - inUseCache: Ignored: the system caches files.
///   - outNumBytes: Receives the number of bytes read.
///   - outPacketDescriptions: Receives the offset and size of each packet; may be `nil` for PCM.
///   - inStartingPacket: The number of the first packet, from 0.
///   - ioNumPackets: As in `AudioFileReadPacketData`.
///   - outBuffer: Receives the bytes.
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

/// Gets the size of a property in bytes, and whether it is writable; no property is.
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
///   - ioDataSize: The capacity in bytes, replaced with the number of bytes written.
///   - outPropertyData: Receives the value.
/// - Returns: `noErr`; `kAudioFileBadPropertySizeError` if the capacity is too small;
///   `kAudioFileUnsupportedPropertyError` if the file has no value for the property.
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

/// Returns an error, because no property can be set.
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
