public import CoreVideo
public import Foundation

/// A byte range of a block buffer: the whole buffer, or a slice of it.
public protocol CMBlockBufferProtocol {
    /// The block buffer.
    var owner: CMBlockBuffer { get }
    /// The offset of the first byte.
    var startIndex: Int { get }
    /// The offset after the last byte.
    var endIndex: Int { get }
}

extension CMBlockBuffer: CMBlockBufferProtocol {
    /// The buffer itself.
    public var owner: CMBlockBuffer { self }
    /// The offset of the first byte: always 0.
    public var startIndex: Int { 0 }
    /// The length in bytes.
    public var endIndex: Int { length }

    /// A slice of a block buffer.
    public struct Slice: CMBlockBufferProtocol {
        /// The block buffer.
        public let owner: CMBlockBuffer
        /// The offset of the first byte.
        public let startIndex: Int
        /// The offset after the last byte.
        public let endIndex: Int
    }

    /// Options for creating and extending block buffers.
    public struct Flags: OptionSet, Sendable {
        /// The option bits, as in `CMBlockBufferFlags`.
        public let rawValue: UInt32

        /// Creates options from bits.
        public init(rawValue: UInt32) {
            self.rawValue = rawValue
        }

        /// Memory is allocated immediately instead of at first use.
        public static let assureMemoryNow = Flags(rawValue: kCMBlockBufferAssureMemoryNowFlag)
        /// Bytes are copied even if they are contiguous.
        public static let alwaysCopyData = Flags(rawValue: kCMBlockBufferAlwaysCopyDataFlag)
        /// References are kept unresolved; has no effect, because references are always resolved.
        public static let dontOptimizeDepth = Flags(rawValue: kCMBlockBufferDontOptimizeDepthFlag)
        /// A reference to an empty buffer is allowed.
        public static let permitEmptyReference = Flags(rawValue: kCMBlockBufferPermitEmptyReferenceFlag)
    }

    /// A function that allocates a number of bytes; it returns `nil` if memory is exhausted.
    public typealias CustomBlockAllocator = (Int) -> UnsafeMutableRawPointer?
    /// A function that frees memory of a number of bytes.
    public typealias CustomBlockDeallocator = (UnsafeMutableRawPointer, Int) -> Void

    /// Creates an empty buffer.
    public convenience init(capacity: Int, flags: Flags = []) throws {
        self.init()
    }

    /// Creates a buffer with memory of the caller, which `allocator` frees; `kCFAllocatorNull` does not free it.
    public convenience init(
        buffer: UnsafeMutableRawBufferPointer,
        allocator: CFAllocator? = kCFAllocatorDefault,
        flags: Flags = []
    ) throws {
        self.init()
        try append(buffer: buffer, allocator: allocator, flags: flags)
    }

    /// Creates a buffer with memory of the caller, which `deallocator` frees.
    public convenience init(
        buffer: UnsafeMutableRawBufferPointer,
        deallocator: @escaping CustomBlockDeallocator,
        flags: Flags = []
    ) throws {
        self.init()
        try append(buffer: buffer, deallocator: deallocator, flags: flags)
    }

    /// Creates a buffer with `range` of a block of `length` bytes, whose allocation is deferred until it is needed.
    ///
    /// ```swift
    /// let buffer = try CMBlockBuffer(length: 4096, flags: .assureMemoryNow)
    /// try buffer.fillDataBytes(with: 0)
    /// let copy = try buffer[0..<100].dataBytes()
    /// ```
    public convenience init(
        length: Int,
        allocator: CFAllocator? = kCFAllocatorDefault,
        range: Range<Int>? = nil,
        flags: Flags = []
    ) throws {
        self.init()
        try append(length: length, allocator: allocator, range: range, flags: flags)
    }

    /// Creates a buffer that shares the bytes of another.
    public convenience init<T: CMBlockBufferProtocol>(bufferReference: T, flags: Flags = []) throws {
        self.init()
        try append(bufferReference: bufferReference, flags: flags)
    }

    /// Appends `range` of a block of `length` bytes, whose allocation is deferred until it is needed.
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

