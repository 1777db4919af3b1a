import Foundation
import SyrinxTestSupport
import Testing

@testable import syrinx

/// Outputs that turn out to be inputs.
@Suite("Outputs that are inputs") struct OutputInputTests {
    private let scratch: ScratchDirectory
    private let folder: String

    init() throws {
        scratch = try ScratchDirectory()
        folder = scratch.file("music")
        try FileManager.default.createDirectory(atPath: folder + "/more", withIntermediateDirectories: true)
        for name in ["a.wav", "b.wav", "more/c.wav"] { try Fixture.make("\(folder)/\(name)", seconds: 0.2) }
        try write("a.wav\nb.wav\n", "list.m3u")
        try write("list.m3u\n", "outer.m3u")
        try write("#EXTM3U\nb.wav\n", "list.txt")
        try write("FILE \"b.wav\" WAVE\n  TRACK 01 AUDIO\n    INDEX 01 00:00:00\n", "disc.cue")
        #expect(link(folder + "/b.wav", scratch.file("hard.wav")) == 0)
        #expect(symlink(folder + "/b.wav", scratch.file("soft.wav")) == 0)
    }

    private func write(_ text: String, _ name: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
    }

    private func bytes(_ path: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path)) }

    @Test(
        "An output that a folder, a playlist or a CUE sheet names is refused before anything is written",
        arguments: ["music", "music/list.m3u", "music/outer.m3u", "music/list.txt", "music/disc.cue", "music/b.wav"],
        ["music/b.wav", "hard.wav", "soft.wav"]
    )
    func named(input: String, output: String) throws {
        let before = try bytes(folder + "/b.wav")
        let path = scratch.file(output)
        for arguments in [["--output", "file:\(path)"], ["--output", "null", "--record", path]] {
            let inputs = [folder + "/a.wav", scratch.file(input)]
            let result = try runProcess(
                Syrinx.path,
                ["play", "--json"] + arguments + inputs,
                environment: Syrinx.environment
            )
            #expect(result.status == 64, "\(result.errors)")
            #expect(result.objects.map { $0["code"] as? String } == ["usage.outputIsInput"])
            #expect(try bytes(folder + "/b.wav") == before)
        }
    }

    @Test("An output in a folder of a folder is refused where those are played too")
    func deep() throws {
        let path = folder + "/more/c.wav"
        let before = try bytes(path)
        #expect(try Syrinx.run("play", "-r", "--output", "file:\(path)", folder).status == 64)
        #expect(try bytes(path) == before)
    }

    @Test("Standard input that is the output is refused")
    func standardInput() throws {
        let path = folder + "/b.wav"
        let before = try bytes(path)
        for command in ["play --output 'file:\(path)' -", "render - '\(path)'", "analyze --results '\(path)' -"] {
            let script = "exec '\(Syrinx.path)' \(command) < '\(path)'"
            #expect(try runProcess("/bin/sh", ["-c", script], environment: Syrinx.environment).status == 64)
            #expect(try bytes(path) == before)
        }
    }

    @Test("A recording that appears in a folder is not played as the last of it")
    func growing() throws {
        let path = folder + "/new.wav"
        let inputs = (scratch.file("soft.wav"), folder)
        let result = try Syrinx.run("play", "--json", "--output", "file:\(path)", inputs.0, inputs.1)
        let errors = result.objects.filter { $0["event"] as? String == "error" }
        #expect(errors.map { $0["code"] as? String } == ["usage.outputIsInput"])
        #expect(errors.first?["url"] as? String == path && result.status == 64)
        let count = try Fixture.decode(folder + "/a.wav")[0].count
        #expect(try readWAV(path).channels[0].count == 3 * count)
    }

    @Test("A command that names the output while it is written gets an error, and the output stays")
    func enqueued() throws {
        let path = scratch.file("out.wav")
        let syrinx = try RunningSyrinx(
            "play",
            "--json",
            "--control",
            "--output",
            "null",
            "--record",
            path,
            folder + "/a.wav"
        )
        _ = try syrinx.state("playing")
        syrinx.send(#"{"command":"enqueue","url":"\#(path)"}"#)
        let error = try syrinx.event("error")
        #expect(error["code"] as? String == "usage.outputIsInput" && error["url"] as? String == path)
        #expect(syrinx.process.wait() == 64)
    }

    @Test("render refuses a file that the index of a stream names")
    func stream() throws {
        try Fixture.make(folder + "/piece.mp3", seconds: 1, ["-c:a", "libmp3lame"])
        let index = "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:1,\npiece.mp3\n#EXT-X-ENDLIST\n"
        try write(index, "index.m3u8")
        let before = try bytes(folder + "/piece.mp3")
        let result = try Syrinx.run("render", folder + "/index.m3u8", folder + "/piece.mp3")
        #expect(result.status == 64, "\(result.errors)")
        #expect(try bytes(folder + "/piece.mp3") == before)
    }

    // MARK: Results

    @Test("A file for results that holds something else is refused, and stays as it is")
    func foreignResults() throws {
        try Fixture.make(scratch.file("song.mp3"), seconds: 0.5, ["-c:a", "libmp3lame"])
        let contents = ["{\"name\": 1}\n", "text", "[1]\n", "{\"input\":\"a.wav\"}\n"]
        for (number, text) in contents.enumerated() {
            try Data(text.utf8).write(to: scratch.url("\(number).json"))
        }
        for name in ["song.mp3"] + contents.indices.map({ "\($0).json" }) {
            let before = try bytes(scratch.file(name))
            let result = try Syrinx.run("analyze", "--results", scratch.file(name), folder + "/a.wav")
            #expect(result.status == 64 && result.errors.contains("something other"), "\(name): \(result.errors)")
            #expect(try bytes(scratch.file(name)) == before)
        }
    }

    @Test("A file whose only answer was cut off is gone on with")
    func cutOff() throws {
        for text in ["", "{\"inf", "{\"info\":{\"bitRate\":7", "{\"error\":{\"code\":\"x\"},\"input\":\"y\"}\n"] {
            try Data(text.utf8).write(to: scratch.url("r.jsonl"))
            let result = try Syrinx.run("analyze", "--results", scratch.file("r.jsonl"), folder + "/a.wav")
            #expect(result.status == 0, "\(text): \(result.errors)")
            let lines = try String(decoding: bytes(scratch.file("r.jsonl")), as: UTF8.self).split(separator: "\n")
            #expect(lines.last?.contains("\"input\":\"\(folder)/a.wav\"") == true)
        }
    }

    @Test("A device for results is written to, and not read", arguments: [("/dev/full", 74), ("/dev/zero", 0)])
    func deviceResults(path: String, status: Int32) throws {
        #expect(try Syrinx.run("analyze", "--results", path, folder + "/a.wav").status == status)
    }

    @Test("The file of results is no input")
    func resultsAsInput() throws {
        let path = scratch.file("r.jsonl")
        #expect(try Syrinx.run("analyze", "--results", path, path).status == 65)
        #expect(try Syrinx.run("analyze", "--results", path, path).status == 64)
        let listed = try Syrinx.run("analyze", "--results", path, "-", stdin: Data("\(path)\n".utf8))
        #expect(listed.status == 65 && listed.errors.contains("being written"))
    }
}
