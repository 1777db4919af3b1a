public import AVFAudio
internal import Foundation

/// Shows how loud a signal is at this moment, as the meters of a player do.
///
/// Levels are decibels of full scale: a square wave from −1 to 1 is 0 dB, and silence −∞. A value; one thread at a time.
public struct LevelMeter: Sendable {
    /// The levels of one channel.
    public struct Level: Sendable, Equatable {
        /// The root mean square of the last buffer.
        public var rms: Float = -.infinity
        /// The greatest sample of the last buffer.
        public var peak: Float = -.infinity
        /// The greatest sample of late: held for a time, then falling.
        public var heldPeak: Float = -.infinity
        /// The level of a VU meter's needle; for a sine, its root mean square.
        public var vu: Float = -.infinity
    }

    /// The hold time of peaks and the speed of the needle.
    public struct Ballistics: Sendable, Equatable {
        /// Seconds for which a peak stays.
        public var peakHold: Double
        /// Decibels a second by which it falls after that.
        public var peakFall: Double
        /// Seconds in which the needle comes to 99 % of where it goes, 0.3 for a VU meter (IEC 60268-17).
        public var riseTime: Double

        /// Ballistics of these times.
        public init(peakHold: Double = 1.5, peakFall: Double = 20, riseTime: Double = 0.3) {
            self.peakHold = peakHold
            self.peakFall = peakFall
            self.riseTime = riseTime
        }
    }

    /// The levels of each channel.
    public private(set) var levels: [Level]
    /// The channels that are appended.
    public var channelCount: Int { levels.count }

    private struct Running: Sendable {
        var needle: Float = 0
        /// The held peak, a magnitude.
        var held: Float = 0
        /// Frames for which it still stays.
        var stays = 0
    }

    private var running: [Running]
    private let needleStep: Float
    private let holdFrames: Int
    /// The factor by which a falling peak shrinks with each frame.
    private let fallFactor: Double

    /// A meter that has seen silence.
    public init(sampleRate: Double, channelCount: Int, ballistics: Ballistics = Ballistics()) {
        levels = Array(repeating: Level(), count: channelCount)
        running = Array(repeating: Running(), count: channelCount)
        // A first-order lag is at 1 − e^(−t/τ): 99 % after τ·ln 100.
        let lag = max(ballistics.riseTime, 1e-6) / log(100)
        needleStep = Float(1 - exp(-1 / (lag * sampleRate)))
        holdFrames = Int(max(ballistics.peakHold, 0) * sampleRate)
        fallFactor = pow(10, -max(ballistics.peakFall, 0) / 20 / sampleRate)
    }

    /// The levels of all channels in one: the greatest of each kind.
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

    /// Takes the next samples, one pointer for each channel; nothing is allocated.
    public mutating func append(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int) {
        guard frameCount > 0 else { return }
        for channel in levels.indices { append(channels[channel], frameCount, channel) }
    }

    /// Takes the samples of a buffer of 32-bit floats; one of other samples or of fewer channels is left out.
    public mutating func append(_ buffer: AVAudioPCMBuffer) {
        SampleView.read(buffer, channelCount: channelCount) { append($0, frameCount: $1) }
    }

    private mutating func append(_ samples: UnsafePointer<Float>, _ count: Int, _ channel: Int) {
        var state = running[channel]
        var energy = 0.0
        var peak: Float = 0
        for frame in 0..<count {
            var magnitude = abs(samples[frame])
            // A meter that has seen what is no number would show nothing ever after.
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
