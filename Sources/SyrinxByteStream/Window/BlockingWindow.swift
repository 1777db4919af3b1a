/// Pieces of a long byte sequence in memory, which one thread fills and another reads and waits on.
///
/// All of it may be called from any thread. Holds `limit` bytes and little more; see `SparseBuffer` for what is thrown
/// away first.
package final class BlockingWindow: Sendable {
    /// The result of a reader's wait.
    package enum Arrival: Sendable, Equatable {
        /// There is at least one byte at the offset.
        case bytes
        /// The offset lies at or past the end.
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

    /// An empty cache.
    ///
    /// - Parameters:
    ///   - limit: Bytes held at most, but for 64 KiB and what is pinned.
    ///   - behind: Bytes behind the reader that are kept in preference to bytes beyond a gap ahead of it.
    ///   - pinnedHead: Bytes at the start that are never thrown away.
    ///   - name: The stream's name, for errors.
    package init(limit: Int, behind: Int, pinnedHead: Int = 0, name: String) {
        let pinned = pinnedHead > 0 ? [0..<Int64(pinnedHead)] : []
        state = Monitor(State(store: SparseBuffer(limit: limit, behind: Int64(behind), pinned: pinned)))
        self.name = name
    }

    /// The whole length in bytes, or `nil` while it is not known.
    ///
    /// Setting it lets a reader that waits past it go on.
    package var length: Int64? {
        get { state.read { $0.length } }
        set { state.update { $0.length = newValue } }
    }

    /// The ranges held, ascending, neighbours joined.
    package var heldRanges: [Range<Int64>] { state.read { $0.store.heldRanges } }

    /// The number of bytes that are held.
    package var heldByteCount: Int { state.read { $0.store.heldByteCount } }

    /// The first offset at or after `offset` that is not held.
    package func firstMissing(from offset: Int64) -> Int64 { state.read { $0.store.firstMissing(from: offset) } }

    /// The first offset at or after `offset` that is held; `nil` if there is none.
    package func firstHeld(from offset: Int64) -> Int64? { state.read { $0.store.firstHeld(from: offset) } }

    /// Copies what is held from `offset` on, up to the first gap, for somebody beside the reader, whose place stays.
    ///
    /// - Returns: The number of bytes that were copied: 0 if there is none at `offset`.
    package func peek(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        state.read { $0.store.copy(at: offset, into: buffer) }
    }

    /// Holds so many bytes at most from now on, but for 64 KiB and what is pinned.
    package func setLimit(_ limit: Int) { state.read { $0.store.limit = limit } }

    /// Throws away what lies more than `near` bytes from the reader, if it can be had elsewhere.
    ///
    /// `isElsewhere` must not call the cache.
    package func release(near: Int64, where isElsewhere: (Range<Int64>) -> Bool) {
        state.read { $0.store.release(near: near, where: isElsewhere) }
    }

    /// Never throws away what lies in `range`; it counts towards the limit.
    package func pin(_ range: Range<Int64>) { state.read { $0.store.pinned.append(range) } }

    /// Adds bytes that begin at `offset`, and wakes the reader; what is held already stays as it is.
    package func insert(_ bytes: UnsafeRawBufferPointer, at offset: Int64) {
        state.update {
            $0.store.insert(bytes, at: offset)
            $0.arrivalCount &+= 1
        }
    }

    /// The number of times that bytes were added, or that waits for that were ended.
    package var arrivalCount: Int { state.read { $0.arrivalCount } }

    /// Waits until `arrivalCount` is not `count`; at once after `cancel()`.
    package func waitForArrival(after count: Int) {
        state.wait { $0.arrivalCount != count || $0.isCancelled ? () : nil }
    }

    /// Ends the waits of `waitForArrival`, as if bytes had been added.
    package func endArrivalWaits() { state.update { $0.arrivalCount &+= 1 } }

    /// Makes reads of what is not held throw `error`.
    ///
    /// What is held can still be read. The first failure stays.
    package func fail(_ error: SyrinxError) {
        state.update { state in
            if state.failure == nil { state.failure = error }
        }
    }

    /// Makes waits throw `.interrupted`, as long as it is on.
    package func setInterrupted(_ isInterrupted: Bool) { state.update { $0.isInterrupted = isInterrupted } }

    /// Makes every read throw `.cancelled`, and wakes the one that waits.
    package func cancel() { state.update { $0.isCancelled = true } }

    /// Copies what is held from `offset` on, up to the first gap, without waiting; the reader is at `offset` then.
    ///
    /// - Returns: How many bytes were copied: 0 if there is none at `offset`.
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

    /// Waits until there is a byte at `offset`, or it turns out to lie at or past the end.
    ///
    /// - Throws: `.cancelled`, or the failure that was set, as soon as there is one.
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

    /// Says that the source has begun to answer, so that its properties are known.
    package func begin() { state.update { $0.hasBegun = true } }

    /// Waits for `begin()`.
    ///
    /// - Throws: `.cancelled`, or the failure that was set.
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
    /// The failure of every read after `cancel()`.
    package static func cancelled(name: String) -> SyrinxError {
        SyrinxError(.cancelled, "reading was cancelled", name: name)
    }

    /// The failure of a wait that was broken off.
    package static func interrupted(name: String) -> SyrinxError {
        SyrinxError(.interrupted, "waiting was broken off", name: name)
    }

    /// The failure of a read before the start, or behind what a forward-only stream still holds.
    package static func notSeekable(name: String, offset: Int64) -> SyrinxError {
        SyrinxError(.notSeekable, "the stream cannot go back to byte \(offset)", name: name)
    }
}
