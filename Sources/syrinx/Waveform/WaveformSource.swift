import Foundation
import SyrinxAnalysis
import SyrinxByteStream
import SyrinxHTTPStream
import SyrinxListening
import SyrinxMediaCodec
import SyrinxStreaming

/// The waveform of an input.
struct ComputedWaveform {
    enum Kind {
        /// Blocks, and the factor for their values.
        case peaks(WaveformSpool, factor: Double)
        case decibels(DecibelWaveform)
    }

    var kind: Kind
    /// The duration of the waveform, in seconds.
    var duration: Double
    /// The number of bits per value, if the waveform was read from a file.
    var bits: WaveformBits?
    /// The error of reading a part of the input; `nil` if there was none.
    var problem: Failure?
    /// Whether the input is complete and undamaged, as far as it is known.
    var isWhole = true
}

/// Computes the waveform of one input, which is audio or an existing waveform file.
struct WaveformSource {
    let item: ListeningInput
    let options: WaveformInputOptions
    let scale: WaveformScaleOptions
    let look: WaveformLookOptions
    let cache: FilePath?
    /// Whether damage is an error.
    let isStrict: Bool
    /// The folder for data that do not fit into memory.
    let folder: FilePath
    /// The options for network requests.
    let network: HTTPByteStream.Options
    let context: CommandContext

    /// The default number of frames per pixel, as in audiowaveform.
    private static let usualZoom = 256
    /// The maximum number of frames per pixel in the header of a `dat` file.
    private static let greatestZoom = Int(Int32.max)

    /// The default noise floor, in dBFS.
    private static let usualNoiseFloor = -70.0

    /// The maximum size of a waveform file in bytes, larger than that of a day of stereo audio as JSON.
    private static let largestFile = 512 << 20

    /// The format of an existing waveform file; `nil` if the input is audio.
    private var ready: WaveformFormat? {
        switch options.kind {
        case .waveform(let format): return format
        case .sound: return nil
        case nil:
            guard case .file(let path) = item.location else { return nil }
            let format = WaveformFormat(path: path)
            return format == .dat || format == .json ? format : nil
        }
    }

    func make(for format: WaveformFormat) throws(Failure) -> ComputedWaveform {
        if let kept = ready {
            guard !look.decibels else {
                throw .usage("a waveform contains no decibels: --decibels needs a recording as input", name: item.name)
            }
            return finished(try rezoomed(try read(kept)))
        }
        if look.decibels {
            return try item.withStream(network: network, interruption: context.interruption) { stream throws(Failure) in
                try decibels(of: stream)
            }
        }
        return try item.withStream(network: network, interruption: context.interruption) { stream throws(Failure) in
            let key = try key(of: stream, isPicture: format.isPicture)
            if let kept = try key.flatMap({ (key) throws(Failure) in try found(key) }) { return finished(kept) }
            let made = try peaks(of: stream, isPicture: format.isPicture)
            if made.isWhole, let key, !context.interruption.isRequested { try keep(made, key) }
            return finished(made)
        }
    }

    // MARK: From audio

    private func peaks(of stream: any ByteStream, isPicture: Bool) throws(Failure) -> ComputedWaveform {
        let reader = try item.reader(of: stream, raw: options.raw, roundsIntegersDown: true)
        let info = reader.info
        let range = try frames(of: reader)
        let rate = AnalysisRate(info)
        let zoom = try zoom(sampleRate: rate.value, length: range.end.map { rate.frames($0 - range.start) })
        var settings = PeakBuilder.Settings(
            sampleRate: Int(clamped: rate.value),
            channelCount: info.channelCount,
            samplesPerPixel: zoom,
            mixesChannels: !scale.splitChannels,
            rounding: SampleRounding(codec: info.codec),
            measuresRMS: false
        )
        if info.channelCount == 1 { settings.mixesChannels = false }
        var limit = range.end
        // Audio beyond the right edge of a picture need not be decoded.
        if isPicture, scale.zoom != .automatic {
            limit = min(
                limit ?? .max,
                range.start.addingClamped(rate.inputFrames(Int64(look.width).multipliedClamped(by: Int64(zoom))))
            )
        }
        var builder = PeakBuilder(settings)
        let spool = WaveformSpool(like: builder.waveform, folder: folder)
        let outcome = try scan(reader, from: range.start, to: limit, at: rate.value) {
            builder.append($0, frameCount: $1)
            if builder.waveform.count >= WaveformSpool.pieceSize { spool.take(builder.takeBlocks()) }
        }
        builder.finish()
        spool.take(builder.takeBlocks())
        try spool.check()
        let made = ComputedWaveform(
            kind: .peaks(spool, factor: 1),
            duration: Double(outcome.frameCount) / rate.value,
            problem: outcome.problem,
            isWhole: outcome.isWhole
        )
        return range.end == nil && scale.zoom == .automatic ? try rezoomed(made) : made
    }

