internal import CoreAudioTypes
internal import Foundation
internal import SyrinxByteStream
internal import SyrinxMediaCodec

/// A file that is written in the caller's format.
///
/// Call it from one thread at a time. A private queue performs asynchronous writes, and all other calls wait for it.
final class ExtendedWriter: @unchecked Sendable {
    // Unchecked: `queue` and the caller never run at the same time, because every synchronous call uses `queue.sync`.

    /// The client's format; the file's format if that is uncompressed and the client has set none.
    private(set) var client: AudioStreamBasicDescription?
    private let writer: MediaWriter
    private let native: AudioStreamBasicDescription
    private var conversion: AudioConversion?
    private let scratch: FloatPlanes<Float>
    private let queue = DispatchQueue(label: "syrinx.extaudiofile")
    /// Bytes that wait to be written, and why writing failed in the background.
    private let pending = NSLock()
    private var pendingByteCount = 0
    private var failure: OSStatus = noErr

    private static let scratchFrames = 4096
    /// About 10 s of stereo at 48 kHz.
    private static let mostPendingBytes = 4 << 20

    /// Creates the file.
    /// - Throws: `.unsupported` if the container does not support the format, or an error of the file system.
    init(path: String, type: AudioFileTypeID, format: AudioStreamBasicDescription) throws(SyrinxError) {
        var settings = try WrittenFormat(type: type, format: format, path: path).settings
        settings.isInPlace = true
        writer = try MediaWriter(
            path: path,
            sampleRate: format.mSampleRate,
            channelCount: Int(clamping: format.mChannelsPerFrame),
            settings: settings
        )
        native = .planarFloat(rate: format.mSampleRate, channelCount: format.mChannelsPerFrame)
        client = format.isPCM ? format : nil
        scratch = FloatPlanes(channelCount: writer.channelCount, capacity: Self.scratchFrames)
    }

    var format: AudioStreamBasicDescription { writer.streamDescription }
    /// Frames of the file that have been written.
    var position: Int64 { queue.sync { writer.frameCount } }

    /// Chooses the format that is written.
    func setClient(_ format: AudioStreamBasicDescription) throws(SyrinxError) {
        let made = try AudioConversion(from: format, to: native)
        queue.sync {
            conversion = made
            client = format
        }
    }

    /// Writes frames of the client's format.
    func write(_ list: UnsafeMutableAudioBufferListPointer, frameCount: Int) -> OSStatus {
        queue.sync { append(list, frameCount) }
    }

    /// Copies frames of the client's format, to write them later.
    func writeLater(_ list: UnsafeMutableAudioBufferListPointer, frameCount: Int) -> OSStatus {
        let size = list.reduce(0) { $0 + Int($1.mDataByteSize) }
        let status = pending.withLock {
            guard failure == noErr else { return failure }
            guard pendingByteCount + size <= Self.mostPendingBytes else {
                return kExtAudioFileError_AsyncWriteBufferOverflow
            }
            pendingByteCount += size
            return noErr
        }
        guard status == noErr, frameCount > 0 else { return status }
        let copy = BufferCopy(list)
        queue.async { [self] in
            let status = append(copy.list, frameCount)
            pending.withLock {
                pendingByteCount -= size
                if failure == noErr { failure = status }
            }
        }
        return noErr
    }

    private func append(_ list: UnsafeMutableAudioBufferListPointer, _ frameCount: Int) -> OSStatus {
        guard let client else { return kExtAudioFileError_InvalidOperationOrder }
        guard client.fits(list, frameCount) else { return kAudio_ParamError }
        do throws(SyrinxError) {
            if conversion == nil { conversion = try AudioConversion(from: client, to: native) }
            guard let conversion else { return kAudioFileUnspecifiedError }
            try conversion.push(list, frameCount: frameCount)
            try drain(conversion)
            try writer.flush()
            return noErr
        } catch {
            return fileStatus(error)
        }
    }

    private func drain(_ conversion: AudioConversion) throws(SyrinxError) {
        let list = scratch.bufferList(channelCount: writer.channelCount)
        defer { list.unsafeMutablePointer.deallocate() }
        while case let count = conversion.pull(into: list, from: 0, count: Self.scratchFrames), count > 0 {
            try writer.write(UnsafePointer(scratch.channels), frameCount: count)
        }
    }

    /// Writes the remaining frames and completes the file.
    func finish() -> OSStatus {
        queue.sync {
            do throws(SyrinxError) {
                if let conversion {
                    try conversion.finish()
                    try drain(conversion)
                }
                try writer.finish()
                return pending.withLock { failure }
            } catch {
                return fileStatus(error)
            }
        }
    }
}

/// Owns a copy of buffers.
///
/// Unchecked: it does not change after it has been made.
private final class BufferCopy: @unchecked Sendable {
    let list: UnsafeMutableAudioBufferListPointer

    init(_ source: UnsafeMutableAudioBufferListPointer) {
        list = AudioBufferList.allocate(maximumBuffers: source.count)
        for (index, buffer) in source.enumerated() {
            let size = Int(buffer.mDataByteSize)
            let memory = UnsafeMutableRawPointer.allocate(byteCount: max(size, 1), alignment: 16)
            if let data = buffer.mData { memory.copyMemory(from: data, byteCount: size) }
            list[index] = buffer
            list[index].mData = memory
        }
    }

    deinit {
        for buffer in list { buffer.mData?.deallocate() }
        list.unsafeMutablePointer.deallocate()
    }
}

extension FloatPlanes<Float> {
    /// A list of the planes, which the caller frees.
    func bufferList(channelCount: Int) -> UnsafeMutableAudioBufferListPointer {
        let list = AudioBufferList.allocate(maximumBuffers: channelCount)
        for channel in 0..<channelCount {
            list[channel] = AudioBuffer(
                mNumberChannels: 1,
                mDataByteSize: UInt32(clamping: 4 * capacity),
                mData: UnsafeMutableRawPointer(channels[channel])
            )
        }
        return list
    }
}
