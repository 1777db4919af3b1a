public import CSyrinxCoreMedia
public import CoreAudioTypes
public import CoreVideo

/// Makes a buffer of no bytes.
/// - Parameters:
///   - structureAllocator: Without effect.
///   - capacity: The number of blocks that are going to be added; without effect.
///   - flags: Without effect.
///   - blockBufferOut: Receives the buffer.
@discardableResult
public func CMBlockBufferCreateEmpty(
    allocator structureAllocator: CFAllocator?,
    capacity: UInt32,
    flags: CMBlockBufferFlags,
    blockBufferOut: UnsafeMutablePointer<CMBlockBuffer?>
) -> OSStatus {
    blockBufferOut.pointee = CMBlockBuffer()
    return kCMBlockBufferNoErr
}

/// Makes a buffer of a block of memory.
/// - Parameters:
///   - structureAllocator: Without effect.
///   - memoryBlock: The memory; `nil` for memory that is allocated when it is needed.
///   - blockLength: The size of the block in bytes, at least 1.
///   - blockAllocator: What allocates the memory, and frees it, that of the caller too: `kCFAllocatorNull` leaves it alone.
///   - customBlockSource: What allocates and frees in the place of `blockAllocator`.
///   - offsetToData: The first byte of the block that belongs to the buffer.
///   - dataLength: The number of bytes that belong to it.
///   - flags: `kCMBlockBufferAssureMemoryNowFlag`, or 0.
///   - blockBufferOut: Receives the buffer.
@discardableResult
public func CMBlockBufferCreateWithMemoryBlock(
    allocator structureAllocator: CFAllocator?,
    memoryBlock: UnsafeMutableRawPointer?,
    blockLength: Int,
    blockAllocator: CFAllocator?,
    customBlockSource: UnsafePointer<CMBlockBufferCustomBlockSource>?,
    offsetToData: Int,
    dataLength: Int,
    flags: CMBlockBufferFlags,
    blockBufferOut: UnsafeMutablePointer<CMBlockBuffer?>
) -> OSStatus {
    let buffer = CMBlockBuffer()
    let status = CMBlockBufferAppendMemoryBlock(
        buffer,
        memoryBlock: memoryBlock,
        length: blockLength,
        blockAllocator: blockAllocator,
        customBlockSource: customBlockSource,
        offsetToData: offsetToData,
        dataLength: dataLength,
        flags: flags
    )
    if status == kCMBlockBufferNoErr { blockBufferOut.pointee = buffer }
    return status
}

/// Makes a buffer of bytes of another, whose memory both then share.
/// - Parameters:
///   - structureAllocator: Without effect.
///   - referenceBuffer: The other buffer.
///   - offsetToData: The first byte of it.
///   - dataLength: The number of bytes; 0 for all up to the end.
///   - flags: `kCMBlockBufferPermitEmptyReferenceFlag`, or 0.
///   - blockBufferOut: Receives the buffer.
@discardableResult
public func CMBlockBufferCreateWithBufferReference(
    allocator structureAllocator: CFAllocator?,
    referenceBuffer: CMBlockBuffer,
    offsetToData: Int,
    dataLength: Int,
    flags: CMBlockBufferFlags,
    blockBufferOut: UnsafeMutablePointer<CMBlockBuffer?>
) -> OSStatus {
    let buffer = CMBlockBuffer()
    let status = CMBlockBufferAppendBufferReference(
        buffer,
        targetBBuf: referenceBuffer,
        offsetToData: offsetToData,
        dataLength: dataLength,
        flags: flags
    )
    if status == kCMBlockBufferNoErr { blockBufferOut.pointee = buffer }
    return status
}

/// Makes a buffer of bytes of another that lie in one block: in that of the other, where they do there, or in a copy.
/// - Parameters:
///   - structureAllocator: Without effect.
///   - sourceBuffer: The other buffer.
///   - blockAllocator: What allocates and frees the copy.
///   - customBlockSource: What allocates and frees in the place of `blockAllocator`.
///   - offsetToData: The first byte.
///   - dataLength: The number of bytes; 0 for all up to the end.
///   - flags: `kCMBlockBufferAlwaysCopyDataFlag`, or 0.
///   - blockBufferOut: Receives the buffer.
@discardableResult
public func CMBlockBufferCreateContiguous(
    allocator structureAllocator: CFAllocator?,
    sourceBuffer: CMBlockBuffer,
    blockAllocator: CFAllocator?,
    customBlockSource: UnsafePointer<CMBlockBufferCustomBlockSource>?,
    offsetToData: Int,
    dataLength: Int,
    flags: CMBlockBufferFlags,
    blockBufferOut: UnsafeMutablePointer<CMBlockBuffer?>
) -> OSStatus {
    var source = MemoryBlock.Source.allocator(.resolved(blockAllocator))
    let status = customSource(customBlockSource, into: &source)
    guard status == kCMBlockBufferNoErr else { return status }
    return sourceBuffer.contiguous(
        source,
        offset: offsetToData,
        length: dataLength,
        flags: flags,
        into: &blockBufferOut.pointee
    )
}

