import ArgumentParser
import Foundation
import SyrinxListening
import SyrinxStreaming
import SyrinxTestSupport
import Testing

@testable import syrinx

@Suite("Command line")
struct CommandLineTests {
    private func play(_ arguments: String...) throws -> PlayCommand {
        try #require(try RootCommand.parseAsRoot(["play"] + arguments) as? PlayCommand)
    }

    private func answer(_ arguments: [String]) throws -> CommandLineResult {
        guard case .answer(let answer) = CommandLineMeaning(of: arguments) else {
            throw Understood()
        }
        return answer
    }

    private struct Understood: Error {}

    @Test("Options may stand anywhere, and numbers may be negative")
    func optionsAnywhere() throws {
        let command = try play("a", "--pitch", "-300", "b", "--rate", "2", "--json", "c", "--start", "1:00", "--", "-d")
        #expect(command.input.map(\.name) == ["a", "b", "c", "-d"])
        #expect(command.options.sound.pitch == -300)
        #expect(command.options.sound.rate == 2)
        #expect(command.options.sound.span.start == 60)
        #expect(command.options.json)
    }

    @Test("A duration counts from the start")
    func span() throws {
        let command = try play("a", "--start", "10", "--duration", "0:05")
        #expect(command.options.sound.span.start == 10)
        #expect(command.options.sound.span.end == 15)
        #expect(try play("-").input.first?.isStandardInput == true)
    }

    @Test(
        "What is wrong with a command line is one sentence, exit code 64",
        arguments: [
            ["play"], ["play", "--rate", "50", "a"], ["play", "--rate", "nan", "a"], ["play", "--pitch", "2401", "a"],
            ["play", "--volume", "-1", "a"], ["play", "--bogus", "a"], ["play", "--output", "foo", "a"],
            ["play", "--output", "file:a.mp3", "a"], ["play", "--control", "-"], ["play", "-", "-"],
            ["play", "--start", "1:99", "a"], ["play", "--algorithm", "best", "a"], ["play", "ftp://h/a"],
            ["play", "--sample-rate", "0", "a"], ["play", "--record", "a.flac", "a"],
            ["play", "--output", "file:x.wav", "--record", "x.wav", "a"],
            ["render", "a"], ["render", "a", "b.xyz"], ["render", "a", "b"],
            ["render", "--channels", "9", "a", "b.wav"],
            ["render", "--sample-format", "u8", "a", "b.wav"], ["info"], ["nonsense"],
        ]
    )
    func wrong(arguments: [String]) throws {
        let answer = try answer(arguments)
        let failure = try #require(answer.failure)
        #expect(failure.exitStatus == .usage)
        #expect(answer.text == nil)
        #expect(!failure.message.isEmpty)
        #expect(!failure.line.contains("\n"))
    }

    @Test(
        "Help starts with examples, and --version prints the version",
        arguments: [nil] + RootCommand.parts.keys.sorted()
    )
    func help(part: String?) throws {
        let text = try #require(try answer((part.map { [$0] } ?? []) + ["--help"]).text)
        #expect(text.hasPrefix("EXAMPLES:\n  "))
        #expect(text.contains("USAGE: syrinx"))
        #expect(try answer(["--version"]).text == "syrinx \(SyrinxVersion.text)")
    }

    @Test("--version --verbose names the commit and a version of each library, in either order")
    func versions() throws {
        let lines = try #require(try answer(["--version", "--verbose"]).text).split(separator: "\n").map(String.init)
        #expect(try answer(["--verbose", "--version"]).text == lines.joined(separator: "\n"))
        #expect(lines.prefix(2) == ["syrinx \(SyrinxVersion.text)", "commit unknown"])
        let names = lines.dropFirst(2).map { $0.prefix { $0 != " " } }
        #expect(
            names == [
                "FFmpeg", "libavformat", "libavcodec", "libavutil", "libswresample", "libswscale", "libcurl",
                "libpulse",
                "libasound", "SQLite", "libmysofa",
            ]
        )
        // The tests need all of them, so each is installed.
        for line in lines.dropFirst(3) {
            #expect(line.contains(/^[A-Za-z]+ [0-9]+\.[0-9]+/))
        }
    }

    @Test("A program names the commit that was written into it, and a second one replaces the first")
    func stamped() throws {
        let scratch = try ScratchDirectory()
        let program = scratch.file("syrinx")
        // By a process of its own: a child that another test forks would hold the file open for writing, and it could not be run.
        #expect(try runProcess("/bin/cp", [Syrinx.path, program]).status == 0)
        let script = repositoryRoot.appendingPathComponent("scripts/stamp").path
        for commit in [String(repeating: "0123456789", count: 4) + "-dirty", "abc"] {
            #expect(try runProcess("/bin/sh", [script, program, commit]).status == 0)
            let answer = try runProcess(program, ["--version", "--verbose"], environment: Syrinx.environment)
            #expect(answer.output.split(separator: "\n").dropFirst().first == "commit \(commit)")
        }
        let tooLong = try runProcess("/bin/sh", [script, program, String(repeating: "a", count: 64)])
        #expect(tooLong.status == 65)
    }
}