    private func decibels(of stream: any ByteStream) throws(Failure) -> ComputedWaveform {
        let reader = try item.reader(of: stream, raw: options.raw, roundsIntegersDown: true)
        let info = reader.info
        let range = try frames(of: reader)
        // The requested end may be beyond the end of a pipe, so the length is unknown.
        let isKnown = range.end != nil && (info.frameCount != nil || scale.end == nil)
        var builder = DecibelBuilder(
            totalSampleCount: isKnown ? range.end.map { max($0.subtractingClamped(range.start), 0) } : nil,
            count: WaveformDrawing.levelCount(width: look.width, style: look.waveformStyle),
            noiseFloor: look.noiseFloor ?? Self.usualNoiseFloor,
            averages: !look.noAntialias
        )
        let rounding = SampleRounding(codec: info.codec)
        let outcome = try scan(reader, from: range.start, to: range.end) {
            builder.append($0, channelCount: info.channelCount, frameCount: $1, rounding: rounding)
        }
        builder.finish()
        return ComputedWaveform(
            kind: .decibels(builder.waveform),
            duration: Double(outcome.frameCount) / info.sampleRate,
            problem: outcome.problem,
            isWhole: outcome.isWhole
        )
    }

    private func scan(
        _ reader: any SampleReader,
        from start: Int64,
        to end: Int64?,
        at sampleRate: Double? = nil,
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
        let progress = Progress(
            context: context,
            total: source.expectedCount,
            source: source,
            verb: "reading",
            isQuiet: options.quiet
        )
        defer { progress.finish() }
        var frames: any FrameSource = progress
        if let sampleRate, sampleRate != rate {
            frames = try ConvertedSource(
                frames,
                layout: reader.info.channelLayout,
                name: item.name,
                sampleRate: sampleRate,
                channelCount: frames.channelCount
            )
        }
        return try InputScan.run(
            frames,
            reader: reader,
            name: item.name,
            context: context,
            isStrict: isStrict,
            body
        )
    }

    /// Returns the requested frames; the end is `nil` if it is unknown.
    private func frames(of reader: any SampleReader) throws(Failure) -> (start: Int64, end: Int64?) {
        let rate = reader.info.sampleRate
        let start = Int64(clamped: ((scale.start?.seconds ?? 0) * rate).rounded())
        let wanted = scale.end.map { Int64(clamped: ($0.seconds * rate).rounded()) }
        let needsLength = look.decibels || scale.zoom == .automatic
        var length = reader.info.frameCount
        if length == nil, needsLength, wanted == nil, reader.info.isSeekable, !item.isStandardInput {
            let stream = try item.byteStream(network: network)
            context.interruption.onRequest { stream.cancel() }
            defer { stream.cancel() }
            do throws(SyrinxError) {
                length = try item.streamingInput.countFrames(of: stream)
            } catch {
                throw Failure(error, name: item.name)
            }
        }
        guard let wanted else { return (start, needsLength ? length : nil) }
        return (start, length.map { min($0, wanted) } ?? wanted)
    }

