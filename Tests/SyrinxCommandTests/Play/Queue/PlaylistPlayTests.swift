import Foundation
import SyrinxTestSupport
import Testing

@Suite("play: playlists")
struct PlaylistPlayTests {
    @Test("Entries play in the order of the playlist, nested playlists included")
    func local() throws {
        let scratch = try ScratchDirectory()
        let names = ["a b.wav", "c.flac", "d.wav"]
        for (index, name) in names.enumerated() {
            let options = index == 1 ? ["-metadata", "title=Its own"] : []
            try Fixture.make(scratch.file(name), seconds: 0.2 + 0.1 * Double(index), options)
        }
        try Data("#EXTM3U\n#EXTINF:1,A\na b.wav\ninner.pls\n".utf8).write(to: url(scratch, "list.m3u"))
        try Data("[playlist]\nFile1=c.flac\nTitle1=C\n".utf8).write(to: url(scratch, "inner.pls"))
        let output = scratch.file("out.wav")
        let inputs = (scratch.file("list.m3u"), scratch.file("d.wav"))
        let result = try Syrinx.run("play", "--json", "--output", "file:\(output)", inputs.0, inputs.1)
        #expect(result.status == 0, "\(result.errors)")
        let opened = result.objects.filter { $0["event"] as? String == "opened" }.map { $0["url"] as? String }
        #expect(opened == names.map { scratch.file($0) })
        let told = result.objects.filter { $0["event"] as? String == "metadata" }.compactMap { $0["title"] as? String }
        #expect(told == ["A", "Its own"])
        let parts = try names.map { try Fixture.decode(scratch.file($0)) }
        #expect(try readWAV(output).channels == (0..<2).map { channel in parts.flatMap { $0[channel] } })
    }

