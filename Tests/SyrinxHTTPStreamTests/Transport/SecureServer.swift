import Foundation
import Testing

/// A certificate that no other host trusts, and its key, in a folder of their own.
final class OwnCertificate: Sendable {
    let directory: String
    var certificate: String { directory + "/cert.pem" }
    var key: String { directory + "/key.pem" }

    static var isAvailable: Bool { FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl") }

    init(owner: String = "one", host: String = "localhost") throws {
        directory = NSTemporaryDirectory() + "syrinx-tls-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        let request = Process()
        request.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        let arguments = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2"
        request.arguments =
            arguments.components(separatedBy: " ") + [
                "-subj", "/CN=\(host)/O=\(owner)", "-addext", "subjectAltName=DNS:\(host)",
            ]
            + ["-keyout", key, "-out", certificate]
        request.standardError = FileHandle.nullDevice
        try request.run()
        request.waitUntilExit()
    }

    deinit { try? FileManager.default.removeItem(atPath: directory) }
}

/// `openssl s_server` with a certificate of its own, which serves the files of a directory and knows no ranges.
final class SecureServer {
    let port: Int
    private let own: OwnCertificate
    private let process = Process()
    private var input: Pipe?
    var directory: String { own.directory }
    var certificate: String { own.certificate }

    static var isAvailable: Bool { OwnCertificate.isAvailable }

    /// With `answer`, it sends that to every client, whatever is asked, and keeps the connection.
    init(files: [String: [UInt8]], answer: [UInt8]? = nil, owner: String = "one", host: String = "localhost") throws {
        let own = try OwnCertificate(owner: owner, host: host)
        self.own = own
        for (name, bytes) in files { try Data(bytes).write(to: URL(fileURLWithPath: own.directory + "/" + name)) }
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        process.currentDirectoryURL = URL(fileURLWithPath: own.directory)
        process.arguments = "s_server -accept 127.0.0.1:0 -cert cert.pem -key key.pem".components(separatedBy: " ")
        if let answer {
            let input = Pipe()
            process.standardInput = input
            // It has to fit into the pipe: it is not read before a client has connected.
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
    }
}