    /// - Parameter length: The number of requested frames, if it is known.
    private func zoom(sampleRate: Double, length: Int64?) throws(Failure) -> Int {
        if let wanted = scale.pixelsPerSecond {
            let zoom = Int(clamped: sampleRate) / wanted
            guard zoom >= 2 else {
                throw .usage(
                    "--pixels-per-second is \(wanted), more than half of its \(Int(clamped: sampleRate)) Hz",
                    name: item.name
                )
            }
            return zoom
        }
        switch scale.zoom {
        case .number(let frames): return Int(clamped: frames)
        case .automatic:
            guard let length else { return Self.usualZoom }
            let zoom = max(length, 0).dividedRoundingUp(by: Int64(look.width))
            return Int(clamping: min(max(zoom, 2), Int64(Self.greatestZoom)))
        case nil:
            guard let zoom = zoomToEnd(sampleRate: sampleRate) else { return Self.usualZoom }
            guard zoom >= 2 else {
                let message =
                    "up to --end there are not 2 frames for each of \(look.width) pixels: choose a smaller --width"
                throw .usage(message, name: item.name)
            }
            return zoom
        }
    }

    /// The maximum number of frames per pixel that is computed.
    private static let largestZoom = 1e9

    /// Returns the number of frames per pixel at which the part up to `--end` fills the width, as in audiowaveform.
    private func zoomToEnd(sampleRate: Double) -> Int? {
        guard let end = scale.end else { return nil }
        let frames = ((end.seconds - (scale.start?.seconds ?? 0)) * sampleRate).rounded(.down)
        return Int(clamped: min((frames / Double(look.width)).rounded(.down), Self.largestZoom))
    }

    // MARK: From a waveform file

    private func read(_ format: WaveformFormat) throws(Failure) -> ComputedWaveform {
        let data = Data(
            try item.bytes(limit: Self.largestFile, network: network, interruption: context.interruption)
        )
        let (waveform, bits): (PeakWaveform, WaveformBits)
        do throws(AnalysisError) {
            (waveform, bits) =
                format == .dat ? try PeakWaveform.read(datFile: data) : try PeakWaveform.read(jsonFile: data)
        } catch {
            throw Failure(error, name: item.name)
        }
        let perSecond = Double(waveform.sampleRate) / Double(waveform.samplesPerPixel)
        let first = Int(clamped: (scale.start?.seconds ?? 0) * perSecond)
        let last = scale.end.map { Int(clamped: ($0.seconds * perSecond).rounded(.up)) } ?? waveform.count
        let part = waveform.blocks(
            min(first, waveform.count)..<max(min(last, waveform.count), min(first, waveform.count))
        )
        let spool = WaveformSpool(like: part, folder: folder)
        spool.take(part)
        return ComputedWaveform(kind: .peaks(spool, factor: 1), duration: part.duration, bits: bits)
    }

    private func rezoomed(_ made: ComputedWaveform) throws(Failure) -> ComputedWaveform {
        guard case .peaks(let spool, let factor) = made.kind else { return made }
        var zoom = spool.empty.samplesPerPixel
        switch scale.zoom {
        case .number(let frames): zoom = Int(clamped: frames)
        case .automatic: zoom = zoom.multipliedClamped(by: max(spool.count.dividedRoundingUp(by: look.width), 1))
        case nil:
            if let wanted = scale.pixelsPerSecond {
                zoom = spool.empty.sampleRate / wanted
            } else if let wanted = zoomToEnd(sampleRate: Double(spool.empty.sampleRate)) {
                // A waveform can only be made coarser.
                zoom = max(wanted, zoom)
            }
        }
        if zoom == spool.empty.samplesPerPixel { return made }
        guard zoom <= Self.greatestZoom else {
            let message = "a pixel would have \(zoom) samples, but formats support at most \(Self.greatestZoom)"
            throw Failure(code: .unsupported, message: message, name: item.name)
        }
        var rescaler: PeakRescaler
        do throws(AnalysisError) {
            rescaler = try PeakRescaler(from: spool.empty, to: zoom)
        } catch {
            throw Failure(error, name: item.name)
        }
        let coarse = WaveformSpool(like: rescaler.append(spool.empty), folder: folder)
        try spool.forEachPiece { piece throws(Failure) in coarse.take(rescaler.append(piece)) }
        coarse.take(rescaler.finish())
        try coarse.check()
        var result = made
        result.kind = .peaks(coarse, factor: factor)
        return result
    }

