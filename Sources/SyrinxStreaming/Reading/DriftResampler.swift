import AVFAudio
import SyrinxDSP

/// Gives what a source decodes a little faster or slower, without a step: bit for bit until it is first told to.
///
/// One thread at a time.
final class DriftResampler {
    private let resampler: ResamplerKernel
    private let scratch: AVAudioPCMBuffer
    /// The channels of the buffer being filled, from the frame on at which it is.
    private let targets: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private let channelCount: Int
    private var ratio = 1.0
    private var isDrained = false

    /// Frames that are decoded at a time.
    private static let frames = 1_024
    /// The largest change of the ratio for each of these pieces: less than a tenth of a cent for each second.
    private static let step = 1e-6

    init?(format: AVAudioFormat) {
        guard let scratch = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(Self.frames)),
            let first = scratch.floatChannelData?[0]
        else { return nil }
        self.scratch = scratch
        channelCount = Int(format.channelCount)
        resampler = ResamplerKernel(
            inputRate: format.sampleRate,
            outputRate: format.sampleRate,
            channelCount: channelCount,
            maximumFrameCount: Self.frames,
            maximumRatio: 1 + DriftControl.Loop.broadcasts.limit
        )
        targets = .allocate(capacity: channelCount)
        targets.initialize(repeating: first, count: channelCount)
    }

    deinit { targets.deallocate() }

    /// Fills `buffer` from its length on, up to its capacity, with what comes at once, and adds that to its length.
    /// - Parameter wanted: Frames of the source for each that is given, to be come to gradually.
    /// - Returns: How many frames came: 0 only at the end.
    func read(into buffer: AVAudioPCMBuffer, from source: SwitchedSource, ratio wanted: Double) throws -> Int {
        guard let channels = buffer.floatChannelData, let input = scratch.floatChannelData else { return 0 }
        for channel in 0..<channelCount { targets[channel] = channels[channel] + Int(buffer.frameLength) }
        let room = Int(buffer.frameCapacity - buffer.frameLength)
        while true {
            let count = resampler.read(into: targets, frameCount: room)
            if count > 0 || isDrained {
                buffer.frameLength += AVAudioFrameCount(count)
                return count
            }
            scratch.frameLength = 0
            if try source.read(into: scratch) == 0 {
                isDrained = true
                resampler.endInput()
                continue
            }
            move(to: wanted)
            resampler.write(input, frameCount: Int(scratch.frameLength))
        }
    }

    private func move(to wanted: Double) {
        guard wanted != ratio else { return }
        ratio = abs(wanted - ratio) <= Self.step ? wanted : ratio + (wanted > ratio ? Self.step : -Self.step)
        resampler.setRatio(ratio)
    }
}
