public import CoreAudioTypes

/// Gives the bytes of a range: where they are, if they lie in one block, or in a copy.
/// - Parameters:
///   - theBuffer: The buffer.
///   - offset: The first byte.
///   - length: The number of bytes.
///   - temporaryBlock: Memory for `length` bytes, which takes the copy.
///   - returnedPointerOut: Receives the first byte, in the buffer or in `temporaryBlock`.
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

/// Copies bytes out of a buffer.
/// - Parameters:
///   - theSourceBuffer: The buffer.
///   - offsetToData: The first byte.
///   - dataLength: The number of bytes.
///   - destination: Memory for as many.
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

/// Copies bytes into a buffer, whose memory is allocated first where it is not there.
/// - Parameters:
///   - sourceBytes: The bytes.
///   - destinationBuffer: The buffer.
///   - offsetIntoDestination: The first byte that is replaced.
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

/// Sets bytes of a buffer, whose memory is allocated first where it is not there.
/// - Parameters:
///   - fillByte: The value of each byte.
///   - destinationBuffer: The buffer.
///   - offsetIntoDestination: The first byte that is set.
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

/// Gives the memory of a buffer at an offset.
/// - Parameters:
///   - theBuffer: The buffer.
///   - offset: The byte to point to.
///   - lengthAtOffsetOut: Receives the number of bytes that follow one another in memory from there on.
///   - totalLengthOut: Receives the number of bytes of the buffer.
///   - dataPointerOut: Receives the byte's address, as long as the buffer lives.
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

/// Returns the number of bytes of a buffer.
public func CMBlockBufferGetDataLength(_ theBuffer: CMBlockBuffer) -> Int { theBuffer.length }

/// Returns whether a range of a buffer lies in one block.
/// - Parameters:
///   - theBuffer: The buffer.
///   - offset: The first byte.
///   - length: The number of bytes; 0 for all up to the end.
public func CMBlockBufferIsRangeContiguous(_ theBuffer: CMBlockBuffer, atOffset offset: Int, length: Int) -> Bool {
    var length = length
    guard theBuffer.resolve(offset, &length) == kCMBlockBufferNoErr else { return false }
    return theBuffer.segments(from: offset, length: length).count == 1
}

/// Returns whether a buffer has no bytes.
public func CMBlockBufferIsEmpty(_ theBuffer: CMBlockBuffer) -> Bool { theBuffer.length == 0 }

extension CMBlockBuffer {
    /// Allocates the memory of a range.
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
