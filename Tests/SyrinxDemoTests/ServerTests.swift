import Foundation
import Glibc
import Testing

@testable import syrinx_demo

/// One connection to 127.0.0.1, by the system's calls: no client library may hide what the server sends.
private final class Connection {
    private let descriptor: Int32

    init(port: Int) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let result = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(result == 0)
    }

    deinit { close(descriptor) }

    /// Sends a request.
    func send(_ method: String, _ path: String, range: String? = nil) {
        var text = "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        if let range { text += "Range: \(range)\r\n" }
        text += "\r\n"
        _ = text.withCString { write(descriptor, $0, strlen($0)) }
    }

    /// Sends a request and returns the head of the answer and its body, which has to come whole.
    func request(_ method: String, _ path: String, range: String? = nil) throws -> (head: String, body: [UInt8]) {
        send(method, path, range: range)
        var received: [UInt8] = []
        let end = Array("\r\n\r\n".utf8)
        while true {
            if let split = received.firstRange(of: end) {
                let head = String(decoding: received[..<split.lowerBound], as: UTF8.self)
                let length = head.split(separator: "\r\n").first { $0.hasPrefix("Content-Length: ") }
                let count = method == "HEAD" ? 0 : try #require(length.flatMap { Int($0.dropFirst(16)) })
                if received.count >= split.upperBound + count {
                    #expect(received.count == split.upperBound + count)
                    return (head, Array(received[split.upperBound...]))
                }
            }
            var buffer = [UInt8](repeating: 0, count: 4_096)
            let count = read(descriptor, &buffer, buffer.count)
            try #require(count > 0, "the server closed the connection after \(received.count) bytes")
            received += buffer[..<count]
        }
    }
}

@Suite struct ServerTests {
    private let bytes = (0..<64_000).map { UInt8(truncatingIfNeeded: $0 * 31 >> 3) }

    private func serve(bytesPerSecond: Int) throws -> (server: Server, port: Int) {
        let server = try Server(
            .init(
                path: "/a.mp3",
                mediaType: "audio/mpeg",
                body: bytes,
                bytesPerSecond: bytesPerSecond
            )
        )
        return (server, try #require(URL(string: server.url)?.port))
    }

    @Test("The server answers whole requests and ranges on one connection")
    func givesTheWholeAndParts() async throws {
        try await blocking {
            let (server, port) = try serve(bytesPerSecond: 100_000_000)
            defer { server.stop() }
            // One connection for all: each answer has to end where it says.
            let connection = try Connection(port: port)
            let whole = try connection.request("GET", "/a.mp3")
            #expect(whole.head.hasPrefix("HTTP/1.1 200 OK") && whole.head.contains("Accept-Ranges: bytes"))
            #expect(whole.body == bytes)
            let part = try connection.request("GET", "/a.mp3", range: "bytes=60000-")
            #expect(part.head.hasPrefix("HTTP/1.1 206") && part.head.contains("Content-Range: bytes 60000-63999/64000"))
            #expect(part.body == Array(bytes[60_000...]))
            let head = try connection.request("HEAD", "/a.mp3")
            #expect(head.head.contains("Content-Length: 64000"))
            let beyond = try connection.request("GET", "/a.mp3", range: "bytes=64000-")
            #expect(beyond.head.hasPrefix("HTTP/1.1 416") && beyond.head.contains("Content-Range: bytes */64000"))
            #expect(try connection.request("GET", "/b.mp3").head.hasPrefix("HTTP/1.1 404"))
            #expect(try connection.request("DELETE", "/a.mp3").head.hasPrefix("HTTP/1.1 405"))
        }
    }

    @Test("The server answers a head that is malformed or longer than 64 KiB with status 400", arguments: [0, 100_000])
    func refusesAnInvalidHead(pathLength: Int) async throws {
        try await blocking {
            let (server, port) = try serve(bytesPerSecond: 100_000_000)
            defer { server.stop() }
            // Without a path, the request line has two parts and not three.
            let answer = try Connection(port: port).request("GET", String(repeating: "a", count: pathLength))
            #expect(answer.head.hasPrefix("HTTP/1.1 400") && answer.head.contains("Connection: close"))
        }
    }

    @Test("The server limits each connection to its byte rate")
    func holdsEachConnectionToItsRate() async throws {
        try await blocking {
            let (server, port) = try serve(bytesPerSecond: 160_000)
            defer { server.stop() }
            let clock = ContinuousClock()
            let duration = try clock.measure {
                let connection = try Connection(port: port)
                #expect(try connection.request("GET", "/a.mp3").body == bytes)
            }
            // 64,000 bytes, of which 16,000 at once; a busy machine may take longer, but nothing makes it shorter.
            #expect(duration > .milliseconds(295))
        }
    }

    @Test("The server survives clients that close their connection")
    func survivesAClientThatGoesAway() async throws {
        try await blocking {
            let (server, port) = try serve(bytesPerSecond: 160_000)
            defer { server.stop() }
            for _ in 0..<8 {
                // The body takes 300 ms and more; the connection is closed before it has come.
                try Connection(port: port).send("GET", "/a.mp3")
            }
            #expect(try Connection(port: port).request("GET", "/a.mp3", range: "bytes=0-9").body == Array(bytes[..<10]))
        }
    }
}
