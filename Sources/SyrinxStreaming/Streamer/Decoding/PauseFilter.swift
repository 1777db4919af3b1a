import AVFAudio
import SyrinxDSP

/// Shortens pauses in decoded buffers while enabled; otherwise, buffers pass unchanged.
///
/// Use it on one thread at a time.
final class PauseFilter {
    /// A part of the input that is omitted before a frame of the output, counted since the last seek.
    struct Cut: Equatable {
        var frame: Int64
        var count: Int64
    }

    /// An element of the output.
    enum Output {
        case cut(Cut)
        case buffer(AVAudioPCMBuffer)
    }

    private static let pieceFrames = 8_192

    private let format: AVAudioFormat
    private let channelCount: Int
    /// The samples of each channel that are written next; set before each use.
    private let targets: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private var shortener: SilenceShortener?
    private var isActive = false
    /// The number of output frames since the last seek, and of those before the shortener was enabled.
    private var givenFrames: Int64 = 0
    private var base: Int64 = 0

    /// Creates a filter for buffers of `format`.
    init?(_ format: AVAudioFormat) {
        guard format.isStandard, (1_000...1_000_000).contains(format.sampleRate), format.channelCount > 0 else {
            return nil
        }
        self.format = format
        channelCount = Int(format.channelCount)
        targets = .allocate(capacity: channelCount)
    }

    deinit { targets.deallocate() }

    /// Discards pending frames for a seek.
    func move() {
        isActive = false
        givenFrames = 0
    }

    /// Adds a buffer, and passes on the frames whose fate is decided.
    func pass(_ buffer: AVAudioPCMBuffer, _ lengths: PauseLengths?, to body: (Output) -> Void) {
        guard let lengths, let channels = buffer.floatChannelData else {
            end(to: body)
            givenFrames += Int64(buffer.frameLength)
            return body(.buffer(buffer))
        }
        let shortener = begin(lengths)
        var done = 0
        while done < Int(buffer.frameLength) {
            let count = min(Self.pieceFrames, Int(buffer.frameLength) - done)
            for channel in 0..<channelCount { (targets + channel).initialize(to: channels[channel] + done) }
            shortener.write(targets, frameCount: count)
            done += count
            drain(shortener, to: body)
        }
    }

    /// Passes on all held frames: at the end of the input, or when smart speed is turned off.
    func end(to body: (Output) -> Void) {
        guard isActive, let shortener else { return }
        shortener.endInput()
        drain(shortener, to: body)
        isActive = false
    }

    private func begin(_ lengths: PauseLengths) -> SilenceShortener {
        let shortener =
            self.shortener
            ?? SilenceShortener(
                sampleRate: format.sampleRate,
                channelCount: channelCount,
                maximumFrameCount: Self.pieceFrames,
                lengths: lengths
            )
        self.shortener = shortener
        shortener.lengths = lengths
        if !isActive {
            shortener.reset()
            base = givenFrames
            isActive = true
        }
        return shortener
    }

    private func drain(_ shortener: SilenceShortener, to body: (Output) -> Void) {
        while let cut = shortener.takeCut() { body(.cut(Cut(frame: base + cut.outputFrame, count: cut.frameCount))) }
        while case let count = min(shortener.readableFrameCount, Self.pieceFrames), count > 0,
            let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(count)),
            let channels = buffer.floatChannelData
        {
            buffer.frameLength = AVAudioFrameCount(shortener.read(into: channels, frameCount: count))
            givenFrames += Int64(count)
            body(.buffer(buffer))
        }
    }
}
