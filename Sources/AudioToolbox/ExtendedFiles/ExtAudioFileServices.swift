internal import CoreAudioTypes
public import Foundation
internal import SyrinxByteStream
internal import SyrinxMediaCodec

// The functions of ExtendedAudioFile.h. A file is for one thread at a time.

private func file(_ ref: ExtAudioFileRef) -> ExtendedAudioFile {
    Unmanaged<ExtendedAudioFile>.fromOpaque(UnsafeRawPointer(ref)).takeUnretainedValue()
}

/// Opens a file for reading, at first in 32-bit float, one buffer a channel.
@discardableResult
public func ExtAudioFileOpenURL(_ inURL: CFURL, _ outExtAudioFile: UnsafeMutablePointer<ExtAudioFileRef?>) -> OSStatus {
    guard inURL.isFileURL else { return kAudio_ParamError }
    do throws(SyrinxError) {
        let file = ExtendedAudioFile(.reading(try ExtendedReader(path: inURL.path)))
        outExtAudioFile.pointee = ExtAudioFileRef(Unmanaged.passRetained(file).toOpaque())
        return noErr
    } catch {
        return fileStatus(error)
    }
}

/// Makes a file, to be written in a format of the caller's.
///
/// The file exists from here on. Uncompressed WAV, AIFF and CAF files are whole after each write, whatever becomes of the process;
/// M4A files when `ExtAudioFileDispose` has succeeded. Samples are written with 24 bits of precision at most.
/// - Parameters:
///   - inURL: The URL of a file.
///   - inFileType: WAV, AIFF, CAF, M4A, FLAC or MP3.
///   - inStreamDesc: The format in the file: linear, AAC, Apple Lossless, FLAC or MP3. Linear samples of AIFF have the highest byte
///     first, those of the others the lowest.
///   - inChannelLayout: Is not written: the channels are in the usual order for their number.
///   - inFlags: With `AudioFileFlags.eraseFile` an older file of that name is replaced; without it, it is an error.
///   - outExtAudioFile: Gets the file, which `ExtAudioFileDispose` ends.
/// - Returns: `noErr`, or why there can be no such file.
@discardableResult
public func ExtAudioFileCreateWithURL(
    _ inURL: CFURL,
    _ inFileType: AudioFileTypeID,
    _ inStreamDesc: UnsafePointer<AudioStreamBasicDescription>,
    _ inChannelLayout: UnsafePointer<AudioChannelLayout>?,
    _ inFlags: UInt32,
    _ outExtAudioFile: UnsafeMutablePointer<ExtAudioFileRef?>
) -> OSStatus {
    guard inURL.isFileURL else { return kAudio_ParamError }
    let mayErase = inFlags & AudioFileFlags.eraseFile.rawValue != 0
    guard mayErase || !FileManager.default.fileExists(atPath: inURL.path) else { return kAudioFilePermissionsError }
    do throws(SyrinxError) {
        let writer = try ExtendedWriter(path: inURL.path, type: inFileType, format: inStreamDesc.pointee)
        outExtAudioFile.pointee = ExtAudioFileRef(
            Unmanaged.passRetained(ExtendedAudioFile(.writing(writer))).toOpaque()
        )
        return noErr
    } catch {
        return fileStatus(error)
    }
}

/// Closes a file: one that was written is complete then.
/// - Returns: `noErr`, or why it could not be written to its end.
@discardableResult
public func ExtAudioFileDispose(_ inExtAudioFile: ExtAudioFileRef) -> OSStatus {
    let file = Unmanaged<ExtendedAudioFile>.fromOpaque(UnsafeRawPointer(inExtAudioFile)).takeRetainedValue()
    if case .writing(let writer) = file.side { return writer.finish() }
    return noErr
}

/// Writes frames in the client's format.
/// - Returns: `noErr`; `kExtAudioFileError_InvalidOperationOrder` if the file is read, or its format is compressed and the client's
///   has not been set; or why they could not be written.
@discardableResult
public func ExtAudioFileWrite(
    _ inExtAudioFile: ExtAudioFileRef,
    _ inNumberFrames: UInt32,
    _ ioData: UnsafePointer<AudioBufferList>
) -> OSStatus {
    guard case .writing(let writer) = file(inExtAudioFile).side else { return kExtAudioFileError_InvalidOperationOrder }
    // It is read only; there is one type for both.
    let list = UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: ioData))
    return writer.write(list, frameCount: Int(inNumberFrames))
}

/// Copies frames in the client's format, which are written on another thread.
///
/// It allocates memory, so it is not for a thread that renders.
/// - Parameters:
///   - inExtAudioFile: The file.
///   - inNumberFrames: The frames to write.
///   - ioData: `nil` with 0 frames does nothing: Apple's prepares itself then.
/// - Returns: `noErr`; what an earlier call has failed with; `kExtAudioFileError_AsyncWriteBufferOverflow` if more than 4 MB wait.
@discardableResult
public func ExtAudioFileWriteAsync(
    _ inExtAudioFile: ExtAudioFileRef,
    _ inNumberFrames: UInt32,
    _ ioData: UnsafePointer<AudioBufferList>?
) -> OSStatus {
    guard case .writing(let writer) = file(inExtAudioFile).side else { return kExtAudioFileError_InvalidOperationOrder }
    guard let ioData else { return inNumberFrames == 0 ? noErr : kAudio_ParamError }
    let list = UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: ioData))
    return writer.writeLater(list, frameCount: Int(inNumberFrames))
}

