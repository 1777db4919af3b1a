#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The filter that a delay line of a reverb passes at each turn: g / (1 − p z⁻¹), exact at two frequencies.
package struct ReverbDamping: Sendable {
    let gain: Double
    let pole: Double
    private let seconds: Double
    private let sampleRate: Double

    /// Half of the minimum gain of a line per pass, as a logarithm: −120 dB, so that the gains stay finite.
    ///
    /// Computed, because the first access to a stored static property takes a lock.
    private static var leastGain: Double { -6 * log(10) }

    /// Creates the filter of a delay line with a length of `seconds`.
    ///
    /// For the decay time T, a line of m frames loses 60 m / (fs · T) dB per pass (J.-M. Jot, A. Chaigne, "Digital
    /// delay networks for designing artificial reverberators", 1991). The pole is the root of a quadratic equation in
    /// the squared ratio of the two gains. If one pole cannot realize the difference of the decay times, its slope is
    /// the steepest possible.
    package init(_ decay: ReverbDecay, seconds: Double, sampleRate: Double) {
        (self.seconds, self.sampleRate) = (seconds, sampleRate)
        let (low, high) = decay.frequencies(sampleRate: sampleRate)
        let lowLog = max(-3 * log(10) * seconds / decay.lowTime, Self.leastGain)
        let highLog = max(-3 * log(10) * seconds / decay.highTime(sampleRate: sampleRate), Self.leastGain)
        let (cLow, cHigh) = (cos(2 * Double.pi * low / sampleRate), cos(2 * Double.pi * high / sampleRate))
        let ratio = exp(2 * (lowLog - highLog))
        // Frequencies below the lower one decay more slowly, but by at most a fifth.
        let most = Self.pole(ratio: exp(-2 * lowLog / 6), 1, cLow)
        pole = min(Self.pole(ratio: ratio, cLow, cHigh), low > 0 ? most : 1)
        gain = exp(lowLog) * (1 - 2 * pole * cLow + pole * pole).squareRoot()
    }

    /// Returns the pole for a ratio of the squared gains at two frequencies, given by their cosines.
    private static func pole(ratio: Double, _ cLow: Double, _ cHigh: Double) -> Double {
        if abs(ratio - 1) < 1e-9 { return 0 }
        let half = (ratio * cLow - cHigh) / (ratio - 1)
        let root = max(0, half * half - 1).squareRoot()
        return half > 0 ? half - root : half + root
    }

    /// Returns the decay time at a frequency that follows from the filter.
    package func decayTime(at frequency: Double) -> Double {
        let c = cos(2 * Double.pi * frequency / sampleRate)
        let level = gain / (1 - 2 * pole * c + pole * pole).squareRoot()
        return -3 * log(10) * seconds / log(min(level, 0.999_999))
    }
}

/// The decay times of a reverb at two frequencies.
package struct ReverbDecay: Equatable, Sendable {
    /// The two frequencies that the times are meant for.
    package enum Frequencies: Equatable, Sendable {
        /// 1 kHz, and the octave around 8 kHz.
        case middleAndHigh
        /// 0 Hz and half the sample rate.
        case ends
    }

    /// The octave around 8 kHz decays as fast as this frequency in Hz does, since its lower part lasts longest.
    package static let highFrequency = 7_000.0

    package var frequencies: Frequencies
    /// Seconds in which the lower of the two frequencies falls by 60 dB.
    package var lowTime: Double
    /// The same of the higher one.
    package var highTime: Double

    package init(_ frequencies: Frequencies, lowTime: Double, highTime: Double) {
        (self.frequencies, self.lowTime, self.highTime) = (frequencies, lowTime, highTime)
    }

    /// Returns the two frequencies in Hz.
    ///
    /// The high one is 7 kHz, or 0.4 of the sample rate if that is lower.
    func frequencies(sampleRate: Double) -> (low: Double, high: Double) {
        switch frequencies {
        case .middleAndHigh: (min(1_000, 0.1 * sampleRate), min(Self.highFrequency, 0.4 * sampleRate))
        case .ends: (0, sampleRate / 2)
        }
    }

    /// The decay time at the higher of the two frequencies.
    func highTime(sampleRate: Double) -> Double {
        guard frequencies == .middleAndHigh else { return highTime }
        let (low, high) = frequencies(sampleRate: sampleRate)
        let share = log(high / low) / log(Self.highFrequency / 1_000)
        return lowTime * exp(log(highTime / lowTime) * share)
    }
}
