import AVFoundation
import Synchronization

// snippet: effect
/// An effect that turns the volume up and down five times a second.
final class Tremolo: AVAudioUnitEffect, @unchecked Sendable {
    // Unchecked: the only stored property is constant, and the value in it is atomic.
    private final class Parameters: Sendable {
        let depth = Atomic<Float>(0.5)
    }

    private let parameters = Parameters()

    /// The depth, 0 to 1; it may be set from any thread while the engine runs.
    var depth: Float {
        get { parameters.depth.load(ordering: .relaxed) }
        set { parameters.depth.store(min(max(newValue, 0), 1), ordering: .relaxed) }
    }

    override func makeKernel(format: AVAudioFormat, maximumFrameCount: AVAudioFrameCount) -> AVAudioUnitKernel {
        Kernel(parameters, sampleRate: format.sampleRate, channelCount: Int(format.channelCount))
    }
    // end

    // snippet: kernel
    /// The part that runs on the render thread: it neither allocates, locks, logs nor waits.
    private final class Kernel: AVAudioUnitKernel {
        private let parameters: Parameters
        private let channelCount: Int
        private let step: Float
        private var phase: Float = 0

        init(_ parameters: Parameters, sampleRate: Double, channelCount: Int) {
            self.parameters = parameters
            self.channelCount = channelCount
            step = Float(2 * .pi * 5 / sampleRate)
        }

        override func process(
            _ input: UnsafePointer<UnsafeMutablePointer<Float>>,
            into output: UnsafePointer<UnsafeMutablePointer<Float>>,
            frameCount: Int
        ) {
            let depth = parameters.depth.load(ordering: .relaxed)
            for frame in 0..<frameCount {
                let gain = 1 - depth * (0.5 + 0.5 * sin(phase))
                for channel in 0..<channelCount { output[channel][frame] = input[channel][frame] * gain }
                phase += step
                if phase > 2 * .pi { phase -= 2 * .pi }
            }
        }

        override func reset() { phase = 0 }
    }
    // end
}

// snippet: use-effect
/// Plays a file through the effect.
func addTremolo(to input: URL, depth: Float, output: URL) throws {
    let file = try AVAudioFile(forReading: input)
    let engine = AVAudioEngine()
    let player = AVAudioPlayerNode()
    let tremolo = Tremolo()
    tremolo.depth = depth
    engine.attach(player)
    engine.attach(tremolo)
    engine.connect(player, to: tremolo, format: file.processingFormat)
    engine.connect(tremolo, to: engine.mainMixerNode, format: file.processingFormat)
    player.scheduleFile(file, at: nil)
    try render(engine, in: file.processingFormat, frames: file.length, to: output) {
        player.play()
    }
}
// end
