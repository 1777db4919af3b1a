#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A distortion in stages: an echo, a reduction of rate and resolution, ring modulation, a polynomial and a soft clipper, for
/// any number of channels.
///
/// From the ring modulation on it works at eight times the rate, so that what it adds above half the sample rate does not fold
/// back. The reduction of the rate aliases on purpose. Settings move within 20 ms. Output does not depend on how frames are cut
/// into blocks; it lags by `latencyFrames`, the unprocessed part too. One thread at a time; `process` neither allocates nor locks.
package struct Distortion: ~Copyable {
    /// The settings of a distortion.
    ///
    /// Shares are 0…1.
    package struct Settings: Equatable, Sendable {
        /// Seconds, 0.0001…0.5: the time of the echo.
        package var delay = 0.0001
        /// The rate at which the echo's echoes fall: each is e^(−decay · delay / 0.1 s) of the one before.
        package var decay = 1.0
        package var delayMix = 0.0
        /// The share of samples that are left out, 0…1; at 1 one of 64 is held.
        package var decimation = 0.0
        /// The loss of resolution, 0…1: from 16 bits to 1.
        package var rounding = 0.0
        package var decimationMix = 0.0
        /// The factors of x, x² and x³.
        package var linearTerm = 1.0
        package var squaredTerm = 0.0
        package var cubicTerm = 0.0
        package var polynomialMix = 0.0
        /// Hertz.
        package var ringFrequency1 = 100.0
        package var ringFrequency2 = 100.0
        /// The share of the second oscillator.
        package var ringBalance = 0.5
        package var ringMix = 0.0
        /// The gain before the soft clipper in dB.
        package var softClipGain = -6.0
        /// The share of the processed sound, at equal gain.
        package var mix = 1.0

        package init() {}
    }

    /// Frames by which the output lags.
    package static let latencyFrames = Oversampler.latencyFrames

    private let sampleRate: Double
    private let channelCount: Int
    private let lineFrames: Int
    private let line: AlignedFloatBuffer
    private let dry: AlignedFloatBuffer
    private var oversampler: Oversampler
    /// The held sample of each channel, and the state of the filter that removes the mean.
    private let held: UnsafeMutablePointer<Float>
    private let blocker: UnsafeMutablePointer<SIMD2<Double>>
    private let blockerPole: Double
    /// Delay mix, decimation mix, polynomial mix.
    private var levels: ParameterGlide
    /// Linear, squared and cubic term, ring mix.
    private var terms: ParameterGlide
    /// Ring balance, gain of the clipper, mix, feedback of the echo.
    private var others: ParameterGlide
    private var settings = Settings()
    private var wantedEchoFrames = 1
    private var echoFrames = 1
    private var oldEchoFrames = 1
    private var echoFade: CrossfadeCurve
    private var period = 1.0
    private var sinceHold = 0.0
    private var step: Float = 0
    private var (ring1, ring2) = (Oscillator(), Oscillator())
    private var write = 0
    private var hasBegun = false

    package init(sampleRate: Double, channelCount: Int) {
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        lineFrames = Int((0.5 * sampleRate).rounded(.up)) + 1
        line = AlignedFloatBuffer(count: lineFrames * channelCount)
        dry = AlignedFloatBuffer(count: Self.latencyFrames * channelCount)
        oversampler = Oversampler(channelCount: channelCount)
        held = .allocate(capacity: max(channelCount, 1))
        held.initialize(repeating: 0, count: max(channelCount, 1))
        blocker = .allocate(capacity: max(channelCount, 1))
        blocker.initialize(repeating: SIMD2(), count: max(channelCount, 1))
        blockerPole = exp(-2 * Double.pi * 20 / sampleRate)
        levels = ParameterGlide(sampleRate: sampleRate)
        (terms, others) = (levels, levels)
        echoFade = CrossfadeCurve(frameCount: Int((0.03 * sampleRate).rounded()))
    }

    deinit {
        held.deallocate()
        blocker.deallocate()
    }

    /// Forgets the input and finishes all changes with the next `set`.
    package mutating func reset() {
        line.clear()
        dry.clear()
        oversampler.reset()
        for channel in 0..<channelCount { (held[channel], blocker[channel]) = (0, SIMD2()) }
        (write, sinceHold) = (0, 0)
        (ring1, ring2) = (Oscillator(), Oscillator())
        echoFade.finish()
        hasBegun = false
    }

    /// Has the distortion go to `settings`; at once if nothing has been processed yet.
    package mutating func set(_ new: Settings) {
        if hasBegun, new == settings { return }
        settings = new
        let seconds = min(max(new.delay, 0.0001), 0.5)
        let targets = (
            SIMD4(new.delayMix, new.decimationMix, new.polynomialMix, 0),
            SIMD4(new.linearTerm, new.squaredTerm, new.cubicTerm, new.ringMix),
            SIMD4(new.ringBalance, gain(decibels: new.softClipGain), new.mix, exp(-max(new.decay, 0.1) * seconds / 0.1))
        )
        wantedEchoFrames = min(max(Int((seconds * sampleRate).rounded()), 1), lineFrames - 1)
        // At 1 a frame of 64 is kept, at 0.5 one of 8.
        period = exp(min(max(new.decimation, 0), 1) * log(64.0))
        // 16 bits have steps of 2⁻¹⁵; at 1 there are −1, 0 and 1.
        step = new.rounding <= 0 ? 0 : Float(exp((new.rounding - 1) * 15 * log(2.0)))
        ring1.set(new.ringFrequency1, sampleRate: Double(Oversampler.factor) * sampleRate)
        ring2.set(new.ringFrequency2, sampleRate: Double(Oversampler.factor) * sampleRate)
        if hasBegun {
            levels.move(to: targets.0)
            terms.move(to: targets.1)
            others.move(to: targets.2)
        } else {
            levels.jump(to: targets.0)
            terms.jump(to: targets.1)
            others.jump(to: targets.2)
            echoFrames = wantedEchoFrames
        }
    }

    /// Processes `frameCount` frames of each channel in place.
    package mutating func process(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int) {
        hasBegun = true
        for frame in 0..<frameCount {
            advance()
            if echoFade.isFinished, echoFrames != wantedEchoFrames {
                (oldEchoFrames, echoFrames) = (echoFrames, wantedEchoFrames)
                echoFade.begin()
            }
            sinceHold += 1
            let holds = sinceHold >= period
            if holds { sinceHold -= period }
            let carrier = ring()
            let shape = Shape(terms.current, levels.current[2], others.current[1])
            for channel in 0..<channelCount {
                let input = channels[channel][frame]
                let early = reduced(echoed(input, channel), channel, holds: holds)
                let high = oversampler.raise(early, channel: channel)
                let low = oversampler.lower(shape.apply(high * carrier), channel: channel)
                let wet = withoutMean(low, channel)
                let late = delayedDry(input, channel)
                let mix = Float(others.current[2])
                channels[channel][frame] = mix == 0 ? late : late + (wet - late) * mix
            }
            oversampler.advance()
            write = write + 1 == lineFrames ? 0 : write + 1
            if !echoFade.isFinished { echoFade.advance(1) }
        }
    }

    @inline(__always)
    private mutating func advance() {
        if levels.isMoving { levels.advance() }
        if terms.isMoving { terms.advance() }
        if others.isMoving { others.advance() }
    }

    /// Adds the echo.
    ///
    /// The line holds x + feedback · echo.
    @inline(__always)
    private mutating func echoed(_ input: Float, _ channel: Int) -> Float {
        let samples = line.pointer + channel * lineFrames
        func at(_ distance: Int) -> Float {
            samples[write >= distance ? write - distance : write - distance + lineFrames]
        }
        var echo = at(echoFrames)
        if !echoFade.isFinished {
            let old = at(oldEchoFrames)
            echo = old + (echo - old) * Float(echoFade.share(after: 1))
        }
        let kept = input + echo * Float(others.current[3])
        samples[write] = abs(kept) < 1e-9 ? 0 : min(max(kept, -4), 4)
        return input + (echo - input) * Float(levels.current[0])
    }

    /// Holds samples and rounds them.
    @inline(__always)
    private mutating func reduced(_ sample: Float, _ channel: Int, holds: Bool) -> Float {
        if holds { held[channel] = step > 0 ? (sample / step).rounded() * step : sample }
        return sample + (held[channel] - sample) * Float(levels.current[1])
    }

    /// The factors of the ring modulation for the eight samples of the frame.
    @inline(__always)
    private mutating func ring() -> SIMD8<Float> {
        let mix = Float(terms.current[3])
        guard mix != 0 else { return SIMD8(repeating: 1) }
        let (first, second) = (ring1.next(), ring2.next())
        let both = first + (second - first) * Float(others.current[0])
        return SIMD8(repeating: 1 - mix) + both * mix
    }

    /// Removes the mean that squares leave: a high pass at 20 Hz.
    @inline(__always)
    private mutating func withoutMean(_ sample: Float, _ channel: Int) -> Float {
        let last = blocker[channel]
        var output = Double(sample) - last[0] + blockerPole * last[1]
        if abs(output) < 1e-9 { output = 0 }
        blocker[channel] = SIMD2(Double(sample), output)
        return Float(output)
    }

    @inline(__always)
    private mutating func delayedDry(_ input: Float, _ channel: Int) -> Float {
        let samples = dry.pointer + channel * Self.latencyFrames
        let slot = oversampler.frame % Self.latencyFrames
        let late = samples[slot]
        samples[slot] = input
        return late
    }
}

