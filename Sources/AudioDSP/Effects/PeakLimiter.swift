#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A limiter that looks ahead, with the same gain for all channels, for any number of channels.
///
/// The true peak of each frame is estimated between the samples at eight times the rate, as ITU-R BS.1770-5, annex 2, does at
/// four. The gain that it needs is held for the attack, then recovers with the decay as its time constant, and is smoothed by a
/// mean over the attack: it has arrived when the peak comes out, the attack and 16 frames later. Below the ceiling the gain is exactly 1. Output does
/// not depend on how frames are cut into blocks. One thread at a time; `process` neither allocates nor locks.
package struct PeakLimiter: ~Copyable {
    /// The settings of a limiter.
    package struct Settings: Equatable, Sendable {
        /// Seconds, 0.001…0.03: how long before a peak the gain begins to fall.
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
    /// The true peak that it keeps by its estimate: −0.3 dB, of which 0.1 is left by measures at a higher rate.
    package static let ceiling: Float = 0.966_05
    /// Frames by which the estimate of the true peak lags.
    private static let estimateFrames = TruePeakTable.tapCount / 2
    /// The gain 1 of the sums, which are of integers so that they stay exact.
    private static let one = Double(1 << 30)

    private let sampleRate: Double
    private let channelCount: Int
    private let capacity: Int
    private let delay: AlignedFloatBuffer
    private let estimate: TruePeakTable
    /// The last 32 samples of each channel, twice, so that they lie in one piece.
    private let recent: AlignedFloatBuffer
    /// The held gains, of which the mean is taken, as integers.
    private let held: UnsafeMutablePointer<Int64>
    /// The frames and gains of which the smallest in the window may become the smallest: a queue in falling order.
    private let queueFrames: UnsafeMutablePointer<Int>
    private let queueGains: UnsafeMutablePointer<Float>
    private var (queueHead, queueCount) = (0, 0)
    private var frame = 0
    private var loudFrame = -TruePeakTable.tapCount
    private var attackFrames = 1
    private var sum: Int64 = 0
    private var recovered = 1.0
    private var decayShare = 1.0
    private var preGain: Float = 1
    private var targetGain: Float = 1
    private let gainShare: Float
    private var settings = Settings(attack: 0.012, decay: 0.024, preGain: 0)
    private var hasBegun = false

    package init(sampleRate: Double, channelCount: Int) {
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        capacity = Self.frames(Self.longestAttack, sampleRate) + Self.estimateFrames + 1
        delay = AlignedFloatBuffer(count: capacity * channelCount)
        estimate = TruePeakTable()
        recent = AlignedFloatBuffer(count: 2 * TruePeakTable.tapCount * channelCount)
        held = .allocate(capacity: capacity)
        queueFrames = .allocate(capacity: capacity)
        queueGains = .allocate(capacity: capacity)
        gainShare = Float(1 - exp(-1 / (0.003 * sampleRate)))
        held.initialize(repeating: Int64(Self.one), count: capacity)
        queueFrames.initialize(repeating: 0, count: capacity)
        queueGains.initialize(repeating: 1, count: capacity)
        settle()
    }

    deinit {
        held.deallocate()
        queueFrames.deallocate()
        queueGains.deallocate()
    }

    private static func frames(_ attack: Double, _ sampleRate: Double) -> Int {
        max(1, Int((min(max(attack, 0), longestAttack) * sampleRate).rounded()))
    }

    /// Frames by which the output lags for an attack.
    package static func latencyFrames(attack: Double, sampleRate: Double) -> Int {
        frames(attack, sampleRate) + estimateFrames
    }

    /// Forgets the input.
    package mutating func reset() {
        delay.clear()
        recent.clear()
        (frame, loudFrame) = (0, -TruePeakTable.tapCount)
        hasBegun = false
        settle()
    }

    /// Has the limiter follow `settings`; at once if nothing has been processed yet.
    ///
    /// A new attack moves the sound in time: the gain starts afresh, and the output is kept under the ceiling sample by sample
    /// meanwhile.
    package mutating func set(_ settings: Settings) {
        if settings != self.settings || !hasBegun {
            let isNewAttack = settings.attack != self.settings.attack
            self.settings = settings
            decayShare = 1 - exp(-1 / (max(settings.decay, 1e-4) * sampleRate))
            targetGain = Float(gain(decibels: settings.preGain))
            if isNewAttack || !hasBegun { settle() }
        }
        if !hasBegun { preGain = targetGain }
    }

    private mutating func settle() {
        attackFrames = Self.frames(settings.attack, sampleRate)
        for index in 0..<capacity { held[index] = Int64(Self.one) }
        sum = Int64(Self.one) * Int64(attackFrames)
        (queueHead, queueCount, recovered) = (0, 0, 1)
    }

    /// Processes `frameCount` frames of each channel in place.
    package mutating func process(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int) {
        hasBegun = true
        let lag = attackFrames + Self.estimateFrames
        for index in 0..<frameCount {
            // Snaps, so that a gain of 1 leaves samples as they are.
            preGain = abs(targetGain - preGain) < 1e-6 ? targetGain : preGain + gainShare * (targetGain - preGain)
            let write = frame % capacity
            var peak: Float = 0
            for channel in 0..<channelCount {
                let sample = channels[channel][index] * preGain
                delay.pointer[channel * capacity + write] = sample
                let between = estimate.peak(
                    adding: sample,
                    to: recent.pointer,
                    channel: channel,
                    frame: frame,
                    loudFrame: &loudFrame
                )
                peak = max(peak, between)
            }
            let gain = nextGain(peak > Self.ceiling ? Self.ceiling / peak : 1)
            let read = write >= lag ? write - lag : write - lag + capacity
            for channel in 0..<channelCount {
                let sample = delay.pointer[channel * capacity + read] * gain
                channels[channel][index] = min(max(sample, -1), 1)
            }
            frame &+= 1
        }
    }

    /// Returns the gain of the frame that comes out, for the gain that the newest needs.
    @inline(__always)
    private mutating func nextGain(_ needed: Float) -> Float {
        // The smallest gain of the last `attackFrames` + 1 frames (D. Lemire, "Streaming maximum-minimum filter", 2006).
        while queueCount > 0, queueGains[(queueHead + queueCount - 1) % capacity] >= needed { queueCount -= 1 }
        let place = (queueHead + queueCount) % capacity
        (queueGains[place], queueFrames[place]) = (needed, frame)
        queueCount += 1
        if queueFrames[queueHead] < frame - attackFrames {
            queueHead = (queueHead + 1) % capacity
            queueCount -= 1
        }
        let smallest = Double(queueGains[queueHead])
        recovered = smallest <= recovered ? smallest : recovered + decayShare * (smallest - recovered)
        if recovered > 0.999_999_9 { recovered = 1 }
        let newest = Int64(recovered * Self.one)
        let slot = frame % attackFrames
        sum += newest - held[slot]
        held[slot] = newest
        return Float(Double(sum) / (Self.one * Double(attackFrames)))
    }
}

/// The filter that estimates the peak between samples: 32 taps for each of eight phases, a windowed sinc.
private struct TruePeakTable: ~Copyable {
    static let tapCount = 32
    /// Below it in all taps there is no peak that matters: the magnitudes of a phase's taps add up to at most 2.6.
    private static let quiet: Float = PeakLimiter.ceiling / 2.6
    private let taps: UnsafeMutablePointer<SIMD8<Float>>

    init() {
        taps = .allocate(capacity: Self.tapCount)
        for tap in 0..<Self.tapCount {
            var values = SIMD8<Float>()
            for phase in 0..<8 {
                // The interval lies between taps 15 and 16, from which the phases go on by eighths.
                let x = Double(tap) - Double(Self.tapCount / 2 - 1) - Double(phase) / 8
                let sinc = x == 0 ? 1 : sin(Double.pi * x) / (Double.pi * x)
                let w = cos(Double.pi * x / Double(Self.tapCount + 1))
                values[phase] = Float(sinc * w * w)
            }
            (taps + tap).initialize(to: values)
        }
    }

    deinit { taps.deallocate() }

    /// Returns the largest magnitude in a frame's interval, 16 frames late, or 0 where all lies far below the ceiling.
    /// - Parameter loudFrame: The last frame that was not quiet, which this updates.
    @inline(__always)
    func peak(
        adding sample: Float,
        to recent: UnsafeMutablePointer<Float>,
        channel: Int,
        frame: Int,
        loudFrame: inout Int
    ) -> Float {
        let samples = recent + channel * 2 * Self.tapCount
        let slot = frame & (Self.tapCount - 1)
        samples[slot] = sample
        samples[slot + Self.tapCount] = sample
        if abs(sample) > Self.quiet { loudFrame = frame }
        if frame - loudFrame >= Self.tapCount { return 0 }
        let oldest = samples + slot + 1
        var (even, odd) = (SIMD8<Float>(), SIMD8<Float>())
        var tap = 0
        while tap < Self.tapCount {
            even += taps[tap] * oldest[tap]
            odd += taps[tap + 1] * oldest[tap + 1]
            tap += 2
        }
        let sums = even + odd
        var peak: Float = 0
        for phase in 0..<8 { peak = max(peak, abs(sums[phase])) }
        return peak
    }
}
