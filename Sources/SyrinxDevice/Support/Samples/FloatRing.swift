import Synchronization

/// A lock-free ring buffer of floats between one writing and one reading thread.
///
/// Positions only increase, and are taken modulo the capacity for access, so that full and empty are distinguishable.
package struct FloatRing: ~Copyable {
    /// The capacity in floats, a power of two.
    package let capacity: Int
    private let mask: Int
    // Each side writes only to its own part: the writer owns [head, tail + capacity), the reader [tail, head).
    private let storage: UnsafeMutablePointer<Float>
    /// The position of the next float to write.
    ///
    /// Stored only by the writer.
    private let head: Atomic<Int>
    // A cache line has 64 bytes; without this padding, stores of one side would slow down the other.
    private let padding: (Int64, Int64, Int64, Int64, Int64, Int64, Int64, Int64) = (0, 0, 0, 0, 0, 0, 0, 0)
    /// The position of the next float to read.
    ///
    /// Stored only by the reader.
    private let tail: Atomic<Int>

    /// Creates a ring buffer with at least `minimumCapacity` floats, rounded up to a power of two.
    /// - Parameters:
    ///   - minimumCapacity: The minimum capacity, at least 1.
    ///   - position: The start of both positions, for tests of overflow.
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
    /// May be used by both threads.
    package var readableCount: Int {
        @_noLocks @_noAllocation get {
            head.load(ordering: .acquiring) &- tail.load(ordering: .acquiring)
        }
    }

    /// The number of floats that can be written now.
    ///
    /// May be used by both threads.
    package var writableCount: Int {
        @_noLocks @_noAllocation get { capacity &- readableCount }
    }

    /// Writes `count` floats; returns `false` and writes nothing if there is too little space.
    ///
    /// Used by the writer.
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

    /// Interleaves and writes as many whole frames as there is space for.
    ///
    /// Used by the writer.
    /// - Returns: The number of frames written.
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
    /// Used by the reader.
    /// - Returns: The number of floats read.
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

    // A loop, because `update(from:count:)` may allocate its precondition message.
    @_noLocks @_noAllocation
    private func copy(_ source: UnsafePointer<Float>, to target: UnsafeMutablePointer<Float>, count: Int) {
        var index = 0
        while index < count {
            target[index] = source[index]
            index = index &+ 1
        }
    }
}
