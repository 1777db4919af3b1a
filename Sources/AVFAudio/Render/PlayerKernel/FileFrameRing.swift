import Synchronization

/// Frames of a file on their way from the thread that reads ahead to the render thread.
///
/// One writer, one reader. Its memory is the control side's, which frees it after both.
struct FileFrameRing: ~Copyable {
    /// Frames written so far: the writer's.
    let written = Atomic<Int>(0)
    /// Frames taken so far: the render thread's.
    let taken = Atomic<Int>(0)
    /// Whether all frames were written.
    ///
    /// Set after the last frame.
    let isComplete = Atomic<Bool>(false)
    let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    let channelCount: Int
    let capacity: Int

    /// The memory for samples, once there is some: the writer's, and beside the ring, so that the ring never changes.
    private let samples: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>

    /// A ring without memory for samples, so that many can wait for their turn.
    init(channelCount: Int, capacity: Int) {
        self.channelCount = channelCount
        self.capacity = capacity
        channels = .allocate(capacity: channelCount)
        samples = .allocate(capacity: 1)
        samples.initialize(to: nil)
    }

    deinit {
        samples.pointee?.deallocate()
        samples.deallocate()
        channels.deallocate()
    }

    // MARK: Writing

    /// Allocates the memory for samples, before the first write.
    func allocateSamples() {
        guard samples.pointee == nil else { return }
        let memory = UnsafeMutablePointer<Float>.allocate(capacity: channelCount * capacity)
        memory.initialize(repeating: 0, count: channelCount * capacity)
        for channel in 0..<channelCount { (channels + channel).initialize(to: memory + channel * capacity) }
        samples.pointee = memory
    }

    /// The number of frames that can be written.
    var room: Int { capacity - (written.load(ordering: .relaxed) - taken.load(ordering: .acquiring)) }

    /// The number of frames that can be read.
    var level: Int { written.load(ordering: .acquiring) - taken.load(ordering: .acquiring) }

    /// Appends frames, for which there has to be room.
    func write(_ source: UnsafePointer<UnsafeMutablePointer<Float>>, from first: Int, count: Int) {
        let start = written.load(ordering: .relaxed)
        var done = 0
        while done < count {
            let place = (start + done) % capacity
            let run = min(count - done, capacity - place)
            for channel in 0..<channelCount {
                (channels[channel] + place).update(from: source[channel] + first + done, count: run)
            }
            done += run
        }
        written.store(start + count, ordering: .releasing)
    }
}
