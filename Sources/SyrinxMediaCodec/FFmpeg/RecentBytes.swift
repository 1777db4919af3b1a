/// A buffer of the last bytes that were read from a stream.
struct RecentBytes {
    private(set) var bytes: [UInt8] = []
    /// The file offset of the first byte.
    private(set) var offset: Int64 = 0
    /// The minimum number of bytes that are kept.
    private let count: Int

    init(count: Int) { self.count = count }

    /// Adds bytes at `offset`, which append to the buffer, overwrite its end, or replace it.
    mutating func keep(_ more: UnsafeBufferPointer<UInt8>, at offset: Int64) {
        // After damaged data libavformat seeks back a little.
        if self.offset...self.offset + Int64(bytes.count) ~= offset {
            bytes.removeLast(bytes.count - Int(offset - self.offset))
        } else {
            (self.offset, bytes) = (offset, [])
        }
        // Twice the minimum, so that bytes are seldom moved.
        if bytes.count >= 2 * count {
            self.offset += Int64(bytes.count - count)
            bytes.removeFirst(bytes.count - count)
        }
        bytes += more
    }
}
