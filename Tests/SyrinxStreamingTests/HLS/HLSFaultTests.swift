import Foundation
import SyrinxByteStream
import SyrinxHTTPStream
import SyrinxMediaCodec
import SyrinxTestSupport
import Testing

@testable import SyrinxStreaming

/// Faults of segments, keys, playlists and servers: each has an outcome that is known, and none makes a reader wait forever.
@Suite("HLS faults")
struct HLSFaultTests {
    /// A fault of one segment.
    enum Fault: String, CaseIterable, Sendable {
        case missing, broken, hanging, webPage, cutOff, slow, shorter

        func response(_ bytes: [UInt8]) -> ScriptedResponse {
            switch self {
            case .missing: .status(404)
            case .broken: .status(500)
            case .hanging: .hang
            case .webPage: .file(Array("<html>Not here</html>".utf8), type: "text/html")
            case .cutOff: .file(bytes).cut(after: Int64(bytes.count / 3))
            case .slow: .file(bytes).paced(bytesPerSecond: 30_000)
            case .shorter: .file(Array(bytes[..<(bytes.count / 2)]))
            }
        }

        /// The code that is reported for the missing sound.
        var code: String {
            switch self {
            case .missing: "http.404"
            case .broken: "http.500"
            case .hanging: "network.timeout"
            case .webPage: "media.notAudio"
            case .shorter, .cutOff, .slow: "media.incomplete"
            }
        }

        /// Whether the connection brings all bytes in the end.
        var isMended: Bool { self == .cutOff || self == .slow }
    }

    /// A network that gives up within a second or two.
    private var impatient: HTTPByteStream.Options {
        var options = quickNetwork
        options.maximumOutage = 1
        options.stallTimeout = 0.5
        return options
    }

    private func code(_ body: () throws -> some Any) -> String? { HLSTexts.code(body) }

    /// A server of a presentation of 8 seconds in segments of 2.
    private func served(_ kind: HLSFixtures.Kind = .transport, in scratch: ScratchDirectory) throws
        -> (server: ScriptedHTTPServer, folder: String)
    {
        let folder = try HLSFixtures.make(kind, in: scratch, source: HLSFixtures.chirp(seconds: 8))
        let server = try ScriptedHTTPServer()
        try HLSFixtures.serve(folder, on: server)
        return (server, folder)
    }

    @Test("A segment that is missing is silent and one that comes late is whole", arguments: Fault.allCases)
    func segments(fault: Fault) throws {
        let scratch = try ScratchDirectory()
        let (server, folder) = try served(in: scratch)
        defer { server.stop() }
        let whole = try HLSReading(path: folder + "/index.m3u8").read()
        server.route("/index1.ts", fault.response(try HLSFixtures.file(folder, "index1.ts")))
        let reading = try HLSReading(server.url("/index.m3u8"), network: impatient)
        let samples = try reading.read()
        #expect(reading.reader.isAtEnd)
        #expect(samples.count == whole.count, "\(samples.count - whole.count) frames off")
        let missing = reading.reader.takeMissing()
        if fault.isMended {
            #expect(largestDifference(samples, whole) < 1e-4)
            #expect(missing.isEmpty)
            return
        }
        // The report comes once, with the place.
        #expect(missing.count == 1 && reading.reader.takeMissing().isEmpty)
        let part = try #require(missing.first)
        #expect(part.error.name == server.url("/index1.ts"), "\(part.error)")
        #expect(part.error.code.rawValue == fault.code, "\(part.error)")
        let end = part.time + part.duration
        #expect((fault == .shorter ? 2.5...3.5 : 1.9...2.1) ~= part.time && (3.9...4.1) ~= end, "\(part)")
        // All else is where it belongs; a decoder needs the packet before the one that it gives.
        #expect(largestDifference(samples[..<80_000], whole) < 1e-4)
        #expect(largestDifference(samples[182_000...], whole[182_000...]) < 1e-4)
        #expect(samples[140_000..<170_000].allSatisfy { $0 == 0 })
    }

