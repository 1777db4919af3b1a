#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Four compressors for four bands, for any number of channels.
///
/// The bands are split by Linkwitz–Riley crossovers, so that without compression the magnitude is flat; the phase is
/// that of an all pass. Crossovers and gains move without a click. Output does not depend on how frames are cut into
/// blocks. One thread at a time; `process` neither allocates nor locks.
package struct MultibandCompressor: ~Copyable {
    /// The settings, with the bands ordered from low to high frequencies.
    package struct Settings: Equatable, Sendable {
        /// The gain in front of the bands in dB.
        package var preGain: Double
        /// The output gain in dB.
        package var postGain: Double
        /// The frequencies between the bands in hertz, which are put in order.
        package var crossovers: SIMD4<Double>
        /// As of `Compressor.Settings`, in dB.
        package var thresholds: SIMD4<Double>
        /// As of `Compressor.Settings`, in dB.
        package var headRooms: SIMD4<Double>
        /// The gains of the bands in dB.
        package var gains: SIMD4<Double>
        /// Seconds.
        package var attack: Double
        /// Seconds.
        package var release: Double

        /// - Parameter crossovers: Of the four values the last is not looked at.
        package init(
            preGain: Double = 0,
            postGain: Double = 0,
            crossovers: SIMD4<Double>,
            thresholds: SIMD4<Double>,
            headRooms: SIMD4<Double>,
            gains: SIMD4<Double> = SIMD4(),
            attack: Double,
            release: Double
        ) {
            (self.preGain, self.postGain, self.crossovers) = (preGain, postGain, crossovers)
            (self.thresholds, self.headRooms, self.gains) = (thresholds, headRooms, gains)
            (self.attack, self.release) = (attack, release)
        }
    }

    private typealias Coefficients = (
        CrossoverStage.Coefficients, CrossoverStage.Coefficients, CrossoverStage.Coefficients
    )

    private struct Gains {
        /// In front of the bands.
        var pre = 1.0
        /// The gains after the bands, each including the output gain.
        var bands = SIMD4<Float>(repeating: 1)
    }

    package static let bandCount = 4
    /// The maximum number of frames per chunk, and the interval at which tiny filter states are set to 0.
    private static let chunkFrames = 32

    // A pointer is the first field to work around Swift 6.3 under ThreadSanitizer. The compiler reports a write
    // through a pointer as a write to the structure, uses the first field as its address, and crashes if that is a
    // number.
    private let splitters: UnsafeMutablePointer<FourBandSplitter>
    private let sampleRate: Double
    private let channelCount: Int
    private let compressors: UnsafeMutablePointer<Compressor>
    /// The frames of a chunk, by band and channel.
    private let planes: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private let samples: UnsafeMutablePointer<Float>
    /// The coefficients and the gains of the frames of a chunk.
    private let coefficients: UnsafeMutablePointer<Coefficients>
    private let gains: UnsafeMutablePointer<Gains>
    /// The logarithms of the crossovers.
    private var frequencies: ParameterGlide
    /// The input and output gains in dB.
    private var outerGains: ParameterGlide
    /// The gains of the bands in dB.
    private var bandGains: ParameterGlide
    private var settings: Settings?
    private var hasBegun = false
    private var chunkDone = 0
    /// Whether `coefficients` still contains frames of a completed ramp.
    private var hasOldCoefficients = false
    /// Whether `gains` still contains frames of a completed ramp.
    private var hasOldGains = false

    package init(sampleRate: Double, channelCount: Int) {
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        splitters = .allocate(capacity: max(channelCount, 1))
        splitters.initialize(repeating: FourBandSplitter(), count: max(channelCount, 1))
        compressors = .allocate(capacity: Self.bandCount)
        for band in 0..<Self.bandCount {
            (compressors + band).initialize(to: Compressor(sampleRate: sampleRate, channelCount: channelCount))
        }
        let planeCount = max(Self.bandCount * channelCount, 1)
        samples = .allocate(capacity: planeCount * Self.chunkFrames)
        samples.initialize(repeating: 0, count: planeCount * Self.chunkFrames)
        planes = .allocate(capacity: planeCount)
        for index in 0..<planeCount { (planes + index).initialize(to: samples + index * Self.chunkFrames) }
        coefficients = .allocate(capacity: Self.chunkFrames)
        gains = .allocate(capacity: Self.chunkFrames)
        frequencies = ParameterGlide(sampleRate: sampleRate)
        outerGains = ParameterGlide(sampleRate: sampleRate)
        bandGains = ParameterGlide(sampleRate: sampleRate)
        fillCoefficients()
        fillGains()
    }

    deinit {
        splitters.deallocate()
        compressors.deinitialize(count: Self.bandCount)
        compressors.deallocate()
        planes.deallocate()
        samples.deallocate()
        coefficients.deallocate()
        gains.deallocate()
    }

    /// Forgets the input.
    package mutating func reset() {
        for channel in 0..<channelCount { splitters[channel] = FourBandSplitter() }
        for band in 0..<Self.bandCount { compressors[band].reset() }
        (hasBegun, chunkDone) = (false, 0)
        if let settings {
            self.settings = nil
            set(settings)
        }
    }

    /// Sets the settings, with ramps; immediately before the first `process`.
    package mutating func set(_ new: Settings) {
        guard new != settings else { return }
        settings = new
        for band in 0..<Self.bandCount {
            compressors[band].set(
                Compressor.Settings(
                    threshold: new.thresholds[band],
                    headRoom: new.headRooms[band],
                    attack: new.attack,
                    release: new.release
                )
            )
        }
        guard hasBegun else { return begin(new) }
        frequencies.move(to: Self.logarithms(new.crossovers))
        outerGains.move(to: SIMD4(new.preGain, new.postGain, 0, 0))
        bandGains.move(to: new.gains)
    }

    private mutating func begin(_ settings: Settings) {
        frequencies.jump(to: Self.logarithms(settings.crossovers))
        outerGains.jump(to: SIMD4(settings.preGain, settings.postGain, 0, 0))
        bandGains.jump(to: settings.gains)
        fillCoefficients()
        fillGains()
    }

    private static func logarithms(_ crossovers: SIMD4<Double>) -> SIMD4<Double> {
        let first = max(crossovers[0], 10)
        let second = max(crossovers[1], first)
        return SIMD4(log(first), log(second), log(max(crossovers[2], second)), 0)
    }

    /// Returns the levels of a band.
    package func meters(ofBand band: Int) -> Compressor.Meters { compressors[band].meters }

    /// Processes `frameCount` frames of each channel in place.
    package mutating func process(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int) {
        hasBegun = true
        var done = 0
        while done < frameCount {
            let count = min(frameCount - done, Self.chunkFrames - chunkDone)
            advance(count)
            for channel in 0..<channelCount { split(channels[channel] + done, channel, count) }
            for band in 0..<Self.bandCount {
                compressors[band].process(UnsafePointer(planes + band * channelCount), frameCount: count)
            }
            for channel in 0..<channelCount { sum(into: channels[channel] + done, channel, count) }
            done += count
            chunkDone += count
            if chunkDone == Self.chunkFrames {
                chunkDone = 0
                for channel in 0..<channelCount { splitters[channel].settle() }
            }
        }
    }

    /// Brings crossovers and gains up to date for the next frames.
    private mutating func advance(_ count: Int) {
        if frequencies.isMoving {
            for frame in 0..<count {
                frequencies.advance()
                coefficients[frame] = currentCoefficients
            }
            hasOldCoefficients = true
        } else if hasOldCoefficients {
            fillCoefficients()
        }
        if outerGains.isMoving || bandGains.isMoving {
            for frame in 0..<count {
                if outerGains.isMoving { outerGains.advance() }
                if bandGains.isMoving { bandGains.advance() }
                gains[frame] = currentGains
            }
            hasOldGains = true
        } else if hasOldGains {
            fillGains()
        }
    }

    private var currentCoefficients: Coefficients {
        let values = frequencies.current
        let stage = { [sampleRate] (logarithm: Double) in
            CrossoverStage.Coefficients(frequency: exp(logarithm), sampleRate: sampleRate)
        }
        return (stage(values[0]), stage(values[1]), stage(values[2]))
    }

    private var currentGains: Gains {
        let (post, bands) = (outerGains.current[1], bandGains.current)
        return Gains(
            pre: gain(decibels: outerGains.current[0]),
            bands: SIMD4(
                Float(gain(decibels: post + bands[0])),
                Float(gain(decibels: post + bands[1])),
                Float(gain(decibels: post + bands[2])),
                Float(gain(decibels: post + bands[3]))
            )
        )
    }

    private mutating func fillCoefficients() {
        coefficients.initialize(repeating: currentCoefficients, count: Self.chunkFrames)
        hasOldCoefficients = false
    }

    private mutating func fillGains() {
        gains.initialize(repeating: currentGains, count: Self.chunkFrames)
        hasOldGains = false
    }

    private func split(_ input: UnsafeMutablePointer<Float>, _ channel: Int, _ count: Int) {
        for frame in 0..<count {
            let bands = splitters[channel].next(Double(input[frame]) * gains[frame].pre, coefficients[frame])
            for band in 0..<Self.bandCount { planes[band * channelCount + channel][frame] = Float(bands[band]) }
        }
    }

    private func sum(into output: UnsafeMutablePointer<Float>, _ channel: Int, _ count: Int) {
        for frame in 0..<count {
            var sum = Float(0)
            for band in 0..<Self.bandCount {
                sum += planes[band * channelCount + channel][frame] * gains[frame].bands[band]
            }
            output[frame] = sum
        }
    }
}
