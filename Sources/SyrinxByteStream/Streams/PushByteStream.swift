/// A byte stream to which another thread appends bytes.
///
/// All appended bytes are kept until the stream is deallocated, so every offset can be read again. Memory grows without
/// limit: the caller decides how much to append, with the help of `waitUntilStarved()`.
///
/// ```swift
/// let stream = PushByteStream(name: "standard input")
/// Thread.detachNewThread {
///     while stream.waitUntilStarved() {
///         let bytes = FileHandle.standardInput.availableData // waits for some; empty at the end
///         guard !bytes.isEmpty else { break }
///         stream.append([UInt8](bytes))
///     }
///     stream.finish()
/// }
/// ```
public final class PushByteStream: ByteStream {
    /// The name of the bytes in messages.
    public let name: String
    /// The MIME type given to `init`.
    public let mimeType: String?
    /// Whether readers may seek, as passed to `init`.
    public let isSeekable: Bool

    private struct State {
        var store: SparseBuffer
        var count: Int64 = 0
        var length: Int64?
        var isFinished = false
        var failure: SyrinxError?
        var isCancelled = false
        // The offset at which the reader waits; `nil` if it does not wait.
        var waitingAt: Int64?
    }

    private let state: Monitor<State>

    /// Creates an empty stream.
    ///
    /// - Parameters:
    ///   - length: The length in bytes if it is known in advance; `finish()` corrects it.
    ///   - isSeekable: Whether a reader may seek ahead, and wait there until the bytes are appended.
    ///   - name: The name of the bytes in messages.
    ///   - mimeType: The MIME type stated by the sender, or `nil`.
    public init(length: Int64? = nil, isSeekable: Bool = true, name: String = "pushed bytes", mimeType: String? = nil) {
        self.name = name
        self.mimeType = mimeType
        self.isSeekable = isSeekable
        var initial = State(store: SparseBuffer(limit: .max, behind: .max))
        initial.length = length
        state = Monitor(initial)
    }

    /// The length passed to `init`; after `finish`, the number of appended bytes.
    public var length: Int64? { state.read { $0.length } }
    /// Always false: appended bytes are in memory.
    public var isRemote: Bool { false }
    /// Returns the first offset, at or after `offset`, whose byte has not been appended yet.
    ///
    /// After `finish`, no byte is missing: returns `Int64.max`.
    public func firstMissing(from offset: Int64) -> Int64 {
        state.read { $0.isFinished ? .max : max(offset, $0.count) }
    }

    /// The number of appended bytes.
    public var appendedByteCount: Int64 { state.read { $0.count } }

    /// Appends bytes and wakes the reader; any thread may call it.
    ///
    /// Has no effect after `finish` or `cancel()`.
    public func append(_ bytes: UnsafeRawBufferPointer) {
        state.update { state in
            guard !state.isFinished, !state.isCancelled else { return }
            state.store.insert(bytes, at: state.count)
            state.count += Int64(bytes.count)
        }
    }

    /// Appends bytes and wakes the reader; any thread may call it.
    ///
    /// Has no effect after `finish` or `cancel()`.
    public func append(_ bytes: some Sequence<UInt8>) {
        let bytes = ContiguousArray(bytes)
        bytes.withUnsafeBytes { append($0) }
    }

    /// Ends the stream.
    ///
    /// If there is an `error`, readers receive it after they have read all appended bytes.
    public func finish(error: SyrinxError? = nil) {
        state.update { state in
            guard !state.isFinished else { return }
            state.isFinished = true
            state.failure = error
            if error == nil { state.length = state.count }
        }
    }

    /// Blocks until the reader waits for bytes that have not been appended.
    ///
    /// - Returns: False if the stream was cancelled or finished, so that appending is useless.
    @discardableResult
    public func waitUntilStarved() -> Bool {
        state.wait { state in
            if state.isCancelled || state.isFinished { return false }
            if let offset = state.waitingAt, offset >= state.count { return true }
            return nil
        }
    }

    /// Copies bytes that start at `offset`; blocks until a byte is available, or `finish` or `cancel()` is called.
    public func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(SyrinxError) -> Int {
        guard offset >= 0 else { throw .notSeekable(name: name, offset: offset) }
        let ready = try state.update { state throws(SyrinxError) in
            let ready = try attempt(&state, offset, buffer)
            if ready == nil { state.waitingAt = offset }
            return ready
        }
        if let ready { return ready }
        defer { state.update { $0.waitingAt = nil } }
        return try state.wait { state throws(SyrinxError) in try attempt(&state, offset, buffer) }
    }

    private func attempt(
        _ state: inout State,
        _ offset: Int64,
        _ buffer: UnsafeMutableRawBufferPointer
    ) throws(SyrinxError) -> Int? {
        guard !state.isCancelled else { throw .cancelled(name: name) }
        if buffer.isEmpty { return 0 }
        let count = state.store.copy(at: offset, into: buffer)
        if count > 0 { return count }
        if state.isFinished {
            if let failure = state.failure { throw failure }
            return 0
        }
        return nil
    }

    /// Makes every read and every wait return at once.
    public func cancel() { state.update { $0.isCancelled = true } }
}
