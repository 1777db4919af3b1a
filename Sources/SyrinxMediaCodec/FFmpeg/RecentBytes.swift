/// The last bytes of those that pass, which are looked at again.
struct RecentBytes {
    private(set) var bytes: [UInt8] = []
    /// The offset of the first of them.
    private(set) var offset: Int64 = 0
    /// So many are kept at least.
    private let count: Int

    init(count: Int) { self.count = count }

    /// Keeps bytes that lie at `offset`: behind those before, in place of the last of them, or elsewhere.
    mutating func keep(_ more: UnsafeBufferPointer<UInt8>, at offset: Int64) {
        // Behind damage libavformat goes back a little.
        if self.offset...self.offset + Int64(bytes.count) ~= offset {
            bytes.removeLast(bytes.count - Int(offset - self.offset))
        } else {
            (self.offset, bytes) = (offset, [])
        }
        // Twice as much, so that it is seldom moved.
        if bytes.count >= 2 * count {
            self.offset += Int64(bytes.count - count)
            bytes.removeFirst(bytes.count - count)
        }
        bytes += more
    }
}
