internal import CSyrinxFFmpeg
package import CoreAudioTypes
package import SyrinxByteStream

/// Encodes float samples to a file in the format of its extension or of its settings.
///
/// The extensions are `wav`, `flac`, `aiff`, `caf`, `m4a` (AAC), `mp3`, `ogg` (Vorbis) and `opus`. The same samples
/// give the same bytes.
///
/// The file appears when `finish()` succeeds. If writing fails or is cancelled, no file is created and an existing file
/// is kept. With `MediaWriterSettings.isInPlace`, the file exists from the start and keeps the data written so far.
///
/// Use a writer from one thread at a time, and not from a thread that must not block.
package final class MediaWriter {
    /// The final path of the file, as a `file:` URL if the path is not UTF-8.
    package let path: String
    /// The sample rate of the file, in hertz.
    ///
    /// It is the requested rate, or the nearest one that the format supports. Samples are then converted.
    package let sampleRate: Double
    /// The number of channels.
    package let channelCount: Int
    /// The format of the sound in the file, as Core Audio describes it.
    package var streamDescription: AudioStreamBasicDescription { encoder.streamDescription }
    /// The number of frames passed to `write` so far.
    package private(set) var frameCount: Int64 = 0

    private let output: AVIOOutputFile
    private let encoder: MuxingEncoder
    private let converter: Resampler?
    private let chunk: PlanarBuffer
    private var queued = 0
    private var isOpen = true

    /// Opens a file for writing.
    /// - Parameters:
    ///   - path: The path of the file. Its extension selects the format, unless `settings` does.
    ///   - sampleRate: The sample rate of the samples to write, rounded to an integer.
    ///   - channelCount: The number of channels of the samples to write.
    ///   - settings: The encoding, tags, chapters and cover.
    /// - Throws: `.unsupported` if the format or the samples are not supported, or an error of opening the file.
    package convenience init(
        path: String,
        sampleRate: Double,
        channelCount: Int,
        settings: MediaWriterSettings
    ) throws(SyrinxError) {
        try self.init(path: FilePath(path), sampleRate: sampleRate, channelCount: channelCount, settings: settings)
    }

    /// Opens a file for writing at a path that need not be UTF-8.
    /// - Throws: The same errors as for a text path.
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

    /// Opens a file for writing, with the default codec of its extension.
    /// - Parameters:
    ///   - path: The path of the file. Its extension selects the format.
    ///   - sampleRate: The sample rate of the samples to write, rounded to an integer.
    ///   - channelCount: The number of channels of the samples to write.
    ///   - sampleFormat: The sample format, as in `MediaWriterSettings`.
    ///   - bitRate: The bit rate of lossy codecs, in bits per second.
    ///   - tags: The tags, for example `title`, `artist` and `album`.
    /// - Throws: `.unsupported` if the format or the samples are not supported, or an error of opening the file.
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
                ending.isEmpty ? "Its name has no extension: \(known)." : "No .\(ending) can be written: \(known)."
            throw SyrinxError(.unsupported, message, name: path.name)
        }
        guard let plan = EncoderConfiguration.plan(for: container, settings.codec, settings.sampleFormat) else {
            let what = [settings.codec?.rawValue, settings.sampleFormat.map { "samples of the form \($0.rawValue)" }]
            let message = "A .\(ending) file cannot hold \(what.compactMap(\.self).joined(separator: " with "))."
            throw SyrinxError(.unsupported, message, name: path.name)
        }
        return plan
    }

    /// Writes the next samples, one pointer per channel.
    ///
    /// Samples beyond full scale are clipped if the format cannot represent them.
    /// - Throws: `.fileWriteFailed` or `.encodeFailed`, after which the file is abandoned, or `.finished` if the file
    ///   was ended.
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

    /// Makes a file that is written in place contain all data written so far.
    ///
    /// Uncompressed sound in `wav`, `aiff` and `caf` is then complete, including its header. FLAC, MP3 and Ogg contain
    /// the output of the encoder so far. M4A, and Apple Lossless in `caf`, cannot be read before `finish()` has written
    /// their index.
    /// - Throws: The same errors as `write`.
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

    /// Writes the remaining data and moves the file to its final path.
    /// - Throws: The same errors as `write`. Then no file is created, but a file written in place stays unfinished.
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

    /// Cancels writing and deletes the data, but leaves a file written in place unfinished.
    ///
    /// It has no effect after `finish()`.
    package func cancel() {
        guard isOpen else { return }
        isOpen = false
        output.abandon()
    }

    private func checkOpen() throws(SyrinxError) {
        guard isOpen else { throw SyrinxError(.finished, "It has already been finished or cancelled.", name: path) }
    }

    /// Buffers samples until there are enough for the encoder.
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
