internal import CoreAudioTypes
public import Foundation
internal import Synchronization

/// The key of the number of buffers that a pool keeps regardless of their age; 0 by default.
public let kCVPixelBufferPoolMinimumBufferCountKey: String = "MinimumBufferCount"
/// The key of the age in seconds after which a pool frees unused memory; 1 by default, and 0 means never.
public let kCVPixelBufferPoolMaximumBufferAgeKey: String = "MaximumBufferAge"
/// The key, among the auxiliary attributes, of the maximum number of buffers of a pool.
public let kCVPixelBufferPoolAllocationThresholdKey: String = "AllocationThreshold"

/// Options for freeing the memory of a pool.
public struct CVPixelBufferPoolFlushFlags: OptionSet, Sendable {
    /// The option bits.
    public let rawValue: UInt64

    /// Creates options from bits.
    public init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// All unused memory is freed, regardless of its age.
    public static let excessBuffers = CVPixelBufferPoolFlushFlags(rawValue: 1)
}

/// A pool of pictures of one kind, which reuses the memory of released pictures.
///
/// The memory of a picture returns to the pool with the last reference to the picture. A picture may outlive its pool.
/// Memory that is unused for too long is freed at the next call of any function of the pool. A reused picture contains
/// its old pixels, and has no attachments. Any thread may use a pool.
///
/// ```swift
/// let attributes: NSDictionary = [
///     kCVPixelBufferPixelFormatTypeKey: Int(kCVPixelFormatType_32BGRA),
///     kCVPixelBufferWidthKey: 640, kCVPixelBufferHeightKey: 480,
/// ]
/// var pool: CVPixelBufferPool?
/// CVPixelBufferPoolCreate(nil, nil, attributes, &pool)
/// var picture: CVPixelBuffer?
/// if let pool { CVPixelBufferPoolCreatePixelBuffer(nil, pool, &picture) }
/// ```
public final class CVPixelBufferPool: Hashable, @unchecked Sendable {
    // Unchecked: the attributes are dictionaries of Foundation that do not change.
    let attributes: NSDictionary?
    let pixelBufferAttributes: NSDictionary
    private let plan: PixelBufferPlan
    private let memory: PooledMemory

    fileprivate init(
        _ plan: PixelBufferPlan,
        _ memory: PooledMemory,
        _ attributes: NSDictionary?,
        _ pixelBufferAttributes: NSDictionary
    ) {
        self.plan = plan
        self.memory = memory
        self.attributes = attributes
        self.pixelBufferAttributes = pixelBufferAttributes
    }

    deinit { memory.close() }

    /// Returns whether both are the same pool.
    public static func == (lhs: CVPixelBufferPool, rhs: CVPixelBufferPool) -> Bool { lhs === rhs }

    /// Hashes the identity of the pool.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    /// Returns a picture, or the reason for a failure.
    fileprivate func make(threshold: Int?) -> (CVPixelBuffer?, CVReturn) {
        switch memory.take(threshold: threshold) {
        case .refuse: return (nil, kCVReturnWouldExceedAllocationThreshold)
        case .reuse(let block): return (buffer(in: block), kCVReturnSuccess)
        case .allocate:
            guard let base = plan.allocate() else {
                memory.allocationFailed()
                return (nil, kCVReturnAllocationFailed)
            }
            return (buffer(in: PooledMemory.Block(base: base)), kCVReturnSuccess)
        }
    }

    private func buffer(in block: PooledMemory.Block) -> CVPixelBuffer {
        plan.buffer(in: block.base) { [memory] in memory.giveBack(block) }
    }

    fileprivate func flush(_ flags: CVPixelBufferPoolFlushFlags) {
        memory.flush(isComplete: flags.contains(.excessBuffers))
    }
}

/// The memory of a pool's pictures, which outlives the pool while pictures exist.
private final class PooledMemory: Sendable {
    struct Block: @unchecked Sendable {
        // Unchecked: the pixels belong to the holder of the block.
        let base: UnsafeMutableRawPointer
    }

    private struct State {
        var blocks: BlockPool<Block>
        var isClosed = false
    }

    private let state: Mutex<State>

    init(minimumCount: Int, maximumAge: Double?) {
        state = Mutex(State(blocks: BlockPool(minimumCount: minimumCount, maximumAge: maximumAge)))
    }

    func take(threshold: Int?) -> BlockPool<Block>.Step {
        let (step, old) = state.withLock { state in
            let step = state.blocks.take(threshold: threshold)
            return (step, state.blocks.removeOld(at: Self.now))
        }
        Self.free(old)
        return step
    }

    func allocationFailed() { state.withLock { $0.blocks.allocationFailed() } }

    func giveBack(_ block: Block) {
        let old = state.withLock { state -> [Block] in
            state.blocks.giveBack(block, at: Self.now)
            return state.isClosed ? state.blocks.removeAll() : state.blocks.removeOld(at: Self.now)
        }
        Self.free(old)
    }

    func flush(isComplete: Bool) {
        Self.free(state.withLock { isComplete ? $0.blocks.removeAll() : $0.blocks.removeOld(at: Self.now) })
    }

