import Foundation
import Testing

@testable import CoreVideo

/// Pools of pictures.
@Suite struct CVPixelBufferPoolTests {
    private func pool(_ attributes: NSDictionary? = nil, format: OSType = kCVPixelFormatType_32BGRA) throws
        -> CVPixelBufferPool
    {
        let pictures: NSDictionary = [
            kCVPixelBufferPixelFormatTypeKey: Int(format), kCVPixelBufferWidthKey: 30, kCVPixelBufferHeightKey: 20,
        ]
        var pool: CVPixelBufferPool?
        #expect(CVPixelBufferPoolCreate(nil, attributes, pictures, &pool) == kCVReturnSuccess)
        return try #require(pool)
    }

    private func make(_ pool: CVPixelBufferPool, threshold: Int? = nil) throws -> CVPixelBuffer {
        var buffer: CVPixelBuffer?
        let limit = threshold.map { [kCVPixelBufferPoolAllocationThresholdKey: $0] as NSDictionary }
        #expect(CVPixelBufferPoolCreatePixelBufferWithAuxAttributes(nil, pool, limit, &buffer) == kCVReturnSuccess)
        return try #require(buffer)
    }

    private func address(_ buffer: CVPixelBuffer?) -> UnsafeMutableRawPointer? {
        guard let buffer else { return nil }
        CVPixelBufferLockBaseAddress(buffer, [])
        defer { CVPixelBufferUnlockBaseAddress(buffer, []) }
        return CVPixelBufferGetBaseAddressOfPlane(buffer, 0)
    }