    @Test("Inputs that a file or standard input lists play after those of the command line", arguments: [false, true])
    func listedInputs(_ isStandardInput: Bool) throws {
        let scratch = try ScratchDirectory()
        let names = ["first.wav", " b#.wav", "c.wav"].map { scratch.file($0) }
        for (index, name) in names.enumerated() { try Fixture.make(name, seconds: 0.2 + 0.1 * Double(index)) }
        let list = Data("\(names[1])\n\nftp://host.example/x\r\n\(names[2])".utf8)
        try list.write(to: url(scratch, "list.txt"))
        let output = scratch.file("out.wav")
        let source = isStandardInput ? "-" : scratch.file("list.txt")
        let arguments = ["play", "--json", "--output", "file:\(output)", "--inputs", source, names[0]]
        let result = try runProcess(
            Syrinx.path,
            arguments,
            environment: Syrinx.environment,
            stdin: isStandardInput ? list : Data()
        )
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.errorLines.count == 1 && result.errors.hasPrefix("syrinx: ftp://host.example/x: warning: "))
        let parts = try names.map { try Fixture.decode($0) }
        #expect(try readWAV(output).channels == (0..<2).map { channel in parts.flatMap { $0[channel] } })
    }

    @Test("A list of inputs that is empty, missing, on the web or among the outputs is refused")
    func refusedLists() throws {
        let scratch = try ScratchDirectory()
        try Fixture.make(scratch.file("a.wav"), seconds: 0.2)
        try Data("\n\n".utf8).write(to: url(scratch, "empty.txt"))
        try Data(scratch.file("a.wav").utf8).write(to: url(scratch, "list.txt"))
        let output = "file:\(scratch.file("out.wav"))"
        #expect(try Syrinx.run("play", "--output", output, "--inputs", scratch.file("empty.txt")).status == 65)
        #expect(try Syrinx.run("play", "--output", output, "--inputs", scratch.file("none.txt")).status == 66)
        #expect(try Syrinx.run("play", "--output", output, "--inputs", "http://127.0.0.1:1/l").status == 64)
        #expect(try Syrinx.run("play", "--output", output, "--control", "--inputs", "-").status == 64)
        #expect(try Syrinx.run("play", "--output", output, "--inputs", "-", "-").status == 64)
        let before = try Data(contentsOf: url(scratch, "a.wav"))
        let overwritten = try Syrinx.run(
            "play",
            "--output",
            "file:\(scratch.file("a.wav"))",
            "--inputs",
            scratch.file("list.txt")
        )
        #expect(overwritten.status == 64)
        #expect(try Data(contentsOf: url(scratch, "a.wav")) == before)
    }

    @Test("A list from a server reaches what lies beside it there, and no file")
    func web() throws {
        let scratch = try ScratchDirectory()
        let server = try ScriptedHTTPServer()
        defer { server.stop() }
        try Fixture.make(scratch.file("a.flac"), seconds: 0.5)
        try Fixture.make(scratch.file("secret.wav"), seconds: 0.5)
        let bytes = try #require(FileManager.default.contents(atPath: scratch.file("a.flac")))
        server.route("/lists/a.flac", .file(Array(bytes), type: "audio/flac"))
        let secret = url(scratch, "secret.wav").absoluteString
        let list = Array("[playlist]\nFile1=\(secret)\nFile2=a.flac\nFile3=\(scratch.file("secret.wav"))\n".utf8)
        server.route("/lists/listen.pls", .file(list, type: "audio/x-scpls"))
        let output = scratch.file("out.wav")
        let list1 = server.url("/lists/listen.pls") + "?sid=1"
        let result = try Syrinx.run("play", "--json", "--output", "file:\(output)", list1)
        let warnings = result.objects.filter { $0["event"] as? String == "warning" }
        #expect(warnings.map { $0["code"] as? String } == ["media.playlistEntry"])
        let opened = result.objects.filter { $0["event"] as? String == "opened" }.map { $0["url"] as? String }
        #expect(opened == [server.url("/lists/a.flac")])
        // The path without a scheme is asked of the server, which has no such thing.
        let failed = result.objects.filter { $0["event"] as? String == "error" }
        #expect(failed.map { $0["code"] as? String } == ["http.404"] && result.status == 66)
        #expect(failed.first?["url"] as? String == server.url(scratch.file("secret.wav")))
        #expect(try readWAV(output).channels == Fixture.decode(scratch.file("a.flac")))
    }

    @Test(
        "A list whose URL does not say that it is one is known by its beginning or its type",
        arguments: [
            ("[playlist]\nFile1=a.flac\n", "text/plain"), ("#EXTM3U\na.flac\n", "application/octet-stream"),
            ("a.flac\n", "audio/x-mpegurl; charset=utf-8"),
        ]
    )
    func nameless(_ list: String, _ type: String) throws {
        let scratch = try ScratchDirectory()
        let server = try ScriptedHTTPServer()
        defer { server.stop() }
        try Fixture.make(scratch.file("a.flac"), seconds: 0.5)
        let bytes = try #require(FileManager.default.contents(atPath: scratch.file("a.flac")))
        server.route("/lists/a.flac", .file(Array(bytes), type: "audio/flac"))
        server.route("/lists/tune-in", .file(Array(list.utf8), type: type))
        let output = scratch.file("out.wav")
        let result = try Syrinx.run(
            "play",
            "--json",
            "--output",
            "file:\(output)",
            server.url("/lists/tune-in") + "?id=1"
        )
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.states == ["opening", "buffering", "playing", "ended"])
        let opened = result.objects.filter { $0["event"] as? String == "opened" }.map { $0["url"] as? String }
        #expect(opened == [server.url("/lists/a.flac")])
        #expect(try readWAV(output).channels == Fixture.decode(scratch.file("a.flac")))
    }

    @Test("Relative entries of a playlist are resolved against the URL after redirects")
    func redirected() throws {
        let scratch = try ScratchDirectory()
        let server = try ScriptedHTTPServer()
        defer { server.stop() }
        try Fixture.make(scratch.file("a.flac"), seconds: 0.5)
        let bytes = try #require(FileManager.default.contents(atPath: scratch.file("a.flac")))
        server.route("/list.m3u", .redirect(to: "/lists/of/today.m3u"))
        server.route("/lists/of/today.m3u", .file(Array("a.flac\n".utf8), type: "audio/x-mpegurl"))
        server.route("/lists/of/a.flac", .file(Array(bytes), type: "audio/flac"))
        let output = scratch.file("out.wav")
        let list = server.url("/list.m3u").replacingOccurrences(of: "//", with: "//listener:hush@")
        let result = try Syrinx.run("play", "--json", "--output", "file:\(output)", list)
        #expect(result.status == 0, "\(result.errors)")
        #expect(try readWAV(output).channels == Fixture.decode(scratch.file("a.flac")))
        // It is the same server that asks for the password.
        #expect(server.requests.allSatisfy { $0.headers["authorization"] != nil }, "\(server.requests)")
    }

    @Test("An input that is neither audio nor a playlist fails once")
    func neither() throws {
        let server = try ScriptedHTTPServer()
        defer { server.stop() }
        server.route("/page", .file(Array("<!DOCTYPE html><html></html>".utf8), type: "text/html"))
        let result = try Syrinx.run("play", "--json", "--output", "null", server.url("/page"))
        #expect(result.states == ["opening", "failed"])
        let failed = result.objects.filter { $0["event"] as? String == "error" }
        #expect(failed.map { $0["code"] as? String } == ["media.notAudio"] && result.status == 65)
    }

    @Test("A list that is missing, empty, a live stream's index or its own entry fails as an input does")
    func failures() throws {
        let scratch = try ScratchDirectory()
        try Data("#EXTM3U\n".utf8).write(to: url(scratch, "empty.m3u8"))
        try Data("#EXTM3U\n#EXT-X-TARGETDURATION:4\na.ts\n".utf8).write(to: url(scratch, "live.m3u8"))
        try Data("self.m3u\n".utf8).write(to: url(scratch, "self.m3u"))
        let cases = [
            ("missing.pls", Int32(66), "file.notFound"), ("empty.m3u8", 65, "media.empty"),
            ("live.m3u8", 66, "file.notFound"), ("self.m3u", 65, "media.unsupported"),
        ]
        for (name, status, code) in cases {
            let result = try Syrinx.run("play", "--json", "--output", "null", scratch.file(name))
            #expect(result.status == status && result.errorLines.count == 1, "\(name): \(result.errors)")
            let errors = result.objects.filter { $0["event"] as? String == "error" }
            #expect(errors.map { $0["code"] as? String } == [code])
            #expect(result.states == ["opening", "failed"])
        }
    }

    @Test("That the file of a CUE sheet is missing is said once, and an event of each track")
    func missingFileOfSheet() throws {
        let scratch = try ScratchDirectory()
        let tracks = (1...3).map { "  TRACK 0\($0) AUDIO\n    INDEX 01 0\($0):00:00\n" }.joined()
        try Data("FILE \"gone.wav\" WAVE\n\(tracks)".utf8).write(to: url(scratch, "disc.cue"))
        let result = try Syrinx.run("play", "--json", "--output", "null", scratch.file("disc.cue"))
        #expect(result.status == 66)
        #expect(result.errorLines == ["syrinx: \(scratch.file("gone.wav")): there is no such file"])
        let errors = result.objects.filter { $0["event"] as? String == "error" }
        #expect(errors.map { $0["code"] as? String } == Array(repeating: "file.notFound", count: 3))
    }

    private func url(_ scratch: ScratchDirectory, _ name: String) -> URL {
        URL(fileURLWithPath: scratch.file(name))
    }
}
