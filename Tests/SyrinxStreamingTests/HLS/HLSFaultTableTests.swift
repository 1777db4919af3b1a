import Foundation
import SyrinxByteStream
import SyrinxHTTPStream
import SyrinxTestSupport
import Testing

@testable import SyrinxStreaming

/// A resource of a presentation.
enum HLSRole: String, CaseIterable, Sendable {
    case playlist, key, initialization, segment

    var kind: HLSFixtures.Kind {
        switch self {
        case .playlist, .segment: .transport
        case .key: .encrypted
        case .initialization: .fragmented
        }
    }

    var path: String {
        switch self {
        case .playlist: "/index.m3u8"
        case .key: "/key"
        case .initialization: "/init.mp4"
        case .segment: "/index1.ts"
        }
    }
}

/// A fault of a server or a line that leaves the presentation whole.
enum HLSMendedFault: String, CaseIterable, Sendable {
    case withoutLength, chunked, silentAboutRanges, withoutRanges, closedEarly, reset, resetAgainAndAgain, dropped
    case byteByByte, slow, late, wrongType, oldHTTP, lowerCaseHeaders, weakETag, busy, busyWithRetryAfter, tooMany,
        timeout
    case moved, found, seeOther, temporary, permanent, relativeRedirect, chainOfRedirects

    func route(_ server: ScriptedHTTPServer, _ role: HLSRole, _ bytes: [UInt8]) {
        let path = role.path
        let file = ScriptedResponse.file(bytes)
        let third = Int64(bytes.count / 3)
        func redirect(_ status: Int, to place: String) {
            server.route(path, .redirect(to: place, status: status))
            server.route("/elsewhere" + path, file)
        }
        switch self {
        case .withoutLength: server.route(path, file.withoutLength())
        case .chunked: server.route(path, file.chunked())
        case .silentAboutRanges: server.route(path, file.withoutAcceptRanges())
        case .withoutRanges: server.route(path, file.withoutRanges().cut(after: third), file.withoutRanges())
        case .closedEarly: server.route(path, file.cut(after: third), file)
        case .reset: server.route(path, file.cut(after: third, .reset), file)
        case .resetAgainAndAgain:
            server.route(
                path,
                file.cut(after: max(third / 3, 1), .reset),
                file.cut(after: max(third / 2, 1), .reset),
                file
            )
        case .dropped: server.route(path, .drop, file)
        case .byteByByte: server.route(path, file.inPieces(of: 1))
        case .slow: server.route(path, file.paced(bytesPerSecond: 40_000))
        case .late: server.route(path, file.delayed(seconds: 0.3))
        case .wrongType: server.route(path, .file(bytes, type: "text/plain"))
        case .oldHTTP: server.route(path, file.statusLine("HTTP/1.0 200 OK").withoutRanges())
        case .lowerCaseHeaders: server.route(path, file.withoutHeader("ETag").header("etag", "\"a\""))
        case .weakETag: server.route(path, file.etag("W/\"a\"").cut(after: third), file.etag("W/\"a\""))
        case .busy: server.route(path, .status(503), .status(500), file)
        case .busyWithRetryAfter: server.route(path, ScriptedResponse.status(503).header("Retry-After", "1"), file)
        case .tooMany: server.route(path, .status(429), file)
        case .timeout: server.route(path, .status(408), file)
        case .moved: redirect(301, to: "/elsewhere" + path)
        case .found: redirect(302, to: server.url("/elsewhere" + path))
        case .seeOther: redirect(303, to: server.url("/elsewhere" + path))
        case .temporary: redirect(307, to: server.url("/elsewhere" + path))
        case .permanent: redirect(308, to: server.url("/elsewhere" + path))
        case .relativeRedirect: redirect(302, to: "elsewhere" + path)
        case .chainOfRedirects:
            server.route(path, .redirect(to: "/1"))
            for step in 1..<10 { server.route("/\(step)", .redirect(to: "/\(step + 1)")) }
            server.route("/10", .redirect(to: "/elsewhere" + path))
            server.route("/elsewhere" + path, file)
        }
        // The segments that a playlist elsewhere names lie there too.
        guard role == .playlist else { return }
        for index in 0..<8 { server.route("/elsewhere/index\(index).ts", .redirect(to: "/index\(index).ts")) }
    }
}

