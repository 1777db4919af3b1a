import Synchronization

/// A ring of floats from one thread to another, without a lock: one thread writes, one thread reads.
///
/// Positions only grow, and are taken modulo the capacity when memory is touched, so that full and empty differ.
package struct FloatRing: ~Copyable {
    /// The number of floats that the ring holds: a power of two.
    package let capacity: Int
    private let mask: Int
    // Written by one side only between the two positions: the writer owns [tail + capacity, head), the reader [tail, head).
    private let storage: UnsafeMutablePointer<Float>
    /// The position of the next float to be written.
    ///
    /// Stored by the writer only.
    private let head: Atomic<Int>
    // 64 bytes are a cache line: without the gap, each side's stores would slow the other's.
    private let padding: (Int64, Int64, Int64, Int64, Int64, Int64, Int64, Int64) = (0, 0, 0, 0, 0, 0, 0, 0)
    /// The position of the next float to be read.
    ///
    /// Stored by the reader only.
    private let tail: Atomic<Int>

    /// A ring of at least `minimumCapacity` floats: the next power of two.
    /// - Parameters:
    ///   - minimumCapacity: At least 1.
    ///   - position: Where both positions begin; tests begin near the end of the integers.
    package init(minimumCapacity: Int, position: Int = 0) {
        var size = 1
        while size < minimumCapacity { size <<= 1 }
        capacity = size
        mask = size - 1
        storage = .allocate(capacity: size)
        storage.initialize(repeating: 0, count: size)
        head = Atomic(position)
        tail = Atomic(position)
    }

    deinit { storage.deallocate() }

    /// The number of floats that can be read now.
    ///
    /// Either thread.
    package var readableCount: Int {
        @_noLocks @_noAllocation get {
            head.load(ordering: .acquiring) &- tail.load(ordering: .acquiring)
        }
    }

    /// The number of floats that can be written now.
    ///
    /// Either thread.
    package var writableCount: Int {
        @_noLocks @_noAllocation get { capacity &- readableCount }
    }

    /// Writes `count` floats, or nothing and returns `false` if there is no room for all.
    ///
    /// The writer.
    @_noLocks @_noAllocation
    package func write(_ source: UnsafePointer<Float>, count: Int) -> Bool {
        let start = head.load(ordering: .relaxed)
        guard capacity &- (start &- tail.load(ordering: .acquiring)) >= count else { return false }
        let offset = start & mask
        let first = count < capacity &- offset ? count : capacity &- offset
        copy(source, to: storage + offset, count: first)
        copy(source + first, to: storage, count: count &- first)
        head.store(start &+ count, ordering: .releasing)
        return true
    }

    /// Writes whole frames, interleaved, as many as there is room for.
    ///
    /// The writer.
    /// - Returns: How many frames were written.
    @_noLocks @_noAllocation
    package func writeInterleaved(
        _ channels: UnsafePointer<UnsafeMutablePointer<Float>>,
        channelCount: Int,
        from firstFrame: Int,
        frameCount: Int
    ) -> Int {
        let start = head.load(ordering: .relaxed)
        let room = (capacity &- (start &- tail.load(ordering: .acquiring))) / channelCount
        let frames = room < frameCount ? room : frameCount
        var channel = 0
        while channel < channelCount {
            let input = channels[channel] + firstFrame
            var position = start &+ channel
            var frame = 0
            while frame < frames {
                storage[position & mask] = input[frame]
                position = position &+ channelCount
                frame = frame &+ 1
            }
            channel = channel &+ 1
        }
        head.store(start &+ frames &* channelCount, ordering: .releasing)
        return frames
    }

    /// Reads at most `maximumCount` floats.
    ///
    /// The reader.
    /// - Returns: How many were read.
    @_noLocks @_noAllocation
    package func read(into target: UnsafeMutablePointer<Float>, maximumCount: Int) -> Int {
        let start = tail.load(ordering: .relaxed)
        let available = head.load(ordering: .acquiring) &- start
        let count = available < maximumCount ? available : maximumCount
        let offset = start & mask
        let first = count < capacity &- offset ? count : capacity &- offset
        copy(storage + offset, to: target, count: first)
        copy(storage, to: target + first, count: count &- first)
        tail.store(start &+ count, ordering: .releasing)
        return count
    }

    // A loop, since `update(from:count:)` may allocate the message of its precondition.
    @_noLocks @_noAllocation
    private func copy(_ source: UnsafePointer<Float>, to target: UnsafeMutablePointer<Float>, count: Int) {
        var index = 0
        while index < count {
            target[index] = source[index]
            index = index &+ 1
        }
    }
}
