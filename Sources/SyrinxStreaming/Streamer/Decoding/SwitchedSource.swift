import AVFAudio
import SyrinxMediaCodec

/// The samples that a pump decodes: those of one source and, after a switch of audio tracks, those of another.
///
/// Use it on one thread at a time.
final class SwitchedSource {
    private var source: PCMSource
    /// Frames of `source` that were decoded before the switch.
    private var ahead: PlanarFIFO<Float>?
    /// The end of the previous track while it fades out.
    private var fade: Crossfader?
    /// The frame of the read format that reading began with at the start, or after the last seek.
    private var start: Int64
    /// The frame of the read format that `source` began with.
    private var sourceStart: Int64
    /// The position of the next read, in frames of the read format.
    private(set) var readPosition: Int64

    /// The duration of a switch in seconds.
    static let fadeDuration = 0.02

    init(_ source: PCMSource) {
        self.source = source
        start = source.readPosition
        sourceStart = start
        readPosition = start
    }

    var readFormat: AVAudioFormat { source.readFormat }
    /// The description of the source that is read.
    var info: MediaInfo { source.info }
    var tags: [String: String] { source.tags }
    /// Returns the stretches of the input that were found to be missing since the last call.
    func takeMissing() -> [MissingSound] { source.takeMissing() }
    /// The decoding position in the current source, in its own frames.
    var position: Int64 { source.position }
    /// The decoding position in seconds of the input.
    var readTime: Double { Double(position) / info.sampleRate }
    /// The time in the input at which reading ends, in seconds; `nil` is its end.
    var end: Double? {
        didSet { source.endFrame = InputPart.endFrame(end, of: info) }
    }
    var conversion: Conversion? { source.conversion }
    func takeConversion() -> Conversion? { source.takeConversion() }
    func finish() throws { try source.finish() }

    /// The number of frames of the read format that were returned or are held by the converter since the last seek.
    var readFrames: Int64 { source.readFrames.addingClamped(sourceStart.subtractingClamped(start)) }

    /// Returns the number of frames of a switch.
    static func fadeFrames(_ format: AVAudioFormat) -> Int {
        max(Int(clamped: fadeDuration * format.sampleRate), 1)
    }

    /// Seeks to a time in seconds, at which the next read starts exactly.
    func seek(to time: Double) throws {
        (ahead, fade) = (nil, nil)
        try source.seek(toFrame: Int64(clamped: (time * source.info.sampleRate).rounded()))
        readPosition = source.readPosition
        (start, sourceStart) = (readPosition, readPosition)
    }

    /// Continues with the samples of another source, which begin at a time in seconds.
    func replace(with other: PCMSource, at time: Double) {
        (ahead, fade) = (nil, nil)
        source = other
        readPosition = Int64(clamped: (time * readFormat.sampleRate).rounded())
        (start, sourceStart) = (readPosition, readPosition)
    }

    /// Appends available frames to `buffer`, up to its capacity.
    /// - Returns: The number of appended frames; 0 only at the end.
    func read(into buffer: AVAudioPCMBuffer) throws -> Int {
        let place = Int(buffer.frameLength)
        let count = try takeAhead(into: buffer) ?? source.read(into: buffer)
        readPosition = readPosition.addingClamped(Int64(count))
        if count > 0, fade != nil { mixFade(into: buffer, from: place, count) }
        return count
    }

    private func takeAhead(into buffer: AVAudioPCMBuffer) -> Int? {
        guard let ahead, ahead.count > 0, let channels = buffer.floatChannelData else {
            ahead = nil
            return nil
        }
        let place = Int(buffer.frameLength)
        let room = Int(buffer.frameCapacity - buffer.frameLength)
        let count = ahead.take(room) { samples, start, count in
            for channel in 0..<Int(readFormat.channelCount) {
                (channels[channel] + place).update(from: samples[channel] + start, count: count)
            }
        }
        buffer.frameLength += AVAudioFrameCount(count)
        return count
    }

    private func mixFade(into buffer: AVAudioPCMBuffer, from place: Int, _ count: Int) {
        guard let channels = buffer.floatChannelData else { return }
        let channelCount = Int(readFormat.channelCount)
        withUnsafeTemporaryAllocation(of: UnsafeMutablePointer<Float>.self, capacity: channelCount) { targets in
            for channel in 0..<channelCount { targets[channel] = channels[channel] + place }
            if let base = targets.baseAddress { fade?.mix(into: UnsafePointer(base), frameCount: count) }
        }
        if fade?.isFinished == true { fade = nil }
    }

    /// Switches to another audio track at the next frame, with a short fade of equal power; both tracks may share
    /// content.
    /// - Parameters:
    ///   - other: The samples of the other track, in the same read format.
    ///   - frames: Decoded frames of it, starting at `readPosition`.
    ///   - frame: The first frame of `other`, in frames of the read format.
    func goOver(to other: PCMSource, ahead frames: PlanarFIFO<Float>, startingAt frame: Int64) throws {
        let count = AVAudioFrameCount(Self.fadeFrames(readFormat))
        guard let tail = AVAudioPCMBuffer(pcmFormat: readFormat, frameCapacity: count),
            let channels = tail.floatChannelData
        else { throw ReaderError.unsupportedReadFormat }
        for channel in 0..<Int(readFormat.channelCount) {
            channels[channel].update(repeating: 0, count: Int(count))
        }
        let place = readPosition
        // If the old track ends or fails within these frames, the rest is silent.
        while tail.frameLength < count, (try? read(into: tail)) ?? 0 > 0 {}
        tail.frameLength = count
        readPosition = place
        source = other
        source.endFrame = InputPart.endFrame(end, of: info)
        sourceStart = frame
        ahead = frames
        fade = Crossfader(FadeTail(buffer: tail), correlation: correlation(of: channels, frames, Int(count)))
    }

    /// Smaller correlations are coincidental.
    private static let leastCorrelation = 0.1

    /// Returns the correlation of the old and the new track, from 0 to 1.
    private func correlation(
        of channels: UnsafePointer<UnsafeMutablePointer<Float>>,
        _ frames: PlanarFIFO<Float>,
        _ count: Int
    ) -> Double {
        var (common, old, new) = (0.0, 0.0, 0.0)
        frames.look(at: count) { samples, start, count in
            for channel in 0..<Int(readFormat.channelCount) {
                for index in 0..<count {
                    let (a, b) = (Double(channels[channel][index]), Double(samples[channel][start + index]))
                    common += a * b
                    old += a * a
                    new += b * b
                }
            }
        }
        let power = (old * new).squareRoot()
        let share = power > 0 ? common / power : 0
        return share >= Self.leastCorrelation ? min(share, 1) : 0
    }
}
