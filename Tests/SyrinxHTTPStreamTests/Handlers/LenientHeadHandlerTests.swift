import NIOCore
import SyrinxByteStream
import SyrinxTestSupport
import Testing

@testable import SyrinxHTTPStream

/// Heads that a strict decoder refuses, and what is made of them.
@Suite("Head repair") struct LenientHeadHandlerTests {
    private func repaired(_ head: String) -> String {
        String(decoding: HeadLines(Array(head.utf8)).repaired, as: UTF8.self)
    }

    private static let good = "HTTP/1.1 200 OK\r\nA: b\r\nContent-Length: 5\r\n\r\n"

    @Test(
        "A malformed head is repaired",
        arguments: [
            ("lines without a carriage return", "HTTP/1.1 200 OK\nA: b\nContent-Length: 5\n\n"),
            ("some of them", "HTTP/1.1 200 OK\r\nA: b\nContent-Length: 5\r\n\n"),
            ("identity", "HTTP/1.1 200 OK\r\nTransfer-Encoding: Identity\r\nA: b\r\nContent-Length: 5\r\n\r\n"),
            ("a space in a name", "HTTP/1.1 200 OK\r\nA: b\r\nC D: e\r\nContent-Length: 5\r\n\r\n"),
            (
                "a folded line with a space in its name",
                "HTTP/1.1 200 OK\r\nC D: e\r\n f\r\nA: b\r\nContent-Length: 5\r\n\r\n"
            ),
            ("no name", "HTTP/1.1 200 OK\r\n: z\r\nA: b\r\nContent-Length: 5\r\n\r\n"),
            ("no colon", "HTTP/1.1 200 OK\r\nA: b\r\nGarbage\r\nContent-Length: 5\r\n\r\n"),
            (
                "a blank before the first field",
                "HTTP/1.1 200 OK\r\n Content-Length: 6\r\nA: b\r\nContent-Length: 5\r\n\r\n"
            ),
            ("spaces in the status line", "HTTP/1.1  200 OK\r\nA: b\r\nContent-Length: 5\r\n\r\n"),
            ("lower case", "http/1.1 200 OK\r\nA: b\r\nContent-Length: 5\r\n\r\n"),
            ("a space before the colon", "HTTP/1.1 200 OK\r\nA: b\r\nContent-Length : 5\r\n\r\n"),
            ("the length thrice", "HTTP/1.1 200 OK\r\nA: b\r\nContent-Length: 5 ,5\r\ncontent-length:5\r\n\r\n"),
            ("nothing", good),
        ]
    ) func isPutRight(_ name: String, _ head: String) { #expect(repaired(head) == Self.good, "\(name)") }

    @Test(
        "A head becomes its regular form",
        arguments: [
            ("ICY 200 OK\nicy-name: x\n\n", "HTTP/1.0 200 OK\r\nicy-name: x\r\n\r\n"),
            ("HTTP/1.1 200 OK\r\nA: b\0c\u{1}\rd\u{7F}\te\r\n\r\n", "HTTP/1.1 200 OK\r\nA: b c  d \te\r\n\r\n"),
            ("HTTP/1.1 200 OK\r\nA: b\r\n\tc\n  d\r\n\r\n", "HTTP/1.1 200 OK\r\nA: b \tc   d\r\n\r\n"),
            // Of what comes in chunks, no length counts; what is none, or differs, is the decoder's to refuse.
            (
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
            ),
            (
                "HTTP/1.1 200 OK\r\nTransfer-Encoding : identity\r\nTransfer-Encoding : Chunked\r\nContent-Length: 5\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n"
            ),
            (
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 5 5\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 5 5\r\n\r\n"
            ),
            ("SSH-2.0 x\r\n\r\n", "SSH-2.0 x\r\n\r\n"),
            ("\n\n", "\r\n\r\n"),
        ]
    ) func becomes(_ head: String, _ expected: String) { #expect(repaired(head) == expected) }

    @Test("A head ends with the first empty line")
    func endsWithTheFirstEmptyLine() {
        func end(_ text: String) -> Int? { HeadAccumulator.end(in: Array(text.utf8)) }
        #expect(end("a\r\n\r\nb") == 5)
        #expect(end("a\n\nb\r\n\r\n") == 3)
        #expect(end("a\r\n\nb") == 4)
        #expect(end("a\n\r\nb") == 4)
        #expect(end("a\r\nb\r\n\r") == nil)
        #expect(end("a\n\r") == nil)
        #expect(end("") == nil)
    }

    /// The body as it is, however the bytes come.
    @Test("A head is the same in pieces of any size", arguments: [1, 2, 3, 7, 1_000]) func whateverComesAtATime(
        count: Int
    ) throws {
        var head = HeadAccumulator()
        let bytes = Array("http/1.1 200 OK\nA: b\nContent-Length: 5\n\n\n\n:\0\n".utf8)
        var got: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: count) {
            let piece = ByteBuffer(bytes: bytes[start..<min(start + count, bytes.count)])
            if let buffer = head.push(piece) { got += buffer.readableBytesView }
        }
        #expect(String(decoding: got, as: UTF8.self) == Self.good + "\n\n:\0\n")
        #expect(head.finish() == nil)
    }

    /// It is not collected for ever, and what breaks off is handed on.
    @Test("A head without an end is passed on unchanged")
    func withoutAnEndItIsLeftAsItIs() {
        var head = HeadAccumulator()
        let line = ByteBuffer(string: "A b\n")
        let count = (64 << 10) / line.readableBytes
        for _ in 1..<count { #expect(head.push(line) == nil) }
        #expect(head.push(line) == ByteBuffer(string: String(repeating: "A b\n", count: count)))
        #expect(head.push(line) == line)

        head = HeadAccumulator()
        #expect(head.push(line) == nil)
        #expect(head.finish() == line)
        #expect(head.finish() == nil)
    }

    @Test("Transfer codings are recognised", arguments: ["", " ", "identity", "Identity", "none", "gzip", " GZIP"])
    func codings(value: String) {
        let coding = ResponseHead(status: 200, fields: [("Content-Encoding", value)]).contentEncoding
        #expect(coding == (value.lowercased().contains("gzip") ? "gzip" : nil))
    }

    /// All of them through a connection: the name, and what is written before the length.
    @Test(
        "A repaired response is read",
        arguments: [
            ("HTTP/1.1 200 OK\n", "\n"), ("HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\n", "\r\n"),
            ("HTTP/1.1 200 OK\r\nA B: c\r\n", "\r\n"), ("HTTP/1.1 200 OK\r\n: c\r\n", "\r\n"),
            ("HTTP/1.1  200  OK\r\n", "\r\n"), ("http/1.1 200 OK\r\n", "\r\n"),
            ("HTTP/1.1 200 OK\r\nGarbage\r\n", "\r\n"),
            ("HTTP/1.1 200 OK\r\nA: b\0c\r\n", "\r\n"), ("ICY 200 OK\n", "\n"), ("ICY 200 OK\r\n", "\r\n"),
            ("HTTP/1.1 200 OK\r\nContent-Encoding: none\r\n", "\r\n"),
            ("HTTP/1.1 200 OK\r\nContent-Encoding:\r\n", "\r\n"),
            ("HTTP/1.1 200 OK\r\nA\r\n", "\n"),
        ]
    ) func isRead(_ head: String, _ end: String) throws {
        let server = try ScriptedHTTPServer()
        defer { server.stop() }
        let bytes = patternedBytes(100_000)
        server.route("/a", .raw(head + "Content-Length: \(bytes.count)" + end + end, bytes))
        let stream = try HTTPByteStream(url: server.url("/a"), options: quickOptions())
        let log = EventLog(stream)
        #expect(try isSame(readAll(stream), bytes))
        #expect(log.retries == 0 && server.requests.count <= 2)
    }
}
