internal import CSyrinxFFmpeg
package import CoreAudioTypes
package import SyrinxByteStream

/// Writes float samples to a file, in the format that the ending of its name or its settings say.
///
/// `wav`, `flac`, `aiff`, `caf`, `m4a` (AAC), `mp3`, `ogg` (Vorbis) and `opus`. The file appears when `finish()` has
/// succeeded; cancelled, failed or let go before that, it leaves nothing, and an older file of that name stays. Written in
/// place (`MediaWriterSettings.isInPlace`) it is there from the beginning, and keeps what has been written. The same samples
/// give the same bytes. One thread at a time, and one that may wait.
package final class MediaWriter {
    /// The final path of the file; one that is not UTF-8 as its `file:` URL.
    package let path: String
    /// Frames per second in the file: the ones asked for, or the nearest that the format has, to which it then converts.
    package let sampleRate: Double
    /// Channels.
    package let channelCount: Int
    /// The sound in the file in the words of Core Audio.
    package var streamDescription: AudioStreamBasicDescription { encoder.streamDescription }
    /// Frames given to `write` so far.
    package private(set) var frameCount: Int64 = 0

    private let output: AVIOOutputFile
    private let encoder: MuxingEncoder
    private let converter: Resampler?
    private let chunk: PlanarBuffer
    private var queued = 0
    private var isOpen = true

    /// Opens a file for writing.
    /// - Parameters:
    ///   - path: Its ending chooses the format, unless `settings` does.
    ///   - sampleRate: Frames per second of what will be written, rounded to whole ones.
    ///   - channelCount: Of what will be written.
    ///   - settings: How it is stored, and what it is called.
    /// - Throws: `.unsupported` if the format, or these samples in it, cannot be written, and the errors of opening a file.
    package convenience init(
        path: String,
        sampleRate: Double,
        channelCount: Int,
        settings: MediaWriterSettings
    ) throws(SyrinxError) {
        try self.init(path: FilePath(path), sampleRate: sampleRate, channelCount: channelCount, settings: settings)
    }

    /// Opens a file for writing, at a path of any bytes.
    /// - Throws: As for a path that is text.
    package init(
        path: FilePath,
        sampleRate: Double,
        channelCount: Int,
        settings: MediaWriterSettings
    ) throws(SyrinxError) {
        av_log_set_level(AV_LOG_QUIET)
        let plan = try Self.plan(path, settings)
        guard (1...768_000).contains(sampleRate), (1...64).contains(channelCount) else {
            let message = "\(channelCount) channels at \(sampleRate) Hz cannot be written."
            throw SyrinxError(.unsupported, message, name: path.name)
        }
        self.path = path.name
        self.channelCount = channelCount
        output = try AVIOOutputFile(path: path, isInPlace: settings.isInPlace)
        encoder = try MuxingEncoder(
            plan: plan,
            output: output,
            sampleRate: Int32(clamped: sampleRate.rounded()),
            channelCount: channelCount,
            settings: settings
        )
        self.sampleRate = Double(encoder.sampleRate)
        converter =
            self.sampleRate == sampleRate.rounded()
            ? nil
            : try Resampler(from: (sampleRate, channelCount), to: (self.sampleRate, channelCount))
        chunk = PlanarBuffer(channelCount: channelCount, capacity: encoder.frameSize)
    }

    /// Opens a file for writing, in the way that is usual for the ending of its name.
    /// - Parameters:
    ///   - path: Its ending chooses the format.
    ///   - sampleRate: Frames per second of what will be written, rounded to whole ones.
    ///   - channelCount: Of what will be written.
    ///   - sampleFormat: As in `MediaWriterSettings`.
    ///   - bitRate: Bits per second, for the formats that lose something.
    ///   - tags: `title`, `artist`, `album` and so on.
    /// - Throws: `.unsupported` if the format, or these samples in it, cannot be written, and the errors of opening a file.
    package convenience init(
        path: String,
        sampleRate: Double,
        channelCount: Int,
        sampleFormat: MediaSampleFormat? = nil,
        bitRate: Int? = nil,
        tags: [String: String] = [:]
    ) throws(SyrinxError) {
        let settings = MediaWriterSettings(sampleFormat: sampleFormat, bitRate: bitRate, tags: tags)
        try self.init(path: path, sampleRate: sampleRate, channelCount: channelCount, settings: settings)
    }

    private static func plan(_ path: FilePath, _ settings: MediaWriterSettings) throws(SyrinxError)
        -> EncoderConfiguration
    {
        let ending = settings.container?.lowercased() ?? path.pathExtension
        guard let container = OutputContainer.named(ending), !container.codecs.isEmpty else {
            let endings = OutputContainer.endings
            let known = endings.dropLast().joined(separator: ", ") + " or " + (endings.last ?? "")
            let message =
                ending.isEmpty ? "Its name has no ending: \(known)." : "No .\(ending) can be written: \(known)."
            throw SyrinxError(.unsupported, message, name: path.name)
        }
        guard let plan = EncoderConfiguration.plan(for: container, settings.codec, settings.sampleFormat) else {
            let what = [settings.codec?.rawValue, settings.sampleFormat.map { "samples of the form \($0.rawValue)" }]
            let message = "A .\(ending) file cannot hold \(what.compactMap(\.self).joined(separator: " with "))."
            throw SyrinxError(.unsupported, message, name: path.name)
        }
        return plan
    }

    /// Writes the next samples, one pointer for each channel.
    ///
    /// Beyond full scale they are clipped where the format has no room for more.
    /// - Throws: `.fileWriteFailed`, `.encodeFailed`; the file is then given up. `.finished` if it was ended before.
    package func write(
        _ channels: UnsafePointer<UnsafeMutablePointer<Float>>,
        frameCount: Int
    ) throws(SyrinxError) {
        try checkOpen()
        do throws(SyrinxError) {
            if let converter {
                try converter.push(channels, frameCount: frameCount) { () throws(SyrinxError) in
                    try takeConverted(converter)
                }
            } else {
                try take(channels, frameCount)
            }
        } catch {
            cancel()
            throw error
        }
        self.frameCount += Int64(max(frameCount, 0))
    }

    /// Has a file that is written in place hold what has been written so far.
    ///
    /// Uncompressed sound in `wav`, `aiff` and `caf` then holds every frame, and its header says so: the file is whole, whatever
    /// becomes of the process. FLAC, MP3 and Ogg hold what their encoders have given out, and can be read that far. M4A, and
    /// Apple Lossless in `caf`, need an index that is written by `finish()`, and cannot be read before.
    /// - Throws: As `write` does.
    package func flush() throws(SyrinxError) {
        try checkOpen()
        do throws(SyrinxError) {
            if queued > 0, encoder.takesAnyCount {
                try encoder.encode(chunk.channels, count: queued)
                queued = 0
            }
            try encoder.flush()
        } catch {
            cancel()
            throw error
        }
    }

    /// Writes what is left, and puts the file in its place.
    /// - Throws: As `write` does, and then there is no file, or the unfinished one if it is written in place.
    package func finish() throws(SyrinxError) {
        try checkOpen()
        do throws(SyrinxError) {
            if let converter {
                try converter.finish()
                try takeConverted(converter)
            }
            if queued > 0 { try encoder.encode(chunk.channels, count: queued) }
            try encoder.finish()
            try output.commit()
        } catch {
            cancel()
            throw error
        }
        isOpen = false
    }

    /// Gives the file up, and leaves nothing of it, unless it is written in place: that is then left unfinished.
    ///
    /// After `finish()` it does nothing.
    package func cancel() {
        guard isOpen else { return }
        isOpen = false
        output.abandon()
    }

    private func checkOpen() throws(SyrinxError) {
        guard isOpen else { throw SyrinxError(.finished, "It has been finished or given up before.", name: path) }
    }

    /// Collects what the encoder takes at once.
    private func take(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, _ frameCount: Int) throws(SyrinxError) {
        var done = 0
        while done < frameCount {
            let count = min(frameCount - done, chunk.capacity - queued)
            for channel in 0..<channelCount {
                (chunk.channels[channel] + queued).update(from: channels[channel] + done, count: count)
            }
            done += count
            queued += count
            guard queued == chunk.capacity else { continue }
            try encoder.encode(chunk.channels, count: queued)
            queued = 0
        }
    }

    private func takeConverted(_ converter: Resampler) throws(SyrinxError) {
        let made = PlanarBuffer(channelCount: channelCount, capacity: 4096)
        while case let count = converter.pull(into: made.channels, frameCount: made.capacity), count > 0 {
            try take(made.channels, count)
        }
    }
}