    @Test("Pixel buffers have the attributes of their pool")
    func thePicturesAreOfTheKindThatThePoolStates() throws {
        let pool = try pool(format: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
        var made: CVPixelBuffer?
        #expect(CVPixelBufferPoolCreatePixelBuffer(nil, pool, &made) == kCVReturnSuccess)
        let buffer = try #require(made)
        #expect(CVPixelBufferGetWidth(buffer) == 30 && CVPixelBufferGetHeight(buffer) == 20)
        #expect(CVPixelBufferGetPixelFormatType(buffer) == kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
        #expect(CVPixelBufferGetPlaneCount(buffer) == 2)
        #expect(CVPixelBufferPoolGetAttributes(pool) == nil)
        #expect(CVPixelBufferPoolGetPixelBufferAttributes(pool)?[kCVPixelBufferWidthKey] as? Int == 30)
    }

    @Test("Memory is reused once the pixel buffer is released")
    func memoryIsUsedAgainOnceThePictureIsGone() throws {
        // Without an age, so that a slow machine does not matter.
        let pool = try pool([kCVPixelBufferPoolMaximumBufferAgeKey: 0])
        var first: CVPixelBuffer? = try make(pool)
        let place = try #require(address(first))
        let second = try make(pool)
        #expect(address(second) != place)
        if let first { CVBufferSetAttachment(first, "Key", 1, .shouldPropagate) }
        first = nil
        let third = try make(pool)
        #expect(address(third) == place && !CVBufferHasAttachment(third, "Key"))
        #expect(address(try make(pool)) != address(second))
    }

    @Test("The allocation threshold limits the number of pixel buffers")
    func aThresholdLimitsTheNumberOfPictures() throws {
        let pool = try pool([kCVPixelBufferPoolMaximumBufferAgeKey: 0])
        var held = [try make(pool, threshold: 2), try make(pool, threshold: 2)]
        var buffer: CVPixelBuffer?
        let limit: NSDictionary = [kCVPixelBufferPoolAllocationThresholdKey: 2]
        let status = CVPixelBufferPoolCreatePixelBufferWithAuxAttributes(nil, pool, limit, &buffer)
        #expect(status == kCVReturnWouldExceedAllocationThreshold && buffer == nil)
        #expect(CVPixelBufferPoolCreatePixelBuffer(nil, pool, &buffer) == kCVReturnSuccess)
        buffer = nil
        held.removeLast()
        held.append(try make(pool, threshold: 2))
        #expect(held.count == 2)
    }

    @Test("A pixel buffer outlives its pool")
    func aPictureOutlivesItsPool() throws {
        var pool: CVPixelBufferPool? = try pool()
        let buffer = try make(#require(pool))
        pool = nil
        CVPixelBufferLockBaseAddress(buffer, [])
        let base = try #require(CVPixelBufferGetBaseAddress(buffer))
        memset(base, 7, CVPixelBufferGetDataSize(buffer))
        #expect(base.load(as: UInt8.self) == 7)
    }

    @Test("Flushing releases memory")
    func flushingGivesMemoryBack() throws {
        let pool = try pool([kCVPixelBufferPoolMaximumBufferAgeKey: 0])
        var buffer: CVPixelBuffer? = try make(pool)
        let base = try #require(address(buffer))
        base.storeBytes(of: 9, as: UInt8.self)
        buffer = nil
        CVPixelBufferPoolFlush(pool, [])
        buffer = try make(pool)
        // Used again, as it was not too old: with its old pixels.
        #expect(address(buffer) == base && base.load(as: UInt8.self) == 9)
        buffer = nil
        CVPixelBufferPoolFlush(pool, .excessBuffers)
        buffer = try make(pool)
        #expect(address(buffer)?.load(as: UInt8.self) == 0)
    }

    @Test("Unsupported attributes are rejected")
    func attributesThatCannotBeMetAreRefused() {
        let size: NSDictionary = [kCVPixelBufferWidthKey: 4, kCVPixelBufferHeightKey: 4]
        var whole: [String: Int] = [kCVPixelBufferWidthKey: 4, kCVPixelBufferHeightKey: 4]
        whole[kCVPixelBufferPixelFormatTypeKey] = Int(kCVPixelFormatType_32BGRA)
        var none = whole
        none[kCVPixelBufferWidthKey] = 0
        var unknown = whole
        unknown[kCVPixelBufferPixelFormatTypeKey] = 0x3031_3233
        var pool: CVPixelBufferPool?
        #expect(CVPixelBufferPoolCreate(nil, nil, nil, &pool) == kCVReturnInvalidPixelBufferAttributes)
        #expect(CVPixelBufferPoolCreate(nil, nil, size, &pool) == kCVReturnInvalidPixelBufferAttributes)
        #expect(CVPixelBufferPoolCreate(nil, nil, none as NSDictionary, &pool) == kCVReturnInvalidSize)
        #expect(CVPixelBufferPoolCreate(nil, nil, unknown as NSDictionary, &pool) == kCVReturnInvalidPixelFormat)
        let negative: NSDictionary = [kCVPixelBufferPoolMinimumBufferCountKey: -1]
        #expect(CVPixelBufferPoolCreate(nil, negative, whole as NSDictionary, &pool) == kCVReturnInvalidPoolAttributes)
        #expect(pool == nil)
    }

    // MARK: Decisions

    @Test("Unused memory older than the maximum age is released")
    func blocksThatAreTooOldAreGivenBack() {
        var blocks = BlockPool<Int>(minimumCount: 0, maximumAge: 1)
        for _ in 0..<3 { _ = blocks.take(threshold: nil) }
        blocks.giveBack(1, at: 10)
        blocks.giveBack(2, at: 10.5)
        #expect(blocks.count == 3 && blocks.usedCount == 1)
        #expect(blocks.removeOld(at: 11).isEmpty)
        #expect(blocks.removeOld(at: 11.2) == [1])
        blocks.giveBack(3, at: 11.3)
        // The one that was given back last is used first.
        guard case .reuse(3) = blocks.take(threshold: nil) else {
            Issue.record("block 3 was not used again")
            return
        }
        #expect(blocks.removeOld(at: 100) == [2] && blocks.count == 1)
    }

    @Test("The minimum buffer count is kept regardless of age")
    func theLeastNumberIsKeptHoweverOldItIs() {
        var blocks = BlockPool<Int>(minimumCount: 2, maximumAge: 1)
        for _ in 0..<4 { _ = blocks.take(threshold: nil) }
        for block in 1...4 { blocks.giveBack(block, at: Double(block)) }
        #expect(blocks.removeOld(at: 100) == [1, 2])
        #expect(blocks.removeOld(at: 200).isEmpty)
        // Those that are used count too.
        _ = blocks.take(threshold: nil)
        _ = blocks.take(threshold: nil)
        guard case .allocate = blocks.take(threshold: 3) else {
            Issue.record("no third block was allowed")
            return
        }
        guard case .refuse = blocks.take(threshold: 3) else {
            Issue.record("a fourth block was allowed")
            return
        }
        blocks.allocationFailed()
        #expect(blocks.count == 2)
        blocks.giveBack(3, at: 300)
        #expect(blocks.removeOld(at: 400).isEmpty && blocks.removeAll() == [3])
    }

    @Test("Without a maximum age, no memory is released")
    func withoutAnAgeNothingIsGivenBack() {
        var blocks = BlockPool<Int>(minimumCount: 0, maximumAge: nil)
        _ = blocks.take(threshold: nil)
        blocks.giveBack(1, at: 0)
        #expect(blocks.removeOld(at: 1e9).isEmpty)
    }
}
