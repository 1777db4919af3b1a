import Foundation

/// The gain of an input while its loudness is being measured.
///
/// A gain from tags, a changed setting, or a gain that is known before playback is applied at once. A gain that is
/// measured later is approached slowly, and more slowly with a longer measurement. A measured future peak lowers the
/// gain before it is heard.
struct TrackGain: Equatable {
    /// The gain in dB.
    private(set) var decibels = 0.0
    /// Seconds in which it is reached.
    private(set) var rampTime = quickRamp
    private(set) var source = LoudnessNormalization.Gain.Source.none

    /// The duration in seconds of a gain change that the program requests.
    static let quickRamp = 0.05
    /// Seconds of the first gain that is measured.
    private static let firstRamp = 0.5
    /// The maximum rate of later changes in decibels per second.
    private static let slope = 2.0
    /// The maximum rate in the first seconds of playback, if the measurement is faster than playback.
    private static let openingSlope = 12.0
    /// The duration in seconds of the faster rate at the start.
    private static let opening = 2.0
    /// Decibels by which the gain may be off, while more is measured and once all has been.
    private static let tolerance = (partly: 0.2, wholly: 0.01)
    /// Seconds that have been measured when the loudness changes by little, and the seconds of a ramp before and after.
    private static let settling = (duration: 10.0, early: 1.0, late: 4.0)

    /// The gain as a factor.
    var factor: Float { decibels == 0 ? 1 : Float(pow(10, decibels / 20)) }

    /// Sets a gain, with a short ramp.
    mutating func set(_ gain: LoudnessNormalization.Gain) {
        move(to: gain.decibels, in: Self.quickRamp)
        source = gain.source
    }

    /// Approaches a gain.
    /// - Parameters:
    ///   - duration: The measured duration in seconds.
    ///   - isWhole: Whether the whole input is measured.
    ///   - ahead: The seconds until the end of the measured part is heard.
    ///   - heard: The seconds of the input that were played since its start or a seek.
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
            // A shorter measurement can only show that the input is too loud.
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
