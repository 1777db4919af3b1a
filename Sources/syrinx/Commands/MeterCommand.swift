import ArgumentParser
import SyrinxAnalysis
import SyrinxListening

/// `syrinx meter`: measures the loudness of inputs.
struct MeterCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "meter",
        abstract: "Measures loudness, peaks and silences."
    )
    static let examples = [
        "syrinx meter episode.mp3",
        "syrinx meter --json --album album/*.flac",
        "syrinx meter --silence -50 --silence-duration 2 lecture.m4a",
    ]

    @Flag(help: "Write one JSON object per input")
    var json = false

    @Flag(help: "Also measure all inputs together, as ReplayGain measures an album")
    var album = false

    @Option(parsing: .unconditional, help: ArgumentHelp("List the silences below this level", valueName: "dBFS"))
    var silence: Double?

    @Option(parsing: .unconditional, help: ArgumentHelp("Minimum length of a silence", valueName: "seconds"))
    var silenceDuration = 0.5

    @OptionGroup var damage: DamageOptions

    @OptionGroup var network: NetworkOptions

    @OptionGroup var text: TextOptions

    @Argument(help: "Paths and URLs (file:, http:, https:), or - for standard input")
    var input: [ListeningInput]

    var writesJSON: Bool { json }

    func validate() throws {
        guard input.count(where: \.isStandardInput) <= 1 else {
            throw ValidationError("standard input can only be read once")
        }
        if let silence { try SoundOptions.check("--silence", silence, -200...0) }
        try SoundOptions.check("--silence-duration", silenceDuration, 0...1e6)
    }

    func run(in context: CommandContext) throws(Failure) -> ExitStatus {
        var status = ExitStatus.success
        var meters: [LoudnessMeter] = []
        for (index, item) in input.enumerated() {
            do throws(Failure) {
                let measured = try measure(item, in: context)
                if context.interruption.isRequested { return .interrupted }
                meters.append(measured.meter)
                tell(measured.report, isFirst: index == 0, in: context)
                if let problem = measured.problem {
                    context.console.tell(problem, asJSON: json)
                    if status == .success { status = problem.exitStatus }
                }
            } catch {
                if context.interruption.isRequested { return .interrupted }
                context.console.tell(error, asJSON: json)
                if status == .success { status = error.exitStatus }
            }
            if context.console.isOutputClosed { return status }
        }
        if album, !meters.isEmpty { tell(MeterReport(album: meters), isFirst: false, in: context) }
        return status
    }

    private func tell(_ report: MeterReport, isFirst: Bool, in context: CommandContext) {
        if !json && !isFirst { context.console.write("") }
        context.console.write(json ? report.json : report.text)
    }

    private func measure(
        _ item: ListeningInput,
        in context: CommandContext
    ) throws(Failure) -> (meter: LoudnessMeter, report: MeterReport, problem: Failure?) {
        let settings = InputAnalysis.Settings(
            silence: silence,
            silenceDuration: silenceDuration,
            isStrict: damage.strict,
            writesJSON: json,
            showsProgress: true
        )
        let analysis = try InputAnalysis.run(item, settings: settings, network: network, in: context)
        let report = MeterReport(analysis.meter.report, url: item.name, silences: analysis.silences)
        return (analysis.meter, report, analysis.problem)
    }
}
