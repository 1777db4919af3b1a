internal import CSyrinxDigest

/// An incremental SHA-256 digest (FIPS 180-4).
package final class SHA256Digest {
    private let context: OpaquePointer

    /// Creates the digest of an empty message.
    package init() {
        guard let context = av_sha_alloc() else { preconditionFailure("Out of memory for a SHA-256 context.") }
        self.context = context
        av_sha_init(context, 256)
    }

    deinit { av_free(UnsafeMutableRawPointer(context)) }

    /// Appends `bytes` to the message.
    package func update(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { update($0) }
    }

    /// Appends `bytes` to the message.
    package func update(_ bytes: UnsafeRawBufferPointer) {
        av_sha_update(context, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
    }

    /// Ends the message and returns its digest as 64 lower-case hexadecimal digits.
    ///
    /// Call it once, as the last method.
    package func finalize() -> String {
        var digest = [UInt8](repeating: 0, count: 32)
        av_sha_final(context, &digest)
        return digest.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }

    /// Returns the digest of `bytes` as 64 lower-case hexadecimal digits.
    package static func hexadecimal(of bytes: [UInt8]) -> String {
        let digest = SHA256Digest()
        digest.update(bytes)
        return digest.finalize()
    }
}
