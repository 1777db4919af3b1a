#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A compressor and downward expander for any number of channels, all with the same gain.
///
/// The level is the peak of all channels over the last 10 ms, so that the gain is constant for steady tones of 50 Hz
/// and more. The gains in dB follow the static curves through one-pole low-pass filters. The time constant is the
/// attack while the level rises, and the release otherwise. Gains are computed every 8 frames from the previous 8, and
/// interpolated linearly. The output does not depend on the division into blocks. Use from one thread at a time;
/// `process` neither allocates nor locks.
///
/// ```swift
/// var compressor = Compressor(sampleRate: 48_000, channelCount: 2)
/// compressor.set(settings)
/// compressor.process(channels, frameCount: 512)  // in place
/// ```
package struct Compressor: ~Copyable {
    /// The settings of a compressor.
    ///
    /// Levels are in dB of full scale, times in seconds.
    package struct Settings: Equatable, Sendable {
        /// The level from which on it compresses.
        package var threshold: Double
        /// The most by which the output exceeds the threshold, before `gain`, in dB.
        package var headRoom: Double
        /// The level below which it expands.
        package var expansionThreshold: Double
        /// The dB that the output falls by for each dB of the input below `expansionThreshold`; at least 1.
        package var expansionRatio: Double
        package var attack: Double
        package var release: Double
        /// The output gain in dB.
        package var gain: Double

        package init(
            threshold: Double,
            headRoom: Double,
            expansionThreshold: Double = -100,
            expansionRatio: Double = 1,
            attack: Double,
            release: Double,
            gain: Double = 0
        ) {
            (self.threshold, self.headRoom) = (threshold, headRoom)
            (self.expansionThreshold, self.expansionRatio) = (expansionThreshold, expansionRatio)
            (self.attack, self.release, self.gain) = (attack, release, gain)
        }

        /// Returns the gain in dB for a steady level, without `gain`.
        ///
        /// Above the threshold T by d: T + H (1 − e^(−d/H)) with the head room H, which begins with the slope 1 and
        /// never exceeds T + H. Below the expansion threshold E: E − r (E − level). At most 120 dB are taken away.
        package func staticGain(at level: Double) -> Double {
            max(compressorGain(at: level) + expanderGain(at: level), -120)
        }

        @inline(__always)
        fileprivate func compressorGain(at level: Double) -> Double {
            let excess = level - threshold
            return excess > 0 ? headRoom * (1 - exp(-excess / max(headRoom, 1e-3))) - excess : 0
        }

        @inline(__always)
        fileprivate func expanderGain(at level: Double) -> Double {
            let missing = expansionThreshold - level
            return missing > 0 ? max((1 - max(expansionRatio, 1)) * missing, -120) : 0
        }
    }

    /// The levels of the newest frames, in dB.
    package struct Meters: Equatable, Sendable {
        package var reduction = 0.0
        package var input = -160.0
        package var output = -160.0
    }

    /// Frames between two gains.
    private static let stepFrames = 8
    /// The parts of the window of the level.
    private static let partCount = 8

    private let sampleRate: Double
    private let channelCount: Int
    /// The peaks of the parts of the window.
    private let parts: UnsafeMutablePointer<Float>
    private let stepsInPart: Int
    private var part = 0
    private var stepsDone = 0
    private var framesDone = 0
    private var peak: Float = 0
    private var settings = Settings(threshold: 0, headRoom: 5, attack: 0.001, release: 0.05)
    private var attackShare = 1.0
    private var releaseShare = 1.0
    /// The smoothed gains of the static curve in dB.
    private var compression = 0.0
    private var expansion = 0.0
    private var makeUp = 0.0
    /// The gain at the ends of the step.
    private var factor: Float = 1
    private var nextFactor: Float = 1
    private var increment: Float = 0
    private var hasBegun = false
    package private(set) var meters = Meters()

    package init(sampleRate: Double, channelCount: Int) {
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        parts = .allocate(capacity: Self.partCount)
        parts.initialize(repeating: 0, count: Self.partCount)
        stepsInPart = max(1, Int((0.01 * sampleRate / Double(Self.partCount * Self.stepFrames)).rounded(.up)))
    }

    deinit { parts.deallocate() }

    /// Forgets the input.
    package mutating func reset() {
        for index in 0..<Self.partCount { parts[index] = 0 }
        (part, stepsDone, framesDone, peak) = (0, 0, 0, 0)
        (compression, expansion) = (0, 0)
        hasBegun = false
        meters = Meters()
    }

    /// Sets the settings, with ramps; immediately before the first `process`.
    package mutating func set(_ settings: Settings) {
        if settings != self.settings {
            self.settings = settings
            let step = Double(Self.stepFrames) / sampleRate
            attackShare = 1 - exp(-step / max(settings.attack, 1e-5))
            releaseShare = 1 - exp(-step / max(settings.release, 1e-5))
        }
        guard !hasBegun else { return }
        makeUp = settings.gain
        factor = Float(gain(decibels: reduction + makeUp))
        (nextFactor, increment) = (factor, 0)
    }

    /// Processes `frameCount` frames of each channel in place.
    package mutating func process(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int) {
        hasBegun = true
        var (inputPeak, outputPeak) = (Float(0), Float(0))
        var done = 0
        while done < frameCount {
            let count = min(frameCount - done, Self.stepFrames - framesDone)
            var stepPeak: Float = 0
            for channel in 0..<channelCount {
                let samples = channels[channel] + done
                for frame in 0..<count {
                    stepPeak = max(stepPeak, abs(samples[frame]))
                    samples[frame] *= factor + increment * Float(framesDone + frame + 1)
                    outputPeak = max(outputPeak, abs(samples[frame]))
                }
            }
            peak = max(peak, stepPeak)
            inputPeak = max(inputPeak, stepPeak)
            framesDone += count
            done += count
            if framesDone == Self.stepFrames { beginStep() }
        }
        meters = Meters(
            reduction: reduction,
            input: Self.decibels(inputPeak),
            output: Self.decibels(outputPeak)
        )
    }

    private mutating func beginStep() {
        framesDone = 0
        factor = nextFactor
        parts[part] = max(parts[part], peak)
        peak = 0
        var level: Float = 0
        for index in 0..<Self.partCount { level = max(level, parts[index]) }
        // Silence counts as the expander's lowest threshold, so that a disabled expander has no effect.
        let decibels = max(Self.decibels(level), -120)
        let compressorGain = settings.compressorGain(at: decibels)
        compression += (compressorGain < compression ? attackShare : releaseShare) * (compressorGain - compression)
        if abs(compressorGain - compression) < 1e-4 { compression = compressorGain }
        let expanderGain = settings.expanderGain(at: decibels)
        expansion += (expanderGain > expansion ? attackShare : releaseShare) * (expanderGain - expansion)
        if abs(expanderGain - expansion) < 1e-4 { expansion = expanderGain }
        // The output gain changes through a low-pass filter of 10 ms.
        makeUp += min(1, Double(Self.stepFrames) / (0.01 * sampleRate)) * (settings.gain - makeUp)
        if abs(settings.gain - makeUp) < 1e-4 { makeUp = settings.gain }
        nextFactor = Float(gain(decibels: reduction + makeUp))
        increment = (nextFactor - factor) / Float(Self.stepFrames)
        stepsDone += 1
        if stepsDone == stepsInPart {
            stepsDone = 0
            part = (part + 1) % Self.partCount
            parts[part] = 0
        }
    }

    /// The gain in dB, without the output gain.
    private var reduction: Double { max(compression + expansion, -120) }

    private static func decibels(_ peak: Float) -> Double { 20 * log10(Double(max(peak, 1e-8))) }
}
