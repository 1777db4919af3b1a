import Foundation
import Synchronization
import SyrinxByteStream

/// An HTTP server on the loopback interface that does what a test tells it, well or badly.
///
/// ```swift
/// let server = try ScriptedHTTPServer()
/// server.route("/a.mp3", .file(bytes, type: "audio/mpeg").paced(bytesPerSecond: 32_000))
/// play(server.url("/a.mp3"))
/// ```
/// It stops when it goes away. Its send buffers are small, so that bytes sent are close to bytes received.
public final class ScriptedHTTPServer: Sendable {
    /// Decides the answer: gets the request and how many the route had before.
    public typealias Handler = @Sendable (_ request: ScriptedRequest, _ index: Int) -> ScriptedResponse

    struct State {
        var routes: [String: Handler] = [:]
        var counts: [String: Int] = [:]
        var requests: [ScriptedRequest] = []
        var connections: Set<Int32> = []
        var acceptedCount = 0
        var isStopped = false
    }

    struct Failure: Error { let call: String; let code: Int32 }

    let state = Monitor(State())
    let begin = Date()
    private let listener: Int32
    /// The port it listens on.
    public let port: UInt16

    /// Listens on a port of 127.0.0.1 that the system chooses.
    public init() throws {
        let kind = SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
        let listener = socket(AF_INET, Int32(kind), 0)
        guard listener >= 0 else { throw Failure(call: "socket", code: errno) }
        var size: Int32 = 16_384
        setsockopt(listener, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                bind(listener, generic, length) == 0 && listen(listener, 64) == 0
                    && getsockname(listener, generic, &length) == 0
            }
        }
        guard isListening else {
            let code = errno
            close(listener)
            throw Failure(call: "listen", code: code)
        }
        self.listener = listener
        port = UInt16(bigEndian: address.sin_port)
        let state = state
        let begin = begin
        Thread.detachNewThread { Self.accept(listener, state, begin) }
    }

    deinit { stop() }

    /// Ends all connections and listens no more: later clients are refused.
    public func stop() {
        state.update { state in
            guard !state.isStopped else { return }
            state.isStopped = true
            shutdown(listener, Int32(SHUT_RDWR))
            for connection in state.connections { shutdown(connection, Int32(SHUT_RDWR)) }
        }
    }

    /// Ends all connections that there are, and goes on listening.
    public func dropConnections() {
        state.update { state in
            for connection in state.connections { shutdown(connection, Int32(SHUT_RDWR)) }
        }
    }

    /// The URL of a path.
    public func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

    /// The URL of a port without a server.
    public static func refusedURL() throws -> String {
        let server = try ScriptedHTTPServer()
        defer { server.stop() }
        return server.url("/refused")
    }

    /// Answers requests of `path` (without query) with these in turn, and with the last one ever after.
    public func route(_ path: String, _ responses: ScriptedResponse...) {
        route(path) { _, index in responses[min(index, responses.count - 1)] }
    }

    /// Lets `handler` answer requests of `path`.
    public func route(_ path: String, handler: @escaping Handler) {
        state.update { $0.routes[path] = handler }
    }

    /// The requests so far, in order.
    public var requests: [ScriptedRequest] { state.read { $0.requests } }

    /// The requests of one path so far, in order.
    public func requests(_ path: String) -> [ScriptedRequest] { requests.filter { $0.path == path } }

    /// The number of open connections.
    public var connectionCount: Int { state.read { $0.connections.count } }

    /// The number of connections accepted.
    public var acceptedCount: Int { state.read { $0.acceptedCount } }

    /// Waits until the requests so far meet `condition`; false if they do not within `seconds`.
    public func wait(seconds: Double = 60, until condition: ([ScriptedRequest]) -> Bool) -> Bool {
        wait(seconds: seconds) { condition($0.requests) }
    }

    /// Waits until no connection is open; false if that does not happen within `seconds`.
    public func waitUntilAllClosed(seconds: Double = 60) -> Bool { wait(seconds: seconds) { $0.connections.isEmpty } }

    private func wait(seconds: Double, _ condition: (State) -> Bool) -> Bool {
        let end = Date() + seconds
        while Date() < end {
            if state.read({ condition($0) }) { return true }
            usleep(2_000)
        }
        return state.read { condition($0) }
    }

    /// The next connection, which no child that is started meanwhile keeps open: its end would not be seen else.
    private static func next(_ listener: Int32) -> Int32 {
        var polled = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
        poll(&polled, 1, -1)
        return spawnLock.withLock { _ in
            let connection = Foundation.accept(listener, nil, nil)
            if connection >= 0 { _ = fcntl(connection, F_SETFD, FD_CLOEXEC) }
            return connection
        }
    }

    private static func accept(_ listener: Int32, _ state: Monitor<State>, _ begin: Date) {
        while true {
            let connection = next(listener)
            if connection < 0, [EINTR, ECONNABORTED, EAGAIN].contains(errno) { continue }
            guard connection >= 0 else { break }
            let isStopped = state.update { state in
                if !state.isStopped { state.connections.insert(connection) }
                state.acceptedCount += 1
                return state.isStopped
            }
            guard !isStopped else {
                close(connection)
                break
            }
            Thread.detachNewThread {
                ScriptedConnection(connection, state, begin).serve()
                state.update { state in
                    state.connections.remove(connection)
                    close(connection)
                }
            }
        }
        close(listener)
    }
}
