public import CoreAudioTypes

/// Success.
public let kCMBlockBufferNoErr: OSStatus = 0
/// The buffer could not be allocated.
public let kCMBlockBufferStructureAllocationFailedErr: OSStatus = -12700
/// The memory of a block could not be allocated.
public let kCMBlockBufferBlockAllocationFailedErr: OSStatus = -12701
/// The custom source of memory has another version, or no function to allocate.
public let kCMBlockBufferBadCustomBlockSourceErr: OSStatus = -12702
/// An offset is outside of the buffer or block.
public let kCMBlockBufferBadOffsetParameterErr: OSStatus = -12703
/// A length exceeds the end of the buffer or block.
public let kCMBlockBufferBadLengthParameterErr: OSStatus = -12704
/// A required pointer is missing.
public let kCMBlockBufferBadPointerParameterErr: OSStatus = -12705
/// The buffer is empty, which is not allowed.
public let kCMBlockBufferEmptyBBufErr: OSStatus = -12706
/// The memory of a block has not been allocated yet.
public let kCMBlockBufferUnallocatedBlockErr: OSStatus = -12707
/// There is not enough memory.
public let kCMBlockBufferInsufficientSpaceErr: OSStatus = -12708

/// The version of `CMBlockBufferCustomBlockSource`.
public let kCMBlockBufferCustomBlockSourceVersion: UInt32 = 0

/// Options for creating and extending block buffers.
public typealias CMBlockBufferFlags = UInt32
/// Memory is allocated immediately instead of at first use.
public let kCMBlockBufferAssureMemoryNowFlag: CMBlockBufferFlags = 1 << 0
/// `CMBlockBufferCreateContiguous` copies bytes even if they are contiguous.
public let kCMBlockBufferAlwaysCopyDataFlag: CMBlockBufferFlags = 1 << 1
/// References are kept unresolved; has no effect, because references are always resolved.
public let kCMBlockBufferDontOptimizeDepthFlag: CMBlockBufferFlags = 1 << 2
/// A reference to an empty buffer is allowed.
public let kCMBlockBufferPermitEmptyReferenceFlag: CMBlockBufferFlags = 1 << 3

/// A sequence of bytes in one or more blocks of memory, which several buffers can share.
///
/// Use it on one thread at a time.
public final class CMBlockBuffer {
    /// A part of a block.
    struct Segment {
        let block: MemoryBlock
        let offset: Int
        let length: Int

        /// A pointer to the first byte; `nil` while the allocation is deferred.
        var base: UnsafeMutableRawPointer? { block.base.map { $0 + offset } }
    }

    private(set) var segments: [Segment] = []
    private(set) var length = 0
    let attachmentStore = AttachmentStore()

    init() {}

    /// Creates a buffer from segments.
    init(_ segments: [Segment]) {
        for segment in segments { _ = append(segment) }
    }

    /// Appends a part of a block.
    func append(_ segment: Segment) -> OSStatus {
        let (sum, overflow) = length.addingReportingOverflow(segment.length)
        guard !overflow else { return kCMBlockBufferBadLengthParameterErr }
        if segment.length > 0 { segments.append(segment) }
        length = sum
        return kCMBlockBufferNoErr
    }

    /// Appends bytes of a block.
    /// - Parameters:
    ///   - block: The block; an empty one is kept until the buffer is deallocated.
    ///   - offset: The offset of the first byte in the block.
    ///   - length: The number of bytes.
    func append(_ block: MemoryBlock, offset: Int, length: Int, flags: CMBlockBufferFlags) -> OSStatus {
        guard offset >= 0, offset <= block.length else { return kCMBlockBufferBadOffsetParameterErr }
        guard length >= 0, length <= block.length - offset else { return kCMBlockBufferBadLengthParameterErr }
        if flags & kCMBlockBufferAssureMemoryNowFlag != 0 {
            let status = block.allocate()
            guard status == kCMBlockBufferNoErr else { return status }
        }
        return append(Segment(block: block, offset: offset, length: length))
    }

    /// Checks a range of the buffer.
    func check(_ offset: Int, _ length: Int) -> OSStatus {
        guard self.length > 0 else { return kCMBlockBufferEmptyBBufErr }
        guard offset >= 0, offset < self.length else { return kCMBlockBufferBadOffsetParameterErr }
        guard length >= 0, length <= self.length - offset else { return kCMBlockBufferBadLengthParameterErr }
        return kCMBlockBufferNoErr
    }

    /// Returns the segments of a range that was already checked.
    func segments(from offset: Int, length: Int) -> [Segment] {
        var result: [Segment] = []
        var place = 0
        for segment in segments {
            let first = max(offset - place, 0)
            let last = min(offset + length - place, segment.length)
            if first < last {
                result.append(Segment(block: segment.block, offset: segment.offset + first, length: last - first))
            }
            place += segment.length
        }
        return result
    }

    /// Calls `body` with the memory of each segment of a range, and stops at the first failure.
    func forEach(
        from offset: Int,
        length: Int,
        _ body: (UnsafeMutableRawBufferPointer) -> Void
    ) -> OSStatus {
        let status = check(offset, length)
        guard status == kCMBlockBufferNoErr else { return status }
        for segment in segments(from: offset, length: length) {
            guard let base = segment.base else { return kCMBlockBufferUnallocatedBlockErr }
            body(UnsafeMutableRawBufferPointer(start: base, count: segment.length))
        }
        return kCMBlockBufferNoErr
    }
}