/// The polynomial and the soft clipper.
private struct Shape {
    private let linear: Float
    private let squared: Float
    private let cubic: Float
    private let mix: Float
    private let gain: Float

    @inline(__always)
    init(_ terms: SIMD4<Double>, _ mix: Double, _ gain: Double) {
        (linear, squared, cubic) = (Float(terms[0]), Float(terms[1]), Float(terms[2]))
        (self.mix, self.gain) = (Float(mix), Float(gain))
    }

    @inline(__always)
    func apply(_ x: SIMD8<Float>) -> SIMD8<Float> {
        var y = x
        if mix != 0 {
            let shaped = x * (x * (x * cubic + squared) + linear)
            y = x + (shaped - x) * mix
        }
        return Self.softClip(y * gain)
    }

    /// tanh, by the seventh convergent of its continued fraction (Lambert 1761), which reaches 1 near 4.97.
    @inline(__always)
    private static func softClip(_ x: SIMD8<Float>) -> SIMD8<Float> {
        let limit: Float = 4.97
        let y = x.clamped(lowerBound: SIMD8(repeating: -limit), upperBound: SIMD8(repeating: limit))
        let s = y * y
        let above = y * (135_135 + s * (17_325 + s * (378 + s)))
        let below = 135_135 + s * (62_370 + s * (3_150 + s * 28))
        return above / below
    }
}

/// A sine at the raised rate.
private struct Oscillator {
    private var (phase, increment) = (0.0, 0.0)

    mutating func set(_ frequency: Double, sampleRate: Double) {
        increment = min(max(frequency, 0), sampleRate / 2) / sampleRate
    }

    @inline(__always)
    mutating func next() -> SIMD8<Float> {
        var values = SIMD8<Float>()
        for index in 0..<8 {
            values[index] = Float(sin(2 * Double.pi * phase))
            phase += increment
            if phase >= 1 { phase -= 1 }
        }
        return values
    }
}
