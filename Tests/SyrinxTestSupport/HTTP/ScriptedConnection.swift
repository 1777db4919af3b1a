import Foundation
import SyrinxByteStream

/// One connection to a `ScriptedHTTPServer`, on a thread of its own.
struct ScriptedConnection {
    private let descriptor: Int32
    private let state: Monitor<ScriptedHTTPServer.State>
    private let begin: Date

    init(_ descriptor: Int32, _ state: Monitor<ScriptedHTTPServer.State>, _ begin: Date) {
        self.descriptor = descriptor
        self.state = state
        self.begin = begin
    }

    func serve() {
        var received: [UInt8] = []
        while let request = nextRequest(&received) {
            guard answer(request) else { return }
        }
    }

    private func nextRequest(_ received: inout [UInt8]) -> ScriptedRequest? {
        var piece = [UInt8](repeating: 0, count: 8_192)
        while true {
            if let end = received.firstRange(of: [13, 10, 13, 10]) {
                let head = String(decoding: received[..<end.lowerBound], as: UTF8.self)
                received.removeSubrange(..<end.upperBound)
                var request = parse(head)
                let length = request.headers["content-length"].flatMap { Int($0) } ?? 0
                while received.count < length {
                    let count = recv(descriptor, &piece, piece.count, 0)
                    guard count > 0 else { return nil }
                    received += piece[..<count]
                }
                request.body = Array(received.prefix(length))
                received.removeFirst(length)
                return request
            }
            let count = recv(descriptor, &piece, piece.count, 0)
            guard count > 0 else { return nil }
            received += piece[..<count]
        }
    }

    private func parse(_ head: String) -> ScriptedRequest {
        let lines = head.components(separatedBy: "\r\n")
        let first = lines[0].components(separatedBy: " ")
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            headers[line[..<colon].lowercased()] = value
        }
        return ScriptedRequest(
            method: first[0],
            path: first.count > 1 ? first[1] : "",
            headers: headers,
            time: Date().timeIntervalSince(begin)
        )
    }

    /// Answers, and says whether the connection can take another request.
    private func answer(_ request: ScriptedRequest) -> Bool {
        let path = request.path.components(separatedBy: "?")[0]
        let (handler, index, number) = state.update { state in
            let index = state.counts[path, default: 0]
            state.counts[path] = index + 1
            state.requests.append(request)
            return (state.routes[path], index, state.requests.count - 1)
        }
        let response = handler?(request, index) ?? .status(404, body: "no such route")
        defer { state.update { $0.requests[number].isOver = true } }
        if response.headDelay > 0 { pause(response.headDelay) }
        if let cut = response.cut, cut.after < 0 {
            end(cut.how)
            return false
        }
        if let raw = response.raw {
            _ = send(raw)
            end(response.cut?.how ?? .close)
            return false
        }
        if let port = response.tunnelPort {
            tunnel(to: port)
            return false
        }
        let reply = Reply(to: request, response)
        state.update { $0.requests[number].status = reply.status }
        guard send([UInt8](reply.head.utf8)) else { return false }
        guard request.method != "HEAD" else { return true }
        return sendBody(reply, response, number) && reply.keepsAlive
    }

    private func sendBody(_ reply: Reply, _ response: ScriptedResponse, _ number: Int) -> Bool {
        let start = Date()
        let pieceSize = response.pieceSize ?? response.pace.map { max(1, min(16_384, Int64($0 / 50))) } ?? 65_536
        if response.pieceSize != nil {
            var isOn: Int32 = 1
            setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
        }
        let total = min(Int64(reply.body.count), response.cut?.after ?? .max)
        var piece = [UInt8](repeating: 0, count: Int(pieceSize))
        var sent: Int64 = 0
        while sent < total {
            if let pace = response.pace {
                let due = Double(sent) / pace - Date().timeIntervalSince(start)
                if due > 0 { pause(due) }
            }
            let count = Int(min(pieceSize, total - sent))
            piece.withUnsafeMutableBytes { buffer in
                let rebased = UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
                response.fill(reply.body.lowerBound + sent, rebased)
            }
            if response.isChunked, !send([UInt8]("\(String(count, radix: 16))\r\n".utf8)) { return false }
            guard send(piece[..<count]) else { return false }
            if response.isChunked, !send([13, 10]) { return false }
            sent += Int64(count)
            state.update { $0.requests[number].bytesSent = sent }
        }
        if let cut = response.cut, cut.after <= Int64(reply.body.count) {
            end(cut.how)
            return false
        }
        return response.isChunked ? send([UInt8]("0\r\n\r\n".utf8)) : true
    }

    private func end(_ how: ScriptedResponse.Cut) {
        switch how {
        case .close:
            break
        case .reset:
            // With no time to linger, closing sends a reset. What the client has not read by then is lost to it.
            var linger = Foundation.linger(l_onoff: 1, l_linger: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Foundation.linger>.size))
        case .hang:
            var byte: UInt8 = 0
            while recv(descriptor, &byte, 1, 0) > 0 {}
        }
    }

    /// Says that there is a way, and carries bytes both ways until either side has no more.
    private func tunnel(to port: UInt16) {
        let other = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(other) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = port.bigEndian
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(other, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected, send(Array("HTTP/1.1 200 Connected\r\n\r\n".utf8)) else { return }
        var polled = [descriptor, other].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        var piece = [UInt8](repeating: 0, count: 16_384)
        while poll(&polled, 2, -1) > 0 {
            for (from, to) in [(0, other), (1, descriptor)] where polled[from].revents != 0 {
                let count = recv(polled[from].fd, &piece, piece.count, 0)
                guard count > 0, send(piece[..<count], to: to) else { return }
            }
        }
    }

    /// Linux's POLLRDHUP (the other side sends no more), which Swift does not import.
    private var rdhup: Int16 { 0x2000 }

    /// Sleeps unless the other side goes away or the server stops.
    private func pause(_ seconds: Double) {
        let end = Date() + seconds
        while true {
            let left = end.timeIntervalSinceNow
            guard left > 0 else { return }
            if left < 0.002 {
                usleep(UInt32(left * 1e6))
                return
            }
            var polled = pollfd(fd: descriptor, events: rdhup, revents: 0)
            if poll(&polled, 1, Int32(left * 1_000)) > 0 { return }
        }
    }

    private func send(_ bytes: some Collection<UInt8>) -> Bool { send(bytes, to: descriptor) }

    private func send(_ bytes: some Collection<UInt8>, to descriptor: Int32) -> Bool {
        let whole = ContiguousArray(bytes)
        return whole.withUnsafeBytes { bytes in
            var sent = 0
            while sent < bytes.count {
                let count = Foundation.send(
                    descriptor,
                    bytes.baseAddress?.advanced(by: sent),
                    bytes.count - sent,
                    Int32(MSG_NOSIGNAL)
                )
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                sent += count
            }
            return true
        }
    }
}

