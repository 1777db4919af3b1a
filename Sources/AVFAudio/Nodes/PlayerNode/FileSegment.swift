import Foundation
import Synchronization
import SyrinxDSP

/// A piece of a file on its way to a player: read, brought to the player's rate, and laid into a ring.
///
/// The thread that reads ahead has it read; the ring is shared with the render thread.
final class FileSegment: @unchecked Sendable {
    // Unchecked: the ring is made for two threads; all else is the reading thread's alone, or constant.

    /// The ring in which the render thread finds the frames, valid as long as this object lives.
    let ring: UnsafeMutablePointer<FileFrameRing>
    /// Whether the player has dropped the segment, so that reading can stop.
    let isDropped = Atomic<Bool>(false)

    private let file: AVAudioFile
    private let onFailure: @Sendable (any Error) -> Void
    private var position: AVAudioFramePosition
    private var rest: Int64
    /// The repeats of the whole file after the segment; `nil` for none.
    private let repeats: FileRepeats?
    /// The number of repeats that have begun.
    private var begun = 0
    /// Whether the current pass has read a frame.
    ///
    /// A pass without frames is not repeated, to avoid an endless loop.
    private var hasRead = false
    private let sampleRate: Double
    /// The format to mix down to if it has fewer channels than the file.
    private let target: AVAudioFormat?
    /// The objects for reading, which exist from the first read to the last, so that many segments can wait for their
    /// turn.
    private var tools: Tools?

    private struct Tools {
        let input: AVAudioPCMBuffer
        let converter: (kernel: ResamplerKernel, output: AVAudioPCMBuffer)?
    }

    /// The number of frames of the file that are read at once.
    private static let chunk: AVAudioFrameCount = 4096
    /// The largest number of frames that are read ahead.
    private static let depth = 32_768

    /// Creates a segment.
    /// - Parameters:
    ///   - frameCount: The length in frames of the file; `nil` extends to the end of the file.
    ///   - sampleRate: The sample rate of the player in Hz.
    ///   - target: The output format of the player, for a mix down of a file with more channels; `nil` keeps all
    ///     channels.
    ///   - repeats: How many times the whole file plays after the segment.
    ///   - onFailure: Called on the reading thread with the reason if a read fails.
    init(
        _ file: AVAudioFile,
        from start: AVAudioFramePosition,
        frameCount: AVAudioFrameCount?,
        sampleRate: Double,
        folding target: AVAudioFormat? = nil,
        repeats: FileRepeats? = nil,
        onFailure: @escaping @Sendable (any Error) -> Void
    ) {
        self.file = file
        self.repeats = repeats
        self.onFailure = onFailure
        position = start
        rest = frameCount.map(Int64.init) ?? .max
        self.sampleRate = sampleRate
        self.target = target
        let format = file.processingFormat
        ring = .allocate(capacity: 1)
        // A short segment needs a buffer of its own length only, as far as the length is known.
        let length = Double(min(rest, Int64(Self.depth))) * sampleRate / format.sampleRate
        let capacity = min(Self.depth, max(Int(Self.chunk), Int(length.rounded(.up)) + 1))
        let channelCount = min(format.channelCount, target?.channelCount ?? .max)
        ring.initialize(to: FileFrameRing(channelCount: Int(channelCount), capacity: capacity))
    }

    deinit {
        ring.deinitialize(count: 1)
        ring.deallocate()
    }

    var isComplete: Bool { ring.pointee.isComplete.load(ordering: .acquiring) }

    /// The number of frames of buffer memory that the segment still needs.
    var heldFrames: Int { isComplete && ring.pointee.level == 0 ? 0 : ring.pointee.capacity }

    /// Whether a piece more fits into the ring.
    var hasRoom: Bool { ring.pointee.room >= Int(Self.chunk) }

