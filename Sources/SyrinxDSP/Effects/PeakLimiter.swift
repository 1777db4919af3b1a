#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A look-ahead limiter for any number of channels, all with the same gain.
///
/// The true peak of each group of 16 frames is estimated between the samples (`TruePeakEstimator`). The gain for this
/// peak is held for the attack time, then recovers with the decay time constant, and is smoothed by a moving average
/// over the attack time. It is therefore complete when the peak is output, the attack time and 80 frames later. Below
/// the ceiling the gain is exactly 1. Only the largest peak within the attack time matters, so few groups need an
/// estimate. The output does not depend on the division into blocks. Use from one thread at a time; `process` neither
/// allocates nor locks.
///
/// ```swift
/// var limiter = PeakLimiter(sampleRate: 48_000, channelCount: 2)
/// limiter.set(PeakLimiter.Settings(attack: 0.005, decay: 0.1, preGain: 6))
/// limiter.process(channels, frameCount: 512)  // in place
/// ```
package struct PeakLimiter: ~Copyable {
    /// The settings of a limiter.
    package struct Settings: Equatable, Sendable {
        /// The attack time in seconds, 0.001…0.03, by which the gain reduction precedes a peak.
        package var attack: Double
        /// Seconds: the time constant with which the gain recovers.
        package var decay: Double
        /// The gain before the limiter in dB.
        package var preGain: Double

        package init(attack: Double, decay: Double, preGain: Double) {
            (self.attack, self.decay, self.preGain) = (attack, decay, preGain)
        }
    }

    /// The longest attack in seconds.
    package static let longestAttack = 0.03
    /// The maximum true peak according to the estimate: −0.3 dB.
    ///
    /// Meters with a higher rate measure at most −0.1 dB.
    package static let ceiling: Float = 0.966_05
    private let ceiling: Float
    private static let groupFrames = TruePeakEstimator.groupFrames
    /// The number of groups between the newest one and the one whose peak can be estimated.
    private static let lagGroups = 4
    /// The delay in frames in addition to the attack time, because a group is processed when it is complete.
    private static let estimateFrames = (lagGroups + 1) * groupFrames

    private let sampleRate: Double
    private let channelCount: Int
    private let capacity: Int
    /// The input of each channel after the gain, stored twice in sequence, so that the input before any position is
    /// contiguous.
    private let history: AlignedFloatBuffer
    private let estimator = TruePeakEstimator()
    private let estimatesAll: Bool
    /// Bounds of the peaks of the groups in the window, of each channel, which have not been estimated; 0 up to the
    /// ceiling.
    private let bounds: AlignedFloatBuffer
    /// The estimated peaks of the others.
    private let peaks: AlignedFloatBuffer
    /// The groups in the window, and the place of the newest.
    private var windowGroups = 1
    private var newestSlot = 0
    /// The groups for which a peak above the ceiling is still in the window.
    private var loudGroups = 0
    /// The held gains for the moving average: multiples of 2⁻²³, so that their sums are exact.
    private let held: UnsafeMutablePointer<Double>
    private var meanGroups = 1
    private var heldPlace = 0
    private var sum = 0.0
    /// The last gain that has recovered.
    private var level = 1.0
    /// The share of a deviation from the smallest gain that is left after a group.
    private var remaining = 0.0
    /// The gain before the first frame of the output group and after its last; linear in between.
    private var (firstGain, lastGain): (Float, Float) = (1, 1)
    private var groupPlace = 0
    private var writePlace = 0
    private var lagFrames = 1
    private let preGains: AlignedFloatBuffer
    private var preGain: Float = 1
    private var targetGain: Float = 1
    private let gainShare: Float
    private var settings = Settings(attack: 0.012, decay: 0.024, preGain: 0)
    private var hasBegun = false

    /// Creates a limiter.
    /// - Parameters:
    ///   - ceiling: The maximum true peak according to the estimate.
    ///   - skipsQuiet: Whether to skip work without an effect; tests compare both ways.
    package init(
        sampleRate: Double,
        channelCount: Int,
        ceiling: Float = Self.ceiling,
        skipsQuiet: Bool = true
    ) {
        self.ceiling = ceiling
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        estimatesAll = !skipsQuiet
        let longest = Self.frames(Self.longestAttack, sampleRate) / Self.groupFrames + 1
        // The window is followed by the groups that the estimate waits for, and preceded by those that it reads.
        capacity = (longest + 2 + Self.lagGroups + 2) * Self.groupFrames + TruePeakEstimator.reach
        history = AlignedFloatBuffer(count: 2 * capacity * channelCount)
        let slots = (longest + 2) * channelCount + 8
        bounds = AlignedFloatBuffer(count: slots)
        peaks = AlignedFloatBuffer(count: slots)
        held = .allocate(capacity: longest)
        held.initialize(repeating: 1, count: longest)
        preGains = AlignedFloatBuffer(count: Self.groupFrames)
        gainShare = Float(1 - exp(-1 / (0.003 * sampleRate)))
        settle()
    }

    deinit { held.deallocate() }

    private static func frames(_ attack: Double, _ sampleRate: Double) -> Int {
        max(groupFrames, Int((min(max(attack, 0), longestAttack) * sampleRate).rounded()))
    }

    /// Frames by which the output lags for an attack.
    package static func latencyFrames(attack: Double, sampleRate: Double) -> Int {
        frames(attack, sampleRate) + estimateFrames
    }

    /// Forgets the input.
    package mutating func reset() {
        history.clear()
        (groupPlace, writePlace) = (0, 0)
        hasBegun = false
        settle()
    }

    /// Sets the settings, with ramps; immediately before the first `process`.
    ///
    /// A new attack time changes the delay. The gain then restarts, and meanwhile each output sample is limited to the
    /// ceiling.
    package mutating func set(_ settings: Settings) {
        if settings != self.settings || !hasBegun {
            let isNewAttack = settings.attack != self.settings.attack
            self.settings = settings
            targetGain = Float(gain(decibels: settings.preGain))
            if isNewAttack || !hasBegun { settle() }
            setRemaining()
        }
        if !hasBegun { preGain = targetGain }
    }

    private mutating func settle() {
        let attackFrames = Self.frames(settings.attack, sampleRate)
        lagFrames = attackFrames + Self.estimateFrames
        meanGroups = attackFrames / Self.groupFrames
        // When a peak is output, the average is complete; the peak is in two groups, or its end is in the next one.
        windowGroups = meanGroups + 2
        bounds.clear()
        peaks.clear()
        for index in 0..<meanGroups { held[index] = 1 }
        sum = Double(meanGroups)
        (newestSlot, loudGroups, heldPlace, level) = (0, 0, 0, 1)
        (firstGain, lastGain) = (1, 1)
        setRemaining()
    }

    private mutating func setRemaining() {
        remaining = exp(-Double(Self.groupFrames) / (max(settings.decay, 1e-4) * sampleRate))
    }

    /// Processes `frameCount` frames of each channel in place.
    package mutating func process(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int) {
        hasBegun = true
        var done = 0
        while done < frameCount {
            let count = min(frameCount - done, Self.groupFrames - groupPlace)
            let isMoving = preGain != targetGain
            if isMoving { fillPreGains(count) }
            for channel in 0..<channelCount {
                let samples = channels[channel] + done
                let newest = history.pointer + ((2 * channel + 1) * capacity + writePlace + groupPlace)
                if count == Self.groupFrames, !isMoving {
                    passGroup(samples, newest)
                } else {
                    take(samples, newest, count, isMoving: isMoving)
                    give(newest - lagFrames, samples, count)
                }
            }
            done += count
            groupPlace += count
            if groupPlace == Self.groupFrames { finishGroup() }
        }
    }

    /// Moves on the gain before the limiter.
    private mutating func fillPreGains(_ count: Int) {
        for index in 0..<count {
            // Rounded to the target, so that a gain of 1 passes samples unchanged.
            preGain = abs(targetGain - preGain) < 1e-6 ? targetGain : preGain + gainShare * (targetGain - preGain)
            preGains.pointer[index] = preGain
        }
    }

    private func take(
        _ samples: UnsafePointer<Float>,
        _ target: UnsafeMutablePointer<Float>,
        _ count: Int,
        isMoving: Bool
    ) {
        if isMoving {
            for index in 0..<count { target[index] = samples[index] * preGains.pointer[index] }
        } else {
            let factor = preGain
            var index = 0
            while index < count {
                target[index] = samples[index] * factor
                index &+= 1
            }
        }
    }

    /// Writes the output with the gain applied.
    private func give(_ source: UnsafePointer<Float>, _ target: UnsafeMutablePointer<Float>, _ count: Int) {
        let step = gainStep
        var index = 0
        while index < count {
            let gain = firstGain + step * Float(groupPlace &+ index &+ 1)
            let sample = source[index] * gain
            target[index] = sample > 1 ? 1 : sample < -1 ? -1 : sample
            index &+= 1
        }
    }

    /// The difference between the gains of two consecutive frames of the output group.
    private var gainStep: Float { (lastGain - firstGain) * (1 / Float(Self.groupFrames)) }

    /// Processes a complete input group and outputs a group.
    private func passGroup(_ samples: UnsafeMutablePointer<Float>, _ newest: UnsafeMutablePointer<Float>) {
        let (low, high) = (load8(samples) * preGain, load8(samples + 8) * preGain)
        store8(low, to: newest)
        store8(high, to: newest + 8)
        // The duplicated part of the ring.
        store8(low, to: newest - capacity)
        store8(high, to: newest - capacity + 8)
        let source = newest - lagFrames
        let step = gainStep
        let ramp = SIMD8<Float>(1, 2, 3, 4, 5, 6, 7, 8)
        store8(Self.clipped(load8(source) * (firstGain + step * ramp)), to: samples)
        store8(Self.clipped(load8(source + 8) * (firstGain + step * (ramp + 8))), to: samples + 8)
    }

    @inline(__always)
    private static func clipped(_ samples: SIMD8<Float>) -> SIMD8<Float> {
        smaller(larger(samples, SIMD8(repeating: -1)), SIMD8(repeating: 1))
    }

    private mutating func finishGroup() {
        groupPlace = 0
        for channel in 0..<channelCount {
            let first = history.pointer + (2 * channel * capacity + writePlace)
            copyFloats(first + capacity, to: first, count: Self.groupFrames)
        }
        writePlace += Self.groupFrames
        if writePlace == capacity { writePlace = 0 }
        newestSlot = newestSlot + 1 == windowGroups ? 0 : newestSlot + 1
        loudGroups = max(loudGroups - 1, 0)
        for channel in 0..<channelCount {
            let limit = estimatesAll ? .infinity : estimator.limit(group(channel, age: 0))
            let slot = newestSlot * channelCount + channel
            peaks.pointer[slot] = 0
            bounds.pointer[slot] = limit > ceiling ? limit : 0
            if limit > ceiling { loudGroups = windowGroups }
        }
        advanceGain(loudGroups == 0 ? 1 : ceiling / windowPeak())
    }

    /// Returns the place of a group of the window, which is `age` groups older than the newest.
    @inline(__always)
    private func group(_ channel: Int, age: Int) -> UnsafeMutablePointer<Float> {
        history.pointer + ((2 * channel + 1) * capacity + writePlace - (Self.lagGroups + 1 + age) * Self.groupFrames)
    }

    /// Returns the largest peak in the window, at least the ceiling.
    ///
    /// The group with the largest bound is estimated until none has a bound above the largest estimate.
    private func windowPeak() -> Float {
        let count = windowGroups * channelCount
        var top = SIMD8(repeating: ceiling)
        var slot = 0
        // Behind the last there are zeros.
        while slot < count {
            top = larger(top, load8(peaks.pointer + slot))
            slot &+= 8
        }
        var peak = largest(top)
        while true {
            var most = SIMD8<Float>()
            slot = 0
            while slot < count {
                most = larger(most, load8(bounds.pointer + slot))
                slot &+= 8
            }
            let bound = largest(most)
            if !(bound > peak) { return peak }
            slot = 0
            while bounds.pointer[slot] != bound { slot &+= 1 }
            let (place, channel) = slot.quotientAndRemainder(dividingBy: channelCount)
            let age = newestSlot >= place ? newestSlot - place : newestSlot - place + windowGroups
            let estimate = estimator.peak(group(channel, age: age), above: estimatesAll ? 0 : peak)
            bounds.pointer[slot] = 0
            peaks.pointer[slot] = estimate
            if estimate > peak { peak = estimate }
        }
    }

    /// Lets the gain recover towards the value that the window requires, and updates the moving average.
    private mutating func advanceGain(_ needed: Float) {
        let smallest = Double(needed)
        level = smallest <= level ? smallest : smallest - (smallest - level) * remaining
        if level > 0.999_999_9 { level = 1 }
        // Of 1 and more the last place is 2⁻²³.
        let newest = Double((Float(level) + 1) - 1)
        sum += newest - held[heldPlace]
        held[heldPlace] = newest
        heldPlace = heldPlace + 1 == meanGroups ? 0 : heldPlace + 1
        (firstGain, lastGain) = (lastGain, Float(sum / Double(meanGroups)))
    }
}
