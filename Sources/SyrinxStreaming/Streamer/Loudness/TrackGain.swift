import Foundation

/// The gain of an input while more and more of it is measured.
///
/// A gain by tags, or by other settings, is taken at once, and so is any that is known before the input is heard. One that is measured
/// later is followed slowly, and the more slowly the longer the measurement is. A peak that is going to come lowers it before that is heard.
struct TrackGain: Equatable {
    /// The gain in dB.
    private(set) var decibels = 0.0
    /// Seconds in which it is reached.
    private(set) var rampTime = quickRamp
    private(set) var source = LoudnessNormalization.Gain.Source.none

    /// Seconds of a change that somebody asks for.
    static let quickRamp = 0.05
    /// Seconds of the first gain that is measured.
    private static let firstRamp = 0.5
    /// Decibels in a second of the later ones, at most.
    private static let slope = 2.0
    /// The same in the first seconds that are heard, of a measurement that is quicker than the sound.
    private static let openingSlope = 12.0
    /// The seconds that are heard with that slope.
    private static let opening = 2.0
    /// Decibels by which the gain may be off, while more is measured and once all has been.
    private static let tolerance = (partly: 0.2, wholly: 0.01)
    /// Seconds that have been measured when the loudness changes by little, and the seconds of a ramp before and after.
    private static let settling = (duration: 10.0, early: 1.0, late: 4.0)

    /// The gain as a factor.
    var factor: Float { decibels == 0 ? 1 : Float(pow(10, decibels / 20)) }

    /// Takes a gain as it is.
    mutating func set(_ gain: LoudnessNormalization.Gain) {
        move(to: gain.decibels, in: Self.quickRamp)
        source = gain.source
    }

    /// Follows a gain.
    /// - Parameters:
    ///   - duration: Seconds that have been measured.
    ///   - isWhole: Whether that is all of the input.
    ///   - ahead: Seconds until what has been measured last is heard.
    ///   - heard: Seconds of the input that have been heard since its start or a seek.
    mutating func follow(
        _ gain: LoudnessNormalization.Gain,
        duration: TimeInterval,
        isWhole: Bool = false,
        ahead: TimeInterval,
        heard: TimeInterval
    ) {
        guard gain.source == .measurement else { return set(gain) }
        let change = gain.decibels - decibels
        if source != .measurement {
            // Until so much has been measured, all that is known is that it is too loud.
            guard isWhole || duration >= LoudnessNormalization.leastDuration || change < 0 else { return }
            source = .measurement
            return move(to: gain.decibels, in: heard > 0 ? Self.firstRamp : Self.quickRamp)
        }
        if gain.isLimited, change < 0 {
            return move(to: gain.decibels, in: min(max(ahead, 0.02), 2))
        }
        guard abs(change) > (isWhole ? Self.tolerance.wholly : Self.tolerance.partly) else { return }
        if heard <= 0 { return move(to: gain.decibels, in: Self.quickRamp) }
        if heard < Self.opening {
            return move(to: gain.decibels, in: max(abs(change) / Self.openingSlope, Self.firstRamp))
        }
        let least = duration < Self.settling.duration ? Self.settling.early : Self.settling.late
        move(to: gain.decibels, in: max(abs(change) / Self.slope, least))
    }

    private mutating func move(to decibels: Double, in seconds: Double) {
        guard decibels != self.decibels else { return }
        (self.decibels, rampTime) = (decibels, seconds)
    }
}
