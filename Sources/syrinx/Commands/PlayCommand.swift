import ArgumentParser
import SyrinxListening

/// `syrinx play`: plays inputs to a sound output.
struct PlayCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "play",
        abstract: "Plays recordings, playlists, folders and streams.",
        discussion:
            "`syrinx FILE…` is short for `syrinx play FILE…`. Keys on a terminal:\n\n\(KeyHelp.table)"
    )
    static let examples = [
        "syrinx play https://example.org/episode.mp3",
        "syrinx play --rate 1.5 --start 12:30 --duration 5:00 lecture.m4a",
        "syrinx play --effect highpass:frequency=80 --effect reverb:preset=plate,wetDryMix=20 song.flac",
        "syrinx play --output file:decoded.wav song.flac",
        "curl -s https://example.org/a.ogg | syrinx play -",
        "find -name '*.opus' | sort -R | syrinx play --inputs -",
    ]

    @OptionGroup var options: PlayOptions

    @Flag(help: "List the effects with their keys, ranges, defaults and presets")
    var effectList = false

    @Option(help: ArgumentHelp("Text file with one input per line, or - for standard input", valueName: "file"))
    var inputs: ListeningInput?

    @Argument(
        help:
            "Paths and URLs (file:, http:, https:) of recordings, playlists, CUE sheets and folders, or - for standard input"
    )
    var input: [ListeningInput] = []

    var writesJSON: Bool { options.json }

    func validate() throws {
        guard effectList || !input.isEmpty || inputs != nil || options.canStayOpen else {
            throw ValidationError("Missing expected argument '<input> ...'")
        }
        guard inputs == nil || options.listening.chapter == nil else {
            throw ValidationError("--chapter needs exactly one input")
        }
        try options.check(input + [inputs].compactMap(\.self).filter(\.isStandardInput))
    }

    func run(in context: CommandContext) throws(Failure) -> ExitStatus {
        guard effectList else {
            var input = input
            // The new process reads them.
            if options.detach, !DetachedStart.isOwnProcess {
                return try DetachedStart.repeatCommand(in: context)
            }
            if let inputs {
                input += try InputLine.inputs(in: inputs, interruption: context.interruption) {
                    context.console.say($0.warningLine)
                }
            }
            return input.isEmpty ? try options.open(in: context) : try options.play(input, in: context)
        }
        if options.json {
            for kind in EffectKind.all {
                context.console.write((try? JSONText.encode(EffectList.Entry(kind))) ?? "{}")
            }
        } else {
            for line in EffectList.lines() { context.console.write(line) }
        }
        return .success
    }
}
