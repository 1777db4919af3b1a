import ByteStream

/// The bytes that a parser has been given, for a reader that will not wait for more.
final class ArrivedBytes: ByteStream {
    /// What a read throws that would have to wait.
    static let notYet = ByteStreamError.Code(rawValue: "usage.notEnoughData")

    private let bytes: PushByteStream

    init(_ bytes: PushByteStream) { self.bytes = bytes }

    var name: String { bytes.name }
    var length: Int64? { bytes.length }
    var isSeekable: Bool { true }
    var isRemote: Bool { false }
    var mimeType: String? { bytes.mimeType }

    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(ByteStreamError) -> Int {
        if offset < bytes.appendedByteCount || bytes.length != nil {
            return try bytes.read(at: offset, into: buffer)
        }
        throw ByteStreamError(Self.notYet, "the data has not arrived", name: name)
    }

    /// The bytes are the parser's: it ends them.
    func cancel() {}
}
