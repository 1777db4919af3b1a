package import SyrinxByteStream

/// Pushed bytes as a demultiplexer or a decoder reads them.
package final class PushedBytes: ByteStream {
    /// The error of a read that does not wait.
    package static let notYet = ErrorCode(rawValue: "usage.notEnoughData")

    private let bytes: PushByteStream
    private let waits: Bool
    package let isSeekable: Bool

    /// - Parameters:
    ///   - isSeekable: Whether a reader may jump ahead; without it a look at the end would wait for all that lies before it.
    ///   - waits: Whether a read waits for bytes that have not been pushed yet; else it throws `notYet`.
    package init(_ bytes: PushByteStream, isSeekable: Bool, waits: Bool) {
        self.bytes = bytes
        self.isSeekable = isSeekable
        self.waits = waits
    }

    package var name: String { bytes.name }
    package var length: Int64? { bytes.length }
    /// True: bytes that have not been pushed are as far away as on a network.
    ///
    /// A look at the end would wait for them.
    package var isRemote: Bool { true }
    package var mimeType: String? { bytes.mimeType }

    package func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(SyrinxError) -> Int {
        if waits || offset < bytes.appendedByteCount || bytes.length != nil {
            return try bytes.read(at: offset, into: buffer)
        }
        throw SyrinxError(Self.notYet, "the data has not arrived", name: name)
    }

    /// Does nothing: the bytes belong to the `PushDemuxer`.
    package func cancel() {}
}

extension PushByteStream {
    /// Returns the bytes that have been pushed from `offset` on.
    package func pushedBytes(from offset: Int64) -> [UInt8] {
        let count = max(appendedByteCount - offset, 0)
        guard count > 0 else { return [] }
        return [UInt8](unsafeUninitializedCapacity: Int(count)) { buffer, filled in
            while filled < buffer.count {
                let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[filled...])
                // Nothing is waited for: all of it is there.
                guard let got = try? read(at: offset + Int64(filled), into: rest), got > 0 else { return }
                filled += got
            }
        }
    }
}
