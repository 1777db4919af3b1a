internal import AVFAudio
internal import CoreAudioTypes
internal import CoreMedia
internal import Foundation
internal import SyrinxByteStream
internal import SyrinxMediaCodec

/// The settings of a writer's input.
struct WriterSettings {
    let media: MediaWriterSettings
    /// The sample rate of the file in hertz; that of the buffers by default.
    let sampleRate: Double?
    /// The channel count of the file; that of the buffers by default.
    let channelCount: Int?

    init(_ settings: [String: Any], fileType: AVFileType) throws {
        guard let container = fileType.container else {
            throw AVError(.formatUnsupported, .unsupported, "Files of the type \(fileType.rawValue) cannot be written")
        }
        func number(_ key: String) -> Double? {
            switch settings[key] {
            case let value as Bool: value ? 1 : 0
            case let value as any BinaryInteger: Double(value)
            case let value as any BinaryFloatingPoint: Double(value)
            case let value as NSNumber: value.doubleValue
            default: nil
            }
        }
        var media = MediaWriterSettings(container: container)
        switch number(AVFormatIDKey).flatMap({ AudioFormatID(exactly: $0) }) {
        case nil: media.codec = OutputContainer.named(container)?.codecs.first
        case kAudioFormatLinearPCM?: media.codec = .pcm
        case kAudioFormatMPEG4AAC?: media.codec = .aac
        case kAudioFormatAppleLossless?: media.codec = .alac
        case kAudioFormatMPEGLayer3?: media.codec = .mp3
        case kAudioFormatFLAC?: media.codec = .flac
        default:
            throw AVError(.encoderNotFound, .unsupported, "There is no encoder for the format of the output settings")
        }
        if media.codec == .pcm {
            let isFloat = number(AVLinearPCMIsFloatKey) == 1
            switch (number(AVLinearPCMBitDepthKey) ?? (isFloat ? 32 : 16), isFloat) {
            case (16, false): media.sampleFormat = .s16
            case (24, false): media.sampleFormat = .s24
            case (32, false): media.sampleFormat = .s32
            case (32, true): media.sampleFormat = .f32
            case (64, true): media.sampleFormat = .f64
            default:
                throw AVError(
                    .operationNotAllowed,
                    .badSettings,
                    "Linear PCM with this number of bits cannot be written"
                )
            }
        } else if media.codec == .alac || media.codec == .flac {
            media.sampleFormat = (number(AVEncoderBitDepthHintKey) ?? 16) <= 16 ? .s16 : .s24
        }
        channelCount = number(AVNumberOfChannelsKey).flatMap { Int(exactly: $0) }.flatMap {
            (1...64).contains($0) ? $0 : nil
        }
        sampleRate = number(AVSampleRateKey).flatMap { $0 > 0 && $0.isFinite ? $0 : nil }
        if let rate = number(AVEncoderBitRateKey) {
            media.bitRate = Int(exactly: rate.rounded())
        } else if let rate = number(AVEncoderBitRatePerChannelKey) {
            media.bitRate = Int(exactly: (rate * Double(channelCount ?? 2)).rounded())
        }
        self.media = media
    }
}

/// Converts sample buffers to another format and writes them at their times.
///
/// Use it on one thread at a time.
final class SoundSink {
    /// The source time at which the file starts; that of the first buffer by default.
    var sessionStart: CMTime?
    /// The source time at which the file ends; it may be before buffers that were already appended.
    var sessionEnd: CMTime?
    private let url: URL
    private let settings: WriterSettings
    private let metadata: [AVMetadataItem]
    private var writing: Writing?

    /// The state after the first buffer.
    private struct Writing {
        let writer: MediaWriter
        let media: MediaWriterSettings
        let conversion: AudioConversion
        let input: AudioStreamBasicDescription
        let output: AudioStreamBasicDescription
        let held: HeldSound
        let start: CMTime
        /// The number of input frames taken so far.
        var taken: Int64 = 0
    }

    private static let chunk = 4096
    /// The maximum duration in seconds of a gap that is filled with silence.
    private static let longestGap = 86_400.0

    init(url: URL, settings: WriterSettings, metadata: [AVMetadataItem]) {
        self.url = url
        self.settings = settings
        self.metadata = metadata
    }

    func append(_ buffer: CMSampleBuffer) throws {
        guard let input = buffer.formatDescription?.audioStreamBasicDescription,
            input.mFormatID == kAudioFormatLinearPCM, PCMLayout(input) != nil, input.mSampleRate >= 1
        else {
            throw AVError(
                .invalidSourceMedia,
                .badBuffer,
                "The sample buffers do not hold linear PCM, which is all that an input accepts",
                url: url
            )
        }
        var writing = try writing ?? open(input, at: buffer.presentationTimeStamp)
        self.writing = writing
        guard input.mSampleRate == writing.input.mSampleRate,
            input.mChannelsPerFrame == writing.input.mChannelsPerFrame,
            input.mFormatFlags == writing.input.mFormatFlags, input.mBitsPerChannel == writing.input.mBitsPerChannel
        else {
            throw AVError(
                .invalidSourceMedia,
                .badBuffer,
                "A sample buffer has another format than those before it",
                url: url
            )
        }
        let time = buffer.presentationTimeStamp - writing.start
        let place = time.isNumeric ? Int64(clamped: (time.seconds * input.mSampleRate).rounded()) : writing.taken
        let gap = place.subtractingClamped(writing.taken)
        guard gap < Int64(clamped: Self.longestGap * input.mSampleRate) else {
            throw AVError(
                .invalidSourceMedia,
                .badRange,
                "The time stamps of two buffers in a row are more than a day apart",
                url: url
            )
        }
        // One or two frames are rounding errors of times, not a gap.
        if gap > 2 { try silence(Int(clamping: min(gap, remainder(writing))), &writing) }
        let skip = gap < -2 ? Int(clamping: min(-gap, Int64(buffer.numSamples))) : 0
        try push(buffer, from: skip, &writing)
        self.writing = writing
    }