    /// Reads a piece more, for which there has to be room.
    func readOn() {
        ring.pointee.allocateSamples()
        guard let tools = tools ?? makeTools() else { return complete() }
        self.tools = tools
        if let converter = tools.converter {
            convert(into: converter.output, with: converter.kernel, from: tools.input)
        } else if let buffer = readChunk(into: tools.input) {
            append(buffer)
            if rest == 0, repeats == nil { complete() }
        } else {
            complete()
        }
    }

    private func makeTools() -> Tools? {
        let format = file.processingFormat
        guard let input = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: Self.chunk) else { return nil }
        if format.sampleRate == sampleRate { return Tools(input: input, converter: nil) }
        guard let standard = format.asStandard(sampleRate: sampleRate),
            let output = AVAudioPCMBuffer(pcmFormat: standard, frameCapacity: Self.chunk)
        else {
            return nil
        }
        let kernel = ResamplerKernel(
            inputRate: format.sampleRate,
            outputRate: sampleRate,
            channelCount: Int(format.channelCount),
            maximumFrameCount: Int(Self.chunk)
        )
        return Tools(input: input, converter: (kernel, output))
    }

    private func convert(into output: AVAudioPCMBuffer, with kernel: ResamplerKernel, from input: AVAudioPCMBuffer) {
        guard let channels = output.floatChannelData else { return complete() }
        // As many frames as one pass of the kernel can give: the input may end before that.
        while kernel.requiredInput(forOutput: Int(Self.chunk)) > 0 {
            guard let buffer = readChunk(into: input)?.asStandard(), let samples = buffer.floatChannelData else {
                kernel.endInput()
                break
            }
            kernel.write(samples, frameCount: Int(buffer.frameLength))
        }
        let count = kernel.read(into: channels, frameCount: Int(Self.chunk))
        guard count > 0 else { return complete() }
        output.frameLength = AVAudioFrameCount(count)
        append(output)
    }

    /// Reads the next frames; `nil` at the end of the segment and its repeats, and after a failure.
    private func readChunk(into input: AVAudioPCMBuffer) -> AVAudioPCMBuffer? {
        if let buffer = readPass(into: input) { return buffer }
        guard let repeats, hasRead, repeats.allows(begun + 1) else { return nil }
        begun += 1
        (position, rest, hasRead) = (0, .max, false)
        return readPass(into: input)
    }

    /// Reads the next frames of the current pass; `nil` at its end.
    private func readPass(into input: AVAudioPCMBuffer) -> AVAudioPCMBuffer? {
        guard rest > 0 else { return nil }
        do {
            let count = AVAudioFrameCount(min(rest, Int64(Self.chunk)))
            try file.read(at: position, into: input, frameCount: count)
        } catch {
            onFailure(error)
            (rest, hasRead) = (0, false)
            return nil
        }
        guard input.frameLength > 0 else { return nil }
        hasRead = true
        position += Int64(input.frameLength)
        rest -= Int64(input.frameLength)
        return input
    }

    private func append(_ buffer: AVAudioPCMBuffer) {
        let standard = (target.map(buffer.folded) ?? buffer).asStandard()
        guard let channels = standard.floatChannelData else { return complete() }
        // After a conversion the samples belong to `standard`, which has to exist until they are written.
        withExtendedLifetime(standard) { ring.pointee.write(channels, from: 0, count: Int(standard.frameLength)) }
    }

    private func complete() {
        tools = nil
        ring.pointee.isComplete.store(true, ordering: .releasing)
    }
}

/// The number of times that a file is repeated, which may change while it plays.
final class FileRepeats: Sendable {
    private let most: Atomic<Int>

    /// - Parameter count: The number of repeats; below 0 for ever.
    init(_ count: Int) { most = Atomic(count) }

    /// The number of repeats; below 0 for ever.
    ///
    /// Frames that were read ahead before a change, at most 32,768, stay.
    var count: Int {
        get { most.load(ordering: .relaxed) }
        set { most.store(newValue, ordering: .relaxed) }
    }

    /// Returns whether repeat `number`, counted from 1, should play.
    func allows(_ number: Int) -> Bool {
        let count = count
        return count < 0 || number <= count
    }
}
