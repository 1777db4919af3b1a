#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The presets of a reverb.
///
/// The raw values are those of `AVAudioUnitReverbPreset`.
package enum ReverbPreset: Int, Sendable, CaseIterable {
    case smallRoom, mediumRoom, largeRoom, mediumHall, largeHall, plate, mediumChamber, largeChamber, cathedral
    case largeRoom2, mediumHall2, mediumHall3, largeHall2
}

/// The parameters of a matrix reverb but for the mix: a small space of early reflections, which feeds a large one.
package struct MatrixReverbParameters: Equatable, Sendable {
    /// The share of the large space, 0…1, at equal power.
    package var largeShare = 0.5
    /// The longest delay of the reflections of the small space in seconds.
    package var smallSize = 0.02
    /// The decay time of the large space at 1 kHz in seconds.
    package var largeSize = 3.07
    /// Seconds before the first reflections.
    package var preDelay = 0.025
    /// The delay of the large room relative to the small one, in seconds.
    package var largeDelay = 0.035
    /// The density of the reflections of the small space, 0…1.
    package var smallDensity = 0.28
    /// The density of the large room's input, 0…1.
    package var largeDensity = 0.82
    /// The spread of the delays of the large space, 0…1.
    package var largeDelayRange = 0.3
    /// The cutoff of the small space, 0…1.
    package var smallBrightness = 0.96
    /// The decay time of the octave around 8 kHz, as a part of that at 1 kHz, 0…1.
    package var largeBrightness = 0.49
    /// The spread of the delays of the small space, 0…1.
    package var smallDelayRange = 0.5
    /// The factor on the rates of the modulation, in Hz for the fastest line but one.
    package var modulationRate = 1.0
    /// The depth of the modulation, 0…1: at most a millisecond.
    package var modulationDepth = 0.2

    package static let longestPreDelay = 0.03
    package static let longestLargeDelay = 0.1
    /// Seconds of the longest line of the largest space.
    package static let longestLine = 0.06 * 3.1623 * longestFactor
    /// The shortest and the longest line as parts of the mean, at the widest spread.
    private static let shortestFactor = 0.45
    private static let longestFactor = 1.7

    package init() {}

    /// The parameters of a preset, which are Syrinx's own.
    package init(_ preset: ReverbPreset) {
        self.init()
        (largeShare, smallDensity, largeDensity, largeDelayRange, smallDelayRange) = (1, 1, 1, 1, 1)
        smallSize = 0.017
        largeBrightness = 0.5
        switch preset {
        case .smallRoom: (largeSize, preDelay, largeDelay) = (0.45, 0.003, 0.001)
        case .mediumRoom: (largeSize, preDelay, largeDelay) = (0.8, 0.007, 0.001)
        case .largeRoom: (largeSize, preDelay, largeDelay) = (1.2, 0.011, 0.001)
        case .largeRoom2: (largeSize, preDelay, largeDelay) = (1.5, 0.013, 0.001)
        case .mediumHall: (largeSize, preDelay, largeDelay) = (1.8, 0.017, 0.001)
        case .mediumHall2: (largeSize, preDelay, largeDelay) = (2.1, 0.019, 0.001)
        case .mediumHall3: (largeSize, preDelay, largeDelay) = (2.3, 0.023, 0.001)
        case .largeHall: (largeSize, preDelay, largeDelay) = (2.7, 0.024, 0.001)
        case .largeHall2: (largeSize, preDelay, largeDelay) = (3.2, 0.029, 0.001)
        case .plate: (largeSize, preDelay, largeDelay, largeBrightness) = (2, 0.001, 0.001, 0.7)
        case .mediumChamber: (largeSize, preDelay, largeDelay) = (1.1, 0.007, 0.001)
        case .largeChamber: (largeSize, preDelay, largeDelay) = (1.7, 0.011, 0.001)
        case .cathedral: (largeSize, preDelay, largeDelay, largeBrightness) = (4.8, 0.03, 0.005, 0.35)
        }
    }
}

/// The parameters of reverb 2 but for the mix and the gain.
package struct Reverb2Parameters: Equatable, Sendable {
    /// The minimum and maximum length of the delay lines in seconds.
    ///
    /// The first reflections arrive after the minimum.
    package var minDelayTime = 0.008
    package var maxDelayTime = 0.05
    /// The decay times at the ends of the spectrum in seconds.
    package var decayTimeAt0Hz = 1.0
    package var decayTimeAtNyquist = 0.5
    /// The number of the pattern of reflections.
    package var randomizeReflections = 1

    package static let longestDelay = 1.0

    package init() {}
}

extension ReverbSettings {
    /// Creates the settings of a matrix reverb.
    ///
    /// The lines are long enough for the decay time, which requires densely spaced modes.
    package init(_ parameters: MatrixReverbParameters) {
        let size = 0.06 * parameters.largeSize.squareRoot()
        let spread = max(0.05, parameters.largeDelayRange)
        let high = parameters.largeSize * max(0.05, parameters.largeBrightness)
        self.init(
            decay: ReverbDecay(.middleAndHigh, lowTime: parameters.largeSize, highTime: high),
            preDelay: parameters.preDelay,
            shortestLine: size * exp(-0.8 * spread),
            longestLine: size * exp(0.53 * spread),
            diffusion: parameters.smallSize
        )
        lateDelay = parameters.largeDelay
        diffusionRange = parameters.smallDelayRange
        density = parameters.largeDensity
        lateShare = parameters.largeShare
        earlyDensity = parameters.smallDensity
        earlyCutoff = 500 * exp(log(40) * parameters.smallBrightness)
        modulationRate = parameters.modulationRate
        modulationDepth = Self.longestModulation * parameters.modulationDepth
        // Longer lines give denser modes. The chosen pattern has low peaks, dense echoes and equally loud sides for
        // all presets; most other patterns fail one of these for some preset.
        lineBias = 0.6
        seed = 21
    }

    /// The settings of a preset.
    package init(_ preset: ReverbPreset) { self.init(MatrixReverbParameters(preset)) }

    /// The settings of reverb 2.
    package init(_ parameters: Reverb2Parameters) {
        let shortest = min(parameters.minDelayTime, parameters.maxDelayTime)
        let longest = max(parameters.minDelayTime, parameters.maxDelayTime)
        self.init(
            decay: ReverbDecay(
                .ends,
                lowTime: parameters.decayTimeAt0Hz,
                highTime: parameters.decayTimeAtNyquist
            ),
            preDelay: shortest,
            shortestLine: shortest,
            longestLine: longest,
            diffusion: min(0.34 * longest, 0.017)
        )
        // Most lines have nearly the maximum length, because short lines leave gaps between the modes, which are
        // audible as tones. The lines are not modulated, because interpolation would shorten the decay near half the
        // sample rate. `ReverbRotation` moves the modes instead.
        lineBias = 0.1
        seed = parameters.randomizeReflections
    }
}
