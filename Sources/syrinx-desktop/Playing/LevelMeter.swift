import AVFAudio
import Synchronization

/// A level meter for the output of an engine.
@MainActor
final class LevelMeter {
    private let mixer: AVAudioMixerNode
    /// The root mean square of the last rendered buffer, written on the tap's queue.
    private let level = Level()
    private var isOn = false

    private final class Level: Sendable {
        let bits = Atomic<UInt32>(0)
    }

    /// Creates a meter for an engine's main mixer; it is off.
    init(_ engine: AVAudioEngine) { mixer = engine.mainMixerNode }

    /// Switches the meter on or off; a tap uses processor time even if the level is not shown.
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

    /// The root mean square of the last rendered buffer, 0…1.
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
