import AudioAnalysis
import ByteStream
import Foundation
import MediaCodec

/// What was made of an input.
struct MadeWaveform {
    enum Kind {
        case peaks(PeakWaveform)
        case decibels(DecibelWaveform)
    }

    var kind: Kind
    /// Seconds that it shows.
    var duration: Double
    /// What could not be read.
    var problem: Failure?
}

/// Makes the waveform of one input: of sound, or of a waveform that has been made before.
struct WaveformSource {
    let item: InputArgument
    let scale: WaveformScaleOptions
    let look: WaveformLookOptions
    let cache: String?
    let context: CommandContext

    /// audiowaveform's, where nothing is said.
    private static let usualZoom = 256

    /// Whether the waveform can be written as it is made: nothing needs all of it at once.
    var canStream: Bool {
        !look.decibels && cache == nil && scale.zoom != .automatic && scale.amplitudeScale != .automatic && ready == nil
    }

    /// What all values are multiplied with, if that is known before.
    var knownFactor: Double {
        if case .number(let factor) = scale.amplitudeScale { factor } else { 1 }
    }

    /// The file, if it is a waveform that has been made before.
    private var ready: (path: String, format: WaveformFormat)? {
        guard case .file(let path) = item.location, let format = WaveformFormat(path: path) else { return nil }
        return format == .dat || format == .json ? (path, format) : nil
    }

    /// Makes the waveform and writes it on the way.
    /// - Returns: What could not be read.
    func write(to stream: WaveformStream) throws(Failure) -> Failure? {
        do throws(Failure) {
            let made = try peaks(isPicture: false, stream: stream)
            guard !context.interruption.isRequested, case .peaks(let last) = made.kind else {
                stream.abandon()
                return nil
            }
            try stream.finish(last)
            return made.problem
        } catch {
            stream.abandon()
            throw error
        }
    }

    func make(for format: WaveformFormat) throws(Failure) -> MadeWaveform {
        if let (path, kept) = ready {
            guard !look.decibels else {
                throw .usage("a waveform holds no decibels: --decibels needs the sound itself", name: item.name)
            }
            return finished(try rezoomed(try read(path, kept)))
        }
        if look.decibels { return try decibels() }
        if let waveform = key.flatMap({ store?.waveform(for: $0) }) {
            return finished(MadeWaveform(kind: .peaks(waveform), duration: waveform.duration))
        }
        let made = try peaks(isPicture: format.isPicture, stream: nil)
        if made.problem == nil, let key, let store, case .peaks(let waveform) = made.kind, waveform.count > 0,
            !context.interruption.isRequested
        {
            do {
                try store.keep(waveform, for: key)
            } catch {
                throw Failure(
                    code: "file.writeFailed",
                    message: "the waveform could not be kept there",
                    name: cache ?? ""
                )
            }
        }
        return finished(made)
    }

    // MARK: Of sound

    private func peaks(isPicture: Bool, stream: WaveformStream?) throws(Failure) -> MadeWaveform {
        try item.withReader(interruption: context.interruption) { reader throws(Failure) in
            let info = reader.info
            let range = try frames(of: reader)
            let zoom = try zoom(sampleRate: info.sampleRate, range: range)
            var settings = PeakBuilder.Settings(
                sampleRate: Int(info.sampleRate),
                channelCount: info.channelCount,
                samplesPerPixel: zoom,
                mixesChannels: !scale.splitChannels,
                rounding: SampleRounding(codec: info.codec),
                measuresRMS: false
            )
            if info.channelCount == 1 { settings.mixesChannels = false }
            var limit = range.end
            // What lies beyond the right edge of a picture need not be decoded.
            if isPicture, scale.zoom != .automatic {
                limit = min(limit ?? .max, range.start + Int64(look.width) * Int64(zoom))
            }
            var builder = PeakBuilder(
                settings,
                expectedFrameCount: stream == nil
                    ? limit.map { min($0, info.frameCount ?? $0) - range.start } ?? info.frameCount : nil
            )
            let outcome = try scan(reader, from: range.start, to: limit) {
                builder.append($0, frameCount: $1)
                if let stream, builder.waveform.count >= WaveformStream.enough { stream.take(builder.takeBlocks()) }
            }
            builder.finish()
            let made = MadeWaveform(
                kind: .peaks(builder.waveform),
                duration: Double(outcome.frameCount) / info.sampleRate,
                problem: outcome.problem
            )
            return range.end == nil && scale.zoom == .automatic ? try rezoomed(made) : made
        }
    }

    private func decibels() throws(Failure) -> MadeWaveform {
        try item.withReader(interruption: context.interruption) { reader throws(Failure) in
            let info = reader.info
            let range = try frames(of: reader)
            guard let end = range.end ?? info.duration.map({ Int64($0 * info.sampleRate) }) else {
                throw .usage("its length is not known before its end: --decibels needs a file", name: item.name)
            }
            var builder = DecibelBuilder(
                totalSampleCount: max(end - range.start, 0),
                count: WaveformDrawing.levelCount(width: look.width, style: look.waveformStyle),
                noiseFloor: look.noiseFloor,
                averages: !look.noAntialias
            )
            let rounding = SampleRounding(codec: info.codec)
            let outcome = try scan(reader, from: range.start, to: range.end) {
                builder.append($0, channelCount: info.channelCount, frameCount: $1, rounding: rounding)
            }
            return MadeWaveform(
                kind: .decibels(builder.waveform),
                duration: Double(outcome.frameCount) / info.sampleRate,
                problem: outcome.problem
            )
        }
    }

