internal import CoreAudioTypes
internal import Foundation
internal import SyrinxByteStream
internal import SyrinxMediaCodec

/// The writing part of `AVAudioFile`.
///
/// One thread at a time.
final class AudioFileWriting {
    let fileFormat: AVAudioFormat
    let processingFormat: AVAudioFormat
    private(set) var frameCount: Int64 = 0

    private let writer: MediaWriter
    private let form: PCMLayout
    private let scratch: FloatPlanes<Float>

    private static let scratchFrames = 4096

    init(
        url: URL,
        settings: [String: Any],
        common: (format: AVAudioCommonFormat, isInterleaved: Bool)
    ) throws {
        guard let wanted = AVAudioFormat(settings: settings), let layout = wanted.channelLayout else {
            let message =
                "The settings need \(AVSampleRateKey), \(AVNumberOfChannelsKey), and a supported bit depth."
            throw AVAudioFileError(.badSettings, message, url)
        }
        let plan = AudioFileSettings(settings, url: url)
        processingFormat = AVAudioFormat(
            commonFormat: common.format,
            sampleRate: wanted.sampleRate,
            interleaved: common.isInterleaved,
            channelLayout: layout
        )
        guard let form = PCMLayout(processingFormat.streamDescription.pointee) else {
            throw AVAudioFileError(.badSettings, "The processing format must be one of the common formats.", url)
        }
        self.form = form
        var writerSettings = try plan.writerSettings()
        writerSettings.channelLayout = ChannelLayoutNames.name(of: layout)
        writerSettings.isInPlace = true
        do throws(SyrinxError) {
            writer = try MediaWriter(
                path: FilePath(url) ?? FilePath(url.path),
                sampleRate: wanted.sampleRate,
                channelCount: Int(wanted.channelCount),
                settings: writerSettings
            )
        } catch {
            throw AVAudioFileError(error, url)
        }
        var description = writer.streamDescription
        fileFormat = AVAudioFormat(streamDescription: &description, channelLayout: layout) ?? wanted
        scratch = FloatPlanes(channelCount: Int(wanted.channelCount), capacity: Self.scratchFrames)
    }

    func write(_ buffer: AVAudioPCMBuffer) throws(SyrinxError) {
        let count = Int(buffer.frameLength)
        if processingFormat.isStandard, let channels = buffer.floatChannelData {
            try writer.write(channels, frameCount: count)
        } else {
            var done = 0
            while done < count {
                let part = min(count - done, scratch.capacity)
                form.load(buffer.list, from: done, count: part, into: UnsafePointer(scratch.channels), at: 0)
                try writer.write(scratch.channels, frameCount: part)
                done += part
            }
        }
        try writer.flush()
        frameCount += Int64(count)
    }

    func finish() throws(SyrinxError) { try writer.finish() }
}

/// The settings of a new file in the words of the encoder.
struct AudioFileSettings {
    private let values: SettingValues
    private let url: URL

    init(_ settings: [String: Any], url: URL) {
        values = SettingValues(settings)
        self.url = url
    }

    func writerSettings() throws(AVAudioFileError) -> MediaWriterSettings {
        guard let container else {
            let message = "Neither its extension nor \(AVAudioFileTypeKey) selects a supported file type."
            throw AVAudioFileError(.badSettings, message, url)
        }
        var settings = MediaWriterSettings(container: container)
        settings.codec = try codec(in: container)
        switch settings.codec {
        case .pcm: settings.sampleFormat = try pcmFormat()
        case .alac, .flac:
            settings.sampleFormat = values.number(AVEncoderBitDepthHintKey).map { $0 <= 16 } ?? false ? .s16 : .s24
        default: settings.bitRate = bitRate
        }
        return settings
    }

    /// By `AudioFileTypeID`, as in `AudioFile.h`.
    private static let types: [String: String] = [
        "WAVE": "wav", "RF64": "wav", "AIFF": "aiff", "AIFC": "aiff", "caff": "caf", "m4af": "m4a", "mp4f": "m4a",
        "flac": "flac", "MPG3": "mp3", "Oggf": "ogg",
    ]

    private var container: String? {
        if let type = values.identifier(AVAudioFileTypeKey) { return Self.types[Self.text(type)] }
        let ending = FilePath(url)?.pathExtension ?? url.pathExtension.lowercased()
        let others = ["wave": "wav", "mp4": "m4a", "m4b": "m4a", "m4r": "m4a", "oga": "ogg", "aifc": "aiff"]
        return others[ending] ?? (ending.isEmpty ? nil : ending)
    }

    private func codec(in container: String) throws(AVAudioFileError) -> MediaCodecName? {
        guard let format = values.identifier(AVFormatIDKey) else {
            return OutputContainer.named(container)?.codecs.first == .pcm ? .pcm : nil
        }
        switch format {
        case kAudioFormatLinearPCM: return .pcm
        case kAudioFormatMPEG4AAC: return .aac
        case kAudioFormatAppleLossless: return .alac
        case kAudioFormatFLAC: return .flac
        case kAudioFormatMPEGLayer3: return .mp3
        case kAudioFormatOpus: return .opus
        case FourCharCode(0x766F_7262): return .vorbis
        default:
            throw AVAudioFileError(.badSettings, "There is no encoder for the format '\(Self.text(format))'.", url)
        }
    }

    private func pcmFormat() throws(AVAudioFileError) -> MediaSampleFormat {
        let isFloat = values.flag(AVLinearPCMIsFloatKey)
        switch (values.number(AVLinearPCMBitDepthKey) ?? (isFloat ? 32 : 16), isFloat) {
        case (16, false): return .s16
        case (24, false): return .s24
        case (32, false): return .s32
        case (32, true): return .f32
        case (64, true): return .f64
        default: throw AVAudioFileError(.badSettings, "This bit depth cannot be written.", url)
        }
    }

    private var bitRate: Int? {
        let channels = values.number(AVNumberOfChannelsKey) ?? 1
        if let rate = values.number(AVEncoderBitRateKey) { return Int(exactly: rate.rounded()) }
        if let rate = values.number(AVEncoderBitRatePerChannelKey) { return Int(exactly: (rate * channels).rounded()) }
        // From half of the default bit rate at minimum quality to a third above it at maximum quality.
        guard let quality = values.number(AVEncoderAudioQualityKey) else { return nil }
        let steps: [(AVAudioQuality, Double)] = [(.max, 128_000), (.high, 96_000), (.medium, 80_000), (.low, 64_000)]
        let perChannel = steps.first { quality >= Double($0.0.rawValue) }?.1 ?? 48_000
        return Int(exactly: (perChannel * channels).rounded())
    }

    private static func text(_ code: UInt32) -> String {
        String(decoding: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: code >> $0) }, as: UTF8.self)
    }
}
