import AVFAudio
import SyrinxListening
import SyrinxPlayerUI

/// Mono, balance and the equalizer on the page of the effects.
extension EffectView {
    /// The rows, in order.
    enum ToneParameter: Int { case mono, balance, equalizer }

    /// Creates the view of a tone, which has no switch of its own.
    init(_ tone: Tone) {
        self.init(
            name: "tone",
            isSwitchable: false,
            parameters: [
                Parameter(name: "mono", value: tone.isMono ? 1 : 0, range: 0...1, initial: 0, choices: ["off", "on"]),
                Parameter(name: "balance", value: tone.balance, range: SoundLimits.balance, initial: 0),
                Parameter(
                    name: "equalizer",
                    value: Double(tone.equalizerPlace),
                    range: 0...Double(max(EqualizerPreset.all.count - 1, 0)),
                    initial: Double(Tone().equalizerPlace),
                    choices: EqualizerPreset.all.map(\.identifier)
                ),
            ]
        )
    }
}

extension Tone {
    /// The place of the preset among all of them.
    var equalizerPlace: Int { EqualizerPreset.all.firstIndex { $0.identifier == equalizer } ?? 0 }

    /// The name of the preset behind this one, or of the first behind the last.
    var nextEqualizer: String { Self.equalizer(at: (equalizerPlace + 1) % EqualizerPreset.all.count) ?? equalizer }

    /// Returns the name of the preset at a place among all of them; `nil` if there is none.
    static func equalizer(at place: Int) -> String? {
        EqualizerPreset.all.indices.contains(place) ? EqualizerPreset.all[place].identifier : nil
    }

    /// The settings that are not as usual, in a few words each.
    var words: [String] {
        var words: [String] = []
        if isMono { words.append("mono") }
        if balance != 0 {
            words.append("balance \(Int((abs(balance) * 100).rounded())) % \(balance < 0 ? "left" : "right")")
        }
        if equalizerPlace != Tone().equalizerPlace { words.append("equalizer \(equalizer)") }
        return words
    }
}
