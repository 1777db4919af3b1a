public import CoreAudioTypes

/// No failure.
public let kCMBlockBufferNoErr: OSStatus = 0
/// The buffer could not be allocated.
public let kCMBlockBufferStructureAllocationFailedErr: OSStatus = -12700
/// The memory of a block could not be allocated.
public let kCMBlockBufferBlockAllocationFailedErr: OSStatus = -12701
/// The custom source of memory is of another version or has no function to allocate.
public let kCMBlockBufferBadCustomBlockSourceErr: OSStatus = -12702
/// An offset lies outside of the buffer or block.
public let kCMBlockBufferBadOffsetParameterErr: OSStatus = -12703
/// A length reaches beyond the end of the buffer or block.
public let kCMBlockBufferBadLengthParameterErr: OSStatus = -12704
/// A pointer is missing that is needed.
public let kCMBlockBufferBadPointerParameterErr: OSStatus = -12705
/// The buffer is empty, and may not be.
public let kCMBlockBufferEmptyBBufErr: OSStatus = -12706
/// The memory of a block has not been allocated yet.
public let kCMBlockBufferUnallocatedBlockErr: OSStatus = -12707
/// The memory does not suffice.
public let kCMBlockBufferInsufficientSpaceErr: OSStatus = -12708

/// The version of `CMBlockBufferCustomBlockSource`.
public let kCMBlockBufferCustomBlockSourceVersion: UInt32 = 0

/// Options of the functions that make and extend block buffers.
public typealias CMBlockBufferFlags = UInt32
/// Memory is allocated at once, not when it is first needed.
public let kCMBlockBufferAssureMemoryNowFlag: CMBlockBufferFlags = 1 << 0
/// `CMBlockBufferCreateContiguous` copies even what is contiguous already.
public let kCMBlockBufferAlwaysCopyDataFlag: CMBlockBufferFlags = 1 << 1
/// References are kept as they are; without effect here, where they are always resolved.
public let kCMBlockBufferDontOptimizeDepthFlag: CMBlockBufferFlags = 1 << 2
/// A reference to an empty buffer is allowed.
public let kCMBlockBufferPermitEmptyReferenceFlag: CMBlockBufferFlags = 1 << 3

/// A row of bytes that may lie in several blocks of memory, and that may share them with other buffers.
///
/// Use it from one thread at a time.
public final class CMBlockBuffer {
    /// A part of a block.
    struct Segment {
        let block: MemoryBlock
        let offset: Int
        let length: Int

        /// The first byte; `nil` while the memory has not been allocated.
        var base: UnsafeMutableRawPointer? { block.base.map { $0 + offset } }
    }

    private(set) var segments: [Segment] = []
    private(set) var length = 0
    let attachmentStore = AttachmentStore()

    init() {}

    /// A buffer of the bytes of `segments`.
    init(_ segments: [Segment]) {
        for segment in segments { _ = append(segment) }
    }

    /// Adds a part of a block to the end.
    func append(_ segment: Segment) -> OSStatus {
        let (sum, overflow) = length.addingReportingOverflow(segment.length)
        guard !overflow else { return kCMBlockBufferBadLengthParameterErr }
        if segment.length > 0 { segments.append(segment) }
        length = sum
        return kCMBlockBufferNoErr
    }

    /// Adds the bytes of a block to the end.
    /// - Parameters:
    ///   - block: The block; one of no bytes is kept until the buffer goes.
    ///   - offset: The first byte in the block.
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

    /// Returns the segments that hold a range which has been checked.
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
