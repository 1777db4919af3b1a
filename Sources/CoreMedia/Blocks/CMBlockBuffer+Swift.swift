public import CoreVideo
public import Foundation

/// A row of bytes in a block buffer: the buffer itself, or a slice of it.
public protocol CMBlockBufferProtocol {
    /// The buffer.
    var owner: CMBlockBuffer { get }
    /// The first byte.
    var startIndex: Int { get }
    /// The byte behind the last.
    var endIndex: Int { get }
}

extension CMBlockBuffer: CMBlockBufferProtocol {
    /// The buffer itself.
    public var owner: CMBlockBuffer { self }
    /// Always 0.
    public var startIndex: Int { 0 }
    /// The number of bytes.
    public var endIndex: Int { length }

    /// A part of a block buffer.
    public struct Slice: CMBlockBufferProtocol {
        /// The buffer.
        public let owner: CMBlockBuffer
        /// The first byte.
        public let startIndex: Int
        /// The byte behind the last.
        public let endIndex: Int
    }

    /// Options of the functions that make and extend block buffers.
    public struct Flags: OptionSet, Sendable {
        /// The bits, as in `CMBlockBufferFlags`.
        public let rawValue: UInt32

        /// The options of these bits.
        public init(rawValue: UInt32) {
            self.rawValue = rawValue
        }

        /// Memory is allocated at once, not when it is first needed.
        public static let assureMemoryNow = Flags(rawValue: kCMBlockBufferAssureMemoryNowFlag)
        /// Bytes are copied even where they are contiguous already.
        public static let alwaysCopyData = Flags(rawValue: kCMBlockBufferAlwaysCopyDataFlag)
        /// References are kept as they are; without effect here.
        public static let dontOptimizeDepth = Flags(rawValue: kCMBlockBufferDontOptimizeDepthFlag)
        /// A reference to an empty buffer is allowed.
        public static let permitEmptyReference = Flags(rawValue: kCMBlockBufferPermitEmptyReferenceFlag)
    }

    /// Allocates so many bytes; `nil` if there is no memory.
    public typealias CustomBlockAllocator = (Int) -> UnsafeMutableRawPointer?
    /// Frees memory of so many bytes.
    public typealias CustomBlockDeallocator = (UnsafeMutableRawPointer, Int) -> Void

    /// A buffer of no bytes.
    public convenience init(capacity: Int, flags: Flags = []) throws {
        self.init()
    }

    /// A buffer of the caller's memory, which `allocator` frees; `kCFAllocatorNull` leaves it alone.
    public convenience init(
        buffer: UnsafeMutableRawBufferPointer,
        allocator: CFAllocator? = kCFAllocatorDefault,
        flags: Flags = []
    ) throws {
        self.init()
        try append(buffer: buffer, allocator: allocator, flags: flags)
    }

    /// A buffer of the caller's memory, which `deallocator` frees.
    public convenience init(
        buffer: UnsafeMutableRawBufferPointer,
        deallocator: @escaping CustomBlockDeallocator,
        flags: Flags = []
    ) throws {
        self.init()
        try append(buffer: buffer, deallocator: deallocator, flags: flags)
    }

    /// A buffer of `range` of a block of `length` bytes, which is allocated when it is needed.
    public convenience init(
        length: Int,
        allocator: CFAllocator? = kCFAllocatorDefault,
        range: Range<Int>? = nil,
        flags: Flags = []
    ) throws {
        self.init()
        try append(length: length, allocator: allocator, range: range, flags: flags)
    }

    /// A buffer of the bytes of another, whose memory both then share.
    public convenience init<T: CMBlockBufferProtocol>(bufferReference: T, flags: Flags = []) throws {
        self.init()
        try append(bufferReference: bufferReference, flags: flags)
    }

