import Testing

@testable import SyrinxByteStream

/// The example messages of FIPS 180-4 ("SHA Test Vectors", NIST).
@Suite struct SHA256DigestTests {
    @Test(
        "a digest equals NIST's example",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
        ]
    )
    func example(message: String, digest: String) {
        #expect(SHA256Digest.hexadecimal(of: Array(message.utf8)) == digest)
    }

    @Test("a digest does not depend on how its message is divided")
    func division() {
        let message = (0..<1_000).map { UInt8(truncatingIfNeeded: $0) }
        let digest = SHA256Digest()
        for start in stride(from: 0, to: message.count, by: 77) {
            digest.update(Array(message[start..<min(start + 77, message.count)]))
        }
        #expect(digest.finalize() == SHA256Digest.hexadecimal(of: message))
    }
}
