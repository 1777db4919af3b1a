import ArgumentParser
import AudioAnalysis
import MediaCodec

/// `syrinx meter`: how loud inputs are.
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

    @Flag(help: "One JSON object an input.")
    var json = false

    @Flag(help: "At the end, all inputs together, as ReplayGain takes an album.")
    var album = false

    @Option(parsing: .unconditional, help: "List the silences: where every sample is below so many decibels.")
    var silence: Double?

    @Option(parsing: .unconditional, help: "Seconds that a silence lasts at least.")
    var silenceDuration = 0.5

    @OptionGroup var damage: DamageOptions

    @OptionGroup var network: NetworkOptions

    @OptionGroup var text: TextOptions

    @Argument(help: "Paths, file:, http: or https: URLs, or - for standard input.")
    var input: [InputArgument]

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
        _ item: InputArgument,
        in context: CommandContext
    ) throws(Failure) -> (meter: LoudnessMeter, report: MeterReport, problem: Failure?) {
        try item.withReader(network: network.options(isHeard: false), interruption: context.interruption) {
            reader throws(Failure) in
            let info = reader.info
            guard info.sampleRate >= 100 else {
                let message = "its \(SoundLimits.number(info.sampleRate)) Hz are too few to measure loudness"
                throw Failure(code: .unsupported, message: message, name: item.name)
            }
            var meter = LoudnessMeter(
                sampleRate: info.sampleRate,
                weights: ChannelWeights(layout: info.channelLayout, channelCount: info.channelCount)
            )
            var detector = silence.map {
                SilenceDetector(sampleRate: info.sampleRate, threshold: $0, minimumDuration: silenceDuration)
            }
            let source = try InputSource(reader, name: item.name, start: 0, end: nil)
            let progress = Progress(context: context, total: source.expectedCount, source: source, verb: "measuring")
            defer { progress.finish() }
            let outcome = try InputScan.run(
                progress,
                reader: reader,
                name: item.name,
                context: context,
                isStrict: damage.strict,
                asJSON: json
            ) {
                meter.append($0, frameCount: $1)
                detector?.append($0, channelCount: info.channelCount, frameCount: $1)
            }
            detector?.finish()
            let silences = detector?.ranges.map {
                [Double($0.lowerBound) / info.sampleRate, Double($0.upperBound) / info.sampleRate]
            }
            return (meter, MeterReport(meter.report, url: item.name, silences: silences), outcome.problem)
        }
    }
}