    /// Appends memory of the caller, which `allocator` frees; `kCFAllocatorNull` does not free it.
    public func append(
        buffer: UnsafeMutableRawBufferPointer,
        allocator: CFAllocator? = kCFAllocatorDefault,
        flags: Flags = []
    ) throws {
        try append(buffer, .allocator(.resolved(allocator)), flags)
    }

    /// Appends memory of the caller without copying it.
    ///
    /// `deallocator` frees it when no block buffer uses it any more.
    /// - Throws: `badPointerParameter` if `buffer` is empty; `deallocator` is then not called.
    public func append(
        buffer: UnsafeMutableRawBufferPointer,
        deallocator: @escaping CustomBlockDeallocator,
        flags: Flags = []
    ) throws {
        try append(buffer, .closures(allocate: { _ in nil }, free: deallocator), flags)
    }

    /// Appends bytes of another buffer; both buffers then share that memory.
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

    /// Allocates all deferred memory.
    public func assureBlockMemory() throws { try NSError.check(CMBlockBufferAssureBlockMemory(self)) }

    /// Whether the buffer is empty.
    public var isEmpty: Bool { length == 0 }

    /// Calls `body` with the contiguous bytes that start at `offset`.
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
    /// The slice with these bounds, counted from the start of the owner.
    public subscript(bounds: Range<Int>) -> CMBlockBuffer.Slice {
        CMBlockBuffer.Slice(owner: owner, startIndex: bounds.lowerBound, endIndex: bounds.upperBound)
    }

    /// The slice with these bounds, counted from the start of the owner.
    public subscript(bounds: some RangeExpression<Int>) -> CMBlockBuffer.Slice {
        self[bounds.relative(to: startIndex..<endIndex)]
    }

    /// The length in bytes.
    public var dataLength: Int { endIndex - startIndex }

    /// Whether all bytes are contiguous in memory.
    public var isContiguous: Bool {
        dataLength > 0 && CMBlockBufferIsRangeContiguous(owner, atOffset: startIndex, length: dataLength)
    }

    /// Returns a contiguous buffer of these bytes: it shares the memory if it is contiguous already, otherwise it holds
    /// a copy.
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

    /// Calls `body` with the bytes, which are copied first if they are not contiguous.
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

    /// Copies the bytes, at most as many as fit into `destination`.
    public func copyDataBytes(to destination: UnsafeMutableRawBufferPointer) throws {
        let count = min(destination.count, dataLength)
        guard count > 0, let base = destination.baseAddress else { return }
        try NSError.check(CMBlockBufferCopyDataBytes(owner, atOffset: startIndex, dataLength: count, destination: base))
    }

    /// Overwrites the first bytes with `sourceBytes`.
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
    /// The errors of block buffers in `NSOSStatusErrorDomain`.
    public struct Error {
        /// The buffer could not be allocated.
        public static var structureAllocationFailed: NSError { .status(kCMBlockBufferStructureAllocationFailedErr) }
        /// The memory of a block could not be allocated.
        public static var blockAllocationFailed: NSError { .status(kCMBlockBufferBlockAllocationFailedErr) }
        /// The custom source of memory cannot be used.
        public static var badCustomBlockSource: NSError { .status(kCMBlockBufferBadCustomBlockSourceErr) }
        /// An offset is outside of the buffer or block.
        public static var badOffsetParameter: NSError { .status(kCMBlockBufferBadOffsetParameterErr) }
        /// A length exceeds the end of the buffer or block.
        public static var badLengthParameter: NSError { .status(kCMBlockBufferBadLengthParameterErr) }
        /// A required pointer is missing.
        public static var badPointerParameter: NSError { .status(kCMBlockBufferBadPointerParameterErr) }
        /// The buffer is empty, which is not allowed.
        public static var emptyBlockBuffer: NSError { .status(kCMBlockBufferEmptyBBufErr) }
        /// The memory of a block has not been allocated yet.
        public static var unallocatedBlock: NSError { .status(kCMBlockBufferUnallocatedBlockErr) }
        /// There is not enough memory.
        public static var insufficientSpace: NSError { .status(kCMBlockBufferInsufficientSpaceErr) }
    }
}
