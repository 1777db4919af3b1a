import ArgumentParser
import Foundation
import SyrinxByteStream
import SyrinxListening
import SyrinxMediaCodec

/// `syrinx render`: processes an input as `play` does, offline, into a file.
struct RenderCommand: RunnableCommand {
    /// The sample format of the output, for containers that support several.
    enum SampleFormat: String, ExpressibleByArgument, CaseIterable {
        case f32, s16, s24
    }

    static let configuration = CommandConfiguration(
        commandName: "render",
        abstract: "Converts a recording or a part of it into a file, with another rate, pitch or effects.",
        discussion: "The extension of the output selects its format: \(formats.joined(separator: ", "))."
    )
    static let examples = [
        "syrinx render song.flac song.mp3",
        "syrinx render --rate 1.25 --pitch -100 lecture.mp3 lecture.wav",
        "syrinx render --effect reverb:preset=cathedral,wetDryMix=30 voice.wav choir.flac",
        "syrinx render --start 1:00 --duration 30 https://example.org/episode.mp3 clip.m4a",
    ]

    /// The file name extensions of the supported formats.
    static let formats = OutputContainer.endings

    /// The tags that are copied: those that describe the content, not the encoding of the input.
    static let keptTags: Set = [
        "title", "artist", "album", "album_artist", "composer", "genre", "date", "track", "disc", "comment",
    ]

    @OptionGroup var sound: SoundOptions

    @OptionGroup var effect: EffectOptions

    @Flag(name: .customLong("no-tail"), help: "Cut the sound at the end of the input, without the decay of the effects")
    var noTail = false

    @Flag(help: "Replace an existing file without asking")
    var force = false

    @OptionGroup var damage: DamageOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Sample rate of the output (default: that of the input)", valueName: "hertz")
    )
    var sampleRate: Double?

    @Option(
        help: ArgumentHelp("Number of channels of the output (1 … 8, default: that of the input)", valueName: "count")
    )
    var channels: Int?

    @Option(
        help: ArgumentHelp(
            "Sample format, if the file format has several (default: that of the input, if the sound is not changed)",
            valueName: "format"
        )
    )
    var sampleFormat: SampleFormat?

    @OptionGroup var network: NetworkOptions

    @OptionGroup var text: TextOptions

    @Argument(help: "Path or URL (file:, http:, https:), or - for standard input")
    var input: ListeningInput

    @Argument(help: "Path of the output; its extension selects the format")
    var output: PathArgument

    var writesJSON: Bool { false }

    func validate() throws {
        if let sampleRate { try SoundOptions.check("--sample-rate", sampleRate, SoundLimits.sampleRate) }
        if let channels, !(1...8).contains(channels) {
            throw ValidationError("--channels is \(channels), outside 1 … 8")
        }
        guard Self.formats.contains(output.path.pathExtension) else {
            let choice = Self.formats.joined(separator: ", ")
            throw ValidationError("the output's extension has to be one of \(choice): \(output.path.name)")
        }
    }

    func run(in context: CommandContext) throws(Failure) -> ExitStatus {
        let claims = try InputFiles([input]).claim([output.path])
        defer { withExtendedLifetime(claims) {} }
        // If standard input is the input, no answer can be read from it.
        if !force, !input.isStandardInput, let status = output.path.status, status.st_mode & S_IFMT == S_IFREG {
            let question = "\(output.path.name) exists. Replace it? [y/N] "
            switch Question.ask(question, in: context) {
            case nil, true?: break
            case false? where context.interruption.isRequested: return .interrupted
            case false?: throw Failure(code: .fileKept, message: "the file was not replaced", name: output.path.name)
            }
        }
        return try input.withReader(network: network.options(isHeard: false), interruption: context.interruption) {
            reader throws(Failure) in
            let source = try InputSource(reader, name: input.name, start: sound.span.start, end: sound.span.end)
            let progress = Progress(context: context, total: source.expectedCount, source: source)
            defer { progress.finish() }
            let writer = try makeWriter(for: source, reader)
            do throws(Failure) {
                let count = try copy(
                    from: try chain(behind: progress, layout: reader.info.channelLayout),
                    to: writer,
                    interruption: context.interruption
                )
                if context.interruption.isRequested {
                    writer.cancel()
                    return .interrupted
                }
                let damage = InputDamage(reader, name: input.name)
                // If nothing could be decoded, no file is written.
                if count == 0, let damage { throw damage.refusal.givingNothing }
                if self.damage.strict { try damage?.tell(context, isStrict: true) }
                try Self.telling(output.path.name) { () throws(SyrinxError) in try writer.finish() }
                try damage?.tell(context, isStrict: false)
            } catch {
                writer.cancel()
                throw error
            }
            return .success
        }
    }
}