    private func scan(
        _ reader: MediaReader,
        from start: Int64,
        to end: Int64?,
        _ body: (UnsafePointer<UnsafeMutablePointer<Float>>, Int) -> Void
    ) throws(Failure) -> ScanOutcome {
        reader.keepsEndPadding = scale.keepPadding
        let rate = reader.info.sampleRate
        let source = try InputSource(
            reader,
            name: item.name,
            start: Double(start) / rate,
            end: end.map { Double($0) / rate }
        )
        let progress = Progress(context: context, total: source.expectedCount, source: source, verb: "reading")
        defer { progress.finish() }
        return try InputScan.run(progress, reader: reader, name: item.name, context: context, body)
    }

    /// The frames that are asked for; the end is `nil` where it is not known.
    private func frames(of reader: MediaReader) throws(Failure) -> (start: Int64, end: Int64?) {
        let rate = reader.info.sampleRate
        let start = Int64(((scale.start?.seconds ?? 0) * rate).rounded())
        let wanted = scale.end.map { Int64(($0.seconds * rate).rounded()) }
        let needsLength = look.decibels || scale.zoom == .automatic
        var length = reader.info.frameCount
        if length == nil, needsLength, wanted == nil, reader.info.isSeekable, !item.isStandardInput {
            let stream = try item.byteStream()
            context.interruption.onRequest { stream.cancel() }
            defer { stream.cancel() }
            do throws(MediaError) {
                length = try MediaReader.countFrames(of: stream)
            } catch {
                throw Failure(error, name: item.name)
            }
        }
        guard let wanted else { return (start, needsLength ? length : nil) }
        return (start, length.map { min($0, wanted) } ?? wanted)
    }

    private func zoom(sampleRate: Double, range: (start: Int64, end: Int64?)) throws(Failure) -> Int {
        if let wanted = scale.pixelsPerSecond {
            let zoom = Int(sampleRate) / wanted
            guard zoom >= 2 else {
                throw .usage(
                    "--pixels-per-second is \(wanted), more than half of its \(Int(sampleRate)) Hz",
                    name: item.name
                )
            }
            return zoom
        }
        switch scale.zoom {
        case .number(let frames): return Int(frames)
        case .automatic:
            guard let end = range.end else { return Self.usualZoom }
            let width = Int64(look.width)
            return Int(max((end - range.start + width - 1) / width, 2))
        case nil: return Self.usualZoom
        }
    }

    // MARK: Of a waveform

    private func read(_ path: String, _ format: WaveformFormat) throws(Failure) -> MadeWaveform {
        let data: Data
        do {
            data = try Data(contentsOf: URL(fileURLWithPath: path))
        } catch {
            // The stream finds the reason, and says it as for every other input.
            _ = try item.byteStream()
            throw Failure(code: "file.readFailed", message: "it cannot be read", name: item.name)
        }
        let waveform: PeakWaveform
        do throws(AnalysisError) {
            waveform = format == .dat ? try PeakWaveform(datFile: data) : try PeakWaveform(jsonFile: data)
        } catch {
            throw Failure(error, name: item.name)
        }
        let perSecond = Double(waveform.sampleRate) / Double(waveform.samplesPerPixel)
        let first = Int((scale.start?.seconds ?? 0) * perSecond)
        let last = scale.end.map { Int(($0.seconds * perSecond).rounded(.up)) } ?? waveform.count
        let part = waveform.blocks(
            min(first, waveform.count)..<max(min(last, waveform.count), min(first, waveform.count))
        )
        return MadeWaveform(kind: .peaks(part), duration: part.duration)
    }

    private func rezoomed(_ made: MadeWaveform) throws(Failure) -> MadeWaveform {
        guard case .peaks(let waveform) = made.kind else { return made }
        var zoom = waveform.samplesPerPixel
        switch scale.zoom {
        case .number(let frames): zoom = Int(frames)
        case .automatic: zoom *= max((waveform.count + look.width - 1) / look.width, 1)
        case nil: if let wanted = scale.pixelsPerSecond { zoom = waveform.sampleRate / wanted }
        }
        do throws(AnalysisError) {
            var result = made
            result.kind = .peaks(try waveform.rescaled(to: zoom))
            return result
        } catch {
            throw Failure(error, name: item.name)
        }
    }

    private func finished(_ made: MadeWaveform) -> MadeWaveform {
        guard case .peaks(let waveform) = made.kind, let amplitude = scale.amplitudeScale else { return made }
        let factor = if case .number(let factor) = amplitude { factor } else { waveform.automaticScale }
        var result = made
        result.kind = .peaks(waveform.scaled(by: factor))
        return result
    }

    // MARK: Kept ones

    private var store: WaveformCache? { cache.map { WaveformCache(directory: URL(fileURLWithPath: $0)) } }

    /// Only files have something by which to tell that they are unchanged, before they are read.
    private var key: WaveformCache.Key? {
        guard cache != nil, case .file(let path) = item.location else { return nil }
        let zoom: String =
            switch scale.zoom {
            case .automatic: "auto \(look.width)"
            case .number(let frames): "\(Int(frames))"
            case nil: scale.pixelsPerSecond.map { "pps \($0)" } ?? "\(Self.usualZoom)"
            }
        let span = "\(scale.start?.seconds ?? 0) \(scale.end.map { "\($0.seconds)" } ?? "end") \(look.width)"
        let settings = "zoom \(zoom), span \(span), split \(scale.splitChannels), padding \(scale.keepPadding)"
        return WaveformCache.Key(filePath: path, settings: settings)
    }
}
