package import SyrinxByteStream

/// A byte stream from which a demuxer or a decoder reads pushed bytes.
package final class PushedBytes: ByteStream {
    /// The error code of a read that would have to wait.
    package static let notYet = ErrorCode(rawValue: "usage.notEnoughData")

    private let bytes: PushByteStream
    private let waits: Bool
    package let isSeekable: Bool

    /// - Parameters:
    ///   - isSeekable: Whether a reader may seek ahead; a read at the end then waits for all bytes before it.
    ///   - waits: Whether a read waits for bytes that have not been pushed yet; otherwise it throws `notYet`.
    package init(_ bytes: PushByteStream, isSeekable: Bool, waits: Bool) {
        self.bytes = bytes
        self.isSeekable = isSeekable
        self.waits = waits
    }

    package var name: String { bytes.name }
    package var length: Int64? { bytes.length }
    /// Always true, because reading the end would wait for all bytes, as on a network.
    package var isRemote: Bool { true }
    package var mimeType: String? { bytes.mimeType }

    package func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(SyrinxError) -> Int {
        if waits || offset < bytes.appendedByteCount || bytes.length != nil {
            return try bytes.read(at: offset, into: buffer)
        }
        throw SyrinxError(Self.notYet, "the data has not arrived", name: name)
    }

    /// Does nothing, because the bytes belong to the `PushDemuxer`.
    package func cancel() {}
}

extension PushByteStream {
    /// Returns all bytes that have been pushed, starting at `offset`.
    package func pushedBytes(from offset: Int64) -> [UInt8] {
        let count = max(appendedByteCount - offset, 0)
        guard count > 0 else { return [] }
        return [UInt8](unsafeUninitializedCapacity: Int(count)) { buffer, filled in
            while filled < buffer.count {
                let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[filled...])
                // This read does not wait, because the bytes have arrived.
                guard let got = try? read(at: offset + Int64(filled), into: rest), got > 0 else { return }
                filled += got
            }
        }
    }
}
