import Synchronization
import SyrinxByteStream

/// A resource of which ranges arrive in any order.
///
/// A player's stream fetches what it reads, in pieces; the other one gives what has arrived, and fetches nothing.
final class SparseStream: ByteStream {
    private struct State {
        var held = RangeSet<Int64>()
        var isCancelled = false
        var readCount = 0
    }

    private let bytes: [UInt8]
    private let fetches: Bool
    private let state: SharedState

    private final class SharedState: Sendable {
        let value = Mutex(State())
    }

    let name = "sparse"
    let mimeType: String? = nil

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        fetches = false
        state = SharedState()
    }

    private init(fetchingFor other: SparseStream) {
        bytes = other.bytes
        fetches = true
        state = other.state
    }

    /// The stream of a player of the same resource.
    func makePlayersStream() -> SparseStream { SparseStream(fetchingFor: self) }

    var length: Int64? { Int64(bytes.count) }
    var isSeekable: Bool { true }
    var isRemote: Bool { true }
    var readCount: Int { state.value.withLock { $0.readCount } }
    var heldCount: Int { state.value.withLock { $0.held.ranges.reduce(0) { $0 + $1.count } } }

    func arrive(_ range: Range<Int>) {
        let range = range.clamped(to: 0..<bytes.count)
        state.value.withLock { $0.held.insert(contentsOf: Int64(range.lowerBound)..<Int64(range.upperBound)) }
    }

    func arriveWhole() { arrive(0..<bytes.count) }

    func firstMissing(from offset: Int64) -> Int64 {
        state.value.withLock { state in
            state.held.ranges.first { $0.contains(offset) }?.upperBound ?? offset
        }
    }

    func firstHeld(from offset: Int64) -> Int64? {
        state.value.withLock { state in
            state.held.ranges.first { $0.upperBound > offset }.map { max($0.lowerBound, offset) }
        }
    }

    func cancel() { state.value.withLock { $0.isCancelled = true } }

    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(SyrinxError) -> Int {
        guard offset < Int64(bytes.count), !buffer.isEmpty else { return 0 }
        if state.value.withLock({ $0.isCancelled }) {
            throw SyrinxError(.cancelled, "It was cancelled.", name: name)
        }
        if fetches { arrive(Int(offset)..<Int(offset) + 8192) }
        state.value.withLock { $0.readCount += 1 }
        let end = firstMissing(from: offset)
        guard end > offset else { throw SyrinxError(.interrupted, "It has not arrived.", name: name) }
        let count = min(buffer.count, Int(end - offset))
        buffer.copyBytes(from: bytes[Int(offset)..<Int(offset) + count])
        return count
    }
}
