public import CoreAudioTypes
public import CoreVideo
internal import Foundation

/// Copies the bytes of a buffer list into a sample buffer without data.
/// - Parameters:
///   - sbuf: The sample buffer, whose format is known.
///   - blockBufferStructureAllocator: Ignored.
///   - blockBufferBlockAllocator: Allocates the memory.
///   - flags: Ignored: memory is always aligned to 16 bytes.
///   - bufferList: The bytes, with as many buffers as the format requires. PCM buffers need the bytes of all samples;
///     further bytes are ignored.
/// - Returns: `noErr`; `kCMSampleBufferError_InvalidMediaFormat` for a wrong number of buffers, `…_InvalidSampleData`
///   for too few bytes, `…_RequiredParameterMissing` for a null data pointer, `…_AlreadyHasDataBuffer`,
///   `…_InvalidMediaTypeForOperation` without an audio format, or `…_Invalidated`.
@discardableResult
public func CMSampleBufferSetDataBufferFromAudioBufferList(
    _ sbuf: CMSampleBuffer,
    blockBufferAllocator blockBufferStructureAllocator: CFAllocator?,
    blockBufferMemoryAllocator blockBufferBlockAllocator: CFAllocator?,
    flags: UInt32,
    bufferList: UnsafePointer<AudioBufferList>
) -> OSStatus {
    guard sbuf.validity == noErr else { return sbuf.validity }
    guard let format = sbuf.streamDescription else { return kCMSampleBufferError_InvalidMediaTypeForOperation }
    let list = UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: bufferList))
    guard list.count == format.bufferCount else { return kCMSampleBufferError_InvalidMediaFormat }
    let data = CMBlockBuffer()
    for buffer in list {
        var count = Int(buffer.mDataByteSize)
        if format.mFormatID == kAudioFormatLinearPCM {
            let needed = sbuf.contents.sampleCount.multipliedSaturated(Int(format.mBytesPerFrame))
            guard count >= needed else { return kCMSampleBufferError_InvalidSampleData }
            count = needed
        }
        guard count > 0 else { continue }
        guard let source = buffer.mData else { return kCMSampleBufferError_RequiredParameterMissing }
        let block = MemoryBlock(nil, length: count, source: .allocator(.resolved(blockBufferBlockAllocator)))
        let status = data.append(block, offset: 0, length: count, flags: kCMBlockBufferAssureMemoryNowFlag)
        guard status == noErr, let target = block.base else { return status }
        target.copyMemory(from: source, byteCount: count)
    }
    return CMSampleBufferSetDataBuffer(sbuf, newValue: data)
}

