public import CSyrinxCoreMedia
public import CoreAudioTypes
public import CoreVideo

/// Creates an empty buffer.
/// - Parameters:
///   - structureAllocator: Ignored.
///   - capacity: The expected number of blocks; ignored.
///   - flags: Ignored.
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

/// Creates a buffer with a block of memory.
/// - Parameters:
///   - structureAllocator: Ignored.
///   - memoryBlock: The memory; `nil` defers the allocation until the memory is needed.
///   - blockLength: The size of the block in bytes, at least 1.
///   - blockAllocator: Allocates the memory and frees it, also memory of the caller; `kCFAllocatorNull` does not free
///     it.
///   - customBlockSource: Allocates and frees the memory instead of `blockAllocator`.
///   - offsetToData: The offset in the block of the first byte of the buffer.
///   - dataLength: The number of bytes of the buffer.
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

/// Creates a buffer that shares a byte range with another buffer.
/// - Parameters:
///   - structureAllocator: Ignored.
///   - referenceBuffer: The other buffer.
///   - offsetToData: The offset of its first shared byte.
///   - dataLength: The number of bytes; 0 means all bytes up to the end.
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

/// Creates a contiguous buffer of a byte range: it shares the memory if the range is contiguous, otherwise it holds a
/// copy.
/// - Parameters:
///   - structureAllocator: Ignored.
///   - sourceBuffer: The other buffer.
///   - blockAllocator: Allocates and frees the copy.
///   - customBlockSource: Allocates and frees the copy instead of `blockAllocator`.
///   - offsetToData: The offset of the first byte.
///   - dataLength: The number of bytes; 0 means all bytes up to the end.
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

/// Appends a block of memory to a buffer.
/// - Parameters:
///   - theBuffer: The buffer.
///   - memoryBlock: The memory; `nil` defers the allocation until the memory is needed.
///   - blockLength: The size of the block in bytes, at least 1.
///   - blockAllocator: Allocates the memory and frees it; `kCFAllocatorNull` does not free it.
///   - customBlockSource: Allocates and frees the memory instead of `blockAllocator`.
///   - offsetToData: The offset in the block of the first byte of the buffer.
///   - dataLength: The number of bytes to append.
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

/// Appends a byte range of another buffer; both buffers then share that memory.
/// - Parameters:
///   - theBuffer: The buffer that grows.
///   - targetBBuf: The other buffer.
///   - offsetToData: The offset of its first byte.
///   - dataLength: The number of bytes; 0 means all bytes up to the end.
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

/// Allocates all deferred memory of a buffer.
@discardableResult
public func CMBlockBufferAssureBlockMemory(_ theBuffer: CMBlockBuffer) -> OSStatus {
    for segment in theBuffer.segments {
        let status = segment.block.allocate()
        guard status == kCMBlockBufferNoErr else { return status }
    }
    return kCMBlockBufferNoErr
}

/// Uses a custom source of memory, if there is one.
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
    /// Checks a range and replaces the length 0 with the number of bytes up to the end.
    func resolve(_ offset: Int, _ length: inout Int) -> OSStatus {
        let status = check(offset, length)
        if status == kCMBlockBufferNoErr, length == 0 { length = self.length - offset }
        return status
    }

    /// Returns a contiguous buffer of a range.
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