    @Test("What a playlist leaves out itself is silent without a report")
    func ownGap() throws {
        let scratch = try ScratchDirectory()
        let (server, folder) = try served(in: scratch)
        defer { server.stop() }
        let text = try HLSFixtures.text(folder).replacingOccurrences(of: "index1.ts", with: "#EXT-X-GAP\nindex1.ts")
        server.route("/index.m3u8", .file(Array(text.utf8), type: "application/vnd.apple.mpegurl"))
        let reading = try HLSReading(server.url("/index.m3u8"), network: impatient)
        let samples = try reading.read()
        #expect(samples[140_000..<170_000].allSatisfy { $0 == 0 })
        #expect(reading.reader.takeMissing().isEmpty)
        #expect(server.requests("/index1.ts").isEmpty)
    }

    @Test("The first segments that are missing are silent, and missing ones at the end are reported")
    func ends() throws {
        let scratch = try ScratchDirectory()
        let (server, folder) = try served(in: scratch)
        defer { server.stop() }
        let whole = try HLSReading(path: folder + "/index.m3u8").read()
        for name in ["index0.ts", "index1.ts", "index3.ts"] { server.route("/\(name)", .status(404)) }
        let reading = try HLSReading(server.url("/index.m3u8"), network: impatient)
        #expect(reading.reader.position == 0)
        let samples = try reading.read()
        #expect(samples[..<170_000].allSatisfy { $0 == 0 })
        #expect(largestDifference(samples[182_000..<260_000], whole[182_000..<260_000]) < 1e-4)
        let missing = reading.reader.takeMissing()
        #expect(missing.map(\.error.name) == ["0", "1", "3"].map { server.url("/index\($0).ts") })
        for (part, time) in zip(missing, [0.0, 2, 6]) {
            #expect(abs(part.time - time) < 0.1 && abs(part.duration - 2) < 0.1, "\(part)")
        }
    }

