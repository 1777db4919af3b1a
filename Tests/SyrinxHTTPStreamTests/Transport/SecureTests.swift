import Foundation
import SyrinxByteStream
import SyrinxHTTPStream
import SyrinxTestSupport
import Testing

@Suite("HTTPS", .enabled(if: SecureServer.isAvailable)) struct SecureTests {
    @Test("An untrusted certificate is refused")
    func theCertificateDecides() throws {
        let bytes = patternedBytes(200_000)
        let server = try SecureServer(files: ["a.bin": bytes])
        let url = "https://localhost:\(server.port)/a.bin"
        let trusting = try HTTPByteStream(
            url: url,
            options: quickOptions { $0.environment = ["SSL_CERT_FILE": server.certificate] }
        )
        #expect(try isSame(readAll(trusting), bytes))

        let doubting = try HTTPByteStream(url: url, options: quickOptions())
        let doubts = EventLog(doubting)
        #expect(failureCode { () throws(SyrinxError) in _ = try readAll(doubting) } == .tlsFailed)
        #expect(doubts.retries == 0)

        // The certificate names another host.
        let elsewhere = try HTTPByteStream(
            url: "https://127.0.0.1:\(server.port)/a.bin",
            options: quickOptions { $0.environment = ["SSL_CERT_FILE": server.certificate] }
        )
        #expect(failureCode { () throws(SyrinxError) in _ = try readAll(elsewhere) } == .tlsFailed)

        let unreadable = try HTTPByteStream(
            url: url,
            options: quickOptions { $0.environment = ["SSL_CERT_FILE": server.directory + "/missing.pem"] }
        )
        #expect(failureCode { () throws(SyrinxError) in _ = try readAll(unreadable) } == .tlsFailed)
    }

    /// Both variables at once, as most systems have them: what either names is trusted.
    @Test("Certificates come from a file or a directory")
    func aFileAndADirectoryOfCertificates() throws {
        let bytes = patternedBytes(20_000)
        // Certificates are looked up by their subjects.
        let servers = try ["one", "two"].map { try SecureServer(files: ["a.bin": bytes], owner: $0) }
        let rehash = Process()
        rehash.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        rehash.arguments = ["rehash", servers[0].directory]
        rehash.standardError = FileHandle.nullDevice
        try rehash.run()
        rehash.waitUntilExit()
        for server in servers {
            let stream = try HTTPByteStream(
                url: "https://localhost:\(server.port)/a.bin",
                options: quickOptions {
                    $0.environment = ["SSL_CERT_DIR": servers[0].directory, "SSL_CERT_FILE": servers[1].certificate]
                }
            )
            #expect(try isSame(readAll(stream), bytes))
        }
    }

    /// Case 16 of the faults: an attacker could cut the connection, so its end without a word is not the end of the bytes.
    ///
    /// Where neither a length nor chunks say where the body ends, libcurl takes the end of the connection for it, as browsers do.
    @Test("A TLS connection that ends without close_notify is an error")
    func anEndWithoutAWordIsNoEnd() throws {
        // No byte is a letter, which the server could take for a command.
        let bytes = patternedBytes(40_000).map { $0 & 0x0F }
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9C40\r\n"
        let server = try SecureServer(files: [:], answer: Array(head.utf8) + bytes + [13, 10])
        let stream = try HTTPByteStream(
            url: "https://localhost:\(server.port)/a",
            options: quickOptions { $0.environment = ["SSL_CERT_FILE": server.certificate] }
        )
        stream.open()
        #expect(waitUntil { stream.receivedByteCount == 40_000 })
        #expect(try isSame(read(stream, at: 0, 40_000), bytes))
        server.kill()
        let code = failureCode { () throws(SyrinxError) in _ = try read(stream, at: 40_000, 1) }
        #expect(code == .connectionLost)
        #expect(stream.length == nil)
    }

    @Test("An HTTPS request to a server that speaks no TLS fails")
    func aServerWithoutTLSIsNoSecureServer() throws {
        let silent = try ScriptedHTTPServer()
        let options = quickOptions {
            $0.connectTimeout = 1; $0.maximumConnectAttempts = 1
        }
        let url = "https://127.0.0.1:\(silent.port)/a"
        // It waits for the rest of a request.
        #expect(
            failureCode { () throws(SyrinxError) in _ = try readAll(HTTPByteStream(url: url, options: options)) }
                == .timedOut
        )
    }
}
