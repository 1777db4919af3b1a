import AVFAudio
import SyrinxByteStream
import SyrinxMediaCodec

/// Decodes a stream to samples of one format, for a `Reader` and for the pump of a streamer.
///
/// Use it on one thread at a time.
final class PCMSource {
    let readFormat: AVAudioFormat
    private let reader: any SampleReader
    private(set) var conversion: Conversion?
    private let scratch: AVAudioPCMBuffer
    /// The channels of the buffer being filled, from the frame on at which it is.
    private let targets: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private var isDrained = false
    /// Frames of the source that have been decoded since the beginning or the last seek.
    private var decodedFrames: Int64 = 0

    /// Whether the converter is drained automatically at the end of the source.
    ///
    /// If this is false, reading ends before that, until `finish()` is called. The converter may instead be passed on
    /// with `takeConversion()`.
    var finishesByItself = true

    /// The number of source frames that are decoded at a time for the converter.
    private static let scratchFrames: AVAudioFrameCount = 2_048

    /// The source frame at which reading ends: the end of the source, or an earlier frame.
    var endFrame = Int64.max

    /// Decodes `reader` to samples in `readFormat`.
    /// - Parameter conversion: The conversion of the previous source, if this source follows it without a gap.
    init(_ reader: any SampleReader, readFormat: AVAudioFormat, continuing conversion: Conversion? = nil) throws {
        let info = reader.info
        guard readFormat.isStandard,
            let source = AVAudioFormat(
                standardFormatWithSampleRate: info.sampleRate,
                channels: AVAudioChannelCount(info.channelCount)
            ),
            let scratch = AVAudioPCMBuffer(pcmFormat: source, frameCapacity: Self.scratchFrames),
            let first = scratch.floatChannelData?[0]
        else { throw ReaderError.unsupportedReadFormat }
        self.reader = reader
        self.readFormat = readFormat
        self.scratch = scratch
        let isSame = source.sampleRate == readFormat.sampleRate && source.channelCount == readFormat.channelCount
        self.conversion = isSame ? nil : try conversion ?? Conversion(from: info, to: readFormat)
        targets = .allocate(capacity: Int(readFormat.channelCount))
        targets.initialize(repeating: first, count: Int(readFormat.channelCount))
    }

    deinit { targets.deallocate() }

    /// The description of the source, whose duration may become better known.
    var info: MediaInfo { reader.info }

    /// The tags of the recording that is read, which change in a chain.
    var tags: [String: String] { reader.tags }

    /// Returns the stretches of the source that were found to be missing since the last call.
    func takeMissing() -> [MissingSound] { reader.takeMissing() }

    /// The source frame at the decoding position.
    var position: Int64 { reader.position }

    /// The same in frames of `readFormat`: after a seek, before anything is read.
    var readPosition: Int64 {
        Int64(clamped: (Double(reader.position) * readFormat.sampleRate / reader.info.sampleRate).rounded())
    }

    /// Seeks to a source frame, at which the next read starts exactly.
    func seek(toFrame frame: Int64) throws {
        try reader.seek(toFrame: frame)
        if isGivenAway {
            conversion = try Conversion(from: reader.info, to: readFormat)
            isGivenAway = false
        }
        try conversion?.converter.reset()
        isDrained = false
        decodedFrames = 0
    }

    /// Makes later reads drain the converter.
    func finish() throws {
        guard !isDrained else { return }
        isDrained = true
        try conversion?.converter.finish()
    }

    private var isGivenAway = false

    /// Returns the converter, which still holds frames, for the next source; a seek creates another one.
    func takeConversion() -> Conversion? {
        defer {
            isGivenAway = conversion != nil
            conversion = nil
        }
        return conversion
    }

    /// The number of frames of `readFormat` that were returned or are held by the converter since the last seek.
    var readFrames: Int64 {
        Int64(clamped: (Double(decodedFrames) * readFormat.sampleRate / reader.info.sampleRate).rounded())
    }

    /// Appends available frames to `buffer`, up to its capacity.
    /// - Returns: The number of appended frames; 0 only at the end.
    func read(into buffer: AVAudioPCMBuffer) throws -> Int {
        guard let channels = buffer.floatChannelData else { throw ReaderError.unsupportedReadFormat }
        for channel in 0..<Int(readFormat.channelCount) {
            targets[channel] = channels[channel] + Int(buffer.frameLength)
        }
        let room = Int(buffer.frameCapacity - buffer.frameLength)
        let count = try conversion.map { try convert($0.converter, into: targets, room) } ?? decode(into: targets, room)
        buffer.frameLength += AVAudioFrameCount(count)
        return count
    }

    private func decode(into channels: UnsafePointer<UnsafeMutablePointer<Float>>, _ room: Int) throws -> Int {
        let left = min(Int64(room), max(0, endFrame.subtractingClamped(reader.position)))
        let count = left == 0 ? 0 : try reader.read(into: channels, frameCount: Int(left))
        decodedFrames += Int64(count)
        return count
    }

    private func convert(
        _ converter: Resampler,
        into channels: UnsafePointer<UnsafeMutablePointer<Float>>,
        _ room: Int
    ) throws -> Int {
        guard let input = scratch.floatChannelData else { return 0 }
        while true {
            let waiting = converter.pull(into: channels, frameCount: room)
            if waiting > 0 || isDrained { return waiting }
            let count = try decode(into: input, min(Int(Self.scratchFrames), converter.inputFrameCountPerPush))
            if count > 0 {
                try converter.push(input, frameCount: count)
            } else if finishesByItself {
                try finish()
            } else {
                return 0
            }
        }
    }
}
