#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The settings of a reverb network, converted from either of the two kinds of parameters.
package struct ReverbSettings: Equatable, Sendable {
    /// The decay of the late sound.
    package var decay: ReverbDecay
    /// Seconds before the first reflections.
    package var preDelay: Double
    /// The delay of the late sound relative to the early reflections, in seconds.
    package var lateDelay = 0.0
    /// The shortest and the longest delay line in seconds: no range, since debug builds look up the type when they
    /// compare it.
    package var shortestLine: Double
    package var longestLine: Double
    /// The exponent of a line's place on the logarithmic scale of lengths: below 1 more lines are long.
    package var lineBias = 1.0
    /// The longest delay of the second step of diffusion in seconds, at most `longestDiffusion`.
    package var diffusion: Double
    /// The share of the delay range, measured from its end, over which the delays are spread, 0…1.
    package var diffusionRange = 1.0
    /// The share of the second diffusion step in the input of the lines, 0…1.
    package var density = 1.0
    /// The part of the late sound in the output, at equal power, 0…1.
    package var lateShare = 1.0
    /// The part of the second step in the early reflections, 0…1.
    package var earlyDensity = 1.0
    /// The cutoff of the low pass on the early reflections in Hz.
    package var earlyCutoff = 20_000.0
    /// The factor on the rates of the modulated lines.
    package var modulationRate = 1.0
    /// The amplitude of the modulation in seconds, at most `longestModulation`.
    package var modulationDepth = 0.0
    /// The number of the pattern of reflections.
    package var seed = 1

    package static let longestDiffusion = 0.02
    package static let longestModulation = 0.001_5

    package init(decay: ReverbDecay, preDelay: Double, shortestLine: Double, longestLine: Double, diffusion: Double) {
        (self.decay, self.preDelay, self.diffusion) = (decay, preDelay, diffusion)
        (self.shortestLine, self.longestLine) = (shortestLine, longestLine)
    }

    /// The longest silence within the tail, in seconds.
    package var longestGap: Double { preDelay + lateDelay + longestLine + 0.05 }

    /// Returns the time in seconds until the wet sound has decayed by 180 dB.
    package func tailTime(sampleRate: Double) -> Double {
        // The longest decay is that at one of the ends, of the longest line.
        let damping = ReverbDamping(decay, seconds: longestLine, sampleRate: sampleRate)
        let slowest = max(damping.decayTime(at: 0), damping.decayTime(at: sampleRate / 2))
        return preDelay + lateDelay + 2 * longestLine + 0.3 + 3 * slowest
    }
}

/// The maximum delays of a reverb, which determine its memory.
package struct ReverbLimits: Sendable {
    /// Seconds before the first reflections.
    package let preDelay: Double
    /// Seconds of the longest delay line.
    package let line: Double
    /// The delay of the late sound in seconds.
    package let lateDelay: Double
    /// Whether pairs of lines turn into each other, which takes the place of modulated lines.
    package let turnsLines: Bool

    /// The limits of `MatrixReverbParameters`.
    package static let matrix = ReverbLimits(
        preDelay: MatrixReverbParameters.longestPreDelay,
        line: MatrixReverbParameters.longestLine,
        lateDelay: MatrixReverbParameters.longestLargeDelay,
        turnsLines: false
    )
    /// The limits of `Reverb2Parameters`.
    package static let reverb2 = ReverbLimits(
        preDelay: Reverb2Parameters.longestDelay,
        line: Reverb2Parameters.longestDelay,
        lateDelay: 0,
        turnsLines: true
    )
}
