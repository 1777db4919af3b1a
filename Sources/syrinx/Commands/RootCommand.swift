import ArgumentParser

/// The command `syrinx`, with its subcommands.
struct RootCommand: ParsableCommand {
    /// The name, version and subcommands.
    static let configuration = CommandConfiguration(
        commandName: "syrinx",
        abstract: "Plays, converts, measures and draws audio from files and the web.",
        discussion: """
            `syrinx FILE…` is short for `syrinx play FILE…`. `syrinx help keys`, `help effects`, `help config` and `help exit-codes` print \
            tables.
            """,
        version: VersionReport.version,
        subcommands: [
            PlayCommand.self, RenderCommand.self, InfoCommand.self, WaveformCommand.self,
            MeterCommand.self, AnalyzeCommand.self, DevicesCommand.self, RemoteCommand.self,
            QueueCommand.self, AttachCommand.self, PlaylistCommand.self, RadioCommand.self, PodcastCommand.self,
            ResumeCommand.self, ManualCommand.self,
        ]
    )

    /// `CommandLineMeaning` reads this flag, because the parser handles `--version` itself.
    @Flag(help: "With --version: name the commit and the versions of the libraries too")
    var verbose = false

    /// The subcommands by name.
    static let parts = parts(of: RootCommand.self)

    /// Returns the subcommands of a command by name.
    static func parts(of command: any ParsableCommand.Type) -> [String: any RunnableCommand.Type] {
        let parts = command.configuration.subcommands.compactMap { $0 as? any RunnableCommand.Type }
        return Dictionary(parts.map { ($0.configuration.commandName ?? "", $0) }) { first, _ in first }
    }

    /// Examples of the most common uses, one per line.
    static let examples = [
        "syrinx song.flac",
        "syrinx play https://example.org/episode.mp3",
        "syrinx play --rate 1.5 --start 12:30 lecture.m4a",
        "syrinx render --pitch 200 song.flac higher.wav",
        "syrinx waveform -o episode.png --zoom auto episode.mp3",
        "syrinx meter --json album/*.flac",
    ]
}