/// Reads the next frames in the client's format.
/// - Parameters:
///   - inExtAudioFile: The file.
///   - ioNumberFrames: The frames that are wanted; gets those that there are: 0 at the end.
///   - ioData: Its sizes say how much room there is, and then how much has been filled.
@discardableResult
public func ExtAudioFileRead(
    _ inExtAudioFile: ExtAudioFileRef,
    _ ioNumberFrames: UnsafeMutablePointer<UInt32>,
    _ ioData: UnsafeMutablePointer<AudioBufferList>
) -> OSStatus {
    guard case .reading(let file) = file(inExtAudioFile).side else { return kExtAudioFileError_InvalidOperationOrder }
    let list = UnsafeMutableAudioBufferListPointer(ioData)
    let isSplit = file.client.mFormatFlags & kAudioFormatFlagIsNonInterleaved != 0
    let size = Int(file.client.mBytesPerFrame)
    guard list.count == (isSplit ? Int(file.client.mChannelsPerFrame) : 1), size > 0,
        list.allSatisfy({ $0.mData != nil })
    else { return kAudio_ParamError }
    let room = list.map { Int($0.mDataByteSize) / size }.min() ?? 0
    var count = 0
    do throws(SyrinxError) {
        count = try file.read(min(Int(ioNumberFrames.pointee), room), into: list)
    } catch {
        ioNumberFrames.pointee = 0
        return fileStatus(error)
    }
    ioNumberFrames.pointee = UInt32(count)
    for index in list.indices { list[index].mDataByteSize = UInt32(count * size) }
    return noErr
}

/// Goes to a frame of a file that is read, counted at the file's own rate.
@discardableResult
public func ExtAudioFileSeek(_ inExtAudioFile: ExtAudioFileRef, _ inFrameOffset: Int64) -> OSStatus {
    guard inFrameOffset >= 0 else { return kExtAudioFileError_InvalidSeek }
    guard case .reading(let file) = file(inExtAudioFile).side else { return kExtAudioFileError_InvalidSeek }
    do throws(SyrinxError) {
        try file.seek(to: inFrameOffset)
        return noErr
    } catch {
        return fileStatus(error)
    }
}

/// Tells the frame that is read or written next, counted at the file's own rate.
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
    case kExtAudioFileProperty_FileDataFormat: return give(file.format)
    case kExtAudioFileProperty_ClientDataFormat:
        return file.client.map { give($0) } ?? kExtAudioFileError_InvalidOperationOrder
    case kExtAudioFileProperty_FileLengthFrames: return give(file.length)
    case kExtAudioFileProperty_ClientMaxPacketSize: return give(file.client?.mBytesPerFrame ?? 0)
    case kExtAudioFileProperty_FileMaxPacketSize:
        let format = file.format
        return give(format.isPCM ? format.mBytesPerPacket : format.mChannelsPerFrame * 24576)
    default: return kExtAudioFileError_InvalidProperty
    }
}

/// Sets a property: the client's format, which is one of samples.
///
/// Of those that leave nothing to choose any value is accepted.
@discardableResult
public func ExtAudioFileSetProperty(
    _ inExtAudioFile: ExtAudioFileRef,
    _ inPropertyID: ExtAudioFilePropertyID,
    _ inPropertyDataSize: UInt32,
    _ inPropertyData: UnsafeRawPointer
) -> OSStatus {
    // What there is no choice of is accepted.
    let ignored = [
        kExtAudioFileProperty_CodecManufacturer, kExtAudioFileProperty_ConverterConfig,
        kExtAudioFileProperty_IOBufferSizeBytes, kExtAudioFileProperty_ClientChannelLayout,
    ]
    if ignored.contains(inPropertyID) { return noErr }
    guard inPropertyID == kExtAudioFileProperty_ClientDataFormat else { return kExtAudioFileError_InvalidProperty }
    guard Int(inPropertyDataSize) >= MemoryLayout<AudioStreamBasicDescription>.size else {
        return kExtAudioFileError_InvalidPropertySize
    }
    let format = inPropertyData.loadUnaligned(as: AudioStreamBasicDescription.self)
    guard format.isPCM else { return kExtAudioFileError_NonPCMClientFormat }
    do throws(SyrinxError) {
        switch file(inExtAudioFile).side {
        case .reading(let reader): try reader.setClient(format)
        case .writing(let writer): try writer.setClient(format)
        }
        return noErr
    } catch {
        return kExtAudioFileError_InvalidDataFormat
    }
}
