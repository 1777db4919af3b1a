import Synchronization

/// A byte stream for bytes in memory.
///
/// ```swift
/// let bytes = [UInt8](try Data(contentsOf: url))
/// let stream = MemoryByteStream(bytes, name: "attachment.mp3", mimeType: "audio/mpeg")
/// ```
public final class MemoryByteStream: ByteStream {
    /// The name of the bytes in messages.
    public let name: String
    /// The MIME type that was passed to `init`.
    public let mimeType: String?
    private let bytes: [UInt8]
    private let isCancelled = Atomic(false)

    /// Creates a stream of `bytes`.
    public init(_ bytes: [UInt8], name: String = "memory", mimeType: String? = nil) {
        self.bytes = bytes
        self.name = name
        self.mimeType = mimeType
    }

    /// The number of bytes.
    public var length: Int64? { Int64(bytes.count) }
    /// Always true: every offset can be read at any time.
    public var isSeekable: Bool { true }
    /// Always false.
    public var isRemote: Bool { false }

    /// Copies bytes that start at `offset`; never blocks.
    public func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(SyrinxError) -> Int {
        guard !isCancelled.load(ordering: .acquiring) else { throw .cancelled(name: name) }
        guard offset >= 0 else { throw .notSeekable(name: name, offset: offset) }
        guard offset < Int64(bytes.count) else { return 0 }
        let count = min(buffer.count, bytes.count - Int(offset))
        bytes.withUnsafeBytes { source in
            let piece = source[Int(offset)..<(Int(offset) + count)]
            buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: piece))
        }
        return count
    }

    /// Makes later reads throw `.cancelled`.
    public func cancel() { isCancelled.store(true, ordering: .releasing) }
}
