internal import CSyrinxDigest

/// The incremental decryption of AES-128 in CBC mode (FIPS 197, NIST SP 800-38A) with the padding of PKCS 7.
///
/// One thread at a time.
package final class AESDecryptor {
    private let context: OpaquePointer
    private var vector: [UInt8]
    /// Bytes that wait for the rest of their block, or for another block: the last one ends with the padding.
    private var pending: [UInt8] = []

    /// The bytes of a key, of a vector and of a block.
    package static let blockSize = 16

    /// Creates a decryption, or returns `nil` unless `key` and `vector` have 16 bytes each.
    package init?(key: [UInt8], vector: [UInt8]) {
        guard key.count == Self.blockSize, vector.count == Self.blockSize, let context = av_aes_alloc() else {
            return nil
        }
        self.context = context
        self.vector = vector
        av_aes_init(context, key, 128, 1)
    }

    deinit { av_free(UnsafeMutableRawPointer(context)) }

    /// Takes the next bytes, and returns what can be decrypted so far: all but the last block.
    package func update(_ bytes: some Collection<UInt8>) -> [UInt8] {
        pending += bytes
        guard pending.count > Self.blockSize else { return [] }
        let count = (pending.count - 1) / Self.blockSize * Self.blockSize
        defer { pending.removeFirst(count) }
        return decrypt(pending[..<count])
    }

    /// Returns the rest without the padding.
    /// - Returns: `nil` if the bytes do not end with a whole block, or their padding is none: then bytes are missing, or the
    ///   key is another one.
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
