import Foundation
import SyrinxByteStream
import SyrinxTestSupport
import Testing

@Suite("AES decryption")
struct AESDecryptorTests {
    private let key: [UInt8] = Array(0..<16)
    private let vector: [UInt8] = Array(100..<116)

    private func encrypted(_ bytes: [UInt8]) throws -> [UInt8] {
        let hex = { (bytes: [UInt8]) in bytes.map { String(format: "%02x", $0) }.joined() }
        let arguments = ["enc", "-aes-128-cbc", "-K", hex(key), "-iv", hex(vector)]
        let result = try runProcess("openssl", arguments, stdin: Data(bytes))
        #expect(result.status == 0)
        return [UInt8](result.stdout)
    }

    @Test(
        "Bytes of any number come out as OpenSSL encrypted them, in pieces of any size",
        arguments: [0, 1, 15, 16, 17, 1000]
    )
    func pieces(count: Int) throws {
        let clear = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37) }
        let secret = try encrypted(clear)
        for size in [1, 7, 16, 333] {
            let decryptor = try #require(AESDecryptor(key: key, vector: vector))
            var found: [UInt8] = []
            for start in stride(from: 0, to: secret.count, by: size) {
                found += decryptor.update(secret[start..<min(start + size, secret.count)])
            }
            found += try #require(decryptor.finish())
            #expect(found == clear)
        }
    }

    @Test("Missing bytes and another key are noticed at the end")
    func faults() throws {
        let secret = try encrypted([UInt8](repeating: 7, count: 100))
        let short = try #require(AESDecryptor(key: key, vector: vector))
        _ = short.update(secret.dropLast(3))
        #expect(short.finish() == nil)
        let other = try #require(AESDecryptor(key: vector, vector: vector))
        _ = other.update(secret)
        #expect(other.finish() == nil)
        #expect(AESDecryptor(key: [1, 2, 3], vector: vector) == nil)
        #expect(AESDecryptor(key: key, vector: []) == nil)
    }
}
