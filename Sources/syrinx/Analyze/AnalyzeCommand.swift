import ArgumentParser
import Foundation
import Synchronization
import SyrinxByteStream
import SyrinxListening
import SyrinxMediaCodec

/// `syrinx analyze`: everything about many inputs, one JSON object a line.
struct AnalyzeCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "analyze",
        abstract: "Describes, measures and draws many inputs, each decoded once, as JSON lines.",
        discussion: """
            Answers come in the order in which they are finished. Each has `input`, and either `info`, `meter`, `silences` and \
            `waveform`, or `error`; --speech and the options below it add fields. Lines of standard input are paths, URLs, or \
            JSON objects with `input`; what is no JSON object as a whole is a path.
            """
    )
    static let examples = [
        "syrinx analyze album/*.flac",
        "find /music -name '*.opus' | syrinx analyze --jobs 8 --results music.jsonl -",
        "syrinx analyze --speech --clipping --hash talks/*.mp3",
        "syrinx analyze --waveforms peaks/ https://example.org/episode.mp3",
    ]

    @Option(help: "How many inputs are worked on at once, 1 to 256; by default one for each processor.")
    var jobs: Int?

    @Option(
        help: "A folder for waveforms in audiowaveform's dat format, which is created if there is none.",
        completion: .directory
    )
    var waveforms: PathArgument?

    @Option(help: "Frames of sound in a pixel of the waveforms.")
    var zoom = 256

    @Option(
        help: "A file to which answers are appended, in place of standard output; inputs that it answers are left out."
    )
    var results: PathArgument?

    @Option(parsing: .unconditional, help: "The level below which sound is silent, in decibels of full scale.")
    var silence = -60.0

    @Option(parsing: .unconditional, help: "Seconds that a silence lasts at least.")
    var silenceDuration = 0.5

    @OptionGroup var measures: MeasureOptions

    @OptionGroup var damage: DamageOptions

    @OptionGroup var network: NetworkOptions

    @OptionGroup var text: TextOptions

    @Argument(help: "Paths, file:, http: or https: URLs, or - for a list of them on standard input.")
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
