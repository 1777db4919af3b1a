#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A reverb: a pre-delay, two steps of diffusion and a feedback delay network of sixteen lines, for any number of channels.
///
/// Each step of diffusion delays sixteen channels by different times and mixes them, so that an impulse becomes 256 in each
/// within 26 ms. Steps and network mix by a matrix whose entries all have the magnitude ¼, so that every line feeds every other
/// alike (J.-M. Jot, A. Chaigne, 1991). Four lines are modulated. Even channels feed one side and odd channels the other; each output has a row
/// of signs of its own, orthogonal to the others'. A preset fades to another within 60 ms. Output does not depend on how frames
/// are cut into blocks. One thread at a time; `process` neither allocates nor locks.
package struct Reverb: ~Copyable {
    private typealias Lines = SIMD16<Float>

    /// Below it, 160 dB under full scale, what is in the lines is dropped, so that silence is exact.
    private static let floor: Float = 1e-8
    /// The longest delays of the steps of diffusion in seconds.
    private static let diffusionSeconds = [0.0083, 0.0171]
    /// Measured: the loudness of pink noise on both sides, through all presets.
    private static let calibration = 1.245
    /// The modulation: ±0.2 ms, at these rates in Hz.
    private static let modulationDepth = 0.0002
    private static let modulationRates: [Double] = [0.31, 0.47, 0.67, 0.93]

    private let sampleRate: Double
    private let channelCount: Int
    /// The lines: each has a part of `capacity` frames, a power of two.
    private let memory: AlignedFloatBuffer
    private let capacity: Int
    private let lengths: UnsafeMutablePointer<Int>
    private let preDelays: AlignedFloatBuffer
    private let preDelayCapacity: Int
    /// The channels of the steps of diffusion: those of a frame lie side by side.
    private let firstStep: DiffusionStep
    private let secondStep: DiffusionStep
    private let signs: UnsafeMutablePointer<Lines>
    private let inputSigns: (Lines, Lines)
    private var (gains, poles, damped) = (Lines(), Lines(), Lines())
    private var phases = SIMD4<Double>(0, 0.25, 0.5, 0.75)
    private var preDelayFrames = 0
    private var level: Float = 1
    private var frame = 0
    private var settings: ReverbSettings?
    private var wanted: ReverbSettings?
    private var fade: CrossfadeCurve
    private var fadesOut = false
    /// The gains of the input and of the reverb.
    private var mix: ParameterGlide
    private var hasBegun = false

    package init(sampleRate: Double, channelCount: Int) {
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        let longest = ReverbSettings.longestSize * ReverbLines.longestFactor + Self.modulationDepth
        // The next primes lie less than 1,000 frames further on.
        capacity = Self.powerOfTwo(Int(longest * sampleRate) + 1_000)
        memory = AlignedFloatBuffer(count: capacity * ReverbLines.count)
        lengths = .allocate(capacity: ReverbLines.count)
        lengths.initialize(repeating: 1, count: ReverbLines.count)
        preDelayCapacity = Self.powerOfTwo(Int(ReverbSettings.longestPreDelay * sampleRate) + 2)
        preDelays = AlignedFloatBuffer(count: 2 * preDelayCapacity)
        firstStep = DiffusionStep(seconds: Self.diffusionSeconds[0], sampleRate: sampleRate, seed: 1)
        secondStep = DiffusionStep(seconds: Self.diffusionSeconds[1], sampleRate: sampleRate, seed: 2)
        signs = .allocate(capacity: ReverbLines.count)
        for row in 0..<ReverbLines.count {
            var values = Lines()
            // Rows of a Hadamard matrix, without the first, whose entries are all 1.
            for line in 0..<ReverbLines.count {
                values[line] = (line & (row + 1) % 16).nonzeroBitCount % 2 == 0 ? 0.25 : -0.25
            }
            (signs + row).initialize(to: values)
        }
        var (left, right) = (Lines(), Lines())
        for line in 0..<ReverbLines.count {
            let sign: Float = line % 8 < 4 ? 1 : -1
            if line % 2 == 0 { left[line] = sign } else { right[line] = sign }
        }
        inputSigns = (left, right)
        fade = CrossfadeCurve(frameCount: Int((0.03 * sampleRate).rounded()))
        mix = ParameterGlide(sampleRate: sampleRate)
        mix.jump(to: SIMD4(1, 0, 0, 0))
    }

    deinit {
        lengths.deallocate()
        signs.deallocate()
    }

    private static func powerOfTwo(_ count: Int) -> Int {
        var power = 1
        while power < count { power *= 2 }
        return power
    }

    /// Forgets the input and finishes all changes with the next `set`.
    package mutating func reset() {
        clear()
        settings = nil
        fade.finish()
        (fadesOut, hasBegun) = (false, false)
        frame = 0
        phases = SIMD4(0, 0.25, 0.5, 0.75)
    }

    private mutating func clear() {
        memory.clear()
        preDelays.clear()
        firstStep.clear()
        secondStep.clear()
        damped = Lines()
    }

    /// Has the reverb go to `settings` and a share of the reverb, 0…1, at equal power; at once if nothing has been processed.
    package mutating func set(_ settings: ReverbSettings, mix share: Double) {
        let angle = min(max(share, 0), 1) * Double.pi / 2
        // Exact at both ends: a mix of 0 is the input, bit for bit.
        let gains = SIMD4(share >= 1 ? 0 : cos(angle), share <= 0 ? 0 : sin(angle), 0, 0)
        wanted = settings
        if hasBegun {
            mix.move(to: gains)
            if self.settings != settings, fade.isFinished {
                fade.begin()
                fadesOut = true
            }
        } else {
            mix.jump(to: gains)
            if self.settings != settings { apply(settings) }
        }
    }

    private mutating func apply(_ new: ReverbSettings) {
        settings = new
        preDelayFrames = Int((min(max(new.preDelay, 0), ReverbSettings.longestPreDelay) * sampleRate).rounded())
        let size = min(max(new.size, 0.001), ReverbSettings.longestSize)
        var energy = 0.0
        ReverbLines.fill(lengths, size: size, sampleRate: sampleRate)
        for line in 0..<ReverbLines.count {
            let damping = ReverbDamping(new, seconds: Double(lengths[line]) / sampleRate, sampleRate: sampleRate)
            (gains[line], poles[line]) = (Float(damping.gain), Float(damping.pole))
            // Of pink noise most of the energy lies below 1 kHz.
            let turn = exp(-6 * log(10) * Double(lengths[line]) / sampleRate / damping.decayTime(at: 500))
            energy += turn / Double(ReverbLines.count)
        }
        // The energy of all turns is the sum of a geometric series. The factor makes pink noise as loud as it was.
        level = Float((1 - energy).squareRoot() * Self.calibration)
    }

    /// Processes `frameCount` frames of each channel in place.
    package mutating func process(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int) {
        hasBegun = true
        for index in 0..<frameCount {
            if mix.isMoving { mix.advance() }
            let gains = fadeGains()
            let (dry, wet) = (Float(mix.current[0]), Float(mix.current[1]) * level * gains.output)
            let lines = turn(channels, index, gain: gains.input)
            for channel in 0..<channelCount {
                let sample = (lines * signs[channel % ReverbLines.count]).sum()
                channels[channel][index] = channels[channel][index] * dry + sample * wet
            }
            frame &+= 1
        }
    }

    /// The gains before and behind the reverb while it goes from one preset to another.
    @inline(__always)
    private mutating func fadeGains() -> (input: Float, output: Float) {
        guard !fade.isFinished else { return (1, 1) }
        let share = Float(fade.share(after: 1))
        let gains = fadesOut ? (1, 1 - share) : (Float(fade.inputGain(after: 1)), share)
        fade.advance(1)
        guard fade.isFinished else { return gains }
        if fadesOut {
            clear()
            if let wanted { apply(wanted) }
            fadesOut = false
            fade.begin()
            return (0, 0)
        } else if let wanted, wanted != settings {
            fadesOut = true
            fade.begin()
        }
        return gains
    }

    /// Lets all lines turn by a frame, and returns what goes into them.
    @inline(__always)
    private mutating func turn(
        _ input: UnsafePointer<UnsafeMutablePointer<Float>>,
        _ index: Int,
        gain: Float
    ) -> Lines {
        let (left, right) = delayed(input, index, gain)
        let first = Self.mixed(firstStep.process(inputSigns.0 * left + inputSigns.1 * right, frame))
        let second = Self.mixed(secondStep.process(first, frame))
        var outputs = Lines()
        let mask = capacity - 1
        for line in 0..<ReverbLines.count {
            outputs[line] = memory.pointer[line &* capacity &+ ((frame &- lengths[line]) & mask)]
        }
        modulate(&outputs)
        damped = flushed(outputs * gains + damped * poles)
        let written = flushed(Self.mixed(damped) + second)
        let slot = frame & mask
        for line in 0..<ReverbLines.count { memory.pointer[line &* capacity &+ slot] = written[line] }
        return written
    }

    /// Returns the two sides behind the pre-delay.
    @inline(__always)
    private mutating func delayed(
        _ input: UnsafePointer<UnsafeMutablePointer<Float>>,
        _ index: Int,
        _ gain: Float
    ) -> (Float, Float) {
        var sides = SIMD2<Float>()
        for channel in 0..<channelCount { sides[channel & 1] += input[channel][index] }
        if channelCount == 1 { sides[1] = sides[0] }
        if channelCount > 2 { sides *= Float(channelCount / 2).squareRoot() / Float(channelCount / 2) }
        let mask = preDelayCapacity - 1
        let (slot, read) = (frame & mask, (frame &- preDelayFrames) & mask)
        for side in 0..<2 {
            let samples = preDelays.pointer + side * preDelayCapacity
            // What is no number would stay in the lines for ever.
            samples[slot] = abs(sides[side]) < 1e6 ? sides[side] * gain : 0
            sides[side] = samples[read]
        }
        return (sides[0], sides[1])
    }

    /// Reads lines 3, 7, 11 and 15 at moving places, by cubic interpolation.
    @inline(__always)
    private mutating func modulate(_ outputs: inout Lines) {
        let mask = capacity - 1
        for place in 0..<4 {
            let line = 4 &* place &+ 3
            phases[place] += Self.modulationRates[place] / sampleRate
            if phases[place] >= 1 { phases[place] -= 1 }
            // A parabola in place of a sine: its slope has no steps, and it costs less.
            let x = 2 * phases[place] - 1
            let wave = 4 * x * (1 - abs(x))
            let delay = Double(lengths[line]) + (1 + wave) * Self.modulationDepth * sampleRate
            let whole = Int(delay)
            let part = Float(delay - Double(whole))
            let samples = memory.pointer + line &* capacity
            outputs[line] = cubic(
                part,
                samples[(frame &- whole &+ 1) & mask],
                samples[(frame &- whole) & mask],
                samples[(frame &- whole &- 1) & mask],
                samples[(frame &- whole &- 2) & mask]
            )
        }
    }

    @inline(__always)
    private func flushed(_ values: Lines) -> Lines {
        let isSmall = (values .< Lines(repeating: Self.floor)) .& (values .> Lines(repeating: -Self.floor))
        return values.replacing(with: Lines(), where: isSmall)
    }

    /// The product with the orthogonal matrix: Householder's of four, of four blocks, each of which is Householder's of four.
    @inline(__always)
    private static func mixed(_ lines: Lines) -> Lines {
        let (a, b) = (lines.lowHalf.lowHalf, lines.lowHalf.highHalf)
        let (c, d) = (lines.highHalf.lowHalf, lines.highHalf.highHalf)
        let half = (a + b + c + d) * 0.5
        return Lines(
            lowHalf: SIMD8(lowHalf: reflected(a - half), highHalf: reflected(b - half)),
            highHalf: SIMD8(lowHalf: reflected(c - half), highHalf: reflected(d - half))
        )
    }

    @inline(__always)
    private static func reflected(_ values: SIMD4<Float>) -> SIMD4<Float> {
        values - 0.5 * (values[0] + values[1] + values[2] + values[3])
    }
}

