import AVFAudio
import Foundation

/// The test signals, at 48 kHz in stereo with both channels alike.
enum Signal {
    static let sampleRate = 48_000.0
    static let format = standardFormat(channels: 2)
    /// The levels of `steps`, peaks in dB of full scale, and the seconds of each.
    static let stepLevels = stride(from: -60.0, through: 12, by: 3).map { $0 }
    static let stepSeconds = 0.4

    private static func standardFormat(channels: AVAudioChannelCount) -> AVAudioFormat {
        guard let format = AVAudioFormat(standardFormatWithSampleRate: sampleRate, channels: channels) else {
            fatalError("48 kHz is no sample rate.")
        }
        return format
    }

    /// A buffer of silence.
    static func buffer(frameCount: Int) -> AVAudioPCMBuffer {
        guard let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(frameCount)) else {
            fatalError("There is no memory for \(frameCount) frames.")
        }
        buffer.frameLength = buffer.frameCapacity
        return buffer
    }

    /// A buffer whose frames both have the value that `value` returns for the frame.
    static func buffer(seconds: Double, _ value: (Int) -> Double) -> AVAudioPCMBuffer {
        let frames = Int((seconds * sampleRate).rounded())
        let buffer = buffer(frameCount: frames)
        guard let channels = buffer.floatChannelData else { return buffer }
        for frame in 0..<frames {
            channels[0][frame] = Float(value(frame))
            channels[1][frame] = channels[0][frame]
        }
        return buffer
    }

    /// One frame of 1, after 0.1 s.
    static func impulse() -> AVAudioPCMBuffer { buffer(seconds: 0.2) { $0 == 4_800 ? 1 : 0 } }

    /// A pulse of 2 ms and 0.5, after 0.1 s: effects that hold samples would leave out a single frame.
    static func pulse() -> AVAudioPCMBuffer {
        buffer(seconds: 0.2) { frame in
            let phase = Double(frame - 4_800) / 96
            return phase < 0 || phase > 1 ? 0 : 0.5 * (0.5 - 0.5 * cos(2 * .pi * phase))
        }
    }

    /// Two seconds of a sine of 997 Hz at −6 dB.
    static func tone() -> AVAudioPCMBuffer { buffer(seconds: 2) { 0.501 * sine($0) } }

    /// A sine of 997 Hz whose level rises in steps of 3 dB.
    static func steps() -> AVAudioPCMBuffer {
        let frames = Int(stepSeconds * sampleRate)
        return buffer(seconds: stepSeconds * Double(stepLevels.count)) { frame in
            pow(10, stepLevels[min(frame / frames, stepLevels.count - 1)] / 20) * sine(frame)
        }
    }

    private static func sine(_ frame: Int) -> Double { sin(2 * .pi * 997 * Double(frame) / sampleRate) }
}
