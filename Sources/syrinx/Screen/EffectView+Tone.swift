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
                    range: 0...Double(max(Tone.equalizers.count - 1, 0)),
                    initial: Double(Tone().equalizerPlace),
                    choices: Tone.equalizers
                ),
            ]
        )
    }
}

extension Tone {
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
