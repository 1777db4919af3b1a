/// A window of a byte sequence in memory, which one thread fills while another reads and waits.
///
/// Any thread may call the methods. The window holds about `limit` bytes; see `SparseBuffer` for the order of eviction.
package final class BlockingWindow: Sendable {
    /// The result of a wait.
    package enum Arrival: Sendable, Equatable {
        /// At least one byte is available at the offset.
        case bytes
        /// The offset is at or after the end.
        case end
    }

    private struct State {
        var store: SparseBuffer
        var length: Int64?
        var failure: SyrinxError?
        var isCancelled = false
        var isInterrupted = false
        var hasBegun = false
        var arrivalCount = 0
    }

    private let state: Monitor<State>
    private let name: String

    /// Creates an empty window.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of bytes held, not counting up to 64 KiB and pinned ranges.
    ///   - behind: The number of bytes behind the reader that are kept in preference to bytes after a gap ahead.
    ///   - pinnedHead: The number of bytes at the start that are never evicted.
    ///   - name: The name of the stream, for errors.
    package init(limit: Int, behind: Int, pinnedHead: Int = 0, name: String) {
        let pinned = pinnedHead > 0 ? [0..<Int64(pinnedHead)] : []
        state = Monitor(State(store: SparseBuffer(limit: limit, behind: Int64(behind), pinned: pinned)))
        self.name = name
    }

    /// The length in bytes; `nil` while it is unknown.
    ///
    /// Setting it wakes a reader that waits after the end.
    package var length: Int64? {
        get { state.read { $0.length } }
        set { state.update { $0.length = newValue } }
    }

    /// The held ranges, ascending and merged.
    package var heldRanges: [Range<Int64>] { state.read { $0.store.heldRanges } }

    /// The number of held bytes.
    package var heldByteCount: Int { state.read { $0.store.heldByteCount } }

    /// Returns the first offset, starting at `offset`, that is not held.
    package func firstMissing(from offset: Int64) -> Int64 { state.read { $0.store.firstMissing(from: offset) } }

    /// Returns the first offset, starting at `offset`, that is held; `nil` if there is none.
    package func firstHeld(from offset: Int64) -> Int64? { state.read { $0.store.firstHeld(from: offset) } }

    /// Copies held bytes from `offset` to the first gap without moving the reader's position.
    ///
    /// - Returns: The number of copied bytes; 0 if the byte at `offset` is not held.
    package func peek(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        state.read { $0.store.copy(at: offset, into: buffer) }
    }

    /// Sets the maximum number of bytes held, not counting up to 64 KiB and pinned ranges.
    package func setLimit(_ limit: Int) { state.read { $0.store.limit = limit } }

    /// Evicts bytes more than `near` bytes from the reader if they are available elsewhere.
    ///
    /// `isElsewhere` must not call the window.
    package func release(near: Int64, where isElsewhere: (Range<Int64>) -> Bool) {
        state.read { $0.store.release(near: near, where: isElsewhere) }
    }

    /// Pins a range, so that it is never evicted; it counts towards the limit.
    package func pin(_ range: Range<Int64>) { state.read { $0.store.pinned.append(range) } }

    /// Adds bytes at `offset` and wakes the reader; bytes that are already held do not change.
    package func insert(_ bytes: UnsafeRawBufferPointer, at offset: Int64) {
        state.update {
            $0.store.insert(bytes, at: offset)
            $0.arrivalCount &+= 1
        }
    }

    /// The number of insertions, plus the number of ended waits.
    package var arrivalCount: Int { state.read { $0.arrivalCount } }

    /// Blocks until `arrivalCount` differs from `count`; returns at once after `cancel()`.
    package func waitForArrival(after count: Int) {
        state.wait { $0.arrivalCount != count || $0.isCancelled ? () : nil }
    }

    /// Ends all waits in `waitForArrival(after:)`, as if bytes had been added.
    package func endArrivalWaits() { state.update { $0.arrivalCount &+= 1 } }

    /// Makes reads of missing bytes throw `error`.
    ///
    /// Held bytes can still be read. Only the first error counts.
    package func fail(_ error: SyrinxError) {
        state.update { state in
            if state.failure == nil { state.failure = error }
        }
    }

    /// Makes waits throw `.interrupted` while the interruption is on.
    package func setInterrupted(_ isInterrupted: Bool) { state.update { $0.isInterrupted = isInterrupted } }

    /// Makes every read throw `.cancelled`, and wakes a waiting reader.
    package func cancel() { state.update { $0.isCancelled = true } }

    /// Copies held bytes from `offset` to the first gap without waiting, and moves the reader's position to `offset`.
    ///
    /// - Returns: The number of copied bytes; 0 if the byte at `offset` is not held.
    /// - Throws: `.cancelled` after `cancel()`.
    package func copy(
        at offset: Int64,
        into buffer: UnsafeMutableRawBufferPointer
    ) throws(SyrinxError) -> Int {
        try state.read { state throws(SyrinxError) in
            guard !state.isCancelled else { throw .cancelled(name: name) }
            state.store.readerOffset = offset
            return state.store.copy(at: offset, into: buffer)
        }
    }

    /// Blocks until the byte at `offset` is available, or is known to be at or after the end.
    ///
    /// - Throws: `.cancelled`, or the error that was set with `fail(_:)`.
    package func wait(at offset: Int64) throws(SyrinxError) -> Arrival {
        try state.wait { state throws(SyrinxError) in
            guard !state.isCancelled else { throw .cancelled(name: name) }
            state.store.readerOffset = offset
            if state.store.firstMissing(from: offset) > offset { return .bytes }
            if let length = state.length, offset >= length { return .end }
            if let failure = state.failure { throw failure }
            guard !state.isInterrupted else { throw .interrupted(name: name) }
            return nil
        }
    }

    /// Notes that the source has responded, so that its properties are known.
    package func begin() { state.update { $0.hasBegun = true } }

    /// Blocks until `begin()` is called.
    ///
    /// - Throws: `.cancelled`, or the error that was set with `fail(_:)`.
    package func waitUntilBegun() throws(SyrinxError) {
        try state.wait { state throws(SyrinxError) -> Void? in
            guard !state.isCancelled else { throw .cancelled(name: name) }
            if state.hasBegun { return () }
            if let failure = state.failure { throw failure }
            return nil
        }
    }
}

extension SyrinxError {
    /// The error of every read after `cancel()`.
    package static func cancelled(name: String) -> SyrinxError {
        SyrinxError(.cancelled, "reading was cancelled", name: name)
    }

    /// The error of an interrupted wait.
    package static func interrupted(name: String) -> SyrinxError {
        SyrinxError(.interrupted, "waiting was broken off", name: name)
    }

    /// The error of a read before the start, or before the bytes that a forward-only stream still holds.
    package static func notSeekable(name: String, offset: Int64) -> SyrinxError {
        SyrinxError(.notSeekable, "the stream cannot go back to byte \(offset)", name: name)
    }
}