/// A fault for which a resource cannot be had.
enum HLSFinalFault: String, CaseIterable, Sendable {
    case unauthorized, forbidden, missing, gone, illegal, loop, toFile, toOtherScheme, refused, empty, noContent,
        webPage

    func route(_ server: ScriptedHTTPServer, _ path: String) throws {
        switch self {
        case .unauthorized: server.route(path, .status(401))
        case .forbidden: server.route(path, .status(403))
        case .missing: server.route(path, .status(404))
        case .gone: server.route(path, .status(410))
        case .illegal: server.route(path, .status(451))
        case .loop: server.route(path, .redirect(to: path))
        case .toFile: server.route(path, .redirect(to: "file:///etc/hostname"))
        case .toOtherScheme: server.route(path, .redirect(to: "ftp://127.0.0.1/a"))
        case .refused: server.route(path, .redirect(to: try ScriptedHTTPServer.refusedURL()))
        case .empty: server.route(path, .file([]))
        case .noContent: server.route(path, .status(204))
        case .webPage: server.route(path, .file(Array("<html><body>Sign in</body></html>".utf8), type: "text/html"))
        }
    }

    /// The codes of the failure, of which it is one; `nil` if it depends on what is fetched.
    var codes: Set<String>? {
        switch self {
        case .unauthorized: ["http.401"]
        case .forbidden: ["http.403"]
        case .missing: ["http.404"]
        case .gone: ["http.410"]
        case .illegal: ["http.451"]
        default: nil
        }
    }
}

/// The fault table of servers and lines, applied to each resource of a presentation.
@Suite("HLS fault table")
struct HLSFaultTableTests {
    /// A network that gives up within seconds.
    private var impatient: HTTPByteStream.Options {
        var options = quickNetwork
        options.maximumOutage = 3
        options.stallTimeout = 1
        return options
    }

    private func served(_ role: HLSRole, in scratch: ScratchDirectory) throws
        -> (server: ScriptedHTTPServer, folder: String, whole: [Float])
    {
        let folder = try HLSFixtures.make(role.kind, in: scratch, source: HLSFixtures.chirp(seconds: 6))
        let server = try ScriptedHTTPServer()
        try HLSFixtures.serve(folder, on: server)
        let master = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=96000,CODECS=\"mp4a.40.2\"\nindex.m3u8\n"
        server.route("/master.m3u8", .file(Array(master.utf8), type: "application/vnd.apple.mpegurl"))
        return (server, folder, try HLSReading(path: folder + "/index.m3u8").read())
    }

    @Test("A fault that can be mended changes no sample", arguments: HLSRole.allCases)
    func mended(role: HLSRole) throws {
        let scratch = try ScratchDirectory()
        let (server, folder, whole) = try served(role, in: scratch)
        defer { server.stop() }
        let bytes = try HLSFixtures.file(folder, String(role.path.dropFirst()))
        for fault in HLSMendedFault.allCases {
            // A key is too short to be cut, and what has 16 bytes in a second is not slow.
            fault.route(server, role, bytes)
            let samples = try HLSReading(server.url("/master.m3u8"), network: impatient).read()
            #expect(samples.count == whole.count, "\(fault): \(samples.count - whole.count) frames off")
            #expect(largestDifference(samples, whole) < 1e-4, "\(fault)")
        }
    }

