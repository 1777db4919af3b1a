/// The sound settings that the listener can change during playback.
///
/// They stay in force for the following inputs. Each value is clamped to the range of its option.
package struct SoundSettings: Equatable, Sendable {
    /// The playback rate; 1 is normal speed.
    package private(set) var rate: Double
    /// The pitch in cents.
    package private(set) var pitch: Double
    /// The volume, 0…1, also while the sound is muted.
    package private(set) var volume: Double
    /// Whether the sound is muted.
    package private(set) var isMuted = false
    /// The loop mode.
    package private(set) var loop: LoopMode
    /// The effects, in order; at most ``maximumEffectCount`` by commands.
    package var effects: [EffectArgument]
    /// Smart speed, voice boost and loudness normalization.
    package var adaptive: AdaptiveSound
    /// Mono, balance and the equalizer.
    package var tone: Tone
    /// The preferred languages of inputs with several audio tracks, in order of preference.
    package var languages: [String]
    /// The indices of the bypassed effects.
    private var bypassed: Set<Int> = []

    /// Creates settings from the values of a command line, which are within their ranges.
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

    /// The gain applied to the samples, 0…1.
    package var gain: Double { isMuted ? 0 : volume }

    /// Sets the rate to the nearest possible value.
    package mutating func setRate(_ value: Double) {
        // Rounded, so that steps of a tenth add up: 0.1 is no binary fraction.
        rate = Self.clamp((value * 1e5).rounded() / 1e5, SoundLimits.rate)
    }

    /// Sets the pitch in cents to the nearest possible value.
    package mutating func setPitch(_ cents: Double) { pitch = Self.clamp(cents, SoundLimits.pitch) }

    /// Sets the volume to the nearest possible value and unmutes the sound.
    package mutating func setVolume(_ value: Double) {
        volume = Self.clamp((value * 1e4).rounded() / 1e4, SoundLimits.volume)
        isMuted = false
    }

    /// Mutes or unmutes the sound.
    package mutating func toggleMute() { isMuted.toggle() }

    /// Sets the loop mode.
    package mutating func setLoop(_ mode: LoopMode) { loop = mode }

    /// The maximum number of effects to which a command adds one.
    static let maximumEffectCount = 32

    /// Removes the effect at a place, which exists.
    mutating func removeEffect(at index: Int) {
        effects.remove(at: index)
        bypassed = Set(bypassed.compactMap { $0 == index ? nil : $0 > index ? $0 - 1 : $0 })
    }

    /// Moves the effect at a place to another place, counted without it; both exist.
    mutating func moveEffect(from index: Int, to target: Int) {
        var order = Array(effects.indices)
        order.insert(order.remove(at: index), at: target)
        effects = order.map { effects[$0] }
        bypassed = Set(order.indices.filter { bypassed.contains(order[$0]) })
    }

    /// Whether the effect at a place lets the sound pass unchanged.
    package func isBypassed(effect index: Int) -> Bool { bypassed.contains(index) }

    /// Bypasses the effect at an index, or uses it again.
    /// - Returns: Whether the effect exists.
    package mutating func setBypassed(_ isBypassed: Bool, effect index: Int) -> Bool {
        guard effects.indices.contains(index) else { return false }
        if isBypassed { bypassed.insert(index) } else { bypassed.remove(index) }
        return true
    }

    private static func clamp(_ value: Double, _ range: ClosedRange<Double>) -> Double {
        value.isNaN ? range.lowerBound : min(max(value, range.lowerBound), range.upperBound)
    }
}

/// The repeat mode.
package enum LoopMode: String, Codable, CaseIterable, Sendable {
    /// Nothing.
    case none
    /// The input.
    case one
    /// All inputs, from the first.
    case all

    /// The next mode of the loop key.
    package var next: LoopMode {
        switch self {
        case .none: .one
        case .one: .all
        case .all: .none
        }
    }
}
