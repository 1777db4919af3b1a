#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A limiter that looks ahead, with the same gain for all channels, for any number of channels.
///
/// The true peak of each frame is estimated between the samples (`TruePeakEstimator`). The gain that it needs is held for the
/// attack, then recovers with the decay as its time constant, and is smoothed by a mean over the attack: it has arrived when the
/// peak comes out, the attack and 80 frames later. Below the ceiling the gain is exactly 1. Output does not depend on how frames
/// are cut into blocks. One thread at a time; `process` neither allocates nor locks.
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
    private static let groupFrames = TruePeakEstimator.groupFrames
    /// Frames by which the output lags behind the attack: a group is processed when it is whole.
    private static let estimateFrames = TruePeakEstimator.lagFrames + groupFrames

    private let sampleRate: Double
    private let channelCount: Int
    private let capacity: Int
    private let delay: AlignedFloatBuffer
    private var estimator: TruePeakEstimator
    /// The group that comes out, of each channel.
    private let ready: AlignedFloatBuffer
    /// The gains of the group: what its frames need, what has recovered, and their mean.
    private let needed: AlignedFloatBuffer
    private let recovered: AlignedFloatBuffer
    private let gains: AlignedFloatBuffer
    /// The held gains of which the mean is taken: multiples of 2⁻²³, so that sums of them stay exact.
    private let held: AlignedFloatBuffer
    private var heldPlace = 0
    private var sum = 0.0
    /// The frames and gains below 1 of which the smallest in the window may become the smallest: a queue in rising order.
    private let queueFrames: UnsafeMutablePointer<Int>
    private let queueGains: UnsafeMutablePointer<Float>
    private var (queueHead, queueCount) = (0, 0)
    /// The number of the first frame of the group.
    private var frame = 0
    private var groupPlace = 0
    private var writePlace = 0
    private var attackFrames = 1
    /// The last gain that has recovered, and the frames for which it has been 1.
    private var level = 1.0
    private var restFrames = 0
    /// The share of a deviation from the smallest gain that is left after 1, 2, 3 … frames.
    private let remains: UnsafeMutablePointer<Double>
    private var preGain: Float = 1
    private var targetGain: Float = 1
    private let gainShare: Float
    private var settings = Settings(attack: 0.012, decay: 0.024, preGain: 0)
    private var hasBegun = false

    /// - Parameter skipsQuiet: Whether work is left out that changes nothing: tests compare both.
    package init(sampleRate: Double, channelCount: Int, skipsQuiet: Bool = true) {
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        let longest = Self.frames(Self.longestAttack, sampleRate)
        let group = Self.groupFrames
        capacity = (longest + Self.estimateFrames + 2 * group) / group * group
        delay = AlignedFloatBuffer(count: capacity * channelCount)
        estimator = TruePeakEstimator(channelCount: channelCount, threshold: Self.ceiling, skipsQuiet: skipsQuiet)
        ready = AlignedFloatBuffer(count: group * channelCount)
        needed = AlignedFloatBuffer(count: group)
        recovered = AlignedFloatBuffer(count: group)
        gains = AlignedFloatBuffer(count: group)
        held = AlignedFloatBuffer(count: longest)
        queueFrames = .allocate(capacity: longest + 4)
        queueGains = .allocate(capacity: longest + 4)
        remains = .allocate(capacity: group)
        gainShare = Float(1 - exp(-1 / (0.003 * sampleRate)))
        queueFrames.initialize(repeating: 0, count: longest + 4)
        queueGains.initialize(repeating: 1, count: longest + 4)
        remains.initialize(repeating: 0, count: group)
        settle()
    }

    deinit {
        queueFrames.deallocate()
        queueGains.deallocate()
        remains.deallocate()
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
        ready.clear()
        estimator.reset()
        (frame, groupPlace, writePlace) = (0, 0, 0)
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
            targetGain = Float(gain(decibels: settings.preGain))
            if isNewAttack || !hasBegun { settle() }
            fillRemains()
        }
        if !hasBegun { preGain = targetGain }
    }

    private mutating func settle() {
        attackFrames = Self.frames(settings.attack, sampleRate)
        for index in 0..<held.count { held.pointer[index] = 1 }
        sum = Double(attackFrames)
        (queueHead, queueCount, level, heldPlace) = (0, 0, 1, 0)
        restFrames = attackFrames
        fillRemains()
    }

    private func fillRemains() {
        let share = exp(-1 / (max(settings.decay, 1e-4) * sampleRate))
        var rest = 1.0
        for index in 0..<Self.groupFrames {
            rest *= share
            remains[index] = rest
        }
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
                take(samples, channel, count, isMoving: isMoving)
                copyFloats(ready.pointer + (channel * Self.groupFrames + groupPlace), to: samples, count: count)
            }
            done += count
            groupPlace += count
            if groupPlace == Self.groupFrames { finishGroup() }
        }
    }

    /// Moves on the gain before the limiter; `gains` is free until the group is whole.
    private mutating func fillPreGains(_ count: Int) {
        for index in 0..<count {
            // Snaps, so that a gain of 1 leaves samples as they are.
            preGain = abs(targetGain - preGain) < 1e-6 ? targetGain : preGain + gainShare * (targetGain - preGain)
            gains.pointer[index] = preGain
        }
    }

    private func take(_ samples: UnsafePointer<Float>, _ channel: Int, _ count: Int, isMoving: Bool) {
        let target = estimator.input(channel) + groupPlace
        if isMoving {
            for index in 0..<count { target[index] = samples[index] * gains.pointer[index] }
        } else {
            let factor = preGain
            var index = 0
            while index < count {
                target[index] = samples[index] * factor
                index &+= 1
            }
        }
        copyFloats(target, to: delay.pointer + (channel * capacity + writePlace + groupPlace), count: count)
    }

    private mutating func finishGroup() {
        groupPlace = 0
        let isLoud = estimator.advance()
        writePlace += Self.groupFrames
        if writePlace == capacity { writePlace = 0 }
        let isActive = isLoud || queueCount > 0 || restFrames < attackFrames
        if isActive { fillGains(isLoud: isLoud) }
        let lag = attackFrames + Self.estimateFrames
        let read = writePlace >= lag ? writePlace - lag : writePlace - lag + capacity
        let straight = min(Self.groupFrames, capacity - read)
        for channel in 0..<channelCount {
            let (source, target) = (delay.pointer + channel * capacity, ready.pointer + channel * Self.groupFrames)
            copyFloats(source + read, to: target, count: straight)
            copyFloats(source, to: target + straight, count: Self.groupFrames - straight)
            for vector in 0..<Self.groupFrames / 8 {
                let part = 8 * vector
                var samples = load8(target + part)
                if isActive { samples *= load8(gains.pointer + part) }
                samples = smaller(larger(samples, SIMD8(repeating: -1)), SIMD8(repeating: 1))
                store8(samples, to: target + part)
            }
        }
        frame &+= Self.groupFrames
    }

    /// Computes the gains of the group from the true peaks of its frames.
    private mutating func fillGains(isLoud: Bool) {
        var isQuiet = true
        for index in 0..<Self.groupFrames {
            let peak = isLoud ? estimator.frameMagnitudes.pointer[index] : 0
            needed.pointer[index] = peak > Self.ceiling ? Self.ceiling / peak : 1
            if peak > Self.ceiling { isQuiet = false }
        }
        var index = 0
        while index < Self.groupFrames { index = fillRecovered(from: index, isQuiet: isQuiet) }
        let scale = 1 / Double(attackFrames)
        for index in 0..<Self.groupFrames {
            // Of 1 and more the last place is 2⁻²³.
            let newest = (recovered.pointer[index] + 1) - 1
            sum += Double(newest - held.pointer[heldPlace])
            held.pointer[heldPlace] = newest
            heldPlace = heldPlace + 1 == attackFrames ? 0 : heldPlace + 1
            gains.pointer[index] = Float(sum * scale)
        }
    }

    /// Fills in the recovered gains from `first` on, as far as the smallest gain in the window stays.
    /// - Returns: The frame behind.
    private mutating func fillRecovered(from first: Int, isQuiet: Bool) -> Int {
        let now = frame + first
        // The smallest gain of the last `attackFrames` + 2 frames (D. Lemire, "Streaming maximum-minimum filter", 2006): what a
        // peak between two frames needs counts for both.
        let window = attackFrames + 2
        push(needed.pointer[first], now)
        if queueCount > 0, queueFrames[queueHead] <= now - window {
            queueHead = next(queueHead)
            queueCount -= 1
        }
        var end = Self.groupFrames
        if !isQuiet {
            end = first + 1
            while end < Self.groupFrames, needed.pointer[end] == 1 { end &+= 1 }
        }
        if queueCount > 0 { end = min(end, max(first + 1, queueFrames[queueHead] + window - frame)) }
        let smallest = queueCount > 0 ? Double(queueGains[queueHead]) : 1
        let deviation = smallest <= level ? 0 : smallest - level
        var index = first
        while index < end {
            recovered.pointer[index] = Float(smallest - deviation * remains[index &- first])
            index &+= 1
        }
        level = smallest - deviation * remains[end - 1 - first]
        if level > 0.999_999_9 { level = 1 }
        restFrames = level == 1 && deviation == 0 ? min(restFrames + end - first, attackFrames) : 0
        return end
    }

    private mutating func push(_ gain: Float, _ frame: Int) {
        if gain == 1 { return }
        while queueCount > 0, queueGains[place(queueCount - 1)] >= gain { queueCount -= 1 }
        (queueGains[place(queueCount)], queueFrames[place(queueCount)]) = (gain, frame)
        queueCount += 1
    }

    private var queueCapacity: Int { held.count + 4 }

    private func next(_ index: Int) -> Int { index + 1 == queueCapacity ? 0 : index + 1 }

    private func place(_ offset: Int) -> Int {
        let index = queueHead + offset
        return index >= queueCapacity ? index - queueCapacity : index
    }
}
