import Foundation
import SyrinxTestSupport
import Testing

@Suite("Bad inputs")
struct BadInputTests {
    /// The commands that read inputs, and what their arguments are for one of them.
    static let commands: [[String]] = [
        ["play", "--output", "null"], ["play", "--output", "file:/dev/null"], ["info"], ["render"],
    ]

    /// Runs `command` on `input`; it has to say one line, and end with `status`.
    private func expect(
        _ command: [String],
        _ input: String,
        status: Int32,
        says text: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let scratch = try ScratchDirectory()
        let output = scratch.file("out.wav")
        let arguments = command + [input] + (command.first == "render" ? [output] : [])
        let result = try runProcess(Syrinx.path, arguments, environment: Syrinx.environment, timeout: 60)
        let errors = result.errorLines
        #expect(result.status == status, "\(arguments): \(result.errors)", sourceLocation: sourceLocation)
        #expect(errors.count == 1, "\(arguments): \(result.errors)", sourceLocation: sourceLocation)
        #expect(errors.first?.hasPrefix("syrinx: ") == true, sourceLocation: sourceLocation)
        if let text {
            #expect(errors.first?.contains(text) == true, "\(result.errors)", sourceLocation: sourceLocation)
        }
        #expect(result.output.isEmpty, sourceLocation: sourceLocation)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: scratch.path).isEmpty,
            sourceLocation: sourceLocation
        )
    }

    @Test("Files that are not there, not files, empty or no audio", arguments: commands)
    func files(command: [String]) throws {
        let scratch = try ScratchDirectory()
        try expect(command, scratch.file("missing.mp3"), status: 66, says: scratch.file("missing.mp3"))
        try expect(command, scratch.path, status: 65, says: command.first == "play" ? "folder" : "directory")
        try Data().write(to: URL(fileURLWithPath: scratch.file("empty.mp3")))
        try expect(command, scratch.file("empty.mp3"), status: 65, says: "empty")
        let html = Data("<!DOCTYPE html><html><head><title>Log in</title></head><body>\n</body></html>\n".utf8)
        try html.write(to: URL(fileURLWithPath: scratch.file("page.mp3")))
        try expect(command, scratch.file("page.mp3"), status: 65, says: "a web page, not audio")
        var generator = SystemRandomNumberGenerator()
        let noise = Data((0..<20_000).map { _ in UInt8.random(in: 0...127, using: &generator) })
        try noise.write(to: URL(fileURLWithPath: scratch.file("noise.mp3")))
        try expect(command, scratch.file("noise.mp3"), status: 65)
    }

    @Test("A file that may not be read", .enabled(if: geteuid() != 0), arguments: commands)
    func unreadable(command: [String]) throws {
        let scratch = try ScratchDirectory()
        try Data([1]).write(to: URL(fileURLWithPath: scratch.file("a.mp3")))
        chmod(scratch.file("a.mp3"), 0)
        try expect(command, scratch.file("a.mp3"), status: 77)
    }

    @Test(
        "A file cut off in the middle",
        arguments: [["play", "--output", "file:/dev/null"], ["render", "--strict"]]
    )
    func truncated(command: [String]) throws {
        let scratch = try ScratchDirectory()
        for (name, options) in [("a.wav", []), ("a.flac", []), ("b.m4a", ["-movflags", "+faststart"])]
            as [(_, [String])]
        {
            try Fixture.make(scratch.file("whole-\(name)"), options)
            let whole = try #require(FileManager.default.contents(atPath: scratch.file("whole-\(name)")))
            try whole.prefix(whole.count * 6 / 10).write(to: URL(fileURLWithPath: scratch.file(name)))
            try expect(command, scratch.file(name), status: 74)
        }
    }

    @Test("A file of which the index is missing gives nothing", arguments: commands)
    func withoutIndex(command: [String]) throws {
        let scratch = try ScratchDirectory()
        try Fixture.make(scratch.file("whole.m4a"), [])
        let whole = try #require(FileManager.default.contents(atPath: scratch.file("whole.m4a")))
        try whole.prefix(whole.count * 6 / 10).write(to: URL(fileURLWithPath: scratch.file("a.m4a")))
        try expect(command, scratch.file("a.m4a"), status: 65, says: "index")
    }

    @Test("Answers of a server", arguments: commands)
    func answers(command: [String]) throws {
        let server = try ScriptedHTTPServer()
        defer { server.stop() }
        for (status, code) in [(404, 66), (410, 66), (401, 77), (403, 77)] as [(Int, Int32)] {
            server.route("/\(status)", .status(status, body: "no"))
            try expect(
                command,
                server.url("/\(status)"),
                status: code,
                says: "http://127.0.0.1:\(server.port)/\(status)"
            )
        }
        server.route("/page.mp3", .file(Array("<html><body>Log in</body></html>".utf8), type: "text/html"))
        try expect(command, server.url("/page.mp3"), status: 65, says: "a web page, not audio")
        server.route("/empty.mp3", .file([], type: "audio/mpeg"))
        try expect(command, server.url("/empty.mp3"), status: 65)
        server.route("/none.mp3", .status(204))
        try expect(command, server.url("/none.mp3"), status: 65)
    }

    @Test("Nobody there", arguments: commands)
    func nobody(command: [String]) throws {
        try expect(command, try ScriptedHTTPServer.refusedURL(), status: 69)
        try expect(command, "http://no-such-host.invalid/a.mp3", status: 69)
    }

    @Test("A password in a URL is never printed")
    func password() throws {
        let server = try ScriptedHTTPServer()
        defer { server.stop() }
        server.route("/a.mp3", .status(404))
        let url = "http://me:hush-hush@127.0.0.1:\(server.port)/a.mp3"
        for arguments in [
            ["play", "--json", "--output", "null", url], ["info", "--json", url], ["render", url, "/tmp/x.wav"],
            ["play", "--rate", url, "a"], ["play", "--output", url, "a"], ["render", "a", url],
        ] {
            let result = try runProcess(Syrinx.path, arguments, environment: Syrinx.environment)
            #expect(!(result.output + result.errors).contains("hush"), "\(arguments)")
            #expect(result.status == 66 || result.status == 64)
        }
    }

    @Test("Outputs that cannot be written")
    func outputs() throws {
        let scratch = try ScratchDirectory()
        try Fixture.make(scratch.file("a.wav"))
        let input = scratch.file("a.wav")
        for arguments in [
            ["render", input, "/nonexistent/x.wav"], ["play", "--output", "file:/nonexistent/x.wav", input],
            ["play", "--output", "null", "--record", "/nonexistent/x.wav", input],
        ] {
            let result = try runProcess(Syrinx.path, arguments, environment: Syrinx.environment, timeout: 60)
            #expect(result.errorLines.count == 1, "\(arguments): \(result.errors)")
            #expect(result.status == 74, "\(arguments): \(result.errors)")
        }
        // Neither command may overwrite what it reads, under whatever name.
        symlink(input, scratch.file("same.wav"))
        for arguments in [["render", input, scratch.file("same.wav")], ["play", "--output", "file:\(input)", input]] {
            #expect(try runProcess(Syrinx.path, arguments, environment: Syrinx.environment).status == 64)
        }
        #expect(try Fixture.decode(input)[0].count == 132_300)
    }

    @Test("A missing libcurl ends with exit code 69 and the name of the package, and files need none")
    func libcurlIsMissing() throws {
        let scratch = try ScratchDirectory()
        for name in ["libcurl.so.4", "libcurl-gnutls.so.4"] {
            try Data().write(to: URL(fileURLWithPath: scratch.file(name)))
        }
        let environment = Syrinx.environment.merging(["LD_LIBRARY_PATH": scratch.path]) { $1 }
        let result = try runProcess(Syrinx.path, ["info", "http://127.0.0.1:9/a.mp3"], environment: environment)
        #expect(result.status == 69)
        #expect(result.errors.contains("libcurl4"))
        try Fixture.make(scratch.file("a.wav"), seconds: 0.1)
        #expect(try runProcess(Syrinx.path, ["info", scratch.file("a.wav")], environment: environment).status == 0)
    }
}
