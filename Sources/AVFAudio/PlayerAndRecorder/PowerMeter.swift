import Foundation
import Synchronization

/// The mean and peak levels of a player or recorder since they were last read.
final class PowerMeter: Sendable {
    private struct State {
        var energy: [Double]
        var peak: [Float]
        var frameCount = 0
        /// The levels of the last update, in decibels.
        var averages: [Float]
        var peaks: [Float]
    }

    /// The level of silence, in decibels: that of Apple's meters.
    private static let silence: Float = -160

    private let state: Mutex<State>

    init(channelCount: Int) {
        let silent = [Float](repeating: Self.silence, count: channelCount)
        state = Mutex(
            State(
                energy: [Double](repeating: 0, count: channelCount),
                peak: [Float](repeating: 0, count: channelCount),
                averages: silent,
                peaks: silent
            )
        )
    }

    /// Adds the frames of a buffer of floats with one plane a channel.
    func add(_ buffer: AVAudioPCMBuffer) {
        guard let channels = buffer.floatChannelData else { return }
        let count = Int(buffer.frameLength)
        state.withLock { state in
            for channel in 0..<min(state.peak.count, Int(buffer.format.channelCount)) {
                var (energy, peak) = (0.0, state.peak[channel])
                for sample in UnsafeBufferPointer(start: channels[channel], count: count) where sample.isFinite {
                    energy += Double(sample) * Double(sample)
                    peak = max(peak, abs(sample))
                }
                state.energy[channel] += energy
                state.peak[channel] = peak
            }
            state.frameCount += count
        }
    }

    /// Updates the levels with the frames since the last update; without new frames the levels do not change.
    func update() {
        state.withLock { state in
            guard state.frameCount > 0 else { return }
            for channel in state.peak.indices {
                let power = state.energy[channel] / Double(state.frameCount)
                state.averages[channel] = Self.decibels(Float(power.squareRoot()))
                state.peaks[channel] = Self.decibels(state.peak[channel])
                (state.energy[channel], state.peak[channel]) = (0, 0)
            }
            state.frameCount = 0
        }
    }

    /// Sets all levels to silence.
    func reset() {
        state.withLock { state in
            for channel in state.peak.indices {
                (state.energy[channel], state.peak[channel]) = (0, 0)
                (state.averages[channel], state.peaks[channel]) = (Self.silence, Self.silence)
            }
            state.frameCount = 0
        }
    }

    /// The root mean square of a channel at the last update, in dBFS; that of silence for a channel that does not
    /// exist.
    func average(_ channel: Int) -> Float { state.withLock { Self.value($0.averages, channel) } }

    /// The peak of a channel at the last update, in dBFS; that of silence for a channel that does not exist.
    func peak(_ channel: Int) -> Float { state.withLock { Self.value($0.peaks, channel) } }

    private static func value(_ levels: [Float], _ channel: Int) -> Float {
        levels.indices.contains(channel) ? levels[channel] : silence
    }

    private static func decibels(_ amplitude: Float) -> Float {
        amplitude > 0 ? max(20 * log10(amplitude), silence) : silence
    }
}
