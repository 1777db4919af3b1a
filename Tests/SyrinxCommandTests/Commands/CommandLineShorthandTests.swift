import ArgumentParser
import SyrinxByteStream
import SyrinxListening
import Testing

@testable import syrinx

@Suite("Command line without a command")
struct CommandLineShorthandTests {
    private func meaning(_ arguments: String...) -> CommandLineShorthand {
        let commands = ["devices", "help", "info", "meter", "play", "render", "waveform"]
        return CommandLineShorthand(arguments, commands: commands) { ["song", "plai", "show.mp3"].contains($0) }
    }

    @Test("Inputs alone are played: files that exist, paths, URLs, and standard input")
    func inputs() {
        for input in ["song", "plai", "show.mp3", "missing.mp3", "./x", "/x", "http://host/x", "file:///x", "-"] {
            #expect(meaning(input, "b", "--rate", "2") == .arguments(["play", input, "b", "--rate", "2"]))
        }
        #expect(meaning("--rate", "2", "song") == .arguments(["play", "--rate", "2", "song"]))
        #expect(meaning("--json", "-") == .arguments(["play", "--json", "-"]))
    }

    @Test("A command, and what asks for no input, stay as they are")
    func commands() {
        for arguments in [
            ["play", "x"], ["help", "play"], ["info"], ["--help"], ["--version"], ["--bogus"], [""], [],
        ] {
            #expect(
                CommandLineShorthand(arguments, commands: ["help", "info", "play"]) { _ in true }
                    == .arguments(arguments)
            )
        }
        #expect(meaning("--json", "info", "song") == .arguments(["--json", "info", "song"]))
    }

    @Test(
        "A misspelt command is suggested",
        arguments: [
            ("plya", "play"), ("pla", "play"), ("Play", "play"), ("paly", "play"), ("inof", "info"),
            ("rendr", "render"),
            ("metre", "meter"), ("wave", "waveform"), ("device", "devices"), ("plays", "play"),
        ]
    )
    func suggestions(word: String, command: String) {
        #expect(meaning(word, "x.mp3") == .unknown(word, suggestion: command))
    }

    @Test(
        "An unknown word is reported as neither a command nor a file",
        arguments: ["nonsense", "x", "music", "podcast"]
    )
    func unknown(word: String) {
        #expect(meaning(word) == .unknown(word, suggestion: nil))
    }

    @Test("The answer names the word and the command that it may have been meant for")
    func answers() throws {
        guard case .answer(let answer) = CommandLineMeaning(of: ["plya", "x", "--json"]) else {
            Issue.record("it was understood")
            return
        }
        let failure = try #require(answer.failure)
        #expect(failure.exitStatus == .usage)
        #expect(
            failure.line == "syrinx: command line: there is no command and no file named \"plya\". Did you mean play?"
        )
        #expect(answer.asJSON)
        guard case .command(let command) = CommandLineMeaning(of: ["--rate", "2", "./plya"]) else {
            Issue.record("it was not understood")
            return
        }
        #expect((command as? PlayCommand)?.options.sound.rate == 2)
    }

    @Test("Every default that help tells can be written on the command line")
    func defaults() {
        #expect(OutputArgument.automatic.defaultValueDescription == "auto")
        for output in [OutputArgument.automatic, .null, .pulse(sink: nil), .alsa(pcm: "x"), .file(path: "a.wav")] {
            #expect(OutputArgument(argument: output.defaultValueDescription) == output)
        }
        for mode in LoopMode.allCases { #expect(LoopMode(argument: mode.defaultValueDescription) == mode) }
        guard case .answer(let answer) = CommandLineMeaning(of: ["play", "--help"]) else {
            Issue.record("help is no answer")
            return
        }
        #expect(answer.text?.contains("(default: off)") == true)
    }
}
