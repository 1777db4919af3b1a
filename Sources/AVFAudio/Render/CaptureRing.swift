import CoreAudioTypes
import Synchronization

/// What an input device has heard and the graph has not read: the border between the clocks of two devices.
///
/// It begins to give when it holds what a render takes and a margin, so that neither side waits for the other. A reader that
/// is faster than the device comes to nothing now and then, and begins anew; of a slower one the oldest frames are dropped.
final class CaptureRing: @unchecked Sendable {
    // Unchecked: the device's thread owns the ring from `written` to `taken + capacity`, the render thread the rest and
    // what is not atomic.
    let channelCount: Int
    private let capacity: Int
    private let margin: Int
    private let samples: UnsafeMutablePointer<Float>
    private let written = Atomic<Int>(0)
    private let taken = Atomic<Int>(0)
    /// Frames that were not given because they had not come, and those that were dropped because nobody took them.
    let lateFrames = Atomic<Int>(0)
    let droppedFrames = Atomic<Int>(0)
    private var isPrimed = false

    init(sampleRate: Double, channelCount: Int) {
        self.channelCount = channelCount
        // 20 ms: what a sound server hands over at a time.
        margin = Int(sampleRate * 0.02)
        var capacity = 1
        while capacity < Int(sampleRate) { capacity *= 2 }
        self.capacity = capacity
        samples = .allocate(capacity: capacity * channelCount)
        samples.initialize(repeating: 0, count: capacity * channelCount)
    }

    deinit { samples.deallocate() }

    /// The device's thread.
    @_noLocks @_noAllocation
    func write(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frames: Int) {
        let position = written.load(ordering: .relaxed)
        let room = capacity - (position - taken.load(ordering: .acquiring))
        let count = frames < room ? frames : room
        for channel in 0..<channelCount {
            let ring = samples + channel * capacity
            let source = channels[channel]
            for frame in 0..<count { ring[(position + frame) & (capacity - 1)] = source[frame] }
        }
        if count < frames { droppedFrames.wrappingAdd(frames - count, ordering: .relaxed) }
        written.store(position + count, ordering: .releasing)
    }

    /// The render thread: returns how many frames were there.
    @_noLocks @_noAllocation
    func read(into slot: RenderSlot, frames: Int) -> Int {
        let end = written.load(ordering: .acquiring)
        var start = taken.load(ordering: .relaxed)
        if !isPrimed {
            guard end - start >= frames + margin else { return 0 }
            isPrimed = true
        }
        // Half of the ring is far more than any jitter: the clocks have drifted, or the graph stood still.
        if end - start > capacity / 2 {
            let kept = frames + margin
            droppedFrames.wrappingAdd(end - start - kept, ordering: .relaxed)
            start = end - kept
        }
        let count = end - start < frames ? end - start : frames
        for channel in 0..<min(channelCount, slot.channelCount) {
            let ring = samples + channel * capacity
            let target = slot.channels[channel]
            for frame in 0..<count { target[frame] = ring[(start + frame) & (capacity - 1)] }
        }
        if count < frames {
            lateFrames.wrappingAdd(frames - count, ordering: .relaxed)
            isPrimed = false
        }
        taken.store(start + count, ordering: .releasing)
        return count
    }
}
