#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The delays in frames and the gains of a delay network for given settings.
///
/// It has memory for all possible settings, so `fill` allocates nothing.
struct ReverbLayout: ~Copyable {
    /// The number of delay lines, and of channels of the diffusion.
    static let count = 16
    /// The number of lines with a tap for an output: lines with an even index for even channels.
    static let outputTaps = count / 2
    /// The lengths of the first and third diffusion steps relative to the second.
    static let firstStep = 0.485
    static let thirdStep = 0.75
    /// Returns the modulated line of a group of four, 0…3: the last one.
    static func modulatedLine(ofGroup group: Int) -> Int { 4 &* group &+ 3 }
    /// The maximum number of frames per step, and the number of frames that modulated lines read beyond their delay.
    static let longestStep = 32
    static let margin = 4

    /// The delays of the first step: of the left side for even channels, of the right one for odd ones.
    let firstDelays: UnsafeMutablePointer<Int>
    /// Their gains, each four times in a row.
    let firstGains: UnsafeMutablePointer<Float>
    let secondDelays: UnsafeMutablePointer<Int>
    let thirdDelays: UnsafeMutablePointer<Int>
    let lengths: UnsafeMutablePointer<Int>
    /// The places of the taps of each output channel, and their gains.
    let tapDelays: UnsafeMutablePointer<Int>
    let tapGains: UnsafeMutablePointer<Float>
    private let onset: UnsafeMutablePointer<Double>
    private static let onsetCount = 256
    private let channelCount: Int
    private let sampleRate: Double
    private let limits: ReverbLimits

    /// The filters of the lines, with a sign for each and a factor of ¼ for the matrix, and the gains of their input.
    private(set) var filters = ReverbKernel.Filters(gains: SIMD16(), poles: SIMD16(), density: SIMD2(1, 0))
    /// The gain of the early reflections' second step and of their first.
    private(set) var earlyGains = SIMD2<Float>()
    /// The pole of the low pass on the early reflections.
    private(set) var earlyPole: Float = 0
    /// The largest step, a power of two, in which no line reads frames written in the same step.
    private(set) var step = 4
    /// The modulation in frames, and its phases' advance with each frame.
    private(set) var modulationFrames = 0.0
    private(set) var modulationSteps = SIMD4<Double>()

    init(sampleRate: Double, channelCount: Int, limits: ReverbLimits) {
        (self.sampleRate, self.channelCount, self.limits) = (sampleRate, channelCount, limits)
        let taps = Self.outputTaps * max(1, channelCount)
        firstDelays = .allocate(capacity: Self.count)
        firstGains = .allocate(capacity: 4 * Self.count)
        secondDelays = .allocate(capacity: Self.count)
        thirdDelays = .allocate(capacity: Self.count)
        lengths = .allocate(capacity: Self.count)
        tapDelays = .allocate(capacity: taps)
        tapGains = .allocate(capacity: taps)
        firstDelays.initialize(repeating: 0, count: Self.count)
        firstGains.initialize(repeating: 0, count: 4 * Self.count)
        secondDelays.initialize(repeating: 0, count: Self.count)
        thirdDelays.initialize(repeating: 0, count: Self.count)
        lengths.initialize(repeating: 64, count: Self.count)
        tapDelays.initialize(repeating: 0, count: taps)
        onset = .allocate(capacity: Self.onsetCount)
        onset.initialize(repeating: 0, count: Self.onsetCount)
        tapGains.initialize(repeating: 0, count: taps)
    }

    deinit {
        firstDelays.deallocate()
        firstGains.deallocate()
        secondDelays.deallocate()
        thirdDelays.deallocate()
        lengths.deallocate()
        tapDelays.deallocate()
        tapGains.deallocate()
        onset.deallocate()
    }

    /// The longest delays in frames that `fill` sets, for the memory of the network.
    static func longestInput(_ limits: ReverbLimits, _ sampleRate: Double) -> Int {
        Int((limits.preDelay + firstStep * ReverbSettings.longestDiffusion) * sampleRate) + margin + longestStep
    }

    static func longestSecond(_ sampleRate: Double) -> Int {
        Int(ReverbSettings.longestDiffusion * sampleRate) + margin + longestStep
    }

