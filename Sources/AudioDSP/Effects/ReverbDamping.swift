#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

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