    func finish() throws {
        guard let writing else {
            throw AVError(
                .operationNotAllowed,
                .wrongState,
                "No sound has been appended, so there is nothing to write",
                url: url
            )
        }
        try writing.conversion.finish()
        try drain(writing)
        try writing.held.empty { try write($0, $1, writing) }
        try writing.writer.finish()
        let end = endFrame(writing)
        if writing.writer.frameCount > end { try shorten(writing, to: end) }
    }

    func cancel() { writing?.writer.cancel() }

    private var path: FilePath { FilePath(url) ?? FilePath(url.path) }

    private func open(_ input: AudioStreamBasicDescription, at time: CMTime) throws -> Writing {
        let rate = settings.sampleRate ?? input.mSampleRate
        let channels = settings.channelCount ?? Int(input.mChannelsPerFrame)
        var media = settings.media
        (media.tags, media.artwork) = MetadataMapping.tags(of: metadata)
        let planar = AudioStreamBasicDescription.planarFloat(rate, channels)
        var conversion = AudioConversion.Settings()
        conversion.downmixes = true
        return Writing(
            writer: try MediaWriter(
                path: path,
                sampleRate: rate,
                channelCount: channels,
                settings: media
            ),
            media: media,
            conversion: try AudioConversion(from: input, to: planar, settings: conversion),
            input: input,
            output: planar,
            held: HeldSound(planar),
            start: sessionStart.flatMap { $0.isNumeric ? $0 : nil } ?? time
        )
    }

    private func push(_ buffer: CMSampleBuffer, from skip: Int, _ writing: inout Writing) throws {
        let input = writing.input
        let count = Int(clamping: min(Int64(buffer.numSamples - skip), remainder(writing)))
        guard count > 0 else { return }
        let conversion = writing.conversion
        let sink = writing
        try buffer.withAudioBufferList { list, _ in
            let width = Int(input.mBytesPerFrame)
            guard list.allSatisfy({ Int($0.mDataByteSize) >= buffer.numSamples.multipliedClamped(by: width) }) else {
                throw AVError(
                    .invalidSourceMedia,
                    .badBuffer,
                    "A sample buffer holds fewer bytes than its sample count needs",
                    url: url
                )
            }
            for index in list.indices { list[index].mData = list[index].mData.map { $0 + skip * width } }
            var done = 0
            while done < count {
                let part = min(count - done, conversion.inputFrameCountPerPush)
                try conversion.push(list, frameCount: part)
                for index in list.indices { list[index].mData = list[index].mData.map { $0 + part * width } }
                try drain(sink)
                done += part
            }
        }
        writing.taken = writing.taken.addingClamped(Int64(count))
    }

    /// Returns the number of input frames until the session ends.
    private func remainder(_ writing: Writing) -> Int64 {
        guard let sessionEnd, sessionEnd.isNumeric else { return .max }
        let end = Int64(clamped: ((sessionEnd - writing.start).seconds * writing.input.mSampleRate).rounded())
        return max(end.subtractingClamped(writing.taken), 0)
    }

    private func silence(_ count: Int, _ writing: inout Writing) throws {
        let zeros = SampleMemory(writing.input, capacity: Self.chunk)
        var left = count
        while left > 0 {
            let part = min(left, Self.chunk, writing.conversion.inputFrameCountPerPush)
            try writing.conversion.push(zeros.list, frameCount: part)
            try drain(writing)
            left -= part
        }
        writing.taken = writing.taken.addingClamped(Int64(count))
    }

    private func drain(_ writing: Writing) throws {
        try writing.held.fill(from: writing.conversion) { try write($0, $1, writing) }
    }

    /// Encodes frames, up to the end of the session.
    private func write(_ memory: SampleMemory, _ count: Int, _ writing: Writing) throws {
        let count = Int(clamping: min(Int64(count), endFrame(writing).subtractingClamped(writing.writer.frameCount)))
        if count > 0 { try write(memory, count, to: writing.writer) }
    }

    private func write(_ memory: SampleMemory, _ count: Int, to writer: MediaWriter) throws {
        try memory.withFloats { try writer.write($0, frameCount: count) }
    }

    /// Returns the frame of the file at which the session ends.
    private func endFrame(_ writing: Writing) -> Int64 {
        guard let sessionEnd, sessionEnd.isNumeric else { return .max }
        return max(Int64(clamped: ((sessionEnd - writing.start).seconds * writing.output.mSampleRate).rounded()), 0)
    }

    /// Replaces the file with its first frames, because the session was ended before audio that is already encoded.
    private func shorten(_ writing: Writing, to end: Int64) throws {
        let reader = try MediaReader.open(FileByteStream(path: path))
        let copy = try MediaWriter(
            path: path,
            sampleRate: reader.info.sampleRate,
            channelCount: reader.info.channelCount,
            settings: writing.media
        )
        let scaled = Double(end) * reader.info.sampleRate / writing.output.mSampleRate
        let last = Int64(clamped: scaled.rounded())
        let memory = SampleMemory(
            .planarFloat(reader.info.sampleRate, reader.info.channelCount),
            capacity: Self.chunk
        )
        while copy.frameCount < last {
            let wanted = Int(min(Int64(Self.chunk), last - copy.frameCount))
            let count = try memory.withFloats { try reader.read(into: $0, frameCount: wanted) }
            guard count > 0 else { break }
            try write(memory, count, to: copy)
        }
        try copy.finish()
    }
}
