import ArgumentParser
import SyrinxHTTPStream

/// The command as a whole.
struct RootCommand: ParsableCommand {
    /// The command's own name, version and parts.
    static let configuration = CommandConfiguration(
        commandName: "syrinx",
        abstract: "Plays, converts, draws, measures and describes audio, from files and from the web.",
        discussion: "`syrinx FILE…` plays, as `syrinx play FILE…` does.",
        version: "syrinx \(SyrinxVersion.text)",
        subcommands: [
            PlayCommand.self, RenderCommand.self, InfoCommand.self, WaveformCommand.self,
            MeterCommand.self, AnalyzeCommand.self, DevicesCommand.self, RemoteCommand.self,
            QueueCommand.self, PodcastCommand.self, ResumeCommand.self, ManualCommand.self,
        ]
    )

    /// The parts by name.
    static let parts: [String: any RunnableCommand.Type] = [
        "play": PlayCommand.self, "render": RenderCommand.self, "info": InfoCommand.self,
        "waveform": WaveformCommand.self, "meter": MeterCommand.self, "analyze": AnalyzeCommand.self,
        "devices": DevicesCommand.self, "control": RemoteCommand.self, "queue": QueueCommand.self,
        "podcast": PodcastCommand.self, "resume": ResumeCommand.self, "manual": ManualCommand.self,
    ]

    /// Lines that show the most common uses.
    static let examples = [
        "syrinx song.flac",
        "syrinx play https://example.org/episode.mp3",
        "syrinx play --rate 1.5 --start 12:30 lecture.m4a",
        "syrinx render --pitch 200 song.flac higher.wav",
        "syrinx waveform -o episode.png --zoom auto episode.mp3",
        "syrinx meter --json album/*.flac",
    ]
}
