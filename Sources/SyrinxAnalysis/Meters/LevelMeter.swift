public import AVFAudio
internal import Foundation

/// Measures the current level of a signal, for the meters of a player.
///
/// Levels are in dBFS: a square wave from −1 to 1 is 0 dB, and silence is −∞. A value; use it on one thread at a time.
///
/// ```swift
/// var meter = LevelMeter(sampleRate: 48_000, channelCount: 2)
/// meter.append(buffer) // an AVAudioPCMBuffer
/// print(meter.levels.map { "\($0.rms) dB, peak \($0.heldPeak) dB" })
/// ```
public struct LevelMeter: Sendable {
    /// The levels of one channel.
    public struct Level: Sendable, Equatable {
        /// The root mean square of the last buffer, in dBFS.
        public var rms: Float = -.infinity
        /// The sample peak of the last buffer, in dBFS.
        public var peak: Float = -.infinity
        /// The recent sample peak in dBFS: held for a time, then falling.
        public var heldPeak: Float = -.infinity
        /// The level of a VU meter's needle in dBFS; for a sine, its root mean square.
        public var vu: Float = -.infinity
    }

    /// The hold time of peaks, and the speed of the needle.
    public struct Ballistics: Sendable, Equatable {
        /// The time in seconds for which a peak is held.
        public var peakHold: Double
        /// The rate in decibels per second at which a held peak falls afterwards.
        public var peakFall: Double
        /// The time in seconds in which the needle reaches 99 % of its target; 0.3 for a VU meter (IEC 60268-17).
        public var riseTime: Double

        /// Creates ballistics; the defaults are a hold of 1.5 s, a fall of 20 dB/s and a rise time of 0.3 s.
        public init(peakHold: Double = 1.5, peakFall: Double = 20, riseTime: Double = 0.3) {
            self.peakHold = peakHold
            self.peakFall = peakFall
            self.riseTime = riseTime
        }
    }

    /// The levels of each channel.
    public private(set) var levels: [Level]
    /// The number of channels.
    public var channelCount: Int { levels.count }

    private struct Running: Sendable {
        var needle: Float = 0
        /// The held peak as a magnitude.
        var held: Float = 0
        /// The number of frames for which the peak is still held.
        var stays = 0
    }

    private var running: [Running]
    private let needleStep: Float
    private let holdFrames: Int
    /// The factor by which a falling peak decreases with each frame.
    private let fallFactor: Double

    /// Creates a meter that shows silence.
    public init(sampleRate: Double, channelCount: Int, ballistics: Ballistics = Ballistics()) {
        levels = Array(repeating: Level(), count: channelCount)
        running = Array(repeating: Running(), count: channelCount)
        // A first-order lag reaches 1 − e^(−t/τ): 99 % after τ·ln 100.
        let lag = max(ballistics.riseTime, 1e-6) / log(100)
        needleStep = Float(1 - exp(-1 / (lag * sampleRate)))
        holdFrames = Int(max(ballistics.peakHold, 0) * sampleRate)
        fallFactor = pow(10, -max(ballistics.peakFall, 0) / 20 / sampleRate)
    }

    /// The maximum of all channels, for each kind of level.
    public var loudest: Level {
        levels.reduce(Level()) {
            Level(
                rms: max($0.rms, $1.rms),
                peak: max($0.peak, $1.peak),
                heldPeak: max($0.heldPeak, $1.heldPeak),
                vu: max($0.vu, $1.vu)
            )
        }
    }

    /// Adds samples, one pointer for each channel; does not allocate.
    public mutating func append(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int) {
        guard frameCount > 0 else { return }
        for channel in levels.indices { append(channels[channel], frameCount, channel) }
    }

    /// Adds the samples of a buffer of 32-bit floats; buffers of another format or with fewer channels are ignored.
    public mutating func append(_ buffer: AVAudioPCMBuffer) {
        SampleView.read(buffer, channelCount: channelCount) { append($0, frameCount: $1) }
    }

    private mutating func append(_ samples: UnsafePointer<Float>, _ count: Int, _ channel: Int) {
        var state = running[channel]
        var energy = 0.0
        var peak: Float = 0
        for frame in 0..<count {
            var magnitude = abs(samples[frame])
            // A NaN would stay in the needle forever.
            if !magnitude.isFinite { magnitude = 0 }
            energy += Double(magnitude) * Double(magnitude)
            state.needle += (magnitude - state.needle) * needleStep
            if magnitude > peak { peak = magnitude }
        }
        Self.hold(peak, frameCount: count, holdFrames: holdFrames, fallFactor: fallFactor, state: &state)
        if state.needle < 1e-20 { state.needle = 0 }
        running[channel] = state
        levels[channel] = Level(
            rms: Self.decibels(Float((energy / Double(count)).squareRoot())),
            peak: Self.decibels(peak),
            heldPeak: Self.decibels(state.held),
            // The mean magnitude of a sine is 2√2/π of its root mean square.
            vu: Self.decibels(state.needle * Float.pi / (2 * Float(2).squareRoot()))
        )
    }

    private static func hold(
        _ peak: Float,
        frameCount: Int,
        holdFrames: Int,
        fallFactor: Double,
        state: inout Running
    ) {
        let falling = max(frameCount - state.stays, 0)
        state.stays = max(state.stays - frameCount, 0)
        if falling > 0 { state.held *= Float(pow(fallFactor, Double(falling))) }
        if peak >= state.held {
            state.held = peak
            state.stays = holdFrames
        }
    }

    private static func decibels(_ magnitude: Float) -> Float { magnitude > 0 ? 20 * log10(magnitude) : -.infinity }
}
