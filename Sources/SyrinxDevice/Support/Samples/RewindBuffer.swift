/// The last samples that a device was given, to be taken back: interleaved, in a ring that is allocated once.
///
/// One thread at a time.
struct RewindBuffer: ~Copyable {
    /// The number of samples that the ring holds.
    private let capacity: Int
    // Owned: freed in `deinit`.
    private let samples: UnsafeMutablePointer<Float>
    private var end = 0
    /// The number of samples that are current: what was taken back is gone, and so is what it replaced.
    private(set) var count = 0

    init(capacity: Int) {
        self.capacity = max(1, capacity)
        samples = .allocate(capacity: self.capacity)
        samples.initialize(repeating: 0, count: self.capacity)
    }

    deinit { samples.deallocate() }

    /// Adds `count` samples; the oldest make way.
    mutating func append(_ input: UnsafePointer<Float>, count added: Int) {
        let kept = min(added, capacity)
        let newest = input + (added - kept)
        let first = min(kept, capacity - end)
        (samples + end).update(from: newest, count: first)
        samples.update(from: newest + first, count: kept - first)
        end = (end + kept) % capacity
        count = min(count + kept, capacity)
    }

    /// Takes the last `taken` samples back, at most `count`, and copies the first of them to fill `output`.
    mutating func takeBack(_ taken: Int, first output: UnsafeMutableBufferPointer<Float>) {
        precondition(taken <= count && output.count <= taken, "Only what is there can be taken back.")
        end = (end - taken + capacity) % capacity
        count -= taken
        for index in output.indices { output[index] = samples[(end + index) % capacity] }
    }
}
