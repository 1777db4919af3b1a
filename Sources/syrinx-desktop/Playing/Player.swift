import AVFAudio
import Dispatch
import Foundation
import Synchronization
import SyrinxByteStream
import SyrinxDevice
import SyrinxListening
import SyrinxStreaming

/// The player of a window: a streamer, its events on the main actor, and its level.
@MainActor
final class Player {
    /// The streamer.
    let streamer: TimePitchStreamer
    /// Gets the events of the item that was opened last, with its number.
    var onEvent: ((StreamingEvent, Int) -> Void)?
    private var listening: Task<Void, Never>?
    private var item = 0
    /// The effects that all sound goes through.
    let rack = EffectRack()
    /// The root mean square of what was rendered last; the tap's queue writes it.
    private let level = Level()
    private var hasTap = false
    private var expansion: InputExpansion?

    private final class Level: Sendable {
        let bits = Atomic<UInt32>(0)
    }

    /// Makes a player.
    /// - Parameter output: The name of the output, as `OutputDevices.make` takes it; `nil` is the system's own.
    init(output: String?) {
        let device = output.flatMap { try? OutputDevices.make($0) } ?? OutputDevices.automatic() ?? NullOutput()
        streamer = TimePitchStreamer(device: device)
        streamer.cache = DiskCache.user()
        streamer.effects = rack.units
    }

    /// Opens an input in place of the one before.
    /// - Parameters:
    ///   - input: The input.
    ///   - number: The number that its events are reported with.
    ///   - plays: Whether it plays at once.
    ///   - next: The inputs that follow without a gap.
    func open(_ input: StreamingItem, number: Int, plays: Bool, followedBy next: [StreamingItem]) {
        stop()
        item = number
        let events = streamer.events
        streamer.open(input, andPlay: plays, followedBy: next)
        listening = Task { [weak self] in
            for await event in events {
                guard !Task.isCancelled, let self else { return }
                self.onEvent?(event, number)
            }
        }
    }

    /// Reads a folder or a playlist, until `stop()` is called.
    func expand(_ list: ListeningInput) async -> Result<InputExpansion.Found, SyrinxError> {
        let expansion = InputExpansion(recursively: true, network: streamer.network)
        self.expansion?.cancel()
        self.expansion = expansion
        return await withCheckedContinuation { continuation in
            // It waits for bytes.
            DispatchQueue.global(qos: .userInitiated).async {
                do throws(SyrinxError) {
                    continuation.resume(returning: .success(try expansion.expand(list)))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
    }

    /// Ends the sound at once.
    func stop() {
        expansion?.cancel()
        expansion = nil
        listening?.cancel()
        listening = nil
        streamer.stop()
        level.bits.store(0, ordering: .relaxed)
    }

    /// The time that is heard, in seconds; 0 without an input.
    var time: Double { streamer.currentTime ?? 0 }

    /// Measures the level while `isOn`; the tap is removed when it is not needed.
    func setMeter(_ isOn: Bool) {
        guard isOn != hasTap else { return }
        hasTap = isOn
        let mixer = streamer.engine.mainMixerNode
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
