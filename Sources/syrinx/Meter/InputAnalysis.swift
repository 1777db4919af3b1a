import SyrinxAnalysis
import SyrinxByteStream
import SyrinxListening
import SyrinxMediaCodec

/// Analyzes an input while decoding it once: its description, loudness, silences and waveform.
struct InputAnalysis {
    /// The settings of an analysis.
    struct Settings {
        /// The level below which sound counts as silence, in dBFS; `nil` detects no silences.
        var silence: Double?
        /// The minimum duration of a silence, in seconds.
        var silenceDuration: Double
        /// Whether damage is an error.
        var isStrict: Bool
        /// Whether damage is also reported as a JSON event.
        var writesJSON: Bool
        /// Whether a progress bar is displayed.
        var showsProgress: Bool
        /// The measures besides loudness and silences.
        var measures: Set<SoundMeasures.Kind> = []
    }

    /// A waveform to compute in the same pass.
    struct WaveformTarget {
        /// The file to write, in audiowaveform's `dat` format.
        var path: FilePath
        /// The number of frames per block.
        var samplesPerPixel: Int
    }

    /// The description, with the exact number of frames if the whole input was read.
    let info: MediaReport
    let meter: LoudnessMeter
    /// The start and end of each silence in seconds; `nil` if silences were not requested.
    let silences: [[Double]]?
    /// The fields of the requested measures.
    let measures: [SoundMeasures.Field]
    /// The error that ended reading; `nil` if there was none.
    let problem: Failure?

    /// Decodes `item` to its end.
    /// - Throws: An error if nothing could be read, or the waveform could not be written.
    static func run(
        _ item: ListeningInput,
        settings: Settings,
        waveform: WaveformTarget? = nil,
        network: NetworkOptions,
        in context: CommandContext
    ) throws(Failure) -> InputAnalysis {
        try item.withReader(network: network.options(isHeard: false), interruption: context.interruption) {
            reader throws(Failure) in
            try run(reader, of: item, settings: settings, waveform: waveform, in: context)
        }
    }

    private static func run(
        _ reader: any SampleReader,
        of item: ListeningInput,
        settings: Settings,
        waveform: WaveformTarget?,
        in context: CommandContext
    ) throws(Failure) -> InputAnalysis {
        let info = reader.info
        guard info.sampleRate >= 100 else {
            let message = "its \(SoundLimits.number(info.sampleRate)) Hz are too few to measure loudness"
            throw Failure(code: .unsupported, message: message, name: item.name)
        }
        var meter = LoudnessMeter(
            sampleRate: info.sampleRate,
            weights: ChannelWeights(layout: info.channelLayout, channelCount: info.channelCount)
        )
        var detector = settings.silence.map {
            SilenceDetector(
                sampleRate: info.sampleRate,
                threshold: $0,
                minimumDuration: settings.silenceDuration
            )
        }
        var measures = SoundMeasures(settings.measures, info: info)
        let drawing = waveform.map { WaveformFile($0, info: info) }
        let source = try InputSource(reader, name: item.name, start: 0, end: nil)
        let progress = Progress(
            context: context,
            total: source.expectedCount,
            source: source,
            verb: "measuring",
            isQuiet: !settings.showsProgress
        )
        defer { progress.finish() }
        let outcome = try InputScan.run(
            progress,
            reader: reader,
            name: item.name,
            context: context,
            isStrict: settings.isStrict,
            asJSON: settings.writesJSON
        ) {
            meter.append($0, frameCount: $1)
            detector?.append($0, channelCount: info.channelCount, frameCount: $1)
            measures.append($0, frameCount: $1)
            drawing?.append($0, frameCount: $1)
        }
        detector?.finish()
        if outcome.problem == nil, !context.interruption.isRequested { try drawing?.commit() }
        let isComplete = outcome.problem == nil && !context.interruption.isRequested
        return InputAnalysis(
            info: MediaReport(
                reader.info,
                url: item.name,
                frames: reader.info.frameCount ?? (isComplete ? outcome.frameCount : nil)
            ),
            meter: meter,
            silences: detector?.ranges.map {
                [Double($0.lowerBound) / info.sampleRate, Double($0.upperBound) / info.sampleRate]
            },
            measures: measures.finish(),
            problem: outcome.problem
        )
    }
}

/// Writes a `dat` file while samples are decoded.
private final class WaveformFile {
    private let target: InputAnalysis.WaveformTarget
    private var builder: PeakBuilder
    private let spool: WaveformSpool

    init(_ target: InputAnalysis.WaveformTarget, info: MediaInfo) {
        self.target = target
        builder = PeakBuilder(
            PeakBuilder.Settings(
                sampleRate: Int(clamped: info.sampleRate),
                channelCount: info.channelCount,
                samplesPerPixel: target.samplesPerPixel,
                mixesChannels: info.channelCount > 1,
                rounding: SampleRounding(codec: info.codec),
                measuresRMS: false
            )
        )
        spool = WaveformSpool(like: builder.waveform, folder: OutputBytes.roomyFolder(for: target.path))
    }

    func append(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int) {
        builder.append(channels, frameCount: frameCount)
        if builder.waveform.count >= WaveformSpool.pieceSize { spool.take(builder.takeBlocks()) }
    }

    func commit() throws(Failure) {
        builder.finish()
        spool.take(builder.takeBlocks())
        let file = try OutputBytes(path: target.path)
        do throws(Failure) {
            try spool.writeDAT(bits: .sixteen, to: file)
            try file.commit()
        } catch {
            file.abandon()
            throw error
        }
    }
}