/// Returns the audio data as a buffer list, with a block buffer that owns its memory.
///
/// The data is copied only if it is not contiguous, or not aligned to 16 bytes as requested.
/// - Parameters:
///   - sbuf: The sample buffer.
///   - bufferListSizeNeededOut: Receives the required size of the list in bytes.
///   - bufferListOut: The list to fill; `nil` requests the size only.
///   - bufferListSize: The size of the list in bytes.
///   - blockBufferStructureAllocator: Ignored.
///   - blockBufferBlockAllocator: Allocates memory for copies.
///   - flags: `kCMSampleBufferFlag_AudioBufferList_Assure16ByteAlignment`, or 0.
///   - blockBufferOut: Receives the block buffer that owns the memory; required with a list.
@discardableResult
public func CMSampleBufferGetAudioBufferListWithRetainedBlockBuffer(
    _ sbuf: CMSampleBuffer,
    bufferListSizeNeededOut: UnsafeMutablePointer<Int>?,
    bufferListOut: UnsafeMutablePointer<AudioBufferList>?,
    bufferListSize: Int,
    blockBufferAllocator blockBufferStructureAllocator: CFAllocator?,
    blockBufferMemoryAllocator blockBufferBlockAllocator: CFAllocator?,
    flags: UInt32,
    blockBufferOut: UnsafeMutablePointer<CMBlockBuffer?>?
) -> OSStatus {
    guard sbuf.validity == noErr else { return sbuf.validity }
    guard let format = sbuf.streamDescription else { return kCMSampleBufferError_InvalidMediaTypeForOperation }
    let count = format.bufferCount
    let needed = AudioBufferList.sizeInBytes(maximumBuffers: count)
    bufferListSizeNeededOut?.pointee = needed
    guard let bufferListOut else { return noErr }
    guard bufferListSize >= needed else { return kCMSampleBufferError_ArrayTooSmall }
    guard let blockBufferOut else { return kCMSampleBufferError_RequiredParameterMissing }
    guard let data = sbuf.contents.dataBuffer, data.length > 0 else { return kCMSampleBufferError_BufferNotReady }
    let retained = CMBlockBuffer()
    let isAligned = flags & kCMSampleBufferFlag_AudioBufferList_Assure16ByteAlignment != 0
    let size = data.length / count
    guard size > 0, let byteSize = UInt32(exactly: size) else { return kCMSampleBufferError_InvalidSampleData }
    // The list is filled only after all buffers are available.
    var planes: [UnsafeMutableRawPointer] = []
    for index in 0..<count {
        var plane: CMBlockBuffer?
        let memory = MemoryBlock.Source.allocator(.resolved(blockBufferBlockAllocator))
        var status = data.contiguous(memory, offset: index * size, length: size, flags: 0, into: &plane)
        if status == noErr, isAligned, let base = plane?.segments.first?.base, UInt(bitPattern: base) % 16 != 0 {
            let copying = kCMBlockBufferAlwaysCopyDataFlag
            status = data.contiguous(memory, offset: index * size, length: size, flags: copying, into: &plane)
        }
        guard status == noErr, let segment = plane?.segments.first else { return status }
        guard let base = segment.base else { return kCMBlockBufferUnallocatedBlockErr }
        planes.append(base)
        _ = retained.append(segment)
    }
    let list = UnsafeMutableAudioBufferListPointer(bufferListOut)
    list.count = count
    for (index, base) in planes.enumerated() {
        list[index] = AudioBuffer(
            mNumberChannels: count == 1 ? format.mChannelsPerFrame : 1,
            mDataByteSize: byteSize,
            mData: base
        )
    }
    blockBufferOut.pointee = retained
    return noErr
}

/// Copies frames of uncompressed audio into a buffer list of the same format.
/// - Parameters:
///   - sbuf: The sample buffer.
///   - frameOffset: The index of the first frame.
///   - numFrames: The number of frames.
///   - bufferList: The destination, with memory for `numFrames` frames.
@discardableResult
public func CMSampleBufferCopyPCMDataIntoAudioBufferList(
    _ sbuf: CMSampleBuffer,
    at frameOffset: Int32,
    frameCount numFrames: Int32,
    into bufferList: UnsafeMutablePointer<AudioBufferList>
) -> OSStatus {
    guard sbuf.validity == noErr else { return sbuf.validity }
    guard let format = sbuf.streamDescription, format.mFormatID == kAudioFormatLinearPCM else {
        return kCMSampleBufferError_InvalidMediaTypeForOperation
    }
    let (first, count, total) = (Int(frameOffset), Int(numFrames), sbuf.contents.sampleCount)
    guard first >= 0, count >= 0, first <= total, count <= total - first else {
        return kCMSampleBufferError_SampleIndexOutOfRange
    }
    guard count > 0 else { return noErr }
    guard let data = sbuf.contents.dataBuffer else { return kCMSampleBufferError_BufferNotReady }
    let list = UnsafeMutableAudioBufferListPointer(bufferList)
    guard list.count == format.bufferCount else { return kCMSampleBufferError_InvalidMediaFormat }
    let width = Int(format.mBytesPerFrame)
    let planeSize = total.multipliedSaturated(width)
    for (index, buffer) in list.enumerated() {
        let byteCount = count.multipliedSaturated(width)
        guard let target = buffer.mData else { return kCMSampleBufferError_RequiredParameterMissing }
        guard Int(buffer.mDataByteSize) >= byteCount else { return kCMSampleBufferError_ArrayTooSmall }
        let status = CMBlockBufferCopyDataBytes(
            data,
            atOffset: index.multipliedSaturated(planeSize).addingSaturated(first.multipliedSaturated(width)),
            dataLength: byteCount,
            destination: target
        )
        guard status == noErr else { return kCMSampleBufferError_InvalidSampleData }
        list[index].mDataByteSize = UInt32(byteCount)
    }
    return noErr
}

