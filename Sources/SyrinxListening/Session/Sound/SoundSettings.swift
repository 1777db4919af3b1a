/// The settings that a listener changes while it plays.
///
/// They hold from one input to the next. Every value stays within the range of its option.
package struct SoundSettings: Equatable, Sendable {
    /// The seconds of the input that pass in a second.
    package private(set) var rate: Double
    /// The pitch in cents.
    package private(set) var pitch: Double
    /// The volume, 0…1, also while the sound is muted.
    package private(set) var volume: Double
    /// Whether the sound is muted.
    package private(set) var isMuted = false
    /// The loop mode.
    package private(set) var loop: LoopMode
    /// The effects, in order.
    package var effects: [EffectArgument]
    /// The ways in which the sound adapts.
    package var adaptive: AdaptiveSound
    /// Mono, balance and the equalizer.
    package var tone: Tone
    /// The languages to hear where an input has several, the best first.
    package var languages: [String]
    /// The places of the effects that let the sound pass unchanged.
    private var bypassed: Set<Int> = []

    /// Settings with the values of a command line, which has checked them.
    package init(
        rate: Double = 1,
        pitch: Double = 0,
        volume: Double = 1,
        loop: LoopMode = .none,
        effects: [EffectArgument] = [],
        adaptive: AdaptiveSound = AdaptiveSound(),
        tone: Tone = Tone(),
        languages: [String] = []
    ) {
        self.rate = rate
        self.pitch = pitch
        self.volume = volume
        self.loop = loop
        self.effects = effects
        self.adaptive = adaptive
        self.tone = tone
        self.languages = languages
    }

    /// The factor that the samples are multiplied by, 0…1.
    package var gain: Double { isMuted ? 0 : volume }

    /// Sets the rate to the nearest possible value.
    package mutating func setRate(_ value: Double) {
        // Rounded, so that steps of a tenth add up: 0.1 is no binary fraction.
        rate = Self.clamp((value * 1e5).rounded() / 1e5, SoundLimits.rate)
    }

    /// Sets the pitch in cents to the nearest possible value.
    package mutating func setPitch(_ cents: Double) { pitch = Self.clamp(cents, SoundLimits.pitch) }

    /// Sets the volume to the nearest possible value, and makes the sound audible again.
    package mutating func setVolume(_ value: Double) {
        volume = Self.clamp((value * 1e4).rounded() / 1e4, SoundLimits.volume)
        isMuted = false
    }

    /// Mutes the sound, or makes it audible again.
    package mutating func toggleMute() { isMuted.toggle() }

    /// Sets the way of looping.
    package mutating func setLoop(_ mode: LoopMode) { loop = mode }

    /// Whether the effect at a place lets the sound pass unchanged.
    package func isBypassed(effect index: Int) -> Bool { bypassed.contains(index) }

    /// Sets whether the effect at a place lets the sound pass unchanged.
    /// - Returns: Whether there is such an effect.
    package mutating func setBypassed(_ isBypassed: Bool, effect index: Int) -> Bool {
        guard effects.indices.contains(index) else { return false }
        if isBypassed { bypassed.insert(index) } else { bypassed.remove(index) }
        return true
    }

    private static func clamp(_ value: Double, _ range: ClosedRange<Double>) -> Double {
        value.isNaN ? range.lowerBound : min(max(value, range.lowerBound), range.upperBound)
    }
}

/// The repetition of what has been played to its end.
package enum LoopMode: String, Codable, CaseIterable, Sendable {
    /// Nothing.
    case none
    /// The input.
    case one
    /// All inputs, from the first.
    case all

    /// The mode that the loop key goes on to.
    package var next: LoopMode {
        switch self {
        case .none: .one
        case .one: .all
        case .all: .none
        }
    }
}
