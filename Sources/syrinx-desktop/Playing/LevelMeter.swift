import AVFAudio
import Synchronization

/// The level of what an engine plays.
@MainActor
final class LevelMeter {
    private let mixer: AVAudioMixerNode
    /// The root mean square of what was rendered last; the tap's queue writes it.
    private let level = Level()
    private var isOn = false

    private final class Level: Sendable {
        let bits = Atomic<UInt32>(0)
    }

    /// Makes a meter of an engine's main mixer, which is off.
    init(_ engine: AVAudioEngine) { mixer = engine.mainMixerNode }

    /// Switches the meter on or off: a tap costs time while it is not looked at.
    func setOn(_ isOn: Bool) {
        guard isOn != self.isOn else { return }
        self.isOn = isOn
        guard isOn else {
            mixer.removeTap(onBus: 0)
            level.bits.store(0, ordering: .relaxed)
            return
        }
        mixer.installTap(onBus: 0, bufferSize: 1024, format: nil) { [level] buffer, _ in
            level.bits.store(Self.rootMeanSquare(buffer).bitPattern, ordering: .relaxed)
        }
    }

    /// The root mean square of what was rendered last, 0…1.
    var rootMeanSquare: Double { Double(Float(bitPattern: level.bits.load(ordering: .relaxed))) }

    private nonisolated static func rootMeanSquare(_ buffer: AVAudioPCMBuffer) -> Float {
        guard let channels = buffer.floatChannelData, buffer.frameLength > 0 else { return 0 }
        var energy: Float = 0
        let count = Int(buffer.format.channelCount)
        for channel in 0..<count {
            for frame in 0..<Int(buffer.frameLength) { energy += channels[channel][frame] * channels[channel][frame] }
        }
        return (energy / Float(count * Int(buffer.frameLength))).squareRoot()
    }
}