/// The head of an answer, and which bytes of the file its body is.
private struct Reply {
    var status: Int
    var body: Range<Int64>
    var head: String
    var keepsAlive: Bool

    init(to request: ScriptedRequest, _ response: ScriptedResponse) {
        status = response.status
        body = 0..<response.length
        var extra: [String] = []
        if response.hasRanges, response.status == 200, let asked = Self.range(request, response) {
            if asked.isEmpty {
                status = 416
                body = 0..<0
                extra.append("Content-Range: bytes */\(response.length)")
            } else {
                status = 206
                let from = min(max(0, asked.lowerBound + response.rangeShift), asked.upperBound - 1)
                body = from..<asked.upperBound
                let value = response.contentRange ?? "bytes \(from)-\(asked.upperBound - 1)/\(response.length)"
                if !value.isEmpty { extra.append("Content-Range: \(value)") }
            }
        }
        if response.hasRanges, response.announcesRanges { extra.append("Accept-Ranges: bytes") }
        if response.isChunked {
            extra.append("Transfer-Encoding: chunked")
        } else if response.announcesLength {
            extra.append("Content-Length: \(response.contentLength ?? Int64(body.count))")
        }
        keepsAlive = response.announcesLength && response.contentLength == nil
        if !keepsAlive { extra.append("Connection: close") }
        let first = response.statusLine ?? "HTTP/1.1 \(status) Scripted"
        let lines = [first] + response.headers.map { "\($0.name): \($0.value)" } + extra
        head = lines.joined(separator: "\r\n") + "\r\n\r\n"
    }

    /// The range asked for, empty if it cannot be met; `nil` if the whole is wanted.
    private static func range(_ request: ScriptedRequest, _ response: ScriptedResponse) -> Range<Int64>? {
        guard let asked = request.range, asked.hasPrefix("bytes=") else { return nil }
        if let condition = request.headers["if-range"] {
            let validators = response.headers.filter { ["etag", "last-modified"].contains($0.name.lowercased()) }
            guard validators.contains(where: { $0.value == condition }) else { return nil }
        }
        let ends = asked.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false).map { Int64($0) }
        guard ends.count == 2 else { return nil }
        switch (ends[0], ends[1]) {
        case (let from?, let to):
            return from < response.length ? from..<min(response.length, (to ?? .max - 1) + 1) : 0..<0
        case (nil, let suffix?): return max(0, response.length - suffix)..<response.length
        case (nil, nil): return nil
        }
    }
}
