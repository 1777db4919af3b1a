/// Bytes at an offset, from wherever they come: a file, memory, a pipe, or a cache that a network fills.
///
/// Reads name their offset, so a stream has no position of its own. Reads may block; they are for a thread that may wait
/// (the pump), never for the render thread or an event loop.
public protocol ByteStream: AnyObject, Sendable {
    /// The source of the bytes for messages: a path or a URL, without a password.
    var name: String { get }

    /// The whole length in bytes, or `nil` while it is not known. It may become known later.
    var length: Int64? { get }

    /// Whether any offset below `length` can be read at any time.
    ///
    /// If false, reading goes forward only: an offset that lies behind what is still held throws
    /// `SyrinxError.Code.notSeekable`.
    var isSeekable: Bool { get }

    /// Whether reading out of order is expensive (a network round trip), so that a reader should avoid it.
    var isRemote: Bool { get }

    /// The MIME type that the sender gave, if it gave one. A hint only: senders are often wrong.
    var mimeType: String? { get }

    /// Copies bytes from `offset` on into `buffer`, and returns how many.
    ///
    /// Blocks until there is at least one byte. Returns fewer than asked when fewer are at hand. Returns 0 only at or
    /// past the end, or when `buffer` is empty. One thread reads at a time.
    /// - Throws: `SyrinxError`, also when `cancel()` is called from another thread meanwhile (`.cancelled`).
    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(SyrinxError) -> Int

    /// The first offset at or after `offset` whose byte would have to be fetched from afar; at most the length is at hand.
    ///
    /// By default none is where reading is cheap, and `offset` itself where the stream is remote.
    func firstMissing(from offset: Int64) -> Int64

    /// The first offset at or after `offset` whose byte is at hand; `nil` if none is known to be.
    ///
    /// By default `offset` itself where reading is cheap, and none where the stream is remote.
    func firstHeld(from offset: Int64) -> Int64?

    /// Breaks off waits for bytes, or lets reads wait again, from any thread.
    ///
    /// While it is on, a read that waits, and any that would have to, throws `.interrupted` at once; bytes at hand are still
    /// given. The stream itself goes on. Streams that never wait for long need not do anything, which is the default.
    func setInterrupted(_ isInterrupted: Bool)

    /// Ends the stream from any thread: the read that waits, and all that follow, throw `.cancelled` at once.
    ///
    /// Connections and files are let go. Calling it again does nothing.
    func cancel()
}

extension ByteStream {
    /// All is at hand, or nothing: for streams that hold nothing themselves.
    public func firstMissing(from offset: Int64) -> Int64 { isRemote ? offset : .max }

    /// All is at hand, or nothing: for streams that hold nothing themselves.
    public func firstHeld(from offset: Int64) -> Int64? { isRemote ? nil : offset }

    /// Does nothing: for streams that never wait for long.
    public func setInterrupted(_ isInterrupted: Bool) {}

    /// Reads all bytes of a small stream, on a thread that may wait.
    /// - Parameter limit: The largest number of bytes.
    /// - Throws: What `read` throws; `.tooLarge` if there are more.
    package func readAll(limit: Int) throws(SyrinxError) -> [UInt8] {
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer { piece.deallocate() }
        var bytes: [UInt8] = []
        while bytes.count <= limit {
            let count = try read(at: Int64(bytes.count), into: piece)
            if count == 0 { return bytes }
            bytes += piece[..<count]
        }
        throw SyrinxError(.tooLarge, "it has more than \(limit) bytes, the most that is read", name: name)
    }
}
