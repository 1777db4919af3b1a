import AVFAudio
import SyrinxDSP

/// Resamples a source slightly faster or slower, without steps; it is bit-exact until a correction is first requested.
///
/// Use it on one thread at a time.
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

    /// Appends available frames to `buffer`, up to its capacity.
    /// - Parameter wanted: The number of source frames for each output frame, approached gradually.
    /// - Returns: The number of appended frames; 0 only at the end.
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
