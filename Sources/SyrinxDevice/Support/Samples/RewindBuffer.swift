/// A ring buffer of the last samples that a device was given, interleaved, from which samples can be taken back.
///
/// It allocates its memory once. Not thread-safe.
struct RewindBuffer: ~Copyable {
    /// The capacity, in samples.
    private let capacity: Int
    // Owned: freed in `deinit`.
    private let samples: UnsafeMutablePointer<Float>
    private var end = 0
    /// The number of stored samples, without those that were taken back.
    private(set) var count = 0

    init(capacity: Int) {
        self.capacity = max(1, capacity)
        samples = .allocate(capacity: self.capacity)
        samples.initialize(repeating: 0, count: self.capacity)
    }

    deinit { samples.deallocate() }

    /// Appends `count` samples, overwriting the oldest if necessary.
    mutating func append(_ input: UnsafePointer<Float>, count added: Int) {
        let kept = min(added, capacity)
        let newest = input + (added - kept)
        let first = min(kept, capacity - end)
        (samples + end).update(from: newest, count: first)
        samples.update(from: newest + first, count: kept - first)
        end = (end + kept) % capacity
        count = min(count + kept, capacity)
    }

    /// Removes the last `taken` samples, at most `count`, and copies the first of them to `output`.
    mutating func takeBack(_ taken: Int, first output: UnsafeMutableBufferPointer<Float>) {
        precondition(taken <= count && output.count <= taken, "Only what is there can be taken back.")
        end = (end - taken + capacity) % capacity
        count -= taken
        for index in output.indices { output[index] = samples[(end + index) % capacity] }
    }
}