/// Copies the packet descriptions; there are none if all packets have the same size and duration.
/// - Parameters:
///   - sbuf: The sample buffer.
///   - packetDescriptionsSize: The size of `packetDescriptionsOut` in bytes.
///   - packetDescriptionsOut: Receives the descriptions; `nil` requests their size only.
///   - packetDescriptionsSizeNeededOut: Receives the required size in bytes.
@discardableResult
public func CMSampleBufferGetAudioStreamPacketDescriptions(
    _ sbuf: CMSampleBuffer,
    allocatedSize packetDescriptionsSize: Int,
    packetDescriptionsOut: UnsafeMutablePointer<AudioStreamPacketDescription>?,
    packetDescriptionsSizeNeededOut: UnsafeMutablePointer<Int>?
) -> OSStatus {
    var size = 0
    var pointer: UnsafePointer<AudioStreamPacketDescription>?
    let status = CMSampleBufferGetAudioStreamPacketDescriptionsPtr(
        sbuf,
        packetDescriptionsPointerOut: &pointer,
        sizeOut: &size
    )
    guard status == noErr else { return status }
    packetDescriptionsSizeNeededOut?.pointee = size
    guard let packetDescriptionsOut, let pointer else { return noErr }
    guard packetDescriptionsSize >= size else { return kCMSampleBufferError_ArrayTooSmall }
    let count = size / MemoryLayout<AudioStreamPacketDescription>.stride
    packetDescriptionsOut.update(from: pointer, count: count)
    return noErr
}

/// Returns a pointer to the packet descriptions, valid while the buffer exists.
///
/// There are none if all packets have the same size and duration.
@discardableResult
public func CMSampleBufferGetAudioStreamPacketDescriptionsPtr(
    _ sbuf: CMSampleBuffer,
    packetDescriptionsPointerOut: UnsafeMutablePointer<UnsafePointer<AudioStreamPacketDescription>?>?,
    sizeOut packetDescriptionsSizeOut: UnsafeMutablePointer<Int>?
) -> OSStatus {
    guard sbuf.validity == noErr else { return sbuf.validity }
    guard let format = sbuf.streamDescription else { return kCMSampleBufferError_InvalidMediaTypeForOperation }
    packetDescriptionsPointerOut?.pointee = nil
    packetDescriptionsSizeOut?.pointee = 0
    if format.mBytesPerPacket > 0, format.mFramesPerPacket > 0 { return noErr }
    guard !sbuf.contents.sizes.isEmpty else { return kCMSampleBufferError_BufferHasNoSampleSizes }
    let packets = sbuf.packetDescriptions(format)
    packetDescriptionsPointerOut?.pointee = packets.baseAddress.map { UnsafePointer($0) }
    packetDescriptionsSizeOut?.pointee = packets.count * MemoryLayout<AudioStreamPacketDescription>.stride
    return noErr
}

extension AudioStreamBasicDescription {
    /// The number of buffers in a list of this format, at least 1.
    var bufferCount: Int {
        let isSplit = mFormatID == kAudioFormatLinearPCM && mFormatFlags & kAudioFormatFlagIsNonInterleaved != 0
        return isSplit ? max(Int(mChannelsPerFrame), 1) : 1
    }
}

extension CMSampleBuffer {
    /// Returns the packet descriptions, which are created at the first call.
    fileprivate func packetDescriptions(
        _ format: AudioStreamBasicDescription
    ) -> UnsafeMutableBufferPointer<AudioStreamPacketDescription> {
        if let packetDescriptionMemory { return packetDescriptionMemory }
        let memory = UnsafeMutableBufferPointer<AudioStreamPacketDescription>.allocate(capacity: contents.sampleCount)
        var offset = 0
        for index in 0..<contents.sampleCount {
            let size = sampleSize(at: index)
            var frames: UInt32 = 0
            if format.mFramesPerPacket == 0, !contents.timings.isEmpty {
                let duration = CMTimeMultiplyByFloat64(
                    contents.timing(at: index).duration,
                    multiplier: format.mSampleRate
                )
                frames = UInt32(exactly: duration.seconds.rounded()) ?? 0
            }
            memory.initializeElement(
                at: index,
                to: AudioStreamPacketDescription(
                    mStartOffset: Int64(offset),
                    mVariableFramesInPacket: frames,
                    mDataByteSize: UInt32(clamping: size)
                )
            )
            offset = offset.addingSaturated(size)
        }
        packetDescriptionMemory = memory
        return memory
    }

