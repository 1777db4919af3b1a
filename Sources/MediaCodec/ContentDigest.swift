internal import CFFmpeg

/// The SHA-256 (FIPS 180-4) of bytes that come piece by piece.
package final class ContentDigest {
    private let context: OpaquePointer

    /// Of nothing yet; `nil` if there is no memory for it.
    package init?() {
        guard let context = av_sha_alloc() else { return nil }
        self.context = context
        av_sha_init(context, 256)
    }

    deinit { av_free(UnsafeMutableRawPointer(context)) }

    /// Adds the next bytes.
    package func add(_ bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { av_sha_update(context, $0.baseAddress, $0.count) }
    }

    /// The digest as 64 hexadecimal digits in lower case; to be called once, at the end.
    package func finish() -> String {
        var digest = [UInt8](repeating: 0, count: 32)
        av_sha_final(context, &digest)
        return digest.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }
}
