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
    var certificate: String { directory + "/cert.pem" }

    static var isAvailable: Bool { FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl") }

    init(files: [String: [UInt8]]) throws {
        directory = NSTemporaryDirectory() + "syrinx-tls-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        for (name, bytes) in files { try Data(bytes).write(to: URL(fileURLWithPath: directory + "/" + name)) }
        let request = Process()
        request.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        let arguments = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost"
        request.arguments =
            arguments.components(separatedBy: " ") + ["-addext", "subjectAltName=DNS:localhost"]
            + ["-keyout", directory + "/key.pem", "-out", directory + "/cert.pem"]
        request.standardError = FileHandle.nullDevice
        try request.run()
        request.waitUntilExit()

        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        process.currentDirectoryURL = URL(fileURLWithPath: directory)
        process.arguments = "s_server -accept 127.0.0.1:0 -cert cert.pem -key key.pem -WWW".components(separatedBy: " ")
        process.standardInput = FileHandle.nullDevice
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

    deinit {
        // A child inherits the blocked signals of the dispatch worker that starts it: SIGTERM would stay pending.
        kill(process.processIdentifier, SIGKILL)
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

    @Test func aServerWithoutTLSIsNoSecureServer() throws {
        let server = try ScriptedHTTPServer()
        let url = "https://127.0.0.1:\(server.port)/a"
        let stream = try HTTPByteStream(url: url, options: quickOptions { $0.connectTimeout = 4 })
        #expect(failureCode { () throws(ByteStreamError) in _ = try readAll(stream) } == .tlsFailed)
    }
}
