internal import ByteStream

/// The bytes that a parser is given, as its demuxer sees them: a read waits for those that have not come yet.
final class FedBytes: ByteStream {
    let bytes = PushByteStream(name: "parsed bytes")

    var name: String { bytes.name }
    var length: Int64? { bytes.length }
    /// A look at the end would wait for all that lies before it.
    var isSeekable: Bool { false }
    /// What has not come is as far away as on a network.
    var isRemote: Bool { true }
    var mimeType: String? { nil }

    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(ByteStreamError) -> Int {
        try bytes.read(at: offset, into: buffer)
    }

    func cancel() { bytes.cancel() }
}
