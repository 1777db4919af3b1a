import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
    private let streamSocket = Int32(SOCK_STREAM.rawValue)
#elseif canImport(Musl)
    import Musl
    private let streamSocket = SOCK_STREAM
#elseif canImport(Darwin)
    import Darwin
    private let streamSocket = SOCK_STREAM
#endif

/// A local HTTP server for one file, with a limited rate per connection.
///
/// Each of its threads accepts a connection, serves it to its end, and accepts the next one. If all threads are busy,
/// further clients wait.
final class Server: Sendable {
    /// The content to serve, and its rate.
    struct Content: Sendable {
        /// The path, with its slash.
        var path: String
        var mediaType: String
        var body: [UInt8]
        /// The maximum rate of each connection.
        var bytesPerSecond: Int
    }

    /// The URL of the file.
    let url: String

    private static let threadCount = 32
    private let content: Content
    private let listener: Int32
    /// The descriptors of the open connections, or nil after `stop()`.
    private let connections = Mutex<Set<Int32>?>([])

    /// Listens on a free port of 127.0.0.1.
    ///
    /// - Throws: `DemoError.cannotListen` if no port is free or the system forbids it.
    init(_ content: Content) throws {
        let listener = socket(AF_INET, streamSocket, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 64) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        guard isListening else {
            let error = DemoError.cannotListen(errno: errno)
            if listener >= 0 { close(listener) }
            throw error
        }
        self.listener = listener
        self.content = content
        url = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))\(content.path)"
        for _ in 0..<Server.threadCount { Thread.detachNewThread { self.acceptConnections() } }
    }

    // The threads retain the server, so this runs after the last of them has ended.
    deinit { close(listener) }

    /// Closes every connection and refuses new ones.
    ///
    /// Does not wait for the threads, which end at their next call of the system.
    func stop() {
        connections.withLock { connections in
            for descriptor in (connections ?? []).union([listener]) { shutdown(descriptor, Int32(SHUT_RDWR)) }
            connections = nil
        }
    }

    private func acceptConnections() {
        while true {
            let descriptor = accept(listener, nil, nil)
            let isStopped = connections.withLock { connections in
                if descriptor >= 0 { connections?.insert(descriptor) }
                return connections == nil
            }
            if descriptor >= 0, !isStopped {
                var connection = Connection(descriptor, content)
                connection.serve()
            }
            // Under the lock: otherwise `stop()` could shut down a new connection with the same number.
            connections.withLock { connections in
                connections?.remove(descriptor)
                if descriptor >= 0 { close(descriptor) }
            }
            guard !isStopped else { return }
            // Either the client has gone away, or this process has too many files open, which may take a while.
            if descriptor < 0 { Thread.sleep(forTimeInterval: 0.1) }
        }
    }
}

/// Answers the requests of one connection.
private struct Connection {
    private let descriptor: Int32
    private let content: Server.Content
    /// The bytes received after the last head: a client may send its next request early.
    private var received: [UInt8] = []

    init(_ descriptor: Int32, _ content: Server.Content) {
        self.descriptor = descriptor
        self.content = content
        var isOn: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
        var timeout = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    }

    /// Returns after the client, the timeout, `Server.stop()` or an answer has ended the connection.
    mutating func serve() {
        while let head = nextHead() {
            guard !answer(head) else { continue }
            // Closing a socket with unread bytes resets it, and the client could lose the answer.
            shutdown(descriptor, Int32(SHUT_WR))
            while receive() { received = [] }
            return
        }
    }

    /// Returns the head of the next request, or nil if the connection ends before it.
    ///
    /// Returns an empty text for a head of more than 64 KiB, which is then answered as an invalid request.
    private mutating func nextHead() -> String? {
        while true {
            if let end = received.firstRange(of: [13, 10, 13, 10]) {
                defer { received.removeSubrange(..<end.upperBound) }
                return String(decoding: received[..<end.lowerBound], as: UTF8.self)
            }
            guard received.count <= 65_536 else { return "" }
            guard receive() else { return nil }
        }
    }

