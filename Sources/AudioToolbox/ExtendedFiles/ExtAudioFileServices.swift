internal import CoreAudioTypes
public import Foundation
internal import SyrinxByteStream
internal import SyrinxMediaCodec

// The functions of ExtendedAudioFile.h. A file is for one thread at a time.

private func file(_ ref: ExtAudioFileRef) -> ExtendedAudioFile {
    Unmanaged<ExtendedAudioFile>.fromOpaque(UnsafeRawPointer(ref)).takeUnretainedValue()
}

/// Opens a file for reading; the default client format is 32-bit float with one buffer per channel.
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

/// Creates a file for writing in the caller's format.
///
/// The call creates the file on disk. Uncompressed WAV, AIFF and CAF files are complete after each write, even if the
/// process is killed. M4A files are complete after a successful `ExtAudioFileDispose`. Samples are written with at
/// most 24 bits.
///
/// ```swift
/// var format = AudioStreamBasicDescription()
/// format.mSampleRate = 44_100
/// format.mFormatID = kAudioFormatFLAC
/// format.mChannelsPerFrame = 2
/// var file: ExtAudioFileRef?
/// let url = URL(fileURLWithPath: "out.flac") as CFURL
/// let status = ExtAudioFileCreateWithURL(
///     url, kAudioFileFLACType, &format, nil, AudioFileFlags.eraseFile.rawValue, &file)
/// ```
/// - Parameters:
///   - inURL: A `file:` URL.
///   - inFileType: WAV, AIFF, CAF, M4A, FLAC or MP3.
///   - inStreamDesc: The format in the file: linear PCM, AAC, Apple Lossless, FLAC or MP3. PCM samples in AIFF are
///     big-endian; in other files little-endian.
///   - inChannelLayout: Ignored: the channels have the default order for their number.
///   - inFlags: `AudioFileFlags.eraseFile` replaces an existing file. Without this flag, an existing file is an error.
///   - outExtAudioFile: Receives the file. Close it with `ExtAudioFileDispose`.
/// - Returns: `noErr`, or an error that describes why the file cannot be created.
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

/// Closes a file, and completes a file that is open for writing.
/// - Returns: `noErr`, or the error of the last write.
@discardableResult
public func ExtAudioFileDispose(_ inExtAudioFile: ExtAudioFileRef) -> OSStatus {
    let file = Unmanaged<ExtendedAudioFile>.fromOpaque(UnsafeRawPointer(inExtAudioFile)).takeRetainedValue()
    if case .writing(let writer) = file.side { return writer.finish() }
    return noErr
}

/// Writes frames in the client's format.
/// - Returns: `noErr`; `kExtAudioFileError_InvalidOperationOrder` if the file is read, or its format is compressed and
///   the client's has not been set; or why they could not be written.
@discardableResult
public func ExtAudioFileWrite(
    _ inExtAudioFile: ExtAudioFileRef,
    _ inNumberFrames: UInt32,
    _ ioData: UnsafePointer<AudioBufferList>
) -> OSStatus {
    guard case .writing(let writer) = file(inExtAudioFile).side else { return kExtAudioFileError_InvalidOperationOrder }
    // The list is only read, but the view type exists only for mutable lists.
    let list = UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: ioData))
    return writer.write(list, frameCount: Int(inNumberFrames))
}

/// Copies frames in the client's format, and writes them on another thread.
///
/// The call allocates memory, so do not use it on a render thread.
/// - Parameters:
///   - inExtAudioFile: The file.
///   - inNumberFrames: The number of frames to write.
///   - ioData: The frames. `nil` with 0 frames has no effect; Apple's function allocates its buffers then.
/// - Returns: `noErr`; the error of an earlier write; or `kExtAudioFileError_AsyncWriteBufferOverflow` if more than 4
///   MB are pending.
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
///
/// ```swift
/// let format = AVAudioFormat(standardFormatWithSampleRate: 16_000, channels: 1)!
/// ExtAudioFileSetProperty(
///     file, kExtAudioFileProperty_ClientDataFormat,
///     UInt32(MemoryLayout<AudioStreamBasicDescription>.size), format.streamDescription)
/// let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 8192)!
/// var frames: UInt32 = 8192
/// let status = ExtAudioFileRead(file, &frames, buffer.mutableAudioBufferList)
/// buffer.frameLength = frames  // 0 at the end
/// ```
/// - Parameters:
///   - inExtAudioFile: The file.
///   - ioNumberFrames: The number of frames to read, replaced with the number read: 0 at the end.
///   - ioData: The buffers. Their sizes are the capacity in bytes, and are replaced with the number of bytes read.
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

/// Seeks to a frame of a file open for reading, counted at the sample rate of the file.
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

/// Gets the position of the next frame to read or write, counted at the sample rate of the file.
@discardableResult
public func ExtAudioFileTell(_ inExtAudioFile: ExtAudioFileRef, _ outFrameOffset: UnsafeMutablePointer<Int64>)
    -> OSStatus
{
    outFrameOffset.pointee = file(inExtAudioFile).position
    return noErr
}

/// Gets the value of a property.
/// - Parameters:
///   - inExtAudioFile: The file.
///   - inPropertyID: `kExtAudioFileProperty_FileDataFormat`, `…ClientDataFormat`, `…FileLengthFrames` or one of the
///     maximum packet sizes.
///   - ioPropertyDataSize: The capacity in bytes, which is replaced with the size of the value.
///   - outPropertyData: Receives the value.
/// - Returns: `noErr`, `kExtAudioFileError_InvalidPropertySize` if the capacity is too small, or
///   `kExtAudioFileError_InvalidProperty`.
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

/// Sets a property, such as the client's format, which must be uncompressed.
///
/// Properties without an effect in this implementation accept any value.
@discardableResult
public func ExtAudioFileSetProperty(
    _ inExtAudioFile: ExtAudioFileRef,
    _ inPropertyID: ExtAudioFilePropertyID,
    _ inPropertyDataSize: UInt32,
    _ inPropertyData: UnsafeRawPointer
) -> OSStatus {
    // These properties have no effect, so any value is accepted.
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
