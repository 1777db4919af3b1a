import Foundation
import Synchronization
import SyrinxByteStream

/// Bytes in memory as a stream that can be as poor as a network: forward only, of unknown length, dripping, failing.
///
/// `@unchecked`: everything but the counters, which are atomic, is set before use.
final class TestStream: ByteStream, @unchecked Sendable {
    let name: String
    let bytes: [UInt8]
    var isSeekable = true
    /// Whether what has been read can be read again even if it is not seekable.
    var holdsAll = false
    var isRemote = false
    var hidesLength = false
    /// A lie.
    var statedLength: Int64?
    var mimeType: String?
    /// At most so many bytes come of a read.
    var portion = Int.max
    /// All before this is at hand, if it is remote.
    var heldEnd: Int64 = 0
    /// A read from here on fails.
    var failOffset = Int64.max
    /// Bytes that have not arrived: a read of them fails.
    var missing: Range<Int64> = 0..<0
    private let received = Atomic<Int>(0)
    private let jumps = Atomic<Int>(0)
    private let end = Atomic<Int64>(0)
    private let isCancelled = Atomic<Bool>(false)

    init(_ bytes: [UInt8], name: String = "test") {
        self.bytes = bytes
        self.name = name
    }

    convenience init(file: URL) throws {
        self.init([UInt8](try Data(contentsOf: file)), name: file.path)
    }

    var length: Int64? { hidesLength ? nil : statedLength ?? Int64(bytes.count) }
    /// All bytes given out so far.
    var receivedCount: Int { received.load(ordering: .relaxed) }
    /// The number of reads that did not continue the one before.
    var jumpCount: Int { jumps.load(ordering: .relaxed) }

    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(SyrinxError) -> Int {
        if isCancelled.load(ordering: .relaxed) { throw SyrinxError(.cancelled, "It was cancelled.", name: name) }
        if offset >= failOffset { throw SyrinxError(.connectionLost, "The connection was lost.", name: name) }
        if missing.contains(offset) { throw SyrinxError(.interrupted, "It has not arrived.", name: name) }
        let last = end.load(ordering: .relaxed)
        if offset != last {
            jumps.add(1, ordering: .relaxed)
            if !isSeekable, !holdsAll, offset < last {
                throw SyrinxError(.notSeekable, "It cannot go back.", name: name)
            }
        }
        guard offset < Int64(bytes.count) else { return 0 }
        let stop = offset < missing.lowerBound ? missing.lowerBound : .max
        let limit = Int(min(Int64(bytes.count), failOffset, stop) - offset)
        let count = min(buffer.count, portion, limit)
        bytes.withUnsafeBytes {
            buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[Int(offset)..<Int(offset) + count]))
        }
        received.add(count, ordering: .relaxed)
        end.store(offset + Int64(count), ordering: .relaxed)
        return count
    }

    func firstMissing(from offset: Int64) -> Int64 { isRemote ? max(offset, heldEnd) : .max }

    func cancel() { isCancelled.store(true, ordering: .relaxed) }
}
