import ArgumentParser
import AudioDevice
import ByteStream
import Foundation

/// `syrinx play`: streams inputs to a sound output.
struct PlayCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "play",
        abstract: "Plays inputs in turn, beginning before a download ends.",
        discussion: """
            On a terminal these keys work: space pauses; left and right go 5 seconds, up and down 60; [ and ] change \
            the rate by 0.1, { and } halve and double it, backspace brings back 1; 9 and 0 change the volume; q ends.
            """
    )
    static let examples = [
        "syrinx play https://example.org/episode.mp3",
        "syrinx play --rate 1.5 --start 12:30 --duration 5:00 lecture.m4a",
        "syrinx play --output file:decoded.wav song.flac",
        "curl -s https://example.org/a.ogg | syrinx play -",
    ]

    @Option(help: "auto, pulse[:sink], alsa[:pcm], null (keeps time, no sound) or file:PATH.wav (as fast as it can).")
    var output = OutputArgument.automatic

    @Option(help: "Also write what the device is given, silence included, to this WAV file.")
    var record: String?

    @OptionGroup var sound: SoundOptions

    @Option(
        parsing: .unconditional,
        help: "Frames per second of the engine; else the device's, or the input's for file:."
    )
    var sampleRate: Double?

    @Flag(help: "One JSON object an event on standard output.")
    var json = false

    @Flag(help: "Read one JSON command a line from standard input.")
    var control = false

    @Flag(help: "Keep nothing of what comes from the web on disk, and use nothing that was kept.")
    var noCache = false

    @OptionGroup var network: NetworkOptions

    @OptionGroup var text: TextOptions

    @Argument(help: "Paths, file:, http: or https: URLs, playlists among them, or - for standard input.")
    var input: [InputArgument]

    var writesJSON: Bool { json }

    func validate() throws {
        if let sampleRate { try SoundOptions.check("--sample-rate", sampleRate, SoundLimits.sampleRate) }
        let standardInputs = input.count(where: \.isStandardInput)
        guard standardInputs <= 1 else { throw ValidationError("standard input can only be played once") }
        guard standardInputs == 0 || !control else {
            throw ValidationError("standard input cannot be both an input and --control")
        }
        for (option, path) in [("--output", output.path), ("--record", record)] {
            guard let path else { continue }
            guard OutputPath.isWAV(path) else { throw ValidationError("\(option) writes a WAV file: name it .wav") }
            guard !OutputPath.isInput(path, among: input) else {
                throw ValidationError("\(option) would overwrite an input: \(path)")
            }
        }
        if let record, let path = output.path, record == path || OutputPath.isSameFile(record, path) {
            throw ValidationError("--output and --record write the same file: \(path)")
        }
    }

    func run(in context: CommandContext) throws(Failure) -> ExitStatus {
        let draws = !json && Terminal.allowsDrawing(environment: ProcessInfo.processInfo.environment)
        let plan = PlayRunner.Plan(
            inputs: input,
            network: network.options(isHeard: output.path == nil),
            sound: sound,
            output: try PlayOutput(
                output,
                recordingPath: record,
                playsSeveral: input.count > 1 || input.contains(where: \.isPlaylist)
            ),
            sampleRate: sampleRate,
            keepsSourceFormat: output.path != nil,
            cache: noCache || !input.contains(where: { $0.isWeb || $0.isPlaylist }) ? nil : DiskCache.user(),
            writesJSON: json,
            readsControl: control,
            drawsLine: draws
        )
        return PlayRunner(plan, context: context).run()
    }
}