extension RenderCommand {
    private var changesSound: Bool {
        sound.rate != 1 || sound.pitch != 0 || sound.volume != 1 || !effect.effects.isEmpty
    }

    /// Whether the samples are copied unchanged.
    private func keepsSamples(of source: InputSource) -> Bool {
        !changesSound && sampleRate ?? source.sampleRate == source.sampleRate
            && channels ?? source.channelCount == source.channelCount
    }

    /// Returns the source of the encoder: `input`, with the requested effects and conversion.
    private func chain(behind input: any FrameSource, layout: String) throws(Failure) -> any FrameSource {
        var source = input
        if changesSound {
            source = try EngineSource(
                source,
                name: self.input.name,
                rate: sound.rate,
                pitch: sound.pitch,
                algorithm: sound.algorithm.method,
                volume: sound.volume,
                effects: effect.effects,
                keepsTail: !noTail
            )
        }
        let rate = sampleRate ?? source.sampleRate
        let count = channels ?? source.channelCount
        if rate != source.sampleRate || count != source.channelCount {
            source = try ConvertedSource(
                source,
                layout: layout,
                name: self.input.name,
                sampleRate: rate,
                channelCount: count
            )
        }
        return source
    }

    /// Returns the tags for the output, without loudness tags if the sound is changed.
    private func tags(of info: MediaInfo) -> [String: String] {
        info.tags.filter { key, _ in
            let isLoudness = key.hasPrefix("replaygain_") || key.hasPrefix("r128_")
            return Self.keptTags.contains(key) || (isLoudness && !changesSound)
        }
    }

    /// Returns the chapters of the rendered part, with times at the output's rate.
    private func chapters(of info: MediaInfo) -> [MediaChapter] {
        let start = sound.span.start
        let end = sound.span.end ?? .infinity
        return info.chapters.compactMap { chapter in
            guard chapter.end > start, chapter.start < end else { return nil }
            return MediaChapter(
                start: (max(chapter.start, start) - start) / sound.rate,
                end: (min(chapter.end, end) - start) / sound.rate,
                title: chapter.title
            )
        }
    }

    private func makeWriter(for source: InputSource, _ reader: any SampleReader) throws(Failure) -> MediaWriter {
        let format: MediaSampleFormat? =
            switch sampleFormat {
            case .f32: .f32
            case .s16: .s16
            case .s24: .s24
            // Copied samples keep their bit depth. Changed samples need a higher resolution.
            case nil where keepsSamples(of: source): reader.info.bitDepth.flatMap(MediaSampleFormat.init(bitDepth:))
            case nil: nil
            }
        return try Self.telling(output.path.name) { () throws(SyrinxError) in
            try MediaWriter(
                path: output.path,
                sampleRate: sampleRate ?? source.sampleRate,
                channelCount: channels ?? source.channelCount,
                settings: MediaWriterSettings(
                    sampleFormat: format,
                    channelLayout: channels == nil ? reader.info.channelLayout : nil,
                    tags: tags(of: reader.info),
                    chapters: chapters(of: reader.info),
                    artwork: reader.artwork
                )
            )
        }
    }

    /// Writes all frames of a source, until an interruption.
    /// - Returns: The number of frames.
    private func copy(
        from source: any FrameSource,
        to writer: MediaWriter,
        interruption: Interruption
    ) throws(Failure) -> Int64 {
        let block = SampleBlock(channelCount: source.channelCount, capacity: 8192)
        var done: Int64 = 0
        while !interruption.isRequested {
            let count = try source.read(into: block)
            if count == 0 { break }
            done += Int64(count)
            try Self.telling(output.path.name) { () throws(SyrinxError) in
                try writer.write(block.channels, frameCount: count)
            }
        }
        return done
    }

    private static func telling<Result>(
        _ name: String,
        _ body: () throws(SyrinxError) -> Result
    ) throws(Failure) -> Result {
        do throws(SyrinxError) {
            return try body()
        } catch {
            let failure = Failure(error, name: name)
            // The exit codes for "not found" and "is a directory" are reserved for the input.
            let isPlace = failure.code == .fileNotFound || failure.code == .fileIsDirectory
            throw isPlace ? Failure(code: .fileWriteFailed, message: failure.message, name: name) : failure
        }
    }
}