    /// Adds `range` of a block of `length` bytes, which is allocated when it is needed.
    public func append(
        length: Int,
        allocator: CFAllocator? = kCFAllocatorDefault,
        range: Range<Int>? = nil,
        flags: Flags = []
    ) throws {
        try NSError.check(
            CMBlockBufferAppendMemoryBlock(
                self,
                memoryBlock: nil,
                length: length,
                blockAllocator: allocator,
                customBlockSource: nil,
                offsetToData: range?.lowerBound ?? 0,
                dataLength: range?.count ?? length,
                flags: flags.rawValue
            )
        )
    }

    /// Adds the caller's memory, which `allocator` frees; `kCFAllocatorNull` leaves it alone.
    public func append(
        buffer: UnsafeMutableRawBufferPointer,
        allocator: CFAllocator? = kCFAllocatorDefault,
        flags: Flags = []
    ) throws {
        try append(buffer, .allocator(.resolved(allocator)), flags)
    }

    /// Adds the caller's memory, which `deallocator` frees.
    public func append(
        buffer: UnsafeMutableRawBufferPointer,
        deallocator: @escaping CustomBlockDeallocator,
        flags: Flags = []
    ) throws {
        try append(buffer, .closures(allocate: { _ in nil }, free: deallocator), flags)
    }

    /// Adds bytes of another buffer; both then share their memory.
    public func append<T: CMBlockBufferProtocol>(bufferReference: T, flags: Flags = []) throws {
        let count = bufferReference.endIndex - bufferReference.startIndex
        if count == 0, flags.contains(.permitEmptyReference) { return }
        guard count > 0 else { throw Error.emptyBlockBuffer }
        try NSError.check(
            CMBlockBufferAppendBufferReference(
                self,
                targetBBuf: bufferReference.owner,
                offsetToData: bufferReference.startIndex,
                dataLength: count,
                flags: flags.rawValue
            )
        )
    }

    /// Allocates all memory that is not there yet.
    public func assureBlockMemory() throws { try NSError.check(CMBlockBufferAssureBlockMemory(self)) }

    /// Whether the buffer has no bytes.
    public var isEmpty: Bool { length == 0 }

    /// Lends the bytes from `offset` on that follow one another in memory.
    public func withUnsafeMutableBytes<R>(
        atOffset offset: Int = 0,
        _ body: (UnsafeMutableRawBufferPointer) throws -> R
    ) throws -> R {
        var count = 0
        var pointer: UnsafeMutablePointer<CChar>?
        try NSError.check(
            CMBlockBufferGetDataPointer(
                self,
                atOffset: offset,
                lengthAtOffsetOut: &count,
                totalLengthOut: nil,
                dataPointerOut: &pointer
            )
        )
        defer { withExtendedLifetime(self) {} }
        return try body(UnsafeMutableRawBufferPointer(start: pointer, count: count))
    }

    private func append(
        _ buffer: UnsafeMutableRawBufferPointer,
        _ source: MemoryBlock.Source,
        _ flags: Flags
    ) throws {
        guard buffer.baseAddress != nil, buffer.count > 0 else { throw Error.badPointerParameter }
        let block = MemoryBlock(buffer.baseAddress, length: buffer.count, source: source)
        try NSError.check(append(block, offset: 0, length: buffer.count, flags: flags.rawValue))
    }
}

extension CMBlockBufferProtocol {
    /// The part of `bounds`, counted from the start of the owner.
    public subscript(bounds: Range<Int>) -> CMBlockBuffer.Slice {
        CMBlockBuffer.Slice(owner: owner, startIndex: bounds.lowerBound, endIndex: bounds.upperBound)
    }

    /// The part of `bounds`, counted from the start of the owner.
    public subscript(bounds: some RangeExpression<Int>) -> CMBlockBuffer.Slice {
        self[bounds.relative(to: startIndex..<endIndex)]
    }

    /// The number of bytes.
    public var dataLength: Int { endIndex - startIndex }

    /// Whether all bytes lie in one block.
    public var isContiguous: Bool {
        dataLength > 0 && CMBlockBufferIsRangeContiguous(owner, atOffset: startIndex, length: dataLength)
    }