    static func longestLine(_ limits: ReverbLimits, _ sampleRate: Double) -> Int {
        let line = Int((limits.line + 2 * ReverbSettings.longestModulation) * sampleRate) + margin
        // The next prime is less than 1,000 frames larger.
        return max(line + 1_000, Int((limits.lateDelay + limits.line) * sampleRate)) + 2 * longestStep
    }

    /// Computes the layout for settings.
    mutating func fill(_ settings: ReverbSettings) {
        var random = ReverbRandom(seed: UInt64(max(settings.seed, 0)) + 1)
        let preDelay = frames(min(max(settings.preDelay, 0), limits.preDelay))
        let diffusion = min(max(settings.diffusion, 0.000_1), ReverbSettings.longestDiffusion) * sampleRate
        let range = min(max(settings.diffusionRange, 0), 1)
        fillLines(settings, &random)
        let most = min(max(preDelay, 4), lengths[0] - Self.margin)
        step = most >= 32 ? 32 : most >= 16 ? 16 : most >= 8 ? 8 : 4
        spread(firstDelays, longest: Self.firstStep * diffusion, range, from: max(preDelay, step), &random)
        spread(secondDelays, longest: diffusion, range, from: 0, &random)
        spread(thirdDelays, longest: Self.thirdStep * diffusion, 1, from: 0, &random)
        for channel in 0..<Self.count {
            // A quarter for each of three matrices.
            let gain: Float = random.next(2) == 0 ? 0.015_625 : -0.015_625
            (firstGains + 4 * channel).update(repeating: gain, count: 4)
        }
        fillShares(settings)
        fillTaps(settings, &random)
        modulationFrames = min(max(settings.modulationDepth, 0), ReverbSettings.longestModulation) * sampleRate
        modulationSteps = SIMD4(0.31, 0.47, 0.67, 0.93) * min(max(settings.modulationRate, 0), 10) / sampleRate
    }

    private func frames(_ seconds: Double) -> Int { Int((seconds * sampleRate).rounded()) }

    /// One delay in each sixteenth of the time, in a random order and at random places.
    private func spread(
        _ delays: UnsafeMutablePointer<Int>,
        longest: Double,
        _ range: Double,
        from start: Int,
        _ random: inout ReverbRandom
    ) {
        for channel in 0..<Self.count { delays[channel] = channel }
        var channel = Self.count - 1
        while channel > 0 {
            let other = random.next(channel + 1)
            (delays[channel], delays[other]) = (delays[other], delays[channel])
            channel -= 1
        }
        let begin = longest * (1 - range)
        let width = longest * range / Double(Self.count)
        for channel in 0..<Self.count {
            let place = begin + width * (Double(delays[channel]) + Double(random.next(1_000)) / 1_000)
            delays[channel] = start + Int(place)
        }
    }

    /// Sets the lengths, evenly spaced on a logarithmic scale; each is a different prime if enough primes exist.
    private mutating func fillLines(_ settings: ReverbSettings, _ random: inout ReverbRandom) {
        let bound = limits.line
        let shortest = max(2 * Self.margin, frames(min(max(settings.shortestLine, 0), bound)))
        let longest = max(shortest, frames(min(max(settings.longestLine, 0), bound)))
        let ratio = log(Double(longest) / Double(shortest))
        let moves = settings.seed != 1
        var last = 0
        for line in 0..<Self.count {
            // Another pattern moves each line within its part of the scale.
            let part = moves ? Double(random.next(1_000)) / 1_000 - 0.5 : 0
            let place = Double(line) + (line == 0 || line == Self.count - 1 ? 0 : 0.8 * part)
            let share = pow(place / Double(Self.count - 1), settings.lineBias)
            var length = max(last + 1, Int((Double(shortest) * exp(ratio * share)).rounded()))
            while !Self.isPrime(length) { length += 1 }
            if length > longest { length = longest }
            lengths[line] = length
            last = length
            let damping = ReverbDamping(settings.decay, seconds: Double(length) / sampleRate, sampleRate: sampleRate)
            let isNegative = (0b0110_1100_1010_0000 >> line) & 1 == 1
            filters.gains[line] = Float(damping.gain) * (isNegative ? -0.25 : 0.25)
            filters.poles[line] = Float(damping.pole)
        }
    }

    /// Whether a channel has a negative sign, in a pattern that a Hadamard matrix does not merely turn into another
    /// order.
    ///
    /// It is a bent function of the four bits of the channel (J. Dillon).
    static func isNegative(_ channel: Int) -> Bool { (0b0111_1000_1000_1000 >> channel) & 1 == 1 }