    private func finished(_ made: ComputedWaveform) -> ComputedWaveform {
        guard case .peaks(let spool, _) = made.kind, let amplitude = scale.amplitudeScale else { return made }
        let loudest = PeakWaveform(
            sampleRate: 1,
            samplesPerPixel: 1,
            channelCount: 1,
            values: [spool.extent.low, spool.extent.high]
        )
        let factor = if case .number(let factor) = amplitude { factor } else { loudest.automaticScale }
        var result = made
        result.kind = .peaks(spool, factor: factor)
        return result
    }

    // MARK: Cache

    private var store: WaveformCache? { cache.map { WaveformCache(directory: $0.url) } }

    private func found(_ key: WaveformCache.Key) throws(Failure) -> ComputedWaveform? {
        var spool: WaveformSpool?
        let frameCount = store?.read(for: key) { piece throws(Never) in
            if spool == nil { spool = WaveformSpool(like: piece, folder: folder) }
            spool?.take(piece)
        }
        guard let frameCount, let spool else { return nil }
        try spool.check()
        let duration = Double(frameCount) / Double(spool.empty.sampleRate)
        return ComputedWaveform(kind: .peaks(spool, factor: 1), duration: duration)
    }

    private func keep(_ made: ComputedWaveform, _ key: WaveformCache.Key) throws(Failure) {
        guard let store, case .peaks(let spool, _) = made.kind, spool.count > 0 else { return }
        let frameCount = Int64(clamped: (made.duration * Double(spool.empty.sampleRate)).rounded())
        do {
            try store.keep(like: spool.empty, frameCount: frameCount, for: key) { write in
                for start in stride(from: 0, to: spool.count, by: WaveformSpool.pieceSize) {
                    try write(try spool.blocks(start..<min(start + WaveformSpool.pieceSize, spool.count)))
                }
            }
        } catch {
            throw Failure(
                code: .fileWriteFailed,
                message: "the waveform could not be stored there",
                name: cache?.name ?? ""
            )
        }
    }

    /// Returns the cache key of the waveform; `nil` if changes of the input could not be detected.
    private func key(of stream: any ByteStream, isPicture: Bool) throws(Failure) -> WaveformCache.Key? {
        guard cache != nil else { return nil }
        let zoom: String =
            switch scale.zoom {
            case .automatic: "auto \(look.width)"
            case .number(let frames): "\(Int(clamped: frames))"
            case nil:
                scale.pixelsPerSecond.map { "pps \($0)" }
                    ?? (scale.end == nil ? "\(Self.usualZoom)" : "fit \(look.width)")
            }
        var span = "\(scale.start?.seconds ?? 0) \(scale.end.map { "\($0.seconds)" } ?? "end")"
        if isPicture, scale.zoom != .automatic { span += " \(look.width)" }
        var settings = "zoom \(zoom), span \(span), split \(scale.splitChannels), padding \(scale.keepPadding)"
        if let raw = options.raw {
            settings += ", raw \(raw.encoding) \(raw.sampleRate) \(raw.channelCount)"
        }
        switch item.location {
        case .file(let path): return WaveformCache.Key(path: path, settings: settings)
        case .web(let location): return try key(of: stream, location.url, settings)
        case .standardInput: return nil
        }
    }

    private func key(of stream: any ByteStream, _ url: URL, _ settings: String) throws(Failure) -> WaveformCache.Key? {
        guard let stream = stream as? HTTPByteStream else { return nil }
        do throws(SyrinxError) {
            try stream.waitForResponse()
        } catch {
            throw Failure(error, name: item.name)
        }
        return stream.validator.map { WaveformCache.Key(source: stream.name, validator: $0, settings: settings) }
    }
}
