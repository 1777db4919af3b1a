#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Speech at an even loudness in real time: a slow gain, a compressor, and a true peak limiter.
///
/// Loudness is measured according to ITU-R BS.1770 at the input and at the output, so that the loss in compressor and
/// limiter is compensated. All channels have the same gain. If inactive, samples pass unchanged and without delay; if
/// active, the output is delayed by `latencyFrames`. Switching crossfades over 5 ms. The output does not depend on the
/// division into blocks. Use from one thread at a time; `process` neither allocates nor locks.
package struct VoiceBoost: ~Copyable {
    /// The settings: levels in LUFS, gains in dB.
    package struct Settings: Equatable, Sendable {
        package var isActive: Bool
        package var target: Double
        package var maximumGain: Double
        /// The initial gain after a reset: the gain of the same recording before a seek; 0 if unknown.
        package var startingGain: Double

        package init(isActive: Bool = true, target: Double = -16, maximumGain: Double = 30, startingGain: Double = 0) {
            (self.isActive, self.target) = (isActive, target)
            (self.maximumGain, self.startingGain) = (maximumGain, startingGain)
        }
    }

    /// The newest values: dB, LUFS.
    package struct Meters: Equatable, Sendable {
        package var gain = 0.0
        /// The loudness of the input, for as far as it has been measured; −70 before.
        package var loudness = -70.0
        /// The gain of the compressor, 0 or less.
        package var compression = 0.0
    }

    /// The maximum true peak according to the limiter's estimate: −1.2 dB.
    ///
    /// Meters with a higher rate measure below −1 dB.
    private static let ceiling: Float = 0.870_96
    private static let attack = 0.008
    private static let decay = 0.06

    private let channelCount: Int
    private let stepFrames: Int
    private let lagFrames: Int
    private let fadeFrames: Int
    private let weights: UnsafeMutablePointer<Double>
    /// A filter for each pair of channels of the input, then of the output.
    private let filters: UnsafeMutablePointer<KWeighting>
    private let pairCount: Int
    private let places: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private let scratchPlaces: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    /// The last input frames, oldest first, with which the limiter is filled when it is switched on.
    private let history: AlignedFloatBuffer
    private let scratch: AlignedFloatBuffer
    private let scratchFrames: Int
    private var compressor: Compressor
    private var limiter: PeakLimiter
    private var level = SpeechLevel()
    private var slowGain = SpeechGain()
    private var settings = Settings()
    private var hasBegun = false
    /// The frames of the fade that have passed towards being on.
    private var fadePlace = 0
    private var stepPlace = 0
    private var (inputEnergy, outputEnergy) = (0.0, 0.0)
    /// The gain before the first frame of the step and after its last; linear in between.
    private var (firstGain, lastGain): (Float, Float) = (1, 1)
    /// The square of the gain of the previous step, whose sound is now at the limiter's output.
    private var laggingGain = 1.0

    package init(sampleRate: Double, channelCount: Int) {
        self.channelCount = channelCount
        // Whole groups of the limiter, which are quicker.
        stepFrames = max(16, Int((sampleRate / Double(16 * SpeechLevel.stepsPerSecond)).rounded()) * 16)
        lagFrames = Self.latencyFrames(sampleRate: sampleRate)
        fadeFrames = max(1, Int(0.005 * sampleRate))
        let channelWeights = KWeighting.usualWeights(channelCount: channelCount)
        weights = .allocate(capacity: channelCount + 1)
        weights.initialize(repeating: 0, count: channelCount + 1)
        for channel in 0..<channelCount { weights[channel] = channelWeights[channel] }
        pairCount = (channelCount + 1) / 2
        filters = .allocate(capacity: 2 * pairCount)
        filters.initialize(repeating: KWeighting(sampleRate: sampleRate), count: 2 * pairCount)
        history = AlignedFloatBuffer(count: max(1, lagFrames * channelCount))
        scratchFrames = max(lagFrames, fadeFrames)
        scratch = AlignedFloatBuffer(count: max(1, scratchFrames * channelCount))
        places = .allocate(capacity: max(1, channelCount))
        scratchPlaces = .allocate(capacity: max(1, channelCount))
        for channel in 0..<channelCount {
            (scratchPlaces + channel).initialize(to: scratch.pointer + channel * scratchFrames)
            (places + channel).initialize(to: scratch.pointer)
        }
        compressor = Compressor(sampleRate: sampleRate, channelCount: channelCount)
        limiter = PeakLimiter(sampleRate: sampleRate, channelCount: channelCount, ceiling: Self.ceiling)
        limiter.set(PeakLimiter.Settings(attack: Self.attack, decay: Self.decay, preGain: 0))
        set(settings)
    }

    deinit {
        weights.deallocate()
        filters.deallocate()
        places.deallocate()
        scratchPlaces.deallocate()
    }

    /// Frames by which the output lags while it is on.
    package static func latencyFrames(sampleRate: Double) -> Int {
        PeakLimiter.latencyFrames(attack: attack, sampleRate: sampleRate)
    }

    /// The newest values.
    package var meters: Meters {
        guard settings.isActive else { return Meters() }
        return Meters(
            gain: slowGain.decibels,
            loudness: max(level.loudness ?? -70, -70),
            compression: compressor.meters.reduction
        )
    }

    /// Forgets the input, and begins with the starting gain.
    package mutating func reset() {
        history.clear()
        hasBegun = false
        beginAnew()
    }

    private mutating func beginAnew() {
        compressor.reset()
        setCompressor()
        limiter.reset()
        level.reset()
        // Read once: for a mutating call through the stored pointer, Swift 6.3 emits invalid code under
        // ThreadSanitizer.
        let filters = filters
        for pair in 0..<2 * pairCount { filters[pair].reset() }
        (stepPlace, inputEnergy, outputEnergy) = (0, 0, 0)
        slowGain.jump(to: settings.startingGain)
        firstGain = Float(gain(decibels: slowGain.decibels))
        lastGain = firstGain
        laggingGain = Double(firstGain) * Double(firstGain)
    }

    /// Sets the settings, with ramps.
    package mutating func set(_ settings: Settings) {
        guard settings != self.settings || !hasBegun else { return }
        if settings.target != self.settings.target { level.limitEvidence(to: 1) }
        self.settings = settings
        (slowGain.target, slowGain.maximum) = (settings.target, settings.maximumGain)
        setCompressor()
    }

    /// Loud vowels reach some 12 dB above the loudness of speech, and consonants more.
    private mutating func setCompressor() {
        compressor.set(
            Compressor.Settings(threshold: settings.target + 9, headRoom: 7, attack: 0.005, release: 0.15)
        )
    }

    /// Processes `frameCount` frames of each channel in place.
    package mutating func process(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int) {
        if !hasBegun {
            hasBegun = true
            beginAnew()
            fadePlace = settings.isActive ? fadeFrames : 0
        } else if settings.isActive, fadePlace == 0 {
            beginAnew()
            fillLimiter()
        }
        var done = 0
        while done < frameCount {
            let isFading = fadePlace != (settings.isActive ? fadeFrames : 0)
            let left = settings.isActive ? fadeFrames - fadePlace : fadePlace
            let count = isFading ? min(frameCount - done, left) : frameCount - done
            for channel in 0..<channelCount { note(channels[channel] + done, count, channel) }
            if isFading {
                fade(channels, done, count)
            } else if settings.isActive {
                boost(channels, done, count)
            }
            done += count
        }
    }

    /// Keeps the last frames of the input.
    private func note(_ samples: UnsafePointer<Float>, _ count: Int, _ channel: Int) {
        let kept = history.pointer + channel * lagFrames
        let new = min(count, lagFrames)
        var index = 0
        while index < lagFrames &- new {
            kept[index] = kept[index &+ new]
            index &+= 1
        }
        copyFloats(samples + (count - new), to: kept + (lagFrames - new), count: new)
    }

    /// Fills the limiter with the last input frames, so that its output continues without a gap.
    private mutating func fillLimiter() {
        for channel in 0..<channelCount {
            copyFloats(history.pointer + channel * lagFrames, to: scratchPlaces[channel], count: lagFrames)
        }
        boost(UnsafePointer(scratchPlaces), 0, lagFrames)
    }

    private mutating func fade(
        _ channels: UnsafePointer<UnsafeMutablePointer<Float>>,
        _ first: Int,
        _ count: Int
    ) {
        for channel in 0..<channelCount {
            copyFloats(channels[channel] + first, to: scratchPlaces[channel], count: count)
        }
        boost(channels, first, count)
        let share = 1 / Float(fadeFrames)
        let step: Float = settings.isActive ? 1 : -1
        for channel in 0..<channelCount {
            let (wet, dry) = (channels[channel] + first, scratchPlaces[channel])
            var index = 0
            while index < count {
                let mix = (Float(fadePlace) + step * Float(index &+ 1)) * share
                wet[index] = dry[index] + (wet[index] - dry[index]) * mix
                index &+= 1
            }
        }
        fadePlace += settings.isActive ? count : -count
    }

    private mutating func boost(
        _ channels: UnsafePointer<UnsafeMutablePointer<Float>>,
        _ first: Int,
        _ frameCount: Int
    ) {
        var done = first
        let end = first + frameCount
        while done < end {
            let count = min(end - done, stepFrames - stepPlace)
            let slope = (lastGain - firstGain) / Float(stepFrames)
            for channel in 0..<channelCount {
                places[channel] = channels[channel] + done
                Self.heal(places[channel], count)
            }
            inputEnergy += energy(filters, count)
            for channel in 0..<channelCount {
                let samples = places[channel]
                var index = 0
                while index < count {
                    samples[index] *= firstGain + slope * Float(stepPlace &+ index &+ 1)
                    index &+= 1
                }
            }
            compressor.process(UnsafePointer(places), frameCount: count)
            limiter.process(UnsafePointer(places), frameCount: count)
            outputEnergy += energy(filters + pairCount, count)
            stepPlace += count
            done += count
            if stepPlace == stepFrames { finishStep() }
        }
    }

    /// Sets NaN, infinite and extremely large samples to 0, which would otherwise stay in the limiter.
    @_noLocks @_noAllocation
    private static func heal(_ samples: UnsafeMutablePointer<Float>, _ count: Int) {
        var index = 0
        while index < count {
            let size = samples[index].magnitude
            samples[index] = size < 1e4 ? samples[index] : 0
            index &+= 1
        }
    }

    /// Returns the sum of the weighted squares of `places`.
    private func energy(_ filters: UnsafeMutablePointer<KWeighting>, _ count: Int) -> Double {
        var sum = 0.0
        for pair in 0..<pairCount {
            let left = 2 * pair
            let right = left + 1 < channelCount ? UnsafePointer(places[left + 1]) : nil
            let sums = filters[pair].energy(places[left], right, count: count)
            // The weight after the last channel is 0.
            sum += sums.x * weights[left] + sums.y * weights[left + 1]
        }
        return sum
    }

    private mutating func finishStep() {
        let frames = Double(stepFrames)
        level.note(inputEnergy / frames, output: outputEnergy / frames / max(laggingGain, 1e-9))
        (stepPlace, inputEnergy, outputEnergy) = (0, 0, 0)
        let mean = Double(firstGain + lastGain) / 2
        laggingGain = mean * mean
        slowGain.advance(level)
        firstGain = lastGain
        lastGain = Float(gain(decibels: slowGain.decibels))
    }
}