    private static func isPrime(_ number: Int) -> Bool {
        if number < 4 { return number > 1 }
        if number % 2 == 0 { return false }
        var divisor = 3
        while divisor * divisor <= number {
            if number % divisor == 0 { return false }
            divisor += 2
        }
        return true
    }

    private mutating func fillShares(_ settings: ReverbSettings) {
        let (second, first) = Self.equalPower(settings.density)
        filters.density = SIMD2(Float(second), 4 * Float(first))
        let early = Self.equalPower(settings.lateShare).1
        let (earlySecond, earlyFirst) = Self.equalPower(settings.earlyDensity)
        earlyGains = SIMD2(Float(4 * early * earlySecond), Float(16 * early * earlyFirst))
        earlyPole =
            settings.earlyCutoff > 0.45 * sampleRate
            ? 0 : Float(exp(-2 * Double.pi * settings.earlyCutoff / sampleRate))
    }

    /// Returns the equal-power gains for a share and its complement, exact at 0 and 1.
    static func equalPower(_ share: Double) -> (Double, Double) {
        if share >= 1 { return (1, 0) }
        if !(share > 0) { return (0, 1) }
        return (sin(share * Double.pi / 2), cos(share * Double.pi / 2))
    }

    private mutating func fillTaps(_ settings: ReverbSettings, _ random: inout ReverbRandom) {
        var energy = 0.0
        for line in 0..<Self.count {
            let seconds = Double(lengths[line]) / sampleRate
            let damping = ReverbDamping(settings.decay, seconds: seconds, sampleRate: sampleRate)
            // Most of the energy of pink noise is below 1 kHz.
            energy += exp(-6 * log(10) * seconds / damping.decayTime(at: 500)) / Double(Self.count)
        }
        // The energy of all passes is the sum of a geometric series, so pink noise keeps its loudness.
        let share = Self.equalPower(settings.lateShare).0
        let level = (1 - energy).squareRoot() * share / Double(Self.outputTaps).squareRoot()
        let late = frames(min(max(settings.lateDelay, 0), limits.lateDelay))
        fillOnset(fall: 6 * log(10) / (settings.decay.lowTime * sampleRate))
        for channel in 0..<channelCount {
            let first = channel * Self.outputTaps
            // A row of a Hadamard matrix of eight for each pair of channels.
            let row = (channel / 2) % Self.outputTaps
            for tap in 0..<Self.outputTaps {
                let part = (tap * 3 + channel) % Self.outputTaps
                let share =
                    part == 0 ? 0 : (Double(part) + Double(random.next(1_000)) / 1_000) / Double(Self.outputTaps)
                let isNegative = ((tap & row).nonzeroBitCount + (tap >> 1 & tap)) % 2 == 1
                tapDelays[first + tap] = late + onsetPlace(share)
                tapGains[first + tap] = Float(level) * (isNegative ? -1 : 1)
            }
        }
    }

    /// Fills the table of the accumulated energy at each position of the longest line.
    ///
    /// To decay evenly from its start, the network's input supplies the energy that the lines do not yet return: that
    /// of the lines longer than the elapsed time.
    private func fillOnset(fall: Double) {
        let width = Double(lengths[Self.count - 1]) / Double(Self.onsetCount)
        var (sum, returned) = (0.0, 0)
        for place in 0..<Self.onsetCount {
            let time = width * (Double(place) + 0.5)
            while returned < Self.count, Double(lengths[returned]) <= time { returned += 1 }
            sum += Double(Self.count - returned) * exp(-fall * time)
            onset[place] = sum
        }
    }

    /// Returns the number of frames after which a share of that energy has arrived.
    private func onsetPlace(_ share: Double) -> Int {
        let target = share * onset[Self.onsetCount - 1]
        var place = 0
        while place < Self.onsetCount - 1, onset[place] < target { place += 1 }
        let before = place == 0 ? 0 : onset[place - 1]
        let part = onset[place] > before ? (target - before) / (onset[place] - before) : 0
        return Int((Double(place) + part) * Double(lengths[Self.count - 1]) / Double(Self.onsetCount))
    }
}

/// A linear congruential generator: Knuth's MMIX.
struct ReverbRandom {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

    /// Returns a number below `bound`.
    mutating func next(_ bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(truncatingIfNeeded: state >> 33) % bound
    }
}
