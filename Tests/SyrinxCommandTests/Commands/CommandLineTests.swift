import ArgumentParser
import SyrinxListening
import SyrinxStreaming
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
}
