import CoreMedia
import Testing

/// Buffers of blocks of memory.
@Suite struct CMBlockBufferTests {
    /// A buffer of `bytes` in one block.
    static func buffer(_ bytes: [UInt8]) throws -> CMBlockBuffer {
        let buffer = try CMBlockBuffer(length: bytes.count)
        try bytes.withUnsafeBytes { try buffer.replaceDataBytes(with: $0) }
        return buffer
    }

    /// A buffer of 0..<12 in three blocks.
    private func scattered() throws -> CMBlockBuffer {
        let buffer = try CMBlockBuffer(capacity: 3)
        for first in [0, 4, 8] as [UInt8] {
            try buffer.append(bufferReference: Self.buffer((first..<first + 4).map { $0 }))
        }
        return buffer
    }

    private func bytes(_ buffer: CMBlockBuffer, _ offset: Int, _ length: Int) -> (OSStatus, [UInt8]) {
        var bytes = [UInt8](repeating: 0xEE, count: max(length, 0) + 1)
        let status = CMBlockBufferCopyDataBytes(buffer, atOffset: offset, dataLength: length, destination: &bytes)
        return (status, Array(bytes.dropLast()))
    }

    @Test("Bytes are read and written across blocks")
    func acrossBlocks() throws {
        let buffer = try scattered()
        #expect(CMBlockBufferGetDataLength(buffer) == 12 && !CMBlockBufferIsEmpty(buffer))
        #expect(try buffer.dataBytes() == Data(0..<12))
        #expect(bytes(buffer, 3, 6).1 == [3, 4, 5, 6, 7, 8])
        let new: [UInt8] = [100, 101, 102]
        #expect(
            CMBlockBufferReplaceDataBytes(with: new, blockBuffer: buffer, offsetIntoDestination: 3, dataLength: 3) == 0
        )
        #expect(
            CMBlockBufferFillDataBytes(with: -1, blockBuffer: buffer, offsetIntoDestination: 7, dataLength: 2) == 0
        )
        #expect(try buffer.dataBytes() == Data([0, 1, 2, 100, 101, 102, 6, 255, 255, 9, 10, 11]))
    }

    @Test("A pointer reaches to the end of its block")
    func pointers() throws {
        let buffer = try scattered()
        var (length, total) = (0, 0)
        var pointer: UnsafeMutablePointer<CChar>?
        #expect(
            CMBlockBufferGetDataPointer(
                buffer,
                atOffset: 5,
                lengthAtOffsetOut: &length,
                totalLengthOut: &total,
                dataPointerOut: &pointer
            ) == kCMBlockBufferNoErr
        )
        #expect(length == 3 && total == 12 && pointer?.pointee == 5)
        #expect(CMBlockBufferIsRangeContiguous(buffer, atOffset: 4, length: 4))
        #expect(!CMBlockBufferIsRangeContiguous(buffer, atOffset: 4, length: 5))
        #expect(!CMBlockBufferIsRangeContiguous(buffer, atOffset: 0, length: 0))
        var temporary = [UInt8](repeating: 0, count: 6)
        var given: UnsafeMutablePointer<CChar>?
        temporary.withUnsafeMutableBytes { memory in
            guard let base = memory.baseAddress else { return }
            let status = CMBlockBufferAccessDataBytes(
                buffer,
                atOffset: 3,
                length: 6,
                temporaryBlock: base,
                returnedPointerOut: &given
            )
            #expect(status == kCMBlockBufferNoErr && given.map { UnsafeMutableRawPointer($0) } == base)
        }
        #expect(temporary == [3, 4, 5, 6, 7, 8])
    }

    @Test("References share the memory, and contiguous buffers copy only what lies apart")
    func sharing() throws {
        let buffer = try scattered()
        let part = try CMBlockBuffer(bufferReference: buffer[2..<7])
        try part.fillDataBytes(with: 9)
        #expect(try buffer.dataBytes() == Data([0, 1, 9, 9, 9, 9, 9, 7, 8, 9, 10, 11]))
        let copy = try buffer.makeContiguous()
        #expect(copy.isContiguous && !buffer.isContiguous)
        try copy.fillDataBytes(with: 1)
        #expect(try buffer[0...1].dataBytes() == Data([0, 1]))
        let same = try buffer[4..<8].makeContiguous()
        try same.fillDataBytes(with: 7)
        #expect(try buffer[4..<8].dataBytes() == Data([7, 7, 7, 7]))
        let apart = try buffer[4..<8].makeContiguous(flags: .alwaysCopyData)
        try apart.fillDataBytes(with: 8)
        #expect(try buffer[4..<8].dataBytes() == Data([7, 7, 7, 7]))
        #expect(try buffer.withContiguousStorage { $0.reduce(0) { $0 + Int($1) } } > 0)
    }

    @Test(
        "Offsets and lengths from outside give a status",
        arguments: [
            (-1, 1, kCMBlockBufferBadOffsetParameterErr), (12, 1, kCMBlockBufferBadOffsetParameterErr),
            (Int.max, 1, kCMBlockBufferBadOffsetParameterErr), (.min, .min, kCMBlockBufferBadOffsetParameterErr),
            (0, -1, kCMBlockBufferBadLengthParameterErr), (0, 13, kCMBlockBufferBadLengthParameterErr),
            (11, 2, kCMBlockBufferBadLengthParameterErr), (1, Int.max, kCMBlockBufferBadLengthParameterErr),
            (11, 1, kCMBlockBufferNoErr),
        ]
    )
    func hostileRanges(_ offset: Int, _ length: Int, _ expected: OSStatus) throws {
        let buffer = try scattered()
        // Memory is written to only after the range has been checked.
        var byte: UInt8 = 0
        #expect(
            CMBlockBufferCopyDataBytes(buffer, atOffset: offset, dataLength: length, destination: &byte) == expected
        )
        #expect(
            CMBlockBufferReplaceDataBytes(
                with: &byte,
                blockBuffer: buffer,
                offsetIntoDestination: offset,
                dataLength: length
            ) == expected
        )
        #expect(
            CMBlockBufferFillDataBytes(
                with: 0,
                blockBuffer: buffer,
                offsetIntoDestination: offset,
                dataLength: length
            ) == expected
        )
        var result: CMBlockBuffer?
        #expect(
            CMBlockBufferCreateWithBufferReference(
                allocator: nil,
                referenceBuffer: buffer,
                offsetToData: offset,
                dataLength: length,
                flags: 0,
                blockBufferOut: &result
            ) == expected
        )
        #expect((result != nil) == (expected == kCMBlockBufferNoErr))
    }

    @Test("Memory that is not there is allocated when it is written to")
    func laterMemory() throws {
        let buffer = try CMBlockBuffer(length: 4)
        #expect(bytes(buffer, 0, 4).0 == kCMBlockBufferUnallocatedBlockErr)
        try buffer.assureBlockMemory()
        #expect(bytes(buffer, 0, 4).0 == kCMBlockBufferNoErr)
        #expect(throws: NSError.self) { try CMBlockBuffer(length: .max, flags: .assureMemoryNow) }
        #expect(throws: NSError.self) { try CMBlockBuffer(length: 0) }
        #expect(throws: NSError.self) { try CMBlockBuffer(length: -5) }
        #expect(throws: NSError.self) { try CMBlockBuffer(length: 12, range: 10..<13) }
        #expect(throws: NSError.self) { try CMBlockBuffer(length: 12, range: -1..<3) }
        #expect(throws: NSError.self) { try CMBlockBuffer(capacity: 1).append(bufferReference: buffer[0..<0]) }
        let none = try CMBlockBuffer(length: 4, allocator: kCFAllocatorNull)
        #expect(CMBlockBufferAssureBlockMemory(none) == kCMBlockBufferBlockAllocationFailedErr)
        let empty = try CMBlockBuffer(capacity: 0)
        #expect(bytes(empty, 0, 0).0 == kCMBlockBufferEmptyBBufErr && empty.isEmpty)
    }

    @Test("Memory of the caller's is freed once, by what the caller named, with the last buffer that holds it")
    func freeing() throws {
        final class Counter { var freed: [Int] = [] }
        let counter = Counter()
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 8, alignment: 16)
        var buffer: CMBlockBuffer? = try CMBlockBuffer(
            buffer: memory,
            deallocator: { base, count in
                counter.freed.append(count)
                base.deallocate()
            }
        )
        var reference: CMBlockBuffer? = try buffer.map { try CMBlockBuffer(bufferReference: $0[4..<8]) }
        buffer = nil
        #expect(counter.freed.isEmpty && reference?.dataLength == 4)
        reference = nil
        #expect(counter.freed == [8])

        var stack: [UInt8] = [1, 2, 3]
        try stack.withUnsafeMutableBytes { memory in
            let view = try CMBlockBuffer(buffer: memory, allocator: kCFAllocatorNull)
            try view.fillDataBytes(with: 5)
        }
        #expect(stack == [5, 5, 5])
    }

    @Test("A custom source allocates and frees, and one of another version is refused")
    func customSource() throws {
        var source = CMBlockBufferCustomBlockSource(
            version: kCMBlockBufferCustomBlockSourceVersion,
            AllocateBlock: { _, size in calloc(1, size) },
            FreeBlock: { refCon, memory, size in
                refCon?.assumingMemoryBound(to: Int.self).pointee += size
                free(memory)
            },
            refCon: nil
        )
        let freed = UnsafeMutablePointer<Int>.allocate(capacity: 1)
        freed.initialize(to: 0)
        defer { freed.deallocate() }
        source.refCon = UnsafeMutableRawPointer(freed)
        func create(_ source: inout CMBlockBufferCustomBlockSource, _ result: inout CMBlockBuffer?) -> OSStatus {
            CMBlockBufferCreateWithMemoryBlock(
                allocator: nil,
                memoryBlock: nil,
                blockLength: 10,
                blockAllocator: nil,
                customBlockSource: &source,
                offsetToData: 2,
                dataLength: 5,
                flags: kCMBlockBufferAssureMemoryNowFlag,
                blockBufferOut: &result
            )
        }
        var buffer: CMBlockBuffer?
        #expect(create(&source, &buffer) == kCMBlockBufferNoErr)
        #expect(try buffer?.dataBytes() == Data(count: 5))
        buffer = nil
        #expect(freed.pointee == 10)
        source.version = 7
        #expect(create(&source, &buffer) == kCMBlockBufferBadCustomBlockSourceErr)
        #expect(buffer == nil)
    }
}