/// A step of diffusion: delays sixteen channels by different times, half of them with their sign turned.
private final class DiffusionStep {
    private let samples: UnsafeMutablePointer<SIMD16<Float>>
    private let mask: Int
    private let delays: UnsafeMutablePointer<Int>
    private var signs = SIMD16<Float>(repeating: 1)

    init(seconds: Double, sampleRate: Double, seed: UInt64) {
        let longest = max(ReverbLines.count, Int(seconds * sampleRate))
        var capacity = 1
        while capacity <= longest { capacity *= 2 }
        mask = capacity - 1
        samples = .allocate(capacity: capacity)
        samples.initialize(repeating: SIMD16(), count: capacity)
        delays = .allocate(capacity: ReverbLines.count)
        // One delay in each sixteenth of the time, at a place that a linear congruential generator chooses (D. Knuth's MMIX).
        var state = seed
        func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        var order = Array(0..<ReverbLines.count)
        for place in order.indices.reversed() { order.swapAt(place, next(place + 1)) }
        for (line, part) in order.enumerated() {
            let width = max(1, longest / ReverbLines.count)
            (delays + line).initialize(to: part * width + next(width))
            if part % 2 == 1 { signs[line] = -1 }
        }
    }

    deinit {
        samples.deallocate()
        delays.deallocate()
    }

    func clear() { samples.update(repeating: SIMD16(), count: mask + 1) }

    @inline(__always)
    func process(_ input: SIMD16<Float>, _ frame: Int) -> SIMD16<Float> {
        samples[frame & mask] = input
        var output = SIMD16<Float>()
        for line in 0..<ReverbLines.count { output[line] = samples[(frame &- delays[line]) & mask][line] }
        return output * signs
    }
}
