internal import ByteStream

/// The bytes that a parser is given, as its demuxer sees them: a read waits for those that have not come yet.
final class FedByteQueue: ByteStream {
    let bytes = PushByteStream(name: "parsed bytes")

    var name: String { bytes.name }
    var length: Int64? { bytes.length }
    /// A look at the end would wait for all that lies before it.
    var isSeekable: Bool { false }
    /// Whether bytes that have not arrived are as far away as on a network.
    var isRemote: Bool { true }
    var mimeType: String? { nil }

    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(ByteStreamError) -> Int {
        try bytes.read(at: offset, into: buffer)
    }

    func cancel() { bytes.cancel() }

    /// Returns the bytes that have come, from `offset` on, up to `limit` of them.
    func arrived(from offset: Int64, limit: Int = .max) -> [UInt8] {
        let count = min(max(bytes.appendedByteCount - offset, 0), Int64(limit))
        guard count > 0 else { return [] }
        return [UInt8](unsafeUninitializedCapacity: Int(count)) { buffer, filled in
            while filled < buffer.count {
                let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[filled...])
                // Nothing is waited for: all of it is there.
                guard let got = try? bytes.read(at: offset + Int64(filled), into: rest), got > 0 else { return }
                filled += got
            }
        }
    }
}

/// The first bytes of a recording, as a demuxer sees them that is not to know how many more there will be.
final class PrefixBytes: ByteStream {
    private let bytes: MemoryByteStream

    init(_ bytes: [UInt8]) { self.bytes = MemoryByteStream(bytes, name: "parsed bytes") }

    var name: String { bytes.name }
    var length: Int64? { nil }
    var isSeekable: Bool { false }
    var isRemote: Bool { true }
    var mimeType: String? { nil }

    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(ByteStreamError) -> Int {
        try bytes.read(at: offset, into: buffer)
    }

    func cancel() { bytes.cancel() }
}
