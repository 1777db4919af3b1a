import ArgumentParser
import Foundation
import Synchronization
import SyrinxByteStream
import SyrinxListening
import SyrinxMediaCodec

/// `syrinx analyze`: analyzes many inputs, and writes a JSON object per line.
struct AnalyzeCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "analyze",
        abstract: "Describes and measures many inputs as JSON lines, and decodes each input once.",
        discussion: """
            Results are written as soon as they are complete, in any order. Each has `input`, and either `info`, `meter`, `silences` \
            and `waveform`, or `error`. --speech and the options below it add fields. Lines of standard input are paths, URLs, or \
            JSON objects with `input`.
            """
    )
    static let examples = [
        "syrinx analyze album/*.flac",
        "find /music -name '*.opus' | syrinx analyze --jobs 8 --results music.jsonl -",
        "syrinx analyze --speech --clipping --hash talks/*.mp3",
        "syrinx analyze --waveforms peaks/ https://example.org/episode.mp3",
    ]

    @Option(
        help: ArgumentHelp(
            "Number of inputs to process at once (1 … 256, default: the number of processors)",
            valueName: "count"
        )
    )
    var jobs: Int?

    @Option(
        help: ArgumentHelp(
            "Folder for waveforms in audiowaveform's dat format; it is created if it does not exist",
            valueName: "folder"
        ),
        completion: .directory
    )
    var waveforms: PathArgument?

    @Option(help: ArgumentHelp("Audio frames per pixel of the waveforms", valueName: "frames"))
    var zoom = 256

    @Option(
        help: ArgumentHelp(
            "File to which results are appended; inputs that have a result in it are skipped (default: standard output)",
            valueName: "file"
        )
    )
    var results: PathArgument?

    @Option(parsing: .unconditional, help: ArgumentHelp("Level below which sound is silence", valueName: "dBFS"))
    var silence = -60.0

    @Option(parsing: .unconditional, help: ArgumentHelp("Minimum length of a silence", valueName: "seconds"))
    var silenceDuration = 0.5

    @OptionGroup var measures: MeasureOptions

    @OptionGroup var damage: DamageOptions

    @OptionGroup var network: NetworkOptions

    @OptionGroup var text: TextOptions

    @Argument(help: "Paths and URLs (file:, http:, https:), or - for a list on standard input")
    var input: [ListeningInput]

    var writesJSON: Bool { true }

    func validate() throws {
        guard input.count(where: \.isStandardInput) <= 1 else {
            throw ValidationError("standard input can only be read once")
        }
        if let jobs, !(1...256).contains(jobs) { throw ValidationError("--jobs is \(jobs), outside 1 … 256") }
        guard (2...(1 << 24)).contains(zoom) else { throw ValidationError("--zoom is \(zoom), outside 2 … 16777216") }
        try SoundOptions.check("--silence", silence, -200...0)
        try SoundOptions.check("--silence-duration", silenceDuration, 0...1e6)
    }

    func run(in context: CommandContext) throws(Failure) -> ExitStatus {
        let outputs = [results?.path].compactMap(\.self)
        let claims = outputs.isEmpty ? [] : try InputFiles(input).claim(outputs)
        defer { withExtendedLifetime(claims) {} }
        if let folder = waveforms?.path { try Self.makeFolder(folder) }
        measures.warn(context)
        var journal: AnalysisJournal?
        if let path = results?.path { journal = try AnalysisJournal(path: path) }
        let batch = AnalysisBatch(
            command: self,
            inputs: AnalysisInputs(input, interruption: context.interruption),
            journal: journal,
            context: context
        )
        return try batch.run(jobs: jobs ?? ProcessInfo.processInfo.activeProcessorCount)
    }

    private static func makeFolder(_ path: FilePath) throws(Failure) {
        if path.isFolder { return }
        let number = path.withCString { mkdir($0, 0o755) } == 0 ? 0 : errno
        guard number == 0 else {
            let code: ErrorCode = number == EACCES || number == EROFS ? .filePermissionDenied : .fileWriteFailed
            throw Failure(code: code, message: Descriptor.sentence(number), name: path.name)
        }
    }
}
