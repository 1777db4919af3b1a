import AVFAudio
import ArgumentParser
import SyrinxListening

/// Mono, balance and the equalizer's preset.
struct Tone: Equatable, Sendable {
    /// Whether all channels sound alike.
    var isMono = false
    /// The balance of two channels, −1…1, from the left one alone to the right one alone.
    private(set) var balance = 0.0
    /// The name of the equalizer's preset.
    private(set) var equalizer = EqualizerPreset.flat.identifier

    /// Sets the balance to the nearest possible value.
    mutating func setBalance(_ value: Double) {
        let range = SoundLimits.balance
        balance = value.isFinite ? min(max(value, range.lowerBound), range.upperBound) : 0
    }

    /// Sets the preset of a name, in any case of letters.
    /// - Returns: Whether there is one.
    @discardableResult mutating func setEqualizer(_ name: String) -> Bool {
        guard let preset = EqualizerPreset.named(name) else { return false }
        equalizer = preset.identifier
        return true
    }
}

/// The value of `--equalizer`: the name of a preset.
struct EqualizerName: ExpressibleByArgument, Equatable, Sendable {
    /// The name, in lower case.
    let identifier: String

    /// Reads a name, or is `nil` if there is no preset of it.
    init?(argument: String) {
        guard let preset = EqualizerPreset.named(argument) else { return nil }
        identifier = preset.identifier
    }

    /// All names, for messages.
    static var list: String { EqualizerPreset.all.map(\.identifier).joined(separator: ", ") }

    static var allValueStrings: [String] { EqualizerPreset.all.map(\.identifier) }

    static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}

/// The units that a tone is made with, behind the effects of the command line.
struct ToneUnits {
    private let equalizer = AVAudioUnitEQ(preset: .flat)
    private let balance = StereoBalanceUnit()

    /// Units of a tone.
    init(_ tone: Tone) { apply(tone) }

    /// The units in order.
    var units: [AVAudioUnitEffect] { [equalizer, balance] }

    /// Brings the units to a tone, also while they play.
    func apply(_ tone: Tone) {
        let preset = EqualizerPreset.named(tone.equalizer) ?? .flat
        // The gains of the flat one would be 0, yet what is bypassed passes to the bit.
        equalizer.bypass = preset == .flat
        if preset != .flat { equalizer.load(preset) }
        balance.mono = tone.isMono ? 1 : 0
        balance.balance = Float(tone.balance)
        balance.bypass = tone == Tone()
    }
}
