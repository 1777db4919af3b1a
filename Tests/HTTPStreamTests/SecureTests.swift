import ByteStream
import Foundation
import HTTPStream
import TestSupport
import Testing

/// `openssl s_server` with a certificate of its own, which serves the files of a directory and knows no ranges.
private final class SecureServer {
    let directory: String
    let port: Int
    private let process = Process()
    private var input: Pipe?
    var certificate: String { directory + "/cert.pem" }

    static var isAvailable: Bool { FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl") }

    /// With `answer`, it says that to whoever comes, whatever is asked, and keeps the connection.
    init(files: [String: [UInt8]], answer: [UInt8]? = nil, owner: String = "one") throws {
        directory = NSTemporaryDirectory() + "syrinx-tls-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        for (name, bytes) in files { try Data(bytes).write(to: URL(fileURLWithPath: directory + "/" + name)) }
        let request = Process()
        request.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        let arguments = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2"
        request.arguments =
            arguments.components(separatedBy: " ") + [
                "-subj", "/CN=localhost/O=\(owner)", "-addext", "subjectAltName=DNS:localhost",
            ]
            + ["-keyout", directory + "/key.pem", "-out", directory + "/cert.pem"]
        request.standardError = FileHandle.nullDevice
        try request.run()
        request.waitUntilExit()

        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        process.currentDirectoryURL = URL(fileURLWithPath: directory)
        process.arguments = "s_server -accept 127.0.0.1:0 -cert cert.pem -key key.pem".components(separatedBy: " ")
        if let answer {
            let input = Pipe()
            process.standardInput = input
            // It has to fit into the pipe: nobody reads it before somebody has come.
            input.fileHandleForWriting.write(Data(answer))
            self.input = input
        } else {
            process.arguments?.append("-WWW")
            process.standardInput = FileHandle.nullDevice
        }
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        var text = ""
        var found: Int?
        while found == nil {
            let some = output.fileHandleForReading.availableData
            try #require(!some.isEmpty, "openssl s_server ended: \(text)")
            text += String(decoding: some, as: UTF8.self)
            let line = text.components(separatedBy: "\n").dropLast().first { $0.hasPrefix("ACCEPT ") }
            found = line?.components(separatedBy: ":").last.flatMap { Int($0) }
        }
        port = found ?? 0
    }

    /// Ends it in the middle of whatever it does: its connections are closed without a word.
    func kill() { Foundation.kill(process.processIdentifier, SIGKILL) }

    deinit {
        // A child inherits the blocked signals of the dispatch worker that starts it: SIGTERM would stay pending.
        kill()
        try? FileManager.default.removeItem(atPath: directory)
    }
}

@Suite("HTTPS", .enabled(if: SecureServer.isAvailable)) struct SecureTests {
    @Test func theCertificateDecides() throws {
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
        #expect(failureCode { () throws(ByteStreamError) in _ = try readAll(doubting) } == .tlsFailed)
        #expect(doubts.retries == 0)

        // The certificate names another host.
        let elsewhere = try HTTPByteStream(
            url: "https://127.0.0.1:\(server.port)/a.bin",
            options: quickOptions { $0.environment = ["SSL_CERT_FILE": server.certificate] }
        )
        #expect(failureCode { () throws(ByteStreamError) in _ = try readAll(elsewhere) } == .tlsFailed)

        let unreadable = try HTTPByteStream(
            url: url,
            options: quickOptions { $0.environment = ["SSL_CERT_FILE": server.directory + "/missing.pem"] }
        )
        #expect(failureCode { () throws(ByteStreamError) in _ = try readAll(unreadable) } == .tlsFailed)
    }

    /// Both variables at once, as most systems have them: what either names is trusted.
    @Test func aFileAndADirectoryOfCertificates() throws {
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
    @Test func anEndWithoutAWordIsNoEnd() throws {
        // No byte is a letter, which the server could take for a command.
        let bytes = patternedBytes(40_000).map { $0 & 0x0F }
        let server = try SecureServer(files: [:], answer: Array("HTTP/1.1 200 OK\r\n\r\n".utf8) + bytes)
        let stream = try HTTPByteStream(
            url: "https://localhost:\(server.port)/a",
            options: quickOptions { $0.environment = ["SSL_CERT_FILE": server.certificate] }
        )
        stream.open()
        #expect(waitUntil { stream.receivedByteCount == 40_000 })
        #expect(try isSame(read(stream, at: 0, 40_000), bytes))
        server.kill()
        let code = failureCode { () throws(ByteStreamError) in _ = try read(stream, at: 40_000, 1) }
        #expect(code == .connectionLost)
        #expect(stream.length == nil)
    }

    @Test func aServerWithoutTLSIsNoSecureServer() throws {
        let server = try ScriptedHTTPServer()
        let url = "https://127.0.0.1:\(server.port)/a"
        let stream = try HTTPByteStream(url: url, options: quickOptions { $0.connectTimeout = 4 })
        #expect(failureCode { () throws(ByteStreamError) in _ = try readAll(stream) } == .tlsFailed)
    }
}
