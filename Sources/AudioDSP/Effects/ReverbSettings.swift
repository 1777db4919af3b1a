#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The presets of a reverb. Raw values are those of `AVAudioUnitReverbPreset`.
package enum ReverbPreset: Int, Sendable, CaseIterable {
    case smallRoom, mediumRoom, largeRoom, mediumHall, largeHall, plate, mediumChamber, largeChamber, cathedral
    case largeRoom2, mediumHall2, mediumHall3, largeHall2
}

/// The settings of a reverb.
package struct ReverbSettings: Equatable, Sendable {
    /// Seconds in which the sound falls by 60 dB at 1 kHz.
    package var decayTime: Double
    /// The decay time of the octave around 8 kHz as a part of that.
    package var highDecay: Double
    /// Seconds before the first reflections, at most `longestPreDelay`.
    package var preDelay: Double
    /// The mean length of the delay lines in seconds, at most `longestSize`.
    package var size: Double

    package static let longestPreDelay = 0.1
    package static let longestSize = 0.07

    package init(decayTime: Double, highDecay: Double, preDelay: Double, size: Double) {
        (self.decayTime, self.highDecay, self.preDelay, self.size) = (decayTime, highDecay, preDelay, size)
    }

    /// The settings of a preset, which are Syrinx's own.
    package init(_ preset: ReverbPreset) {
        switch preset {
        case .smallRoom: self.init(decayTime: 0.45, highDecay: 0.5, preDelay: 0.004, size: 0.028)
        case .mediumRoom: self.init(decayTime: 0.8, highDecay: 0.5, preDelay: 0.008, size: 0.027)
        case .largeRoom: self.init(decayTime: 1.2, highDecay: 0.5, preDelay: 0.012, size: 0.03)
        case .largeRoom2: self.init(decayTime: 1.5, highDecay: 0.5, preDelay: 0.014, size: 0.03)
        case .mediumHall: self.init(decayTime: 1.8, highDecay: 0.5, preDelay: 0.018, size: 0.038)
        case .mediumHall2: self.init(decayTime: 2.1, highDecay: 0.5, preDelay: 0.02, size: 0.041)
        case .mediumHall3: self.init(decayTime: 2.3, highDecay: 0.5, preDelay: 0.024, size: 0.044)
        case .largeHall: self.init(decayTime: 2.7, highDecay: 0.5, preDelay: 0.025, size: 0.048)
        case .largeHall2: self.init(decayTime: 3.2, highDecay: 0.5, preDelay: 0.03, size: 0.052)
        case .plate: self.init(decayTime: 2, highDecay: 0.7, preDelay: 0.001, size: 0.026)
        case .mediumChamber: self.init(decayTime: 1.1, highDecay: 0.5, preDelay: 0.008, size: 0.026)
        case .largeChamber: self.init(decayTime: 1.7, highDecay: 0.5, preDelay: 0.012, size: 0.034)
        case .cathedral: self.init(decayTime: 4.8, highDecay: 0.35, preDelay: 0.035, size: 0.062)
        }
    }

    /// Seconds in which the wet sound falls below what is kept, 180 dB down.
    package func tailTime(sampleRate: Double) -> Double {
        // The longest decay is that at 0 Hz, of the longest line.
        let damping = ReverbDamping(self, seconds: size * ReverbLines.longestFactor, sampleRate: sampleRate)
        return preDelay + 0.3 + 3 * damping.decayTime(at: 0)
    }
}

/// The filter that a delay line of a reverb passes at each turn: g / (1 − p z⁻¹), exact at 1 kHz and at 6.2 kHz.
///
/// The octave around 8 kHz decays as fast as 6.2 kHz does, since its lower part lasts longest.
package struct ReverbDamping: Sendable {
    package static let highFrequency = 6_200.0
    let gain: Double
    let pole: Double
    private let seconds: Double
    private let sampleRate: Double

    /// The filter of a line of `seconds`.
    ///
    /// A line of m frames loses 60 m / (fs · T) dB at each turn for the decay time T (J.-M. Jot, A. Chaigne, "Digital delay
    /// networks for designing artificial reverberators", 1991). The pole is the root of a quadratic equation in the squared
    /// ratio of the two gains. Where 6.2 kHz lies beyond 0.4 of the rate that frequency takes its place.
    package init(_ settings: ReverbSettings, seconds: Double, sampleRate: Double) {
        (self.seconds, self.sampleRate) = (seconds, sampleRate)
        let low = min(1_000, 0.1 * sampleRate)
        let high = min(Self.highFrequency, 0.4 * sampleRate)
        let share = log(high / low) / log(Self.highFrequency / 1_000)
        let highTime = settings.decayTime * exp(log(settings.highDecay) * share)
        let lowGain = exp(-3 * log(10) * seconds / settings.decayTime)
        let highGain = exp(-3 * log(10) * seconds / highTime)
        let (c1, cHigh) = (cos(2 * Double.pi * low / sampleRate), cos(2 * Double.pi * high / sampleRate))
        let ratio = (lowGain / highGain) * (lowGain / highGain)
        if ratio - 1 < 1e-9 {
            pole = 0
        } else {
            let half = (ratio * c1 - cHigh) / (ratio - 1)
            pole = half - (half * half - 1).squareRoot()
        }
        gain = lowGain * (1 - 2 * pole * c1 + pole * pole).squareRoot()
    }

    /// Returns the decay time at a frequency that follows from the filter.
    package func decayTime(at frequency: Double) -> Double {
        let c = cos(2 * Double.pi * frequency / sampleRate)
        let level = gain / (1 - 2 * pole * c + pole * pole).squareRoot()
        return -3 * log(10) * seconds / log(min(level, 0.999_999))
    }
}

/// The lengths of the sixteen delay lines.
enum ReverbLines {
    static let count = 16
    /// The shortest and the longest line as parts of the mean.
    private static let shortestFactor = 0.45
    static let longestFactor = 1.7

    /// Sets the lengths in frames: spread evenly on a logarithmic scale, each a prime of its own.
    static func fill(_ lengths: UnsafeMutablePointer<Int>, size: Double, sampleRate: Double) {
        var last = 2
        for index in 0..<count {
            let share = Double(index) / Double(count - 1)
            let factor = shortestFactor * exp(log(longestFactor / shortestFactor) * share)
            var length = max(last + 1, Int((size * factor * sampleRate).rounded()))
            while !isPrime(length) { length += 1 }
            lengths[index] = length
            last = length
        }
    }

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
}
