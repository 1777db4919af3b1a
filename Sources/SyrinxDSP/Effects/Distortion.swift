#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A distortion for any number of channels: echo, reduction of rate and resolution, ring modulation, polynomial, soft
/// clipper.
///
/// The stages from the ring modulation on run at eight times the sample rate to avoid aliasing; the rate reduction
/// aliases on purpose. Stages with a mix of 0 cost nothing, and an echo starts with an empty delay line. Settings ramp
/// within 20 ms. The output does not depend on the division into blocks, and is delayed by `latencyFrames`, including
/// its dry part. Use from one thread at a time; `process` neither allocates nor locks.
package struct Distortion: ~Copyable {
    /// The settings of a distortion.
    ///
    /// Shares are 0…1.
    package struct Settings: Equatable, Sendable {
        /// Seconds, 0.0001…0.5: the time of the echo.
        package var delay = 0.0001
        /// The decay of the echoes: each is e^(−decay · delay / 0.1 s) times the previous one.
        package var decay = 1.0
        package var delayMix = 0.0
        /// The share of samples to skip, 0…1; at 1 every 64th sample is kept.
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

    /// The most frames that are processed at once.
    private static let chunkFrames = Oversampler.chunkFrames

    private let sampleRate: Double
    private let channelCount: Int
    private let lineFrames: Int
    private let line: AlignedFloatBuffer
    /// The last frames of each channel, beginning `latencyFrames` before the chunk.
    private let dry: AlignedFloatBuffer
    private var oversampler: Oversampler
    /// The last kept sample of each channel.
    private let held: AlignedFloatBuffer
    /// The high-pass filter at 20 Hz that removes the mean value of squared samples.
    private let blocker: FirstOrderFilter
    private let blockerCoefficients: FirstOrderFilter.Coefficients
    /// The settings in the frames of a chunk.
    private var values: DistortionValues
    private var ring: RingModulator
    /// For each frame of a chunk: whether its sample is kept.
    private let holds: UnsafeMutablePointer<Bool>
    private var settings = Settings()
    private var wantedEchoFrames = 1
    private var echoFrames = 1
    private var oldEchoFrames = 1
    private var echoFade: CrossfadeCurve
    /// Fades in the input of an echo that starts during the sound.
    private var lineFade: CrossfadeCurve
    private var period = 1.0
    private var sinceHold = 0.0
    private var step: Float = 0
    /// The write position of the delay line, and the number of its frames that belong to the current echo.
    private var write = 0
    private var filled = 0
    private var frame = 0
    private var hasBegun = false

    package init(sampleRate: Double, channelCount: Int) {
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        lineFrames = Int((0.5 * sampleRate).rounded(.up)) + 1
        line = AlignedFloatBuffer(count: lineFrames * channelCount)
        dry = AlignedFloatBuffer(count: Self.dryStride * channelCount)
        oversampler = Oversampler(channelCount: channelCount)
        held = AlignedFloatBuffer(count: channelCount)
        blocker = FirstOrderFilter(channelCount: channelCount)
        blockerCoefficients = FirstOrderFilter.Coefficients(
            forward0: 1,
            forward1: -1,
            back: exp(-2 * Double.pi * 20 / sampleRate)
        )
        values = DistortionValues(sampleRate: sampleRate, chunkFrames: Self.chunkFrames)
        ring = RingModulator(chunkFrames: Self.chunkFrames)
        holds = .allocate(capacity: Self.chunkFrames)
        holds.initialize(repeating: false, count: Self.chunkFrames)
        echoFade = CrossfadeCurve(frameCount: Int((0.03 * sampleRate).rounded()))
        lineFade = echoFade
    }

    deinit { holds.deallocate() }

    private static let dryStride = Self.latencyFrames + Self.chunkFrames

    /// Forgets the input and finishes all changes with the next `set`.
    package mutating func reset() {
        dry.clear()
        oversampler.reset()
        held.clear()
        blocker.reset()
        ring.reset()
        (write, filled, frame, sinceHold) = (0, 0, 0, 0)
        echoFade.finish()
        lineFade.finish()
        hasBegun = false
    }

    /// Sets the settings, with ramps; immediately before the first `process`.
    package mutating func set(_ new: Settings) {
        if hasBegun, new == settings { return }
        settings = new
        let seconds = min(max(new.delay, 0.0001), 0.5)
        values.set(new, feedback: exp(-max(new.decay, 0.1) * seconds / 0.1), atOnce: !hasBegun)
        wantedEchoFrames = min(max(Int((seconds * sampleRate).rounded()), 1), lineFrames - 1)
        if !hasBegun { echoFrames = wantedEchoFrames }
        // At 1 a frame of 64 is kept, at 0.5 one of 8.
        period = exp(min(max(new.decimation, 0), 1) * log(64.0))
        // 16 bits have steps of 2⁻¹⁵; at 1 there are −1, 0 and 1.
        step = new.rounding <= 0 ? 0 : Float(exp((new.rounding - 1) * 15 * log(2.0)))
        ring.set(new.ringFrequency1, new.ringFrequency2, sampleRate: sampleRate)
    }

    /// Processes `frameCount` frames of each channel in place.
    package mutating func process(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int) {
        hasBegun = true
        var done = 0
        while done < frameCount {
            // Up to the next check of the filter's state.
            let limit = min(frameCount - done, Self.chunkFrames - frame % Self.chunkFrames)
            let count = values.advance(limit: limit)
            process(channels, from: done, count)
            done += count
            frame &+= count
            if frame % Self.chunkFrames == 0 { blocker.settle() }
        }
    }

    private mutating func process(
        _ channels: UnsafePointer<UnsafeMutablePointer<Float>>,
        from first: Int,
        _ count: Int
    ) {
        for channel in 0..<channelCount {
            copyFloats(channels[channel] + first, to: oversampler.input(channel), count: count)
        }
        if values.isUsed(.delayMix) { addEcho(count) }
        if values.isUsed(.decimationMix) { reduce(count) }
        let isRinging = values.isUsed(.ringMix)
        if isRinging { ring.advance(mix: values[.ringMix], balance: values[.ringBalance], frameCount: count) }
        for channel in 0..<channelCount {
            oversampler.raise(channel, frameCount: count)
            shape(channel, count, isRinging: isRinging)
            oversampler.lower(channel, frameCount: count)
        }
        for pair in 0..<(channelCount + 1) / 2 {
            let channel = 2 * pair
            let left = oversampler.output(channel)
            let right = oversampler.output(min(channel + 1, channelCount - 1))
            blocker.process(
                pair,
                from: (UnsafePointer(left), UnsafePointer(right)),
                left,
                right,
                frameCount: count,
                blockerCoefficients,
                isOdd: frame % 2 == 1
            )
        }
        for channel in 0..<channelCount { mix(channels[channel] + first, channel, count) }
        oversampler.advance(frameCount: count)
    }

    /// Adds the echo.
    ///
    /// The delay line contains x + feedback · echo.
    private mutating func addEcho(_ count: Int) {
        let mix = values[.delayMix]
        var done = 0
        while done < count {
            if mix[done] == 0 {
                filled = 0
                done += 1
                continue
            }
            if filled == 0 {
                echoFrames = wantedEchoFrames
                echoFade.finish()
                lineFade.finish()
                if frame + done > 0 { lineFade.begin() }
            } else if echoFade.isFinished, echoFrames != wantedEchoFrames {
                (oldEchoFrames, echoFrames) = (echoFrames, wantedEchoFrames)
                echoFade.begin()
            }
            let isFading = !echoFade.isFinished
            // The frames to read were written earlier and are contiguous.
            var end = min(count, done + min(echoFrames, lineFrames - write))
            if isFading { end = min(end, done + min(oldEchoFrames, echoFade.remaining)) }
            if !lineFade.isFinished { end = min(end, done + lineFade.remaining) }
            for index in done..<end where mix[index] == 0 {
                end = index
                break
            }
            for channel in 0..<channelCount { addEcho(channel, done, end, isFading: isFading) }
            let size = end - done
            if isFading { echoFade.advance(size) }
            if !lineFade.isFinished { lineFade.advance(size) }
            write = write + size == lineFrames ? 0 : write + size
            filled = min(filled + size, lineFrames)
            done = end
        }
    }

    private func addEcho(_ channel: Int, _ first: Int, _ end: Int, isFading: Bool) {
        let samples = oversampler.input(channel)
        let kept = line.pointer + (channel * lineFrames + write)
        let (mix, feedback) = (values[.delayMix], values[.feedback])
        for frame in first..<end {
            let place = frame - first
            var echo = echoed(channel, place, echoFrames)
            if isFading {
                let old = echoed(channel, place, oldEchoFrames)
                echo = old + (echo - old) * Float(echoFade.share(after: place + 1))
            }
            let input = samples[frame]
            let newest = lineFade.isFinished ? input : input * Float(lineFade.share(after: place + 1))
            let sum = newest + echo * feedback[frame]
            kept[place] = abs(sum) < 1e-9 ? 0 : min(max(sum, -4), 4)
            samples[frame] = input + (echo - input) * mix[frame]
        }
    }

    /// Returns the input of the delay line `distance` frames before the frame at `place`; 0 before its start.
    @inline(__always)
    private func echoed(_ channel: Int, _ place: Int, _ distance: Int) -> Float {
        if distance > filled + place { return 0 }
        let index = write + place - distance
        return line.pointer[channel * lineFrames + (index < 0 ? index + lineFrames : index)]
    }

    /// Applies the rate reduction and the rounding.
    private mutating func reduce(_ count: Int) {
        let mix = values[.decimationMix]
        for frame in 0..<count {
            holds[frame] = false
            if mix[frame] == 0 { continue }
            sinceHold += 1
            holds[frame] = sinceHold >= period
            if holds[frame] { sinceHold -= period }
        }
        let inverse = step > 0 ? 1 / step : 0
        for channel in 0..<channelCount {
            let samples = oversampler.input(channel)
            var last = held.pointer[channel]
            for frame in 0..<count {
                let sample = samples[frame]
                if holds[frame] { last = step > 0 ? Self.rounded(sample * inverse) * step : sample }
                samples[frame] = sample + (last - sample) * mix[frame]
            }
            held.pointer[channel] = last
        }
    }

    /// Returns the nearest whole number; there are none between floats beyond 2²³.
    @inline(__always)
    private static func rounded(_ value: Float) -> Float {
        abs(value) < 4_194_304 ? (value + 12_582_912) - 12_582_912 : value
    }

    /// Processes the planes of a channel at the raised rate.
    private func shape(_ channel: Int, _ count: Int, isRinging: Bool) {
        let isPolynomial = values.isUsed(.polynomialMix)
        let shape = DistortionShape(values)
        for phase in 0..<Oversampler.factor {
            let (source, target) = (oversampler.raised(channel, phase), oversampler.shaped(channel, phase))
            let carrier = ring.carrier(phase)
            var frame = 0
            while frame < count {
                var samples = load8(source + frame)
                if isRinging { samples *= load8(carrier + frame) }
                if isPolynomial { samples = shape.polynomial(samples, frame) }
                store8(shape.clipped(samples, frame), to: target + frame)
                frame &+= 8
            }
        }
    }

    /// Mixes in the dry signal with the same delay.
    private func mix(_ samples: UnsafeMutablePointer<Float>, _ channel: Int, _ count: Int) {
        let kept = dry.pointer + channel * Self.dryStride
        copyFloats(samples, to: kept + Self.latencyFrames, count: count)
        let (wet, mix) = (oversampler.output(channel), values[.mix])
        for frame in 0..<count {
            let late = kept[frame]
            samples[frame] = mix[frame] == 0 ? late : late + (wet[frame] - late) * mix[frame]
        }
        copyFloats(kept + count, to: kept, count: Self.latencyFrames)
    }
}