    @Test("A reset at any place of a segment changes no sample")
    func resets() throws {
        let scratch = try ScratchDirectory()
        let (server, folder, whole) = try served(.segment, in: scratch)
        defer { server.stop() }
        let bytes = try HLSFixtures.file(folder, "index1.ts")
        for place in stride(from: 1, to: Int64(bytes.count), by: bytes.count / 12) {
            server.route("/index1.ts", ScriptedResponse.file(bytes).cut(after: place, .reset), .file(bytes))
            let samples = try HLSReading(server.url("/master.m3u8"), network: impatient).read()
            #expect(samples.count == whole.count && largestDifference(samples, whole) < 1e-4, "\(place)")
        }
    }

    @Test("A segment that changes while it is fetched is not spliced")
    func changed() throws {
        let scratch = try ScratchDirectory()
        let (server, folder, whole) = try served(.segment, in: scratch)
        defer { server.stop() }
        let bytes = try HLSFixtures.file(folder, "index1.ts")
        let other = try HLSFixtures.file(folder, "index0.ts")
        server.route("/index1.ts", ScriptedResponse.file(bytes).cut(after: Int64(bytes.count / 2)), .file(other))
        let samples = try HLSReading(server.url("/master.m3u8"), network: impatient).read()
        #expect(samples.count == whole.count)
        #expect(largestDifference(samples[..<80_000], whole) < 1e-4)
        #expect(largestDifference(samples[182_000...], whole[182_000...]) < 1e-4)
    }

    @Test(
        "A resource that cannot be had ends playing with its reason, and a segment leaves a silence",
        arguments: HLSRole.allCases
    )
    func final(role: HLSRole) throws {
        let scratch = try ScratchDirectory()
        let (server, _, whole) = try served(role, in: scratch)
        defer { server.stop() }
        for fault in HLSFinalFault.allCases {
            try fault.route(server, role.path)
            let began = Date()
            do {
                let samples = try HLSReading(server.url("/master.m3u8"), network: impatient).read()
                #expect(role == .segment, "\(fault): \(samples.count)")
                #expect(samples.count == whole.count, "\(fault): \(samples.count - whole.count) frames off")
                #expect(largestDifference(samples[..<80_000], whole) < 1e-4, "\(fault)")
                #expect(samples[100_000..<170_000].allSatisfy { $0 == 0 }, "\(fault)")
                #expect(largestDifference(samples[182_000...], whole[182_000...]) < 1e-4, "\(fault)")
            } catch {
                let code = HLSReading.code(of: error)
                #expect(role != .segment, "\(fault): \(code)")
                #expect(!code.hasPrefix("usage.cancelled"), "\(fault): \(code)")
                if let codes = fault.codes { #expect(codes.contains(code), "\(fault): \(code)") }
            }
            #expect(-began.timeIntervalSinceNow < 30, "\(fault)")
        }
        // Nothing has been asked of a server's answer that leads to no server.
        #expect(!server.requests.contains { $0.path.contains("hostname") })
    }

    @Test("A stopped presentation ends its connections at once, whatever it waits for", arguments: HLSRole.allCases)
    func stopped(role: HLSRole) throws {
        let scratch = try ScratchDirectory()
        let (server, _, _) = try served(role, in: scratch)
        defer { server.stop() }
        server.route(role.path, .hang)
        let url = try #require(URL(string: server.url("/master.m3u8")))
        let input = StreamingInput.url(url)
        let stream = try #require(try input.makeByteStream(network: quickNetwork) as? HLSStream)
        let ended = Monitor(Date?.none)
        Thread.detachNewThread {
            let frames = HLSFrames(channelCount: 2, capacity: 4096)
            if let reader = try? input.open(stream) {
                stream.readAhead()
                while let count = try? reader.read(into: frames.channels, frameCount: 4096), count > 0 {}
            }
            ended.update { $0 = Date() }
        }
        #expect(server.wait { $0.contains { $0.path == role.path } })
        Thread.sleep(forTimeInterval: 0.1)
        let began = Date()
        stream.cancel()
        let end = ended.wait { $0 }
        #expect(end.timeIntervalSince(began) < 0.1)
        #expect(server.waitUntilAllClosed())
    }
}
