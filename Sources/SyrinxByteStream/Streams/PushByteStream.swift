/// Bytes that another thread appends as it gets them.
///
/// Everything appended is kept until the stream goes away, so every offset appended so far can be read again. It grows
/// without bound: the caller decides how much is enough, with the help of `waitUntilStarved()`.
public final class PushByteStream: ByteStream {
    /// The name of the bytes in messages.
    public let name: String
    /// The MIME type given to `init`.
    public let mimeType: String?
    /// Whether a reader may jump, as given to `init`.
    public let isSeekable: Bool

    private struct State {
        var store: SparseBuffer
        var count: Int64 = 0
        var length: Int64?
        var isFinished = false
        var failure: SyrinxError?
        var isCancelled = false
        // Where the reader waits, while it does.
        var waitingAt: Int64?
    }

    private let state: Monitor<State>

    /// An empty stream.
    ///
    /// - Parameters:
    ///   - length: The whole length in bytes if it is known beforehand; `finish()` corrects it.
    ///   - isSeekable: Whether a reader may jump ahead, and wait there until that much has been appended.
    ///   - name: What the bytes are called in messages.
    ///   - mimeType: The MIME type that the sender gave, if it gave one.
    public init(length: Int64? = nil, isSeekable: Bool = true, name: String = "pushed bytes", mimeType: String? = nil) {
        self.name = name
        self.mimeType = mimeType
        self.isSeekable = isSeekable
        var initial = State(store: SparseBuffer(limit: .max, behind: .max))
        initial.length = length
        state = Monitor(initial)
    }

    /// The length given to `init`, or once finished what was appended.
    public var length: Int64? { state.read { $0.length } }
    /// False: what has been appended is at hand.
    public var isRemote: Bool { false }
    /// Returns the first offset that has not been appended yet, and has to be waited for.
    public func firstMissing(from offset: Int64) -> Int64 {
        state.read { $0.isFinished ? .max : max(offset, $0.count) }
    }

    /// The number of bytes that have been appended.
    public var appendedByteCount: Int64 { state.read { $0.count } }

    /// Appends bytes, from any thread, and wakes the reader.
    ///
    /// After `finish` or `cancel()` it does nothing.
    public func append(_ bytes: UnsafeRawBufferPointer) {
        state.update { state in
            guard !state.isFinished, !state.isCancelled else { return }
            state.store.insert(bytes, at: state.count)
            state.count += Int64(bytes.count)
        }
    }

    /// Appends bytes, from any thread, and wakes the reader.
    ///
    /// After `finish` or `cancel()` it does nothing.
    public func append(_ bytes: some Sequence<UInt8>) {
        let bytes = ContiguousArray(bytes)
        bytes.withUnsafeBytes { append($0) }
    }

    /// Says that no more will come.
    ///
    /// Either that was all, or there is an `error`, which a reader gets once it has read what was appended.
    public func finish(error: SyrinxError? = nil) {
        state.update { state in
            guard !state.isFinished else { return }
            state.isFinished = true
            state.failure = error
            if error == nil { state.length = state.count }
        }
    }

    /// Waits until the reader waits for bytes that are not there yet.
    ///
    /// - Returns: False if appending has become useless: the stream was cancelled or finished.
    @discardableResult
    public func waitUntilStarved() -> Bool {
        state.wait { state in
            if state.isCancelled || state.isFinished { return false }
            if let offset = state.waitingAt, offset >= state.count { return true }
            return nil
        }
    }

    /// Copies bytes from `offset` on; blocks until there is one, or `finish` or `cancel()` is called.
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

    /// Makes every read and every wait give up at once.
    public func cancel() { state.update { $0.isCancelled = true } }
}
