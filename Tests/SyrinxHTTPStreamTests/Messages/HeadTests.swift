import SyrinxByteStream
import SyrinxTestSupport
import Testing

@testable import SyrinxHTTPStream

/// Heads that servers write badly.
@Suite("Response heads") struct HeadTests {
    private func parse(_ text: String) throws -> ResponseHead? {
        var parser = ResponseHeadParser()
        var found: ResponseHead?
        for line in text.utf8.split(separator: 10, omittingEmptySubsequences: false) {
            let bytes = line + [10]
            if let head = try bytes.withUnsafeBytes({ bytes throws(FetchFailure) in try parser.push(bytes) }) {
                found = head
            }
        }
        return found
    }

    @Test("Interim responses, folded lines and trailers are passed over or joined")
    func lines() throws {
        let head = try #require(
            try parse(
                "HTTP/1.1 103 Early Hints\nLink: x\n\nHTTP/1.1 200 OK\r\nA: b\n\tc\nD : e\nnone\n\nContent-Length: 5\n\n"
            )
        )
        #expect(head.status == 200)
        #expect(head.value("a") == "b\tc")
        #expect(head.value("d") == "e")
        #expect(head.value("link") == nil && head.contentLength == nil)
        #expect(try parse("ICY 404 No such stream\n\n")?.status == 404)
    }

    @Test(
        "An invalid status, or lengths that differ, are refused",
        arguments: [
            "HTTP/1.1 099 X\n\n", "HTTP/1.1 20 X\n\n", "HTTP/1.1 1000 X\n\n", "HTTP/1.1 -12 X\n\n", "HTTP/1.1\n\n",
            "HTTP/2 101\n\n",
            "HTTP/1.1 200 OK\nContent-Length: 5\nContent-Length: 6\n\n", "HTTP/1.1 200 OK\nContent-Length: 5, 6\n\n",
        ]
    )
    func refused(text: String) { #expect(throws: FetchFailure.self) { try parse(text) } }

    @Test("Heads are bounded")
    func bounded() {
        let lines = String(repeating: "X: " + String(repeating: "a", count: 1_000) + "\n", count: 600)
        #expect(throws: FetchFailure.self) { try parse("HTTP/1.1 200 OK\n" + lines) }
    }

    @Test("An address that is not UTF-8 is percent-encoded byte by byte")
    func addresses() throws {
        var parser = ResponseHeadParser()
        var head: ResponseHead?
        let lines: [[UInt8]] = [
            Array("HTTP/1.1 302 Found\r\n".utf8), Array("Location: /caf".utf8) + [0xE9, 13, 10], [13, 10],
        ]
        for line in lines {
            head = try line.withUnsafeBytes { bytes throws(FetchFailure) in try parser.push(bytes) } ?? head
        }
        #expect(head?.location == "/caf%E9")
        #expect(try parse("HTTP/1.1 302 Found\nLocation: /caf\u{E9}\n\n")?.location == "/caf\u{E9}")
    }

    @Test(
        "Content codings are recognized",
        arguments: [
            ("", false), (" ", false), ("identity", false), ("none", false), ("utf-8", false), ("aws-chunked", false),
            ("gzip", true), (" GZIP", true), ("aws-chunked, br", true),
        ]
    )
    func codings(value: String, isCompressed: Bool) {
        #expect(ResponseHead(status: 200, fields: [("Content-Encoding", value)]).isCompressed == isCompressed)
    }

    /// Each through a connection: the lines before the length, and the end of a line.
    @Test(
        "A badly written head is read",
        arguments: [
            ("HTTP/1.1 200 OK\n", "\n"), ("HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\n", "\r\n"),
            ("HTTP/1.1 200 OK\r\nA B: c\r\n", "\r\n"), ("HTTP/1.1 200 OK\r\n: c\r\n", "\r\n"),
            ("http/1.1 200 OK\r\n", "\r\n"),
            ("HTTP/1.1 200 OK\r\nA : c\r\n", "\r\n"),
            ("ICY 200 OK\n", "\n"), ("ICY 200 OK\r\n", "\r\n"),
            ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nA: b\r\n\r\nHTTP/1.1 200 OK\r\n", "\r\n"),
            ("HTTP/1.1 200 OK\r\nContent-Encoding: none\r\n", "\r\n"),
            ("HTTP/1.1 200 OK\r\nContent-Encoding:\r\n", "\r\n"),
            ("HTTP/1.1 200 OK\r\nA:\r\n", "\n"),
        ]
    ) func isRead(_ head: String, _ end: String) throws {
        let server = try ScriptedHTTPServer()
        defer { server.stop() }
        let bytes = patternedBytes(100_000)
        server.route("/a", .raw(head + "Content-Length: \(bytes.count)" + end + end, bytes))
        let stream = try HTTPByteStream(url: server.url("/a"), options: quickOptions())
        let log = EventLog(stream)
        #expect(try isSame(readAll(stream), bytes))
        #expect(log.retries == 0 && server.requests.count == 1)
    }

    /// libcurl refuses both.
    @Test("A zero byte in a head, or a line without a colon, is refused", arguments: ["A: b\0c", "Garbage"])
    func isRefused(line: String) throws {
        let server = try ScriptedHTTPServer()
        defer { server.stop() }
        server.route("/a", .raw("HTTP/1.1 200 OK\r\n\(line)\r\nContent-Length: 5\r\n\r\nabcde"))
        let stream = try HTTPByteStream(url: server.url("/a"), options: quickOptions { $0.maximumAttempts = 2 })
        #expect(failureCode { () throws(SyrinxError) in _ = try readAll(stream) } == .badResponse)
    }
}