    /// Frees all unused memory, and later the memory of each released picture.
    func close() {
        let all = state.withLock { state in
            state.isClosed = true
            return state.blocks.removeAll()
        }
        Self.free(all)
    }

    private static func free(_ blocks: [Block]) { for block in blocks { Foundation.free(block.base) } }

    /// The time of a monotonic clock in seconds.
    private static var now: Double { Double(DispatchTime.now().uptimeNanoseconds) / 1e9 }
}

/// Creates a pool.
/// - Parameters:
///   - allocator: Ignored.
///   - poolAttributes: Values under `kCVPixelBufferPoolMinimumBufferCountKey` and `…MaximumBufferAgeKey`.
///   - pixelBufferAttributes: The pixel format, the width and the height of the pictures, and other attributes of
///     `CVPixelBufferCreate`.
///   - poolOut: Receives the pool.
/// - Returns: `kCVReturnSuccess`; `…InvalidPoolAttributes` for a negative number; `…InvalidPixelBufferAttributes` if
///   the format or a side is missing; otherwise the error of creating such a picture.
@discardableResult
public func CVPixelBufferPoolCreate(
    _ allocator: CFAllocator?,
    _ poolAttributes: CFDictionary?,
    _ pixelBufferAttributes: CFDictionary?,
    _ poolOut: UnsafeMutablePointer<CVPixelBufferPool?>
) -> CVReturn {
    let count = (poolAttributes?[kCVPixelBufferPoolMinimumBufferCountKey] as? NSNumber)?.intValue ?? 0
    let age = (poolAttributes?[kCVPixelBufferPoolMaximumBufferAgeKey] as? NSNumber)?.doubleValue ?? 1
    guard count >= 0, age >= 0 else { return kCVReturnInvalidPoolAttributes }
    func number(_ key: String) -> Int? {
        let value = pixelBufferAttributes?[key]
        return ((value as? NSArray)?.firstObject as? NSNumber ?? value as? NSNumber)?.intValue
    }
    guard let pixelBufferAttributes,
        let format = number(kCVPixelBufferPixelFormatTypeKey).flatMap({ OSType(exactly: $0) }),
        let width = number(kCVPixelBufferWidthKey), let height = number(kCVPixelBufferHeightKey)
    else { return kCVReturnInvalidPixelBufferAttributes }
    let result = PixelBufferPlan.make(width, height, format, pixelBufferAttributes)
    guard case .success(let plan) = result else { return result.status }
    poolOut.pointee = CVPixelBufferPool(
        plan,
        PooledMemory(minimumCount: count, maximumAge: age > 0 ? age : nil),
        poolAttributes,
        pixelBufferAttributes
    )
    return kCVReturnSuccess
}

/// Creates a picture, in reused memory if possible.
/// - Parameters:
///   - allocator: Ignored.
///   - pixelBufferPool: The pool.
///   - pixelBufferOut: Receives the picture.
/// - Returns: `kCVReturnSuccess`, or `kCVReturnAllocationFailed`.
@discardableResult
public func CVPixelBufferPoolCreatePixelBuffer(
    _ allocator: CFAllocator?,
    _ pixelBufferPool: CVPixelBufferPool,
    _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn { CVPixelBufferPoolCreatePixelBufferWithAuxAttributes(allocator, pixelBufferPool, nil, pixelBufferOut) }

/// Creates a picture, unless the pool has reached a limit.
/// - Parameters:
///   - allocator: Ignored.
///   - pixelBufferPool: The pool.
///   - auxAttributes: The limit, under `kCVPixelBufferPoolAllocationThresholdKey`; `nil` for none.
///   - pixelBufferOut: Receives the picture.
/// - Returns: `kCVReturnSuccess`, `kCVReturnWouldExceedAllocationThreshold`, or `kCVReturnAllocationFailed`.
@discardableResult
public func CVPixelBufferPoolCreatePixelBufferWithAuxAttributes(
    _ allocator: CFAllocator?,
    _ pixelBufferPool: CVPixelBufferPool,
    _ auxAttributes: CFDictionary?,
    _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
    let threshold = (auxAttributes?[kCVPixelBufferPoolAllocationThresholdKey] as? NSNumber)?.intValue
    let (buffer, status) = pixelBufferPool.make(threshold: threshold)
    if let buffer { pixelBufferOut.pointee = buffer }
    return status
}

/// Returns the attributes with which a pool was created.
public func CVPixelBufferPoolGetAttributes(_ pool: CVPixelBufferPool) -> CFDictionary? { pool.attributes }

/// Returns the attributes of a pool's pictures.
public func CVPixelBufferPoolGetPixelBufferAttributes(_ pool: CVPixelBufferPool) -> CFDictionary? {
    pool.pixelBufferAttributes
}

/// Frees the unused memory of a pool.
///
/// Without `excessBuffers`, it frees unused memory that is older than `kCVPixelBufferPoolMaximumBufferAgeKey`; with it,
/// all unused memory.
public func CVPixelBufferPoolFlush(_ pool: CVPixelBufferPool, _ options: CVPixelBufferPoolFlushFlags) {
    pool.flush(options)
}