    @Test("A seek into a segment that is missing is told what it passes over")
    func seekIntoHole() throws {
        let scratch = try ScratchDirectory()
        let (server, _) = try served(in: scratch)
        defer { server.stop() }
        server.route("/index2.ts", .status(404))
        let reading = try HLSReading(server.url("/index.m3u8"), network: impatient)
        try reading.reader.seek(toFrame: 220_500)
        let missing = reading.reader.takeMissing()
        #expect(missing.map(\.error.code.rawValue) == ["http.404"])
        #expect(
            abs((missing.first?.time ?? 0) - 5) < 0.1 && abs((missing.first?.duration ?? 0) - 1) < 0.1,
            "\(missing)"
        )
    }

    @Test("A presentation none of whose segments can be had fails with the server's reason")
    func nothing() throws {
        let scratch = try ScratchDirectory()
        let (server, folder) = try served(in: scratch)
        defer { server.stop() }
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) where name.hasSuffix("ts") {
            server.route("/\(name)", .status(403))
        }
        #expect(code { try HLSReading(server.url("/index.m3u8"), network: impatient).read() } == "http.403")
    }

    @Test(
        "A key that cannot be had, or is none, ends it with a reason",
        arguments: [(404, "http.404"), (403, "http.403"), (200, "media.corrupt")]
    )
    func keys(status: Int, expected: String) throws {
        let scratch = try ScratchDirectory()
        let (server, _) = try served(.encrypted, in: scratch)
        defer { server.stop() }
        server.route("/key", status == 200 ? .file([1, 2, 3]) : .status(status))
        #expect(code { try HLSReading(server.url("/index.m3u8"), network: impatient).read() } == expected)
    }

    @Test("A rendition's playlist that cannot be had, or is none, ends it with a reason")
    func playlists() throws {
        let server = try ScriptedHTTPServer()
        defer { server.stop() }
        let master = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=64000,CODECS=\"mp4a.40.2\"\nlow.m3u8\n"
        server.route("/master.m3u8", .file(Array(master.utf8), type: "application/vnd.apple.mpegurl"))
        let cases: [(ScriptedResponse, String)] = [
            (.status(404), "http.404"),
            (.file(Array("<html></html>".utf8)), "media.notAudio"),
            (.file(Array(master.utf8)), "media.unsupported"),
            (.file(Array("#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-ENDLIST\n".utf8)), "media.empty"),
            (
                .file(Array("#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\nfile:///etc/passwd\n".utf8)),
                "media.playlistEntry"
            ),
        ]
        for (response, expected) in cases {
            server.route("/low.m3u8", response)
            #expect(code { try HLSReading(server.url("/master.m3u8"), network: impatient).read() } == expected)
        }
        server.route("/low.m3u8", .hang)
        #expect(code { try HLSReading(server.url("/master.m3u8"), network: impatient).read() } != nil)
    }

    @Test("A live playlist that is gone ends it when all has been played")
    func lostPlaylist() throws {
        let scratch = try ScratchDirectory()
        let (server, folder) = try served(in: scratch)
        defer { server.stop() }
        let text = try HLSFixtures.text(folder).replacingOccurrences(of: "#EXT-X-ENDLIST", with: "")
            .replacingOccurrences(of: "#EXT-X-PLAYLIST-TYPE:VOD", with: "")
            .replacingOccurrences(of: "#EXT-X-TARGETDURATION:2", with: "#EXT-X-TARGETDURATION:1")
        server.route("/index.m3u8") { _, index in
            index == 0 ? .file(Array(text.utf8), type: "application/vnd.apple.mpegurl") : .status(404)
        }
        var network = impatient
        network.maximumOutage = 20
        let reading = try HLSReading(server.url("/index.m3u8"), network: network)
        #expect(code { try reading.read() } == "http.404")
        #expect(reading.reader.position > 300_000)
    }

    @Test("A header and a password of the input reach its own server and no other")
    func credentials() throws {
        let scratch = try ScratchDirectory()
        let (other, folder) = try served(in: scratch)
        defer { other.stop() }
        let own = try ScriptedHTTPServer()
        defer { own.stop() }
        var lines = try HLSFixtures.text(folder).split(separator: "\n").map(String.init)
        for index in lines.indices where !lines[index].hasPrefix("#") && lines[index] != "index0.ts" {
            lines[index] = other.url("/" + lines[index])
        }
        own.route("/index0.ts", .file(try HLSFixtures.file(folder, "index0.ts")))
        own.route(
            "/index.m3u8",
            .file(Array(lines.joined(separator: "\n").utf8), type: "application/vnd.apple.mpegurl")
        )
        var network = impatient
        network.headers = [("X-Token", "secret")]
        let url = own.url("/index.m3u8").replacingOccurrences(of: "http://", with: "http://name:word@")
        let samples = try HLSReading(url, network: network).read()
        #expect(samples.count == (try HLSReading(path: folder + "/index.m3u8").read()).count)
        #expect(own.requests.count >= 2 && !other.requests.isEmpty)
        #expect(own.requests.allSatisfy { $0.headers["x-token"] == "secret" && $0.headers["authorization"] != nil })
        #expect(other.requests.allSatisfy { $0.headers["x-token"] == nil && $0.headers["authorization"] == nil })
    }

    @Test("The playlists and segments of a presentation share cookies, and a stream of their server does not have them")
    func cookies() throws {
        let scratch = try ScratchDirectory()
        let folder = try HLSFixtures.make(.transport, in: scratch, source: HLSFixtures.chirp(seconds: 8))
        let server = try ScriptedHTTPServer()
        defer { server.stop() }
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            let file = ScriptedResponse.file(try HLSFixtures.file(folder, name))
            let isPlaylist = name.hasSuffix(".m3u8")
            server.route("/" + name) { request, _ in
                let isKnown = request.headers["cookie"] == "session=1"
                return isPlaylist ? file.header("Set-Cookie", "session=1; Path=/") : isKnown ? file : .status(403)
            }
        }
        // A playlist by the path that it is redirected to, and by its content.
        server.route("/redirected", .redirect(to: "/index.m3u8"))
        let text = ScriptedResponse.file(try HLSFixtures.file(folder, "index.m3u8"), type: "text/plain")
        server.route("/plain", text.header("Set-Cookie", "session=1; Path=/"))
        let count = try HLSReading(path: folder + "/index.m3u8").read().count
        for path in ["/index.m3u8", "/redirected", "/plain"] {
            let before = server.requests.count
            let samples = try HLSReading(server.url(path), network: impatient).read()
            #expect(samples.count == count, "\(path)")
            #expect(server.requests[before].headers["cookie"] == nil)
        }
    }
}