    /// Appends what arrives to `received`; returns false at the end of the connection.
    private mutating func receive() -> Bool {
        var piece = [UInt8](repeating: 0, count: 4_096)
        var count = 0
        // A process that is stopped and continued gets EINTR even without a signal handler.
        repeat { count = recv(descriptor, &piece, piece.count, 0) } while count < 0 && errno == EINTR
        guard count > 0 else { return false }
        received += piece[..<count]
        return true
    }

    /// Answers a request, and returns whether the connection can take another one.
    private func answer(_ head: String) -> Bool {
        let lines = head.split(separator: "\r\n")
        func value(_ name: String) -> String? {
            lines.dropFirst().first { $0.lowercased().hasPrefix(name + ":") }
                .map { $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) }
        }
        let request = lines.first?.split(separator: " ") ?? []
        let isValid = request.count == 3 && request[2].hasPrefix("HTTP/1.")
        // The body of a request is not read, so no request can follow it.
        let hasBody = value("content-length") ?? "0" != "0" || value("transfer-encoding") != nil
        let isLast = !isValid || request[2] == "HTTP/1.0" || value("connection")?.lowercased() == "close" || hasBody

        let size = content.body.count
        var headers = ["Accept-Ranges: bytes"]
        var status = "200 OK"
        var range = 0..<0
        if !isValid {
            status = "400 Bad Request"
        } else if request[0] != "GET" && request[0] != "HEAD" {
            status = "405 Method Not Allowed"
            headers.append("Allow: GET, HEAD")
        } else if request[1] != content.path {
            status = "404 Not Found"
        } else {
            headers.append("Content-Type: \(content.mediaType)")
            // The body never changes while this server lives, so its size and the server's life identify it.
            headers.append("ETag: \"\(size)\"")
            switch RangeRequest(header: value("range"), size: size) {
            case .whole:
                range = 0..<size
            case .part(let part):
                status = "206 Partial Content"
                headers.append("Content-Range: bytes \(part.lowerBound)-\(part.upperBound - 1)/\(size)")
                range = part
            case .unsatisfiable:
                status = "416 Range Not Satisfiable"
                headers.append("Content-Range: bytes */\(size)")
            }
        }
        headers.append("Content-Length: \(range.count)")
        if isLast { headers.append("Connection: close") }
        let text = "HTTP/1.1 \(status)\r\n" + headers.joined(separator: "\r\n") + "\r\n\r\n"
        return send(Array(text.utf8)[...]) && (request.first == "HEAD" || sendPaced(content.body[range])) && !isLast
    }

    /// Sends `body` at the rate of the content; returns false if the connection ends before it.
    private func sendPaced(_ body: ArraySlice<UInt8>) -> Bool {
        var rest = body
        var pacer = Pacer(byteCount: body.count, bytesPerSecond: content.bytesPerSecond)
        let start = SuspendingClock.now
        while true {
            switch pacer.next(at: Int64(start.duration(to: .now) / .nanoseconds(1))) {
            case .send(let count):
                guard send(rest.prefix(count)) else { return false }
                rest = rest.dropFirst(count)
            case .wait(let nanoseconds):
                Thread.sleep(forTimeInterval: Double(nanoseconds) / 1e9)
            case .finish:
                return true
            }
        }
    }

    /// Sends all of `bytes`, and waits as long as the client does not read: a paused player keeps its connection.
    private func send(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let part = UnsafeRawBufferPointer(rebasing: rest)
                // Without MSG_NOSIGNAL, a client that goes away would end this process by SIGPIPE.
                let count = Foundation.send(descriptor, part.baseAddress, part.count, Int32(MSG_NOSIGNAL))
                guard count > 0 || errno == EINTR else { return false }
                rest = rest.dropFirst(max(0, count))
            }
            return true
        }
    }
}