/// Adds a block of memory to the end of a buffer, as `CMBlockBufferCreateWithMemoryBlock` takes it.
/// - Parameters:
///   - theBuffer: The buffer.
///   - memoryBlock: The memory; `nil` for memory that is allocated when it is needed.
///   - length: The size of the block in bytes, at least 1.
///   - blockAllocator: What allocates the memory and frees it; `kCFAllocatorNull` leaves it alone.
///   - customBlockSource: What allocates and frees in the place of `blockAllocator`.
///   - offsetToData: The first byte of the block that belongs to the buffer.
///   - dataLength: The number of bytes that belong to it.
///   - flags: `kCMBlockBufferAssureMemoryNowFlag`, or 0.
@discardableResult
public func CMBlockBufferAppendMemoryBlock(
    _ theBuffer: CMBlockBuffer,
    memoryBlock: UnsafeMutableRawPointer?,
    length blockLength: Int,
    blockAllocator: CFAllocator?,
    customBlockSource: UnsafePointer<CMBlockBufferCustomBlockSource>?,
    offsetToData: Int,
    dataLength: Int,
    flags: CMBlockBufferFlags
) -> OSStatus {
    guard blockLength > 0 else { return kCMBlockBufferBadLengthParameterErr }
    guard offsetToData >= 0, offsetToData <= blockLength else { return kCMBlockBufferBadOffsetParameterErr }
    guard dataLength >= 0, dataLength <= blockLength - offsetToData else { return kCMBlockBufferBadLengthParameterErr }
    var source = MemoryBlock.Source.allocator(.resolved(blockAllocator))
    let status = customSource(customBlockSource, into: &source)
    guard status == kCMBlockBufferNoErr else { return status }
    let block = MemoryBlock(memoryBlock, length: blockLength, source: source)
    return theBuffer.append(block, offset: offsetToData, length: dataLength, flags: flags)
}

/// Adds bytes of another buffer to the end of a buffer; both then share their memory.
/// - Parameters:
///   - theBuffer: The buffer that grows.
///   - targetBBuf: The other buffer.
///   - offsetToData: The first byte of it.
///   - dataLength: The number of bytes; 0 for all up to the end.
///   - flags: `kCMBlockBufferPermitEmptyReferenceFlag`, or 0.
@discardableResult
public func CMBlockBufferAppendBufferReference(
    _ theBuffer: CMBlockBuffer,
    targetBBuf: CMBlockBuffer,
    offsetToData: Int,
    dataLength: Int,
    flags: CMBlockBufferFlags
) -> OSStatus {
    if targetBBuf.length == 0 {
        let isAllowed = flags & kCMBlockBufferPermitEmptyReferenceFlag != 0
        guard isAllowed else { return kCMBlockBufferEmptyBBufErr }
        return offsetToData == 0 && dataLength == 0 ? kCMBlockBufferNoErr : kCMBlockBufferBadOffsetParameterErr
    }
    var length = dataLength
    let status = targetBBuf.resolve(offsetToData, &length)
    guard status == kCMBlockBufferNoErr else { return status }
    for segment in targetBBuf.segments(from: offsetToData, length: length) {
        let status = theBuffer.append(segment)
        guard status == kCMBlockBufferNoErr else { return status }
    }
    return kCMBlockBufferNoErr
}

/// Allocates all memory of a buffer that is not there yet.
@discardableResult
public func CMBlockBufferAssureBlockMemory(_ theBuffer: CMBlockBuffer) -> OSStatus {
    for segment in theBuffer.segments {
        let status = segment.block.allocate()
        guard status == kCMBlockBufferNoErr else { return status }
    }
    return kCMBlockBufferNoErr
}

/// Takes over a custom source, if there is one.
private func customSource(
    _ custom: UnsafePointer<CMBlockBufferCustomBlockSource>?,
    into source: inout MemoryBlock.Source
) -> OSStatus {
    guard let custom = custom?.pointee else { return kCMBlockBufferNoErr }
    guard custom.version == kCMBlockBufferCustomBlockSourceVersion else { return kCMBlockBufferBadCustomBlockSourceErr }
    source = .custom(custom)
    return kCMBlockBufferNoErr
}

extension CMBlockBuffer {
    /// Checks a range whose length 0 stands for all up to the end, and says how long it is.
    func resolve(_ offset: Int, _ length: inout Int) -> OSStatus {
        let status = check(offset, length)
        if status == kCMBlockBufferNoErr, length == 0 { length = self.length - offset }
        return status
    }

    /// Makes a buffer of a range that lies in one block.
    func contiguous(
        _ source: MemoryBlock.Source,
        offset: Int,
        length: Int,
        flags: CMBlockBufferFlags,
        into result: inout CMBlockBuffer?
    ) -> OSStatus {
        var length = length
        let status = resolve(offset, &length)
        guard status == kCMBlockBufferNoErr else { return status }
        let parts = segments(from: offset, length: length)
        if parts.count == 1, flags & kCMBlockBufferAlwaysCopyDataFlag == 0 {
            result = CMBlockBuffer(parts)
            return kCMBlockBufferNoErr
        }
        let block = MemoryBlock(nil, length: length, source: source)
        let allocated = block.allocate()
        guard allocated == kCMBlockBufferNoErr, let base = block.base else { return allocated }
        let copied = CMBlockBufferCopyDataBytes(self, atOffset: offset, dataLength: length, destination: base)
        guard copied == kCMBlockBufferNoErr else { return copied }
        result = CMBlockBuffer([Segment(block: block, offset: 0, length: length)])
        return kCMBlockBufferNoErr
    }
}
