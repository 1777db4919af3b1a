internal import CoreAudioTypes
public import Foundation
internal import Synchronization

/// The key of the number of buffers that a pool keeps however long they are not used; 0 by default.
public let kCVPixelBufferPoolMinimumBufferCountKey: String = "MinimumBufferCount"
/// The key of the seconds after which a pool gives back the memory of a buffer that is not used; 1 by default, and never for 0.
public let kCVPixelBufferPoolMaximumBufferAgeKey: String = "MaximumBufferAge"
/// The key, among the auxiliary attributes, of the number of buffers that a pool may have.
public let kCVPixelBufferPoolAllocationThresholdKey: String = "AllocationThreshold"

/// Options of giving back the memory of a pool.
public struct CVPixelBufferPoolFlushFlags: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt64

    /// Options of these bits.
    public init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// All buffers that are not used are given back, however old they are.
    public static let excessBuffers = CVPixelBufferPoolFlushFlags(rawValue: 1)
}

/// A source of pictures of one kind, which uses the memory of those that are gone for new ones.
///
/// The memory of a picture returns to the pool when the last reference to the picture is gone. A picture may outlive its pool. Memory
/// that has not been used for too long is given back at the next call of any function of the pool, and all of it with the pool.
/// Pictures that use memory again have its old pixels, and no attachments. Any thread may use a pool.
public final class CVPixelBufferPool: Hashable, @unchecked Sendable {
    // Unchecked: the attributes, which are dictionaries of Foundation's, do not change.
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

    /// Feeds the identity of the pool into `hasher`.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    /// Returns a picture.
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

/// The memory of a pool's pictures, which outlives the pool as long as there are any.
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

    /// Gives everything back, now and when a picture goes.
    func close() {
        let all = state.withLock { state in
            state.isClosed = true
            return state.blocks.removeAll()
        }
        Self.free(all)
    }

    private static func free(_ blocks: [Block]) { for block in blocks { Foundation.free(block.base) } }

    /// Seconds of a clock that does not go back.
    private static var now: Double { Double(DispatchTime.now().uptimeNanoseconds) / 1e9 }
}

/// Makes a pool.
/// - Parameters:
///   - allocator: Without effect.
///   - poolAttributes: Values under `kCVPixelBufferPoolMinimumBufferCountKey` and `…MaximumBufferAgeKey`.
///   - pixelBufferAttributes: The pixel format, the width and the height of the pictures, and what `CVPixelBufferCreate` takes besides.
///   - poolOut: Receives the pool.
/// - Returns: `kCVReturnSuccess`; `…InvalidPoolAttributes` for a number below 0; `…InvalidPixelBufferAttributes` if the format or a
///   side is missing; or the reason why there are no such pictures.
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

/// Makes a picture, in memory that has been used before if there is some.
/// - Parameters:
///   - allocator: Without effect.
///   - pixelBufferPool: The pool.
///   - pixelBufferOut: Receives the picture.
/// - Returns: `kCVReturnSuccess`, or `kCVReturnAllocationFailed`.
@discardableResult
public func CVPixelBufferPoolCreatePixelBuffer(
    _ allocator: CFAllocator?,
    _ pixelBufferPool: CVPixelBufferPool,
    _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn { CVPixelBufferPoolCreatePixelBufferWithAuxAttributes(allocator, pixelBufferPool, nil, pixelBufferOut) }

/// Makes a picture, unless the pool then had more than it may have.
/// - Parameters:
///   - allocator: Without effect.
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

/// Returns the attributes that a pool was made with.
public func CVPixelBufferPoolGetAttributes(_ pool: CVPixelBufferPool) -> CFDictionary? { pool.attributes }

/// Returns the attributes of a pool's pictures.
public func CVPixelBufferPoolGetPixelBufferAttributes(_ pool: CVPixelBufferPool) -> CFDictionary? {
    pool.pixelBufferAttributes
}

/// Gives back the memory of pictures that are gone: of those that are too old, or with `excessBuffers` of all.
public func CVPixelBufferPoolFlush(_ pool: CVPixelBufferPool, _ options: CVPixelBufferPoolFlushFlags) {
    pool.flush(options)
}
