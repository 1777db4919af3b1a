import Foundation
import SyrinxByteStream
import SyrinxHTTPStream
import SyrinxTestSupport
import Testing

/// Bodies that servers compress.
@Suite("Content codings") struct CodingTests {
    private let server: ScriptedHTTPServer

    init() throws { server = try ScriptedHTTPServer() }

    private func gzip(_ bytes: [UInt8]) throws -> [UInt8] {
        let result = try runProcess("gzip", ["-c"], stdin: Data(bytes))
        return Array(result.stdout)
    }

    private func compressed(_ bytes: [UInt8]) throws -> ScriptedResponse {
        ScriptedResponse.file(try gzip(bytes)).header("Content-Encoding", "gzip")
    }

    @Test("Media that the server compresses unasked is decoded, and is not seekable")
    func compressedMedia() throws {
        let bytes = [UInt8](repeating: 7, count: 300_000) + patternedBytes(100_000)
        server.route("/a", try compressed(bytes))
        let stream = try HTTPByteStream(url: server.url("/a"), options: quickOptions())
        #expect(try isSame(readAll(stream), bytes))
        #expect(!stream.isSeekable)
        #expect(stream.length == 400_000)
        #expect(server.requests.map(\.range) == ["bytes=0-", nil])
        #expect(server.requests[0].headers["accept-encoding"] == "identity")
    }

    @Test("Compressed media continues after a break where it broke")
    func compressedMediaThatBreaks() throws {
        let bytes = patternedBytes(400_000)
        let answer = try compressed(bytes)
        server.route("/a", answer, answer.cut(after: 200_000, .reset), answer)
        let stream = try HTTPByteStream(url: server.url("/a"), options: quickOptions())
        #expect(try isSame(readAll(stream), bytes))
    }

    @Test("Documents are asked for compressed, and decoded")
    func documents() throws {
        let bytes = patternedBytes(400_000)
        server.route("/feed", try compressed(bytes))
        let exchange = try HTTPExchange(url: server.url("/feed"), options: quickOptions())
        #expect(try isSame(exchange.readAll(), bytes))
        #expect(server.requests[0].headers["accept-encoding"]?.contains("gzip") == true)
    }

    @Test("A document with a coding that is none is taken as it is", arguments: ["aws-chunked", "utf-8", "binary"])
    func unknownCodings(coding: String) throws {
        let bytes = patternedBytes(40_000)
        server.route("/feed", ScriptedResponse.file(bytes).header("Content-Encoding", coding))
        let exchange = try HTTPExchange(url: server.url("/feed"), options: quickOptions())
        #expect(try isSame(exchange.readAll(), bytes))
        #expect(server.requests.count == 2)
    }

    /// 60 MB of zeros are 60 KB on the way.
    @Test("A document that expands beyond its limit is refused with a sentence that says so")
    func expansion() throws {
        server.route("/feed", try compressed([UInt8](repeating: 0, count: 60_000_000)))
        let exchange = try HTTPExchange(url: server.url("/feed"), options: quickOptions(), limit: 1_000_000)
        do throws(SyrinxError) {
            _ = try exchange.readAll()
            Issue.record("all was read")
        } catch {
            #expect(error.code == .badResponse)
            #expect(error.message.contains("longer than 1000000 bytes"))
        }
    }

    /// 200 MB of zeros, compressed twice, are a kilobyte on the way.
    @Test("Media that expands too far is read to its end or refused for that, and is no lost connection")
    func expandingMedia() throws {
        let bomb = try runProcess("sh", ["-c", "head -c 200000000 /dev/zero | gzip -9 | gzip -9"])
        let response = ScriptedResponse.file(Array(bomb.stdout)).header("Content-Encoding", "gzip, gzip")
        server.route("/a", response)
        let stream = try HTTPByteStream(url: server.url("/a"), options: quickOptions { $0.windowAhead = 65_536 })
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)
        defer { piece.deallocate() }
        var offset: Int64 = 0
        do throws(SyrinxError) {
            while case let count = try stream.read(at: offset, into: piece), count > 0 { offset += Int64(count) }
            #expect(offset == 200_000_000)
        } catch {
            #expect(error.code == .badResponse && error.message.contains("expands too far"), "\(error)")
        }
        #expect(server.requests.count <= 2)
    }

    @Test(
        "Any Content-Type is read, and its charset found",
        arguments: [
            ("text/xml;=", nil), ("text/xml;;", nil), ("text/xml; charset", nil), ("", nil), (";", nil),
            ("text/xml; a=b; Charset=\"UTF-16\"", "UTF-16"),
        ] as [(String, String?)]
    )
    func charsets(type: String, charset: String?) throws {
        server.route("/feed", ScriptedResponse.file([1]).withoutHeader("Content-Type").header("Content-Type", type))
        let exchange = try HTTPExchange(url: server.url("/feed"), options: quickOptions())
        #expect(try exchange.response().charset == charset)
    }

    @Test("An upload is sent once, whatever coding its answer states")
    func uploads() throws {
        server.route("/sync", ScriptedResponse.file([1, 2]).header("Content-Encoding", "utf-8"))
        let exchange = try HTTPExchange("POST", url: server.url("/sync"), content: [7], options: quickOptions())
        #expect(try exchange.readAll() == [1, 2])
        #expect(server.requests.map(\.method) == ["POST"])
    }
}
