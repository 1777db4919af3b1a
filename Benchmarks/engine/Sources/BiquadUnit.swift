import AVFAudio
import Glibc

/// A low pass of second order, as Chromium's BiquadFilterNode is by default: the coefficients of Robert Bristow-Johnson's
/// "Cookbook formulae for audio equalizer biquad filter coefficients", in direct form I.
final class BiquadUnit: AVAudioUnitEffect, @unchecked Sendable {
    // Unchecked: no state of its own.

    override func makeKernel(format: AVAudioFormat, maximumFrameCount: AVAudioFrameCount) -> AVAudioUnitKernel {
        Kernel(frequency: 350, quality: 1, sampleRate: format.sampleRate, channels: Int(format.channelCount))
    }

    private struct Memory {
        var input1: Float = 0
        var input2: Float = 0
        var output1: Float = 0
        var output2: Float = 0
    }

    private final class Kernel: AVAudioUnitKernel {
        private let forward0: Float
        private let forward1: Float
        private let back1: Float
        private let back2: Float
        private let memories: UnsafeMutablePointer<Memory>
        private let channels: Int

        init(frequency: Double, quality: Double, sampleRate: Double, channels: Int) {
            let angle = 2 * Double.pi * frequency / sampleRate
            let alpha = sin(angle) / (2 * quality)
            let scale = 1 / (1 + alpha)
            forward0 = Float((1 - cos(angle)) / 2 * scale)
            forward1 = Float((1 - cos(angle)) * scale)
            back1 = Float(-2 * cos(angle) * scale)
            back2 = Float((1 - alpha) * scale)
            self.channels = channels
            memories = .allocate(capacity: channels)
            memories.initialize(repeating: Memory(), count: channels)
        }

        deinit { memories.deallocate() }

        override func process(
            _ input: UnsafePointer<UnsafeMutablePointer<Float>>,
            into output: UnsafePointer<UnsafeMutablePointer<Float>>,
            frameCount: Int
        ) {
            var channel = 0
            while channel + 1 < channels {
                processPair(channel, input, output, frameCount)
                channel += 2
            }
            guard channel < channels else { return }
            var memory = memories[channel]
            let (source, target) = (input[channel], output[channel])
            for frame in 0..<frameCount { target[frame] = next(source[frame], &memory) }
            memories[channel] = memory
        }

        /// Two channels side by side: each frame waits for the one before, so that the processor has time for both.
        private func processPair(
            _ channel: Int,
            _ input: UnsafePointer<UnsafeMutablePointer<Float>>,
            _ output: UnsafePointer<UnsafeMutablePointer<Float>>,
            _ frameCount: Int
        ) {
            var (first, second) = (memories[channel], memories[channel + 1])
            let (source, target) = (input[channel], output[channel])
            let (otherSource, otherTarget) = (input[channel + 1], output[channel + 1])
            for frame in 0..<frameCount {
                target[frame] = next(source[frame], &first)
                otherTarget[frame] = next(otherSource[frame], &second)
            }
            memories[channel] = first
            memories[channel + 1] = second
        }

        @inline(__always)
        private func next(_ sample: Float, _ memory: inout Memory) -> Float {
            let forward = forward0 * (sample + memory.input2) + forward1 * memory.input1
            // What is known longest comes first.
            let result = (forward - back2 * memory.output2) - back1 * memory.output1
            memory.input2 = memory.input1
            memory.input1 = sample
            memory.output2 = memory.output1
            memory.output1 = result
            return result
        }

        override func reset() {
            for channel in 0..<channels { memories[channel] = Memory() }
        }
    }
}