    /// Options for audio data.
    public struct Flags: OptionSet, Sendable {
        /// The option bits.
        public let rawValue: UInt32

        /// Creates options from bits.
        public init(rawValue: UInt32) {
            self.rawValue = rawValue
        }

        /// The buffers of the list are aligned to 16 bytes.
        public static let audioBufferListAssure16ByteAlignment = Flags(
            rawValue: kCMSampleBufferFlag_AudioBufferList_Assure16ByteAlignment
        )
    }

    /// Copies the bytes of a buffer list into the sample buffer, which must not have data yet.
    public func setDataBuffer(
        fromAudioBufferList bufferList: UnsafePointer<AudioBufferList>,
        blockBufferMemoryAllocator: CFAllocator? = kCFAllocatorDefault,
        flags: Flags = []
    ) throws {
        try NSError.check(
            CMSampleBufferSetDataBufferFromAudioBufferList(
                self,
                blockBufferAllocator: nil,
                blockBufferMemoryAllocator: blockBufferMemoryAllocator,
                flags: flags.rawValue,
                bufferList: bufferList
            )
        )
    }

    /// Calls `body` with the audio data as a buffer list, and with the block buffer that owns its memory.
    ///
    /// ```swift
    /// try sampleBuffer.withAudioBufferList { list, _ in
    ///     for buffer in list { print(buffer.mDataByteSize, "bytes") }
    /// }
    /// ```
    public func withAudioBufferList<R>(
        blockBufferMemoryAllocator: CFAllocator? = kCFAllocatorDefault,
        flags: Flags = [],
        body: (UnsafeMutableAudioBufferListPointer, CMBlockBuffer) throws -> R
    ) throws -> R {
        try NSError.check(validity)
        guard let format = streamDescription else { throw Error.invalidMediaTypeForOperation }
        let list = AudioBufferList.allocate(maximumBuffers: format.bufferCount)
        defer { list.unsafeMutablePointer.deallocate() }
        var block: CMBlockBuffer?
        try NSError.check(
            CMSampleBufferGetAudioBufferListWithRetainedBlockBuffer(
                self,
                bufferListSizeNeededOut: nil,
                bufferListOut: list.unsafeMutablePointer,
                bufferListSize: AudioBufferList.sizeInBytes(maximumBuffers: format.bufferCount),
                blockBufferAllocator: nil,
                blockBufferMemoryAllocator: blockBufferMemoryAllocator,
                flags: flags.rawValue,
                blockBufferOut: &block
            )
        )
        guard let block else { throw Error.bufferNotReady }
        defer { withExtendedLifetime(block) {} }
        return try body(list, block)
    }

    /// Returns the packet descriptions; empty if all packets have the same size and duration.
    public func audioStreamPacketDescriptions() throws -> [AudioStreamPacketDescription] {
        var size = 0
        var pointer: UnsafePointer<AudioStreamPacketDescription>?
        try NSError.check(
            CMSampleBufferGetAudioStreamPacketDescriptionsPtr(
                self,
                packetDescriptionsPointerOut: &pointer,
                sizeOut: &size
            )
        )
        let count = size / MemoryLayout<AudioStreamPacketDescription>.stride
        return Array(UnsafeBufferPointer(start: pointer, count: count))
    }

    /// Copies frames of uncompressed audio into a buffer list of the same format.
    public func copyPCMData(
        fromRange range: Range<Int>,
        into bufferList: UnsafeMutablePointer<AudioBufferList>
    ) throws {
        guard let first = Int32(exactly: range.lowerBound), let count = Int32(exactly: range.count) else {
            throw Error.sampleIndexOutOfRange
        }
        try NSError.check(
            CMSampleBufferCopyPCMDataIntoAudioBufferList(self, at: first, frameCount: count, into: bufferList)
        )
    }
}
