internal import CSyrinxDigest

/// An incremental decryptor for AES-128 in CBC mode (FIPS 197, NIST SP 800-38A) with PKCS 7 padding.
///
/// Use it on one thread at a time.
package final class AESDecryptor {
    private let context: OpaquePointer
    private var vector: [UInt8]
    /// Bytes of an incomplete block, or the last complete block, which may contain the padding.
    private var pending: [UInt8] = []

    /// The size in bytes of a key, an initialization vector and a block.
    package static let blockSize = 16

    /// Creates a decryptor; returns `nil` unless `key` and `vector` have 16 bytes each.
    package init?(key: [UInt8], vector: [UInt8]) {
        guard key.count == Self.blockSize, vector.count == Self.blockSize, let context = av_aes_alloc() else {
            return nil
        }
        self.context = context
        self.vector = vector
        av_aes_init(context, key, 128, 1)
    }

    deinit { av_free(UnsafeMutableRawPointer(context)) }

    /// Adds bytes, and returns the decrypted bytes so far, except the last block.
    package func update(_ bytes: some Collection<UInt8>) -> [UInt8] {
        pending += bytes
        guard pending.count > Self.blockSize else { return [] }
        let count = (pending.count - 1) / Self.blockSize * Self.blockSize
        defer { pending.removeFirst(count) }
        return decrypt(pending[..<count])
    }

    /// Returns the remaining bytes without the padding.
    /// - Returns: `nil` if the last block is incomplete or its padding is invalid: bytes are missing, or the key is
    ///   wrong.
    package func finish() -> [UInt8]? {
        guard pending.count == Self.blockSize else { return nil }
        let block = decrypt(pending[...])
        pending = []
        guard let count = block.last, (1...UInt8(Self.blockSize)).contains(count),
            block.suffix(Int(count)).allSatisfy({ $0 == count })
        else { return nil }
        return Array(block.dropLast(Int(count)))
    }

    private func decrypt(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: bytes.count) { target, count in
            bytes.withUnsafeBufferPointer { source in
                av_aes_crypt(context, target.baseAddress, source.baseAddress, Int32(source.count / 16), &vector, 1)
            }
            count = bytes.count
        }
    }
}
