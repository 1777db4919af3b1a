import ArgumentParser
import SyrinxAnalysis
import SyrinxByteStream
import SyrinxListening

/// `syrinx waveform`: writes waveforms of inputs, as pictures or as data files.
struct WaveformCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "waveform",
        abstract: "Draws waveforms, or writes their values for other programs."
    )
    static let examples = [
        "syrinx waveform -o episode.png --zoom auto episode.mp3",
        "syrinx waveform -o peaks.json --bits 8 --pixels-per-second 20 https://example.org/episode.m4a",
        "syrinx waveform -o bars.svg --zoom auto --decibels --style bars --bar-width 3 --bar-gap 2 film.mp4",
        "syrinx waveform -o peaks/ --output-format dat album/*.flac",
        "sox in.wav -t raw - | syrinx waveform -o a.png --raw-format s16le --raw-samplerate 44100 --raw-channels 2 -",
    ]

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "Output file, whose extension selects the format, or - for standard output; a folder for several inputs",
            valueName: "path"
        )
    )
    var output: PathArgument

    @Option(help: ArgumentHelp("Output format, in place of the extension", valueName: "format"))
    var outputFormat: WaveformFormat?

    @OptionGroup var source: WaveformInputOptions
    @OptionGroup var scale: WaveformScaleOptions
    @OptionGroup var look: WaveformLookOptions

    @Option(
        help: ArgumentHelp("Folder that stores waveforms for later runs on unchanged inputs", valueName: "folder"),
        completion: .directory
    )
    var cache: PathArgument?

    @OptionGroup var damage: DamageOptions

    @OptionGroup var network: NetworkOptions

    @OptionGroup var text: TextOptions

    @Argument(
        help:
            "Paths and URLs (file:, http:, https:) of recordings, or of waveforms in dat or json; - for standard input"
    )
    var input: [ListeningInput]

    var writesJSON: Bool { false }

    func validate() throws {
        guard input.count(where: \.isStandardInput) <= 1 else {
            throw ValidationError("standard input can only be read once")
        }
        guard let format else {
            let choice = "dat, json, png, svg or txt"
            throw ValidationError(
                "the output's extension must be \(choice), or set --output-format: \(output.path.name)"
            )
        }
        if look.decibels, !format.isPicture, format != .txt {
            throw ValidationError("--decibels are drawn as png or svg, or listed as txt")
        }
        if isFolder { try checkNames(format) }
        if input.count > 1, !isFolder {
            throw ValidationError("for several inputs --output must be a folder, and --output-format is required")
        }
    }

    func run(in context: CommandContext) throws(Failure) -> ExitStatus {
        guard let format else { return .usage }
        let claims = try InputFiles(input).claim(input.map(path(for:)))
        defer { withExtendedLifetime(claims) {} }
        var status = ExitStatus.success
        for item in input {
            do throws(Failure) {
                let problem = try write(item, as: format, in: context)
                if let problem, !context.interruption.isRequested {
                    context.console.say(problem)
                    if status == .success { status = problem.exitStatus }
                }
            } catch {
                if context.interruption.isRequested { return .interrupted }
                context.console.say(error)
                if status == .success { status = error.exitStatus }
            }
            if context.interruption.isRequested { return .interrupted }
            if context.console.isOutputClosed { break }
        }
        return status
    }

    // MARK: Output

    private var format: WaveformFormat? { outputFormat ?? WaveformFormat(path: output.path) }

    private var isFolder: Bool {
        output.path.bytes.last == UInt8(ascii: "/") || output.path.isFolder
    }

    private func path(for item: ListeningInput) -> FilePath {
        guard isFolder, let format else { return output.path }
        let name =
            switch item.location {
            case .file(let path): path
            case .standardInput: FilePath("stdin")
            case .web: FilePath(String(item.name.prefix { !"?#".contains($0) }))
            }
        let stem = name.stem.isEmpty ? Array("waveform".utf8) : Array(name.stem)
        return output.path.appending(stem + Array(".\(format.fileExtension)".utf8))
    }

    private func checkNames(_ format: WaveformFormat) throws {
        var seen: Set<FilePath> = []
        for item in input where !seen.insert(path(for: item)).inserted {
            throw ValidationError("two inputs would both become \(path(for: item).name)")
        }
    }

    // MARK: One input

    /// Writes the waveform of one input.
    /// - Returns: The error that ended reading; `nil` if there was none.
    private func write(
        _ item: ListeningInput,
        as format: WaveformFormat,
        in context: CommandContext
    ) throws(Failure) -> Failure? {
        let target = path(for: item)
        let source = WaveformSource(
            item: item,
            options: source,
            scale: scale,
            look: look,
            cache: cache?.path,
            isStrict: damage.strict,
            folder: OutputBytes.roomyFolder(for: target),
            network: network.options(isHeard: false),
            context: context
        )
        let made = try source.make(for: format)
        guard !context.interruption.isRequested else { return nil }
        let bits = scale.bits.flatMap(WaveformBits.init) ?? made.bits ?? .sixteen
        let writer = WaveformWriter(format: format, bits: bits, look: look, start: scale.start?.seconds ?? 0)
        try writer.write(made, to: target)
        return made.problem
    }
}