    /// Returns a buffer of these bytes that lie in one block: the same memory if they do already, or a copy.
    public func makeContiguous(
        allocator: CFAllocator? = kCFAllocatorDefault,
        flags: CMBlockBuffer.Flags = []
    ) throws -> CMBlockBuffer {
        guard dataLength > 0 else { throw CMBlockBuffer.Error.emptyBlockBuffer }
        var result: CMBlockBuffer?
        try NSError.check(
            owner.contiguous(
                .allocator(.resolved(allocator)),
                offset: startIndex,
                length: dataLength,
                flags: flags.rawValue,
                into: &result
            )
        )
        guard let result else { throw CMBlockBuffer.Error.structureAllocationFailed }
        return result
    }

    /// Lends the bytes, which are copied first if they do not lie in one block.
    public func withContiguousStorage<R>(_ body: (UnsafeRawBufferPointer) throws -> R) throws -> R {
        guard dataLength > 0 else { return try body(UnsafeRawBufferPointer(start: nil, count: 0)) }
        return try makeContiguous().withUnsafeMutableBytes { try body(UnsafeRawBufferPointer($0)) }
    }

    /// Returns a copy of the bytes.
    public func dataBytes() throws -> Data {
        var data = Data(count: max(dataLength, 0))
        try data.withUnsafeMutableBytes { try copyDataBytes(to: $0) }
        return data
    }

    /// Copies the bytes, as many as `destination` has room for.
    public func copyDataBytes(to destination: UnsafeMutableRawBufferPointer) throws {
        let count = min(destination.count, dataLength)
        guard count > 0, let base = destination.baseAddress else { return }
        try NSError.check(CMBlockBufferCopyDataBytes(owner, atOffset: startIndex, dataLength: count, destination: base))
    }

    /// Replaces the first bytes by `sourceBytes`.
    public func replaceDataBytes(with sourceBytes: UnsafeRawBufferPointer) throws {
        guard let base = sourceBytes.baseAddress, sourceBytes.count > 0 else { return }
        guard sourceBytes.count <= dataLength else { throw CMBlockBuffer.Error.badLengthParameter }
        try NSError.check(
            CMBlockBufferReplaceDataBytes(
                with: base,
                blockBuffer: owner,
                offsetIntoDestination: startIndex,
                dataLength: sourceBytes.count
            )
        )
    }

    /// Sets all bytes to `fillByte`.
    public func fillDataBytes(with fillByte: UInt8) throws {
        try NSError.check(
            CMBlockBufferFillDataBytes(
                with: CChar(bitPattern: fillByte),
                blockBuffer: owner,
                offsetIntoDestination: startIndex,
                dataLength: dataLength
            )
        )
    }
}

extension CMBlockBuffer {
    /// The failures of block buffers as errors of `NSOSStatusErrorDomain`.
    public struct Error {
        /// The buffer could not be allocated.
        public static var structureAllocationFailed: NSError { .status(kCMBlockBufferStructureAllocationFailedErr) }
        /// The memory of a block could not be allocated.
        public static var blockAllocationFailed: NSError { .status(kCMBlockBufferBlockAllocationFailedErr) }
        /// The custom source of memory cannot be used.
        public static var badCustomBlockSource: NSError { .status(kCMBlockBufferBadCustomBlockSourceErr) }
        /// An offset lies outside of the buffer or block.
        public static var badOffsetParameter: NSError { .status(kCMBlockBufferBadOffsetParameterErr) }
        /// A length reaches beyond the end of the buffer or block.
        public static var badLengthParameter: NSError { .status(kCMBlockBufferBadLengthParameterErr) }
        /// A pointer is missing that is needed.
        public static var badPointerParameter: NSError { .status(kCMBlockBufferBadPointerParameterErr) }
        /// The buffer is empty, and may not be.
        public static var emptyBlockBuffer: NSError { .status(kCMBlockBufferEmptyBBufErr) }
        /// The memory of a block has not been allocated yet.
        public static var unallocatedBlock: NSError { .status(kCMBlockBufferUnallocatedBlockErr) }
        /// The memory does not suffice.
        public static var insufficientSpace: NSError { .status(kCMBlockBufferInsufficientSpaceErr) }
    }
}
