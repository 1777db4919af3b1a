internal import CoreAudioTypes
public import Foundation
internal import MediaCodec

// The functions of ExtendedAudioFile.h that read. A file is for one thread at a time.

/// What Core Foundation calls a URL, so that `url as CFURL` compiles.
public typealias CFURL = URL

private func file(_ ref: ExtAudioFileRef) -> ExtendedFile {
    Unmanaged<ExtendedFile>.fromOpaque(UnsafeRawPointer(ref)).takeUnretainedValue()
}

private func status(_ error: MediaError) -> OSStatus {
    switch error.code.rawValue {
    case "file.notFound": kAudioFileFileNotFoundError
    case "file.permissionDenied": kAudioFilePermissionsError
    case "media.notAudio", "media.empty": kAudioFileUnsupportedFileTypeError
    case "media.unsupported": kAudioFileUnsupportedDataFormatError
    case "media.corrupt", "media.truncated": kAudioFileInvalidFileError
    default: kAudioFileUnspecifiedError
    }
}

/// Opens a file for reading, at first in 32-bit float, one buffer a channel.
@discardableResult
public func ExtAudioFileOpenURL(_ inURL: CFURL, _ outExtAudioFile: UnsafeMutablePointer<ExtAudioFileRef?>) -> OSStatus {
    guard inURL.isFileURL else { return kAudio_ParamError }
    do throws(MediaError) {
        let file = try ExtendedFile(path: inURL.path)
        outExtAudioFile.pointee = ExtAudioFileRef(Unmanaged.passRetained(file).toOpaque())
        return noErr
    } catch {
        return status(error)
    }
}

/// Closes a file.
@discardableResult
public func ExtAudioFileDispose(_ inExtAudioFile: ExtAudioFileRef) -> OSStatus {
    Unmanaged<ExtendedFile>.fromOpaque(UnsafeRawPointer(inExtAudioFile)).release()
    return noErr
}

/// Reads the next frames in the client's format.
/// - Parameters:
///   - ioNumberFrames: The frames that are wanted; gets those that there are: 0 at the end.
///   - ioData: Its sizes say how much room there is, and then how much has been filled.
@discardableResult
public func ExtAudioFileRead(
    _ inExtAudioFile: ExtAudioFileRef,
    _ ioNumberFrames: UnsafeMutablePointer<UInt32>,
    _ ioData: UnsafeMutablePointer<AudioBufferList>
) -> OSStatus {
    let file = file(inExtAudioFile)
    let list = UnsafeMutableAudioBufferListPointer(ioData)
    let isSplit = file.client.mFormatFlags & kAudioFormatFlagIsNonInterleaved != 0
    let size = Int(file.client.mBytesPerFrame)
    guard list.count == (isSplit ? Int(file.client.mChannelsPerFrame) : 1), size > 0,
        list.allSatisfy({ $0.mData != nil })
    else { return kAudio_ParamError }
    let room = list.map { Int($0.mDataByteSize) / size }.min() ?? 0
    var count = 0
    do throws(MediaError) {
        count = try file.read(min(Int(ioNumberFrames.pointee), room), into: list)
    } catch {
        ioNumberFrames.pointee = 0
        return status(error)
    }
    ioNumberFrames.pointee = UInt32(count)
    for index in list.indices { list[index].mDataByteSize = UInt32(count * size) }
    return noErr
}

/// Goes to a frame, counted at the file's own rate.
@discardableResult
public func ExtAudioFileSeek(_ inExtAudioFile: ExtAudioFileRef, _ inFrameOffset: Int64) -> OSStatus {
    guard inFrameOffset >= 0 else { return kExtAudioFileError_InvalidSeek }
    do throws(MediaError) {
        try file(inExtAudioFile).seek(to: inFrameOffset)
        return noErr
    } catch {
        return status(error)
    }
}

/// Tells the frame that is read next, counted at the file's own rate.
@discardableResult
public func ExtAudioFileTell(_ inExtAudioFile: ExtAudioFileRef, _ outFrameOffset: UnsafeMutablePointer<Int64>)
    -> OSStatus
{
    outFrameOffset.pointee = file(inExtAudioFile).position
    return noErr
}

/// Reads a property.
@discardableResult
public func ExtAudioFileGetProperty(
    _ inExtAudioFile: ExtAudioFileRef,
    _ inPropertyID: ExtAudioFilePropertyID,
    _ ioPropertyDataSize: UnsafeMutablePointer<UInt32>,
    _ outPropertyData: UnsafeMutableRawPointer
) -> OSStatus {
    let file = file(inExtAudioFile)
    func give<Value>(_ value: Value) -> OSStatus {
        put(value, ioPropertyDataSize, outPropertyData, badSize: kExtAudioFileError_InvalidPropertySize)
    }
    switch inPropertyID {
    case kExtAudioFileProperty_FileDataFormat: return give(file.reader.info.streamDescription)
    case kExtAudioFileProperty_ClientDataFormat: return give(file.client)
    case kExtAudioFileProperty_FileLengthFrames: return give(file.length)
    case kExtAudioFileProperty_ClientMaxPacketSize: return give(file.client.mBytesPerFrame)
    case kExtAudioFileProperty_FileMaxPacketSize:
        let format = file.reader.info.streamDescription
        return give(format.isPCM ? format.mBytesPerPacket : format.mChannelsPerFrame * 24576)
    default: return kExtAudioFileError_InvalidProperty
    }
}

/// Sets a property: the client's format is the one that can be.
@discardableResult
public func ExtAudioFileSetProperty(
    _ inExtAudioFile: ExtAudioFileRef,
    _ inPropertyID: ExtAudioFilePropertyID,
    _ inPropertyDataSize: UInt32,
    _ inPropertyData: UnsafeRawPointer
) -> OSStatus {
    guard inPropertyID == kExtAudioFileProperty_ClientDataFormat else { return kExtAudioFileError_InvalidProperty }
    guard Int(inPropertyDataSize) >= MemoryLayout<AudioStreamBasicDescription>.size else {
        return kExtAudioFileError_InvalidPropertySize
    }
    let format = inPropertyData.loadUnaligned(as: AudioStreamBasicDescription.self)
    guard format.isPCM else { return kExtAudioFileError_NonPCMClientFormat }
    do throws(MediaError) {
        try file(inExtAudioFile).setClient(format)
        return noErr
    } catch {
        return kExtAudioFileError_InvalidDataFormat
    }
}
