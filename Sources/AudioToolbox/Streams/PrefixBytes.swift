internal import SyrinxByteStream

/// The first bytes of a recording, presented to a demultiplexer as a stream of unknown length.
final class PrefixBytes: ByteStream {
    private let bytes: MemoryByteStream

    init(_ bytes: [UInt8]) { self.bytes = MemoryByteStream(bytes, name: "parsed bytes") }

    var name: String { bytes.name }
    var length: Int64? { nil }
    var isSeekable: Bool { false }
    var isRemote: Bool { true }
    var mimeType: String? { nil }

    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(SyrinxError) -> Int {
        try bytes.read(at: offset, into: buffer)
    }

    func cancel() { bytes.cancel() }
}
