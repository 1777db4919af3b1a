package import AVFAudio

/// Mono, balance and the equalizer's preset.
package struct Tone: Equatable, Sendable {
    /// Whether all channels are mixed into one.
    package var isMono = false
    /// The stereo balance, from −1 (left only) to 1 (right only).
    package private(set) var balance = 0.0
    /// The name of the equalizer's preset.
    package private(set) var equalizer = EqualizerPreset.flat.identifier

    /// Creates a tone that changes nothing.
    package init() {}

    /// The preset name for bands that the user has set.
    package static let customEqualizer = "custom"

    /// The names of all presets of the equalizer.
    package static var equalizers: [String] { EqualizerPreset.all.map(\.identifier) }

    /// The index of the preset.
    package var equalizerPlace: Int { EqualizerPreset.all.firstIndex { $0.identifier == equalizer } ?? 0 }

    /// The name of the next preset; after the last one, the first.
    var nextEqualizer: String {
        let names = Self.equalizers
        return names[(equalizerPlace + 1) % names.count]
    }

    /// Sets the balance, clamped to its range.
    package mutating func setBalance(_ value: Double) {
        let range = SoundLimits.balance
        balance = value.isFinite ? min(max(value, range.lowerBound), range.upperBound) : 0
    }

    /// Marks the equalizer as custom: the user has set the bands on the unit.
    mutating func setCustomEqualizer() { equalizer = Self.customEqualizer }

    /// Sets the preset with this name, ignoring case.
    /// - Returns: Whether the preset exists.
    @discardableResult package mutating func setEqualizer(_ name: String) -> Bool {
        guard let preset = EqualizerPreset.named(name) else { return false }
        equalizer = preset.identifier
        return true
    }
}

/// The units for the tone, after the effects from the command line.
package final class ToneUnits {
    /// The equalizer; a window with a curve sets its bands while the tone has ``Tone/customEqualizer``.
    package let equalizer = AVAudioUnitEQ(preset: .flat)
    private let balance = StereoBalanceUnit()
    private var applied: Tone?

    /// Creates units for a tone.
    package init(_ tone: Tone) { apply(tone) }

    /// The units in order.
    package var units: [AVAudioUnitEffect] { [equalizer, balance] }

    /// Applies a tone to the units, also during playback.
    package func apply(_ tone: Tone) {
        defer { applied = tone }
        balance.mono = tone.isMono ? 1 : 0
        balance.balance = Float(tone.balance)
        balance.bypass = !tone.isMono && tone.balance == 0
        // A face may have set the bands, or bypassed the unit.
        guard tone.equalizer != applied?.equalizer else { return }
        let isCustom = tone.equalizer == Tone.customEqualizer
        let preset = EqualizerPreset.named(tone.equalizer) ?? .flat
        // The gains of the flat preset are 0, but only a bypassed unit leaves each bit as it is.
        equalizer.bypass = preset == .flat && !isCustom
        if preset != .flat, !isCustom { equalizer.load(preset) }
    }
}
