/// The bytes that a client has not read yet, up to a limit.
///
/// Pure.
package struct OutgoingLines: Sendable {
    /// The maximum number of bytes; a queue that is empty takes one longer line.
    package let limit: Int
    private var bytes: [UInt8] = []
    private var sent = 0

    /// Creates an empty queue.
    package init(limit: Int) { self.limit = limit }

    /// The number of bytes that are to be sent.
    package var count: Int { bytes.count - sent }

    /// Adds a line and its line break.
    /// - Returns: Whether it was added. If not, the face reads too slowly.
    package mutating func append(_ line: String) -> Bool {
        let added = line.utf8.count
        guard count == 0 || added <= limit - count else { return false }
        if sent > 0, sent >= bytes.count / 2 {
            bytes.removeFirst(sent)
            sent = 0
        }
        bytes += line.utf8
        bytes.append(UInt8(ascii: "\n"))
        return true
    }

    /// Sends bytes by a function that returns the number of bytes that it took.
    package mutating func send(_ write: (UnsafeRawBufferPointer) -> Int) {
        guard count > 0 else { return }
        let taken = bytes.withUnsafeBytes { write(UnsafeRawBufferPointer(rebasing: $0[sent...])) }
        sent += min(max(taken, 0), count)
        guard count == 0 else { return }
        // A long line is rare, and its memory is not kept.
        bytes = []
        sent = 0
    }
}
