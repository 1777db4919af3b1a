/// A source of bytes with random access: a file, memory, a pipe, or a cache that is filled from the network.
///
/// Each read states its offset, so a stream has no position. Reads may block: call them on a thread that may wait,
/// never on the render thread or an event loop.
///
/// ```swift
/// let stream: any ByteStream = try FileByteStream(path: "song.flac")
/// let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 16)
/// defer { buffer.deallocate() }
/// let count = try stream.read(at: 0, into: buffer)
/// print(count, "of", stream.length ?? -1, "bytes")
/// ```
public protocol ByteStream: AnyObject, Sendable {
    /// The path or URL of the source for messages, without a password.
    var name: String { get }

    /// The length in bytes; `nil` while it is unknown.
    ///
    /// It may become known later.
    var length: Int64? { get }

    /// Whether every offset below `length` can be read at any time.
    ///
    /// If this is false, reads go forward only: an offset before the bytes that are still held throws `SyrinxError`
    /// with `.notSeekable`.
    var isSeekable: Bool { get }

    /// Whether a read out of order is expensive, such as a network round trip, so that readers should avoid it.
    var isRemote: Bool { get }

    /// The MIME type stated by the sender, or `nil`.
    ///
    /// It is only a hint, because senders are often wrong.
    var mimeType: String? { get }

    /// Copies bytes that start at `offset` into `buffer`.
    ///
    /// Blocks until at least one byte is available, and returns fewer bytes than requested if fewer are available. Only
    /// one thread may read at a time.
    /// - Returns: The number of copied bytes; 0 only at or after the end, or if `buffer` is empty.
    /// - Throws: `SyrinxError`, also with `.cancelled` after another thread calls `cancel()`.
    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(SyrinxError) -> Int

    /// Returns the first offset, starting at `offset`, whose byte would have to be fetched over the network.
    ///
    /// The default implementation returns `offset` for a remote stream, otherwise `Int64.max`.
    func firstMissing(from offset: Int64) -> Int64

    /// Returns the first offset, starting at `offset`, whose byte is locally available; `nil` if none is known.
    ///
    /// The default implementation returns `nil` for a remote stream, otherwise `offset`.
    func firstHeld(from offset: Int64) -> Int64?

    /// Interrupts waits for bytes, or ends the interruption; any thread may call it.
    ///
    /// While interrupted, a read that would have to wait throws `.interrupted` at once; available bytes are still
    /// returned. The stream itself continues. Streams that never wait for long need not implement it; the default
    /// implementation does nothing.
    func setInterrupted(_ isInterrupted: Bool)

    /// Cancels the stream; any thread may call it.
    ///
    /// Blocked and later reads throw `.cancelled` at once.
    ///
    /// Connections and files are closed. A second call has no effect.
    func cancel()
}

extension ByteStream {
    /// Returns `offset` for a remote stream, otherwise `Int64.max`.
    public func firstMissing(from offset: Int64) -> Int64 { isRemote ? offset : .max }

    /// Returns `nil` for a remote stream, otherwise `offset`.
    public func firstHeld(from offset: Int64) -> Int64? { isRemote ? nil : offset }

    /// Does nothing, which suits streams that never wait for long.
    public func setInterrupted(_ isInterrupted: Bool) {}

    /// Reads all bytes of a small stream; call it on a thread that may block.
    /// - Parameter limit: The maximum number of bytes.
    /// - Throws: The errors of `read`; `.tooLarge` if the stream is longer than `limit`.
    package func readAll(limit: Int) throws(SyrinxError) -> [UInt8] {
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer { piece.deallocate() }
        var bytes: [UInt8] = []
        while bytes.count <= limit {
            let count = try read(at: Int64(bytes.count), into: piece)
            if count == 0 { return bytes }
            bytes += piece[..<count]
        }
        throw SyrinxError(.tooLarge, "it has more than \(limit) bytes, which is the limit", name: name)
    }
}
