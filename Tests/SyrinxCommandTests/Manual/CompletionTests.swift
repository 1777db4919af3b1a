import Foundation
import SyrinxListening
import SyrinxTestSupport
import Testing

@testable import syrinx

@Suite("Completion") struct CompletionTests {
    @Test("Outputs are those of the machine besides the kinds")
    func outputs() {
        let found = Completion.outputs("", devices: ["pulse:hall", "alsa:hw:0"])
        #expect(found == ["auto", "pulse", "alsa", "null", "file:", "pulse:hall", "alsa:hw:0"])
    }

    @Test("Behind file: there are folders and WAV files")
    func outputFile() throws {
        let scratch = try ScratchDirectory()
        try Data().write(to: URL(fileURLWithPath: scratch.file("old.WAV")))
        try Data().write(to: URL(fileURLWithPath: scratch.file("other.mp3")))
        try Data().write(to: URL(fileURLWithPath: scratch.file("odd\u{1B}[2J.wav")))
        try FileManager.default.createDirectory(atPath: scratch.file("out"), withIntermediateDirectories: true)
        let start = "file:" + scratch.file("o")
        #expect(
            Completion.outputs(start, devices: []) == [
                "file:\(scratch.file("old.WAV"))", "file:\(scratch.file("out"))/",
            ]
        )
    }

    @Test("An effect is completed by name, key and value, and a key is offered once")
    func effects() {
        #expect(Completion.effects("rev") == ["reverb", "reverb2"])
        #expect(Completion.effects("limiter") == ["limiter", "limiter:"])
        #expect(Completion.effects("limiter:") == ["limiter:attack=", "limiter:decay=", "limiter:preGain="])
        #expect(
            Completion.effects("limiter:decay=0.1,") == ["limiter:decay=0.1,attack=", "limiter:decay=0.1,preGain="]
        )
        #expect(Completion.effects("reverb:preset=pl").contains("reverb:preset=plate"))
        #expect(Completion.effects("reverb:wetDryMix=") == [])
        #expect(Completion.effects("echo:") == [])
    }

    @Test("Every completed effect is one that the option takes, apart from the value that is to come")
    func effectsAreValid() throws {
        for kind in EffectKind.all {
            for key in kind.nameKeys {
                for text in Completion.effects("\(kind.name):\(key.name)=") {
                    _ = try EffectArgument(text)
                }
            }
        }
    }

    @Test("The commands of control are those of its table, with the values that they take")
    func control() {
        #expect(Completion.commands("", after: []) == ["status"] + CommandTable.rows.map(\.name))
        #expect(Completion.commands("", after: ["mono"]) == ["on", "off"])
        #expect(Completion.commands("", after: ["next"]) == ["weak"])
        #expect(Completion.commands("sp", after: ["equalizer"]).contains("speech"))
        #expect(Completion.commands("", after: ["pause"]) == [])
        #expect(Completion.queue("", after: []).contains("save"))
    }

    @Test(
        "Quotes and backslashes of the shell are no part of a word",
        arguments: [("The\\ Show", "The Show"), ("\"a \\\" b", "a \" b"), ("'a\\b'c", "a\\bc"), ("plain", "plain")]
    )
    func unquoted(word: String, text: String) { #expect(Completion.unquoted(word) == text) }

    @Test("A shell that asks gets outputs, effects, equalizer presets and the podcasts of the library")
    func asked() throws {
        let effects = try Syrinx.run(
            "---completion",
            "render",
            "--",
            "--effect",
            "3",
            "0",
            "syrinx",
            "render",
            "--effect",
            "lim"
        )
        #expect(effects.output == "limiter\n" && effects.status == 0)
        let outputs = try Syrinx.run(
            "---completion",
            "play",
            "--",
            "--output",
            "3",
            "0",
            "syrinx",
            "play",
            "--output",
            "n"
        )
        #expect(outputs.output.split(separator: "\n").contains("null"))
        #expect(try Syrinx.run("--generate-completion-script", "bash").output.contains("'flat'"))
    }

    @Test("Titles of podcasts are completed, and none that a terminal would show in another way")
    func podcasts() throws {
        let show = try Show()
        #expect(try show.podcast("add", show.server.url("/feed.xml")).status == 0)
        let asked = [
            "---completion", "podcast", "show", "--", "positional@0", "3", "0", "syrinx", "podcast", "show", "",
        ]
        let found = try runProcess(Syrinx.path, asked, environment: show.environment, stdin: Data())
        #expect(found.output == "The Show\n")
    }

    @Test("No library is made for a completion")
    func noLibrary() throws {
        let scratch = try ScratchDirectory()
        let environment = Syrinx.environment.merging(["XDG_DATA_HOME": scratch.file("data")]) { $1 }
        let asked = [
            "---completion", "podcast", "show", "--", "positional@0", "3", "0", "syrinx", "podcast", "show", "",
        ]
        _ = try runProcess(Syrinx.path, asked, environment: environment, stdin: Data())
        #expect(!FileManager.default.fileExists(atPath: scratch.file("data")))
    }

    @Test("The scripts of all shells are completed, and that of bash has no syntax error")
    func scripts() throws {
        let scratch = try ScratchDirectory()
        let bash = try Syrinx.run("--generate-completion-script", "bash").output
        #expect(bash.contains("-F __syrinx_joined syrinx"))
        try Data(bash.utf8).write(to: URL(fileURLWithPath: scratch.file("script")))
        #expect(try runProcess("/bin/bash", ["-n", scratch.file("script")]).status == 0)
        #expect(try Syrinx.run("--generate-completion-script", "zsh").output.contains("_files && ret=0"))
        #expect(try Syrinx.run("--generate-completion-script", "fish").output.hasSuffix("-eq 1' -F\n\n"))
    }

    @Test("Bash completes behind colons, a title's text is never run as a command, and no trap stays")
    func bash() throws {
        let scratch = try ScratchDirectory()
        let program = scratch.file("syrinx")
        // A program that answers with what a feed may name its podcast.
        let script = "#!/bin/sh\nprintf 'reverb:preset=plate\\n$(touch \(scratch.file("ran")))\\n'\n"
        try Data(script.utf8).write(to: URL(fileURLWithPath: program))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
        let completion = try Syrinx.run("--generate-completion-script", "bash").output
        try Data(completion.utf8).write(to: URL(fileURLWithPath: scratch.file("script")))
        let asked = """
            source \(scratch.file("script"))
            compopt() { :; }
            ask() { COMP_LINE="$1"; COMP_POINT=${#1}; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
                __syrinx_joined \(program) "${COMP_WORDS[-1]}"; printf '%s\\n' "${COMPREPLY[@]}"; }
            ask 'syrinx play --effect reverb:preset=pl' \(program) play --effect reverb : preset = pl
            ask 'syrinx play --effect=' \(program) play --effect =
            trap -p RETURN
            """
        let found = try runProcess("/bin/bash", ["-c", asked])
        #expect(found.output == "plate\nreverb:preset=plate\n$(touch \(scratch.file("ran")))\n")
        #expect(!FileManager.default.fileExists(atPath: scratch.file("ran")))
    }
}
