import ByteStream

/// The bytes that a parser is given, as the demuxers of the parser and of its readers see them.
final class PushByteQueue: ByteStream {
    /// The error of a read that does not wait.
    static let notYet = ErrorCode(rawValue: "usage.notEnoughData")

    private let bytes: PushByteStream
    private let waits: Bool

    /// - Parameter waits: Whether a read waits for bytes that have not been pushed yet; else it throws `notYet`.
    init(_ bytes: PushByteStream, waits: Bool) {
        self.bytes = bytes
        self.waits = waits
    }

    var name: String { bytes.name }
    var length: Int64? { bytes.length }
    var isSeekable: Bool { true }
    /// Whether bytes that have not been pushed are as far away as on a network: a look at the end would wait for them.
    var isRemote: Bool { true }
    var mimeType: String? { bytes.mimeType }

    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(ByteStreamError) -> Int {
        if waits || offset < bytes.appendedByteCount || bytes.length != nil {
            return try bytes.read(at: offset, into: buffer)
        }
        throw ByteStreamError(Self.notYet, "the data has not arrived", name: name)
    }

    /// The bytes are the parser's: it ends them.
    func cancel() {}
}
