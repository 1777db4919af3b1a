import Foundation
import SyrinxTestSupport
import Testing

/// HTTP Live Streaming in the command, as its users meet it.
@Suite("play: HLS")
struct HLSPlayTests {
    private static let type = "application/vnd.apple.mpegurl"

    /// Makes a presentation in stereo whose playlist is `index.m3u8`, and returns its folder.
    private func make(in scratch: ScratchDirectory, seconds: Double = 6, _ options: [String] = []) throws -> String {
        let folder = scratch.file("hls")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let tone = "0.3*sin(2*PI*(200+40*t)*t)"
        try FFmpeg.run(
            ["-f", "lavfi", "-i", "aevalsrc=\(tone)|\(tone):s=44100:d=\(seconds)", "-c:a", "aac", "-aac_pns", "0"]
                + ["-f", "hls", "-hls_time", "1", "-hls_list_size", "0", "-hls_playlist_type", "vod"] + options
                + [folder + "/index.m3u8"]
        )
        return folder
    }

    private func serve(_ folder: String, on server: ScriptedHTTPServer) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            let bytes = Array(try #require(FileManager.default.contents(atPath: folder + "/" + name)))
            server.route("/" + name, .file(bytes, type: name.hasSuffix("m3u8") ? Self.type : "video/mp2t"))
        }
    }

    private func decoded(_ folder: String) throws -> [[Float]] {
        let data = try FFmpeg.run(["-i", folder + "/index.m3u8", "-f", "f32le", "-c:a", "pcm_f32le", "-"])
        let samples = data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        return (0..<2).map { channel in stride(from: channel, to: samples.count, by: 2).map { samples[$0] } }
    }

    @Test("A presentation is played as ffmpeg decodes it, from a file, from a server, and where only the type tells")
    func play() throws {
        let scratch = try ScratchDirectory()
        let folder = try make(in: scratch)
        let expected = try decoded(folder)
        let server = try ScriptedHTTPServer()
        defer { server.stop() }
        try serve(folder, on: server)
        let index = Array(try #require(FileManager.default.contents(atPath: folder + "/index.m3u8")))
        server.route("/listen", .file(index, type: "application/vnd.apple.mpegurl; charset=utf-8"))
        server.route("/moved.m3u8", .redirect(to: "/index.m3u8"))
        // Neither a name nor a type tells.
        for name in ["list.m3u", "plain"] {
            try Data(index).write(to: URL(fileURLWithPath: folder + "/" + name))
            server.route("/" + name, .file(index, type: "application/octet-stream"))
        }
        let names = ["index.m3u8", "list.m3u", "plain"]
        let inputs =
            names.map { folder + "/" + $0 }
            + (names + ["listen", "moved.m3u8", "index.m3u8?token=a"]).map { server.url("/" + $0) }
        for input in inputs {
            let output = scratch.file("out.wav")
            let result = try Syrinx.run("play", "--json", "--output", "file:\(output)", input)
            #expect(result.status == 0 && result.errors.isEmpty, "\(input): \(result.errors)")
            #expect(result.states.first == "opening" && result.states.last == "ended")
            let channels = try readWAV(output).channels
            #expect(channels.map(\.count) == expected.map(\.count), "\(input)")
            #expect(Fixture.largestDifference(channels, expected) < 1e-4, "\(input)")
        }
    }

    @Test("A part of a presentation is played from a start and for a duration, at another rate")
    func part() throws {
        let scratch = try ScratchDirectory()
        let folder = try make(in: scratch)
        let expected = try decoded(folder)
        let server = try ScriptedHTTPServer()
        defer { server.stop() }
        try serve(folder, on: server)
        let output = scratch.file("out.wav")
        let part = ["--start", "2.5", "--duration", "1.5"]
        let url = server.url("/index.m3u8")
        let result = try Syrinx.run("play", "--output", "file:\(output)", part[0], part[1], part[2], part[3], url)
        #expect(result.status == 0, "\(result.errors)")
        let channels = try readWAV(output).channels
        #expect(channels.allSatisfy { $0.count == 66_150 })
        let piece = expected.map { Array($0[110_250..<176_400]) }
        #expect(Fixture.largestDifference(channels, piece) < 2e-3)
        let fast = try Syrinx.run("play", "--output", "file:\(output)", "--rate", "2", url)
        #expect(fast.status == 0)
        let frames = try readWAV(output).channels[0].count
        #expect(abs(frames - expected[0].count / 2) <= 1)
    }

    @Test("info describes a presentation, a live one without a length")
    func info() throws {
        let scratch = try ScratchDirectory()
        let folder = try make(in: scratch)
        let server = try ScriptedHTTPServer()
        defer { server.stop() }
        try serve(folder, on: server)
        for input in [folder + "/index.m3u8", server.url("/index.m3u8")] {
            let object = try #require(try Syrinx.run("info", "--json", input).objects.first)
            #expect(object["container"] as? String == "hls" && object["codec"] as? String == "aac")
            #expect(object["channels"] as? Int == 2 && object["seekable"] as? Bool == true)
            #expect(abs(try #require(object["duration"] as? Double) - 6) < 0.1)
        }
        let text = try String(contentsOfFile: folder + "/index.m3u8", encoding: .utf8)
            .replacingOccurrences(of: "#EXT-X-ENDLIST\n", with: "")
            .replacingOccurrences(of: "#EXT-X-PLAYLIST-TYPE:VOD\n", with: "")
        server.route("/live.m3u8", .file(Array(text.utf8), type: Self.type))
        let object = try #require(try Syrinx.run("info", "--json", server.url("/live.m3u8")).objects.first)
        #expect(object["container"] as? String == "hls" && object["duration"] is NSNull)
    }

    @Test("A list of recordings that ends with .m3u8 is still a list, from a file and from a server")
    func list() throws {
        let scratch = try ScratchDirectory()
        try Fixture.make(scratch.file("a.wav"), seconds: 0.3)
        try Fixture.make(scratch.file("b.wav"), seconds: 0.2)
        let text = "#EXTM3U\n#EXTINF:1,A\na.wav\n#EXTINF:1,B\nb.wav\n"
        try Data(text.utf8).write(to: scratch.url("list.m3u8"))
        let server = try ScriptedHTTPServer()
        defer { server.stop() }
        for name in ["a.wav", "b.wav"] {
            let bytes = try #require(FileManager.default.contents(atPath: scratch.file(name)))
            server.route("/" + name, .file(Array(bytes)))
        }
        server.route("/list.m3u8", .file(Array(text.utf8), type: Self.type))
        server.route("/typed", .file(Array(text.utf8), type: Self.type))
        let parts = try ["a.wav", "b.wav"].map { try Fixture.decode(scratch.file($0)) }
        let expected = (0..<2).map { channel in parts.flatMap { $0[channel] } }
        for input in [scratch.file("list.m3u8"), server.url("/list.m3u8"), server.url("/typed")] {
            let output = scratch.file("out.wav")
            let result = try Syrinx.run("play", "--json", "--output", "file:\(output)", input)
            #expect(result.status == 0, "\(input): \(result.errors)")
            #expect(try readWAV(output).channels == expected, "\(input)")
        }
    }

    @Test("A presentation from a server leads to no file, by a name or by a redirect")
    func files() throws {
        let scratch = try ScratchDirectory()
        let folder = try make(in: scratch, seconds: 2)
        let server = try ScriptedHTTPServer()
        defer { server.stop() }
        let segment = URL(fileURLWithPath: folder + "/index0.ts").absoluteString
        let head = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n"
        func answer(_ text: String) -> ScriptedResponse { .file(Array(text.utf8), type: Self.type) }
        server.route("/named.m3u8", answer(head + segment + "\n#EXT-X-ENDLIST\n"))
        server.route("/path.m3u8", answer(head + folder + "/index0.ts\n#EXT-X-ENDLIST\n"))
        server.route("/redirected.m3u8", answer(head + "a.ts\n#EXT-X-ENDLIST\n"))
        server.route("/a.ts", .redirect(to: segment))
        server.route("/master.m3u8", answer("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n\(segment)\n"))
        server.route(
            "/key.m3u8",
            answer("#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI=\"\(segment)\"\n" + head.dropFirst(8) + "a.ts\n")
        )
        for name in ["named", "path", "redirected", "master", "key"] {
            let output = scratch.file("out.wav")
            let result = try Syrinx.run("play", "--json", "--output", "file:\(output)", server.url("/\(name).m3u8"))
            #expect(
                result.status == (name == "redirected" ? 69 : name == "path" ? 66 : 65),
                "\(name): \(result.errors)"
            )
            #expect(result.states.last == "failed", "\(name)")
            #expect(!result.objects.contains { $0["event"] as? String == "opened" }, "\(name)")
        }
    }

    @Test("A segment that is missing is a warning with its place, and a failure where nothing may be missing")
    func missing() throws {
        let scratch = try ScratchDirectory()
        let folder = try make(in: scratch)
        let server = try ScriptedHTTPServer()
        defer { server.stop() }
        try serve(folder, on: server)
        server.route("/index2.ts", .status(404))
        let (url, segment) = (server.url("/index.m3u8"), server.url("/index2.ts"))
        let output = scratch.file("out.wav")
        let played = try Syrinx.run("play", "--json", "--output", "file:\(output)", url)
        #expect(played.status == 0 && played.states.last == "ended")
        let warnings = played.objects.filter { $0["event"] as? String == "warning" }
        let warning = try #require(warnings.first)
        #expect(warnings.count == 1 && warning["code"] as? String == "http.404")
        #expect(warning["url"] as? String == segment)
        #expect(abs(try #require(warning["time"] as? Double) - 2) < 0.1)
        #expect(abs(try #require(warning["length"] as? Double) - 1) < 0.1)
        #expect(played.errors.contains("\(segment): warning: "), "\(played.errors)")
        let rendered = try Syrinx.run("render", url, output)
        #expect(rendered.status == 0 && rendered.errors.contains("\(segment): warning: "), "\(rendered.errors)")
        let refused = scratch.file("refused.wav")
        let strict = try Syrinx.run("render", "--strict", url, refused)
        #expect(strict.status == 74 && strict.errors.contains(segment), "\(strict.errors)")
        #expect(!FileManager.default.fileExists(atPath: refused))
        #expect(try Syrinx.run("meter", "--strict", url).status == 74)
    }

    @Test("A live presentation is played to its end, in time, with a seek back in its window")
    func live() throws {
        let scratch = try ScratchDirectory()
        let folder = try make(in: scratch, seconds: 12)
        let server = try ScriptedHTTPServer()
        defer { server.stop() }
        try serve(folder, on: server)
        let lines = try String(contentsOfFile: folder + "/index.m3u8", encoding: .utf8).split(separator: "\n")
        let pieces = lines.indices.filter { lines[$0].hasSuffix(".ts") }.map { "\(lines[$0 - 1])\n\(lines[$0])\n" }
        let begin = Date()
        server.route("/live.m3u8") { _, _ in
            let end = min(6 + Int(-begin.timeIntervalSinceNow), pieces.count)
            let text = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXT-X-MEDIA-SEQUENCE:\(max(end - 6, 0))\n"
            let list = text + pieces[max(end - 6, 0)..<end].joined()
            return .file(Array((end == pieces.count ? list + "#EXT-X-ENDLIST\n" : list).utf8), type: Self.type)
        }
        let running = try RunningSyrinx("play", "--json", "--output", "null", "--control", server.url("/live.m3u8"))
        _ = try running.event("position") { $0["time"] as? Double ?? 0 > 4 }
        let opened = try running.event("opened")
        #expect(opened["duration"] is NSNull && opened["container"] as? String == "hls")
        // The window holds the last six seconds.
        let count = running.events.count
        running.send(#"{"command":"seek","time":2}"#)
        _ = try running.event("position", after: count) { (2..<4) ~= ($0["time"] as? Double ?? 0) }
        let ended = try running.state("ended")
        #expect(abs(try #require(ended["time"] as? Double) - 12) < 0.2)
        #expect(running.process.wait() == 0, "\(running.errors)")
    }
}
