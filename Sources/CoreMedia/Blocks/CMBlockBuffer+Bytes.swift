public import CoreAudioTypes

/// Returns a pointer to a byte range: into the buffer if the range is contiguous, otherwise to a copy.
/// - Parameters:
///   - theBuffer: The buffer.
///   - offset: The offset of the first byte.
///   - length: The number of bytes.
///   - temporaryBlock: Memory for `length` bytes, which receives the copy.
///   - returnedPointerOut: Receives a pointer to the first byte, in the buffer or in `temporaryBlock`.
@discardableResult
public func CMBlockBufferAccessDataBytes(
    _ theBuffer: CMBlockBuffer,
    atOffset offset: Int,
    length: Int,
    temporaryBlock: UnsafeMutableRawPointer,
    returnedPointerOut: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
) -> OSStatus {
    let status = theBuffer.check(offset, length)
    guard status == kCMBlockBufferNoErr else { return status }
    let parts = theBuffer.segments(from: offset, length: length)
    if parts.count == 1, let base = parts[0].base {
        returnedPointerOut.pointee = base.assumingMemoryBound(to: CChar.self)
        return kCMBlockBufferNoErr
    }
    let copied = CMBlockBufferCopyDataBytes(
        theBuffer,
        atOffset: offset,
        dataLength: length,
        destination: temporaryBlock
    )
    if copied == kCMBlockBufferNoErr {
        returnedPointerOut.pointee = temporaryBlock.assumingMemoryBound(to: CChar.self)
    }
    return copied
}

/// Copies bytes from a buffer.
/// - Parameters:
///   - theSourceBuffer: The buffer.
///   - offsetToData: The offset of the first byte.
///   - dataLength: The number of bytes.
///   - destination: Memory for `dataLength` bytes.
@discardableResult
public func CMBlockBufferCopyDataBytes(
    _ theSourceBuffer: CMBlockBuffer,
    atOffset offsetToData: Int,
    dataLength: Int,
    destination: UnsafeMutableRawPointer
) -> OSStatus {
    var target = destination
    return theSourceBuffer.forEach(from: offsetToData, length: dataLength) { bytes in
        guard let base = bytes.baseAddress else { return }
        target.copyMemory(from: base, byteCount: bytes.count)
        target += bytes.count
    }
}

/// Overwrites bytes of a buffer, allocating deferred memory first.
/// - Parameters:
///   - sourceBytes: The new bytes.
///   - destinationBuffer: The buffer.
///   - offsetIntoDestination: The offset of the first byte to overwrite.
///   - dataLength: The number of bytes.
@discardableResult
public func CMBlockBufferReplaceDataBytes(
    with sourceBytes: UnsafeRawPointer,
    blockBuffer destinationBuffer: CMBlockBuffer,
    offsetIntoDestination: Int,
    dataLength: Int
) -> OSStatus {
    let status = destinationBuffer.allocate(from: offsetIntoDestination, length: dataLength)
    guard status == kCMBlockBufferNoErr else { return status }
    var source = sourceBytes
    return destinationBuffer.forEach(from: offsetIntoDestination, length: dataLength) { bytes in
        bytes.copyMemory(from: UnsafeRawBufferPointer(start: source, count: bytes.count))
        source += bytes.count
    }
}

/// Sets all bytes of a range to one value, allocating deferred memory first.
/// - Parameters:
///   - fillByte: The value.
///   - destinationBuffer: The buffer.
///   - offsetIntoDestination: The offset of the first byte to set.
///   - dataLength: The number of bytes.
@discardableResult
public func CMBlockBufferFillDataBytes(
    with fillByte: CChar,
    blockBuffer destinationBuffer: CMBlockBuffer,
    offsetIntoDestination: Int,
    dataLength: Int
) -> OSStatus {
    let status = destinationBuffer.allocate(from: offsetIntoDestination, length: dataLength)
    guard status == kCMBlockBufferNoErr else { return status }
    return destinationBuffer.forEach(from: offsetIntoDestination, length: dataLength) { bytes in
        bytes.initializeMemory(as: CChar.self, repeating: fillByte)
    }
}

/// Returns a pointer into the memory of a buffer.
/// - Parameters:
///   - theBuffer: The buffer.
///   - offset: The offset of the byte to point to.
///   - lengthAtOffsetOut: Receives the number of contiguous bytes at the pointer.
///   - totalLengthOut: Receives the length of the buffer in bytes.
///   - dataPointerOut: Receives the pointer, which is valid while the buffer exists.
@discardableResult
public func CMBlockBufferGetDataPointer(
    _ theBuffer: CMBlockBuffer,
    atOffset offset: Int,
    lengthAtOffsetOut: UnsafeMutablePointer<Int>?,
    totalLengthOut: UnsafeMutablePointer<Int>?,
    dataPointerOut: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> OSStatus {
    let status = theBuffer.check(offset, 0)
    guard status == kCMBlockBufferNoErr else { return status }
    guard let first = theBuffer.segments(from: offset, length: theBuffer.length - offset).first else {
        return kCMBlockBufferBadOffsetParameterErr
    }
    guard let base = first.base else { return kCMBlockBufferUnallocatedBlockErr }
    lengthAtOffsetOut?.pointee = first.length
    totalLengthOut?.pointee = theBuffer.length
    dataPointerOut?.pointee = base.assumingMemoryBound(to: CChar.self)
    return kCMBlockBufferNoErr
}

/// Returns the length of a buffer in bytes.
public func CMBlockBufferGetDataLength(_ theBuffer: CMBlockBuffer) -> Int { theBuffer.length }

/// Returns whether a byte range is contiguous in memory.
/// - Parameters:
///   - theBuffer: The buffer.
///   - offset: The offset of the first byte.
///   - length: The number of bytes; 0 means all bytes up to the end.
public func CMBlockBufferIsRangeContiguous(_ theBuffer: CMBlockBuffer, atOffset offset: Int, length: Int) -> Bool {
    var length = length
    guard theBuffer.resolve(offset, &length) == kCMBlockBufferNoErr else { return false }
    return theBuffer.segments(from: offset, length: length).count == 1
}

/// Returns whether a buffer is empty.
public func CMBlockBufferIsEmpty(_ theBuffer: CMBlockBuffer) -> Bool { theBuffer.length == 0 }

extension CMBlockBuffer {
    /// Allocates the deferred memory of a range.
    fileprivate func allocate(from offset: Int, length: Int) -> OSStatus {
        let status = check(offset, length)
        guard status == kCMBlockBufferNoErr else { return status }
        for segment in segments(from: offset, length: length) {
            let status = segment.block.allocate()
            guard status == kCMBlockBufferNoErr else { return status }
        }
        return kCMBlockBufferNoErr
    }
}
