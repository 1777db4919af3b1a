import AVFAudio
import ArgumentParser
import SyrinxListening
import SyrinxPlayback

/// The options of `play` for mono, balance and the equalizer.
struct ToneOptions: ParsableArguments {
    @Flag(inversion: .prefixedNo, help: "Mix all channels into one, for one ear or one loudspeaker")
    var mono: Bool?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Balance of left and right (−1: left only … 1: right only, default: 0)",
            valueName: "balance"
        )
    )
    var balance: Double?

    @Option(help: ArgumentHelp("Equalizer preset", valueName: "preset"))
    var equalizer: EqualizerName?

    func validate() throws {
        if let balance { try SoundOptions.check("--balance", balance, SoundLimits.balance) }
    }

    /// The tone that the options ask for.
    var tone: Tone {
        var tone = Tone()
        tone.isMono = mono ?? false
        tone.setBalance(balance ?? 0)
        if let equalizer { tone.setEqualizer(equalizer.identifier) }
        return tone
    }
}

/// The options of `play` for skips.
struct SkipOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Seconds to skip at the start of each input (0 … 3600)", valueName: "seconds"))
    var skipIntro: Double?

    @Option(help: ArgumentHelp("Seconds to skip at the end of each input (0 … 3600)", valueName: "seconds"))
    var skipOutro: Double?

    @Option(
        help: ArgumentHelp(
            "Seconds that the right arrow key and `syrinx control skip-forward` skip (1 … 600, default: 5)",
            valueName: "seconds"
        )
    )
    var skipForward: Double?

    @Option(
        help: ArgumentHelp(
            "Seconds that the left arrow key and `syrinx control skip-back` skip (1 … 600, default: 5)",
            valueName: "seconds"
        )
    )
    var skipBack: Double?

    func validate() throws {
        for (option, value) in [("--skip-intro", skipIntro), ("--skip-outro", skipOutro)] {
            if let value { try SoundOptions.check(option, value, 0...3_600) }
        }
        for (option, value) in [("--skip-forward", skipForward), ("--skip-back", skipBack)] {
            if let value { try SoundOptions.check(option, value, 1...600) }
        }
    }

    /// Sets the settings that the options give.
    func set(in settings: inout ShowSettings) {
        (settings.introDuration, settings.outroDuration) = (skipIntro, skipOutro)
        (settings.skipForward, settings.skipBack) = (skipForward, skipBack)
    }
}

extension PlayOptions {
    /// The settings that the command line gives, as those of a podcast.
    var given: ShowSettings {
        var given = ShowSettings()
        given.rate = sound.givenRate
        given.volume = sound.givenVolume
        given.smartSpeed = adaptive.smartSpeed?.strength
        given.voiceBoost = adaptive.voiceBoost
        given.isMono = tone.mono
        given.balance = tone.balance
        given.equalizer = tone.equalizer?.identifier
        skip.set(in: &given)
        return given
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
    static var list: String { allValueStrings.joined(separator: ", ") }

    static var allValueStrings: [String] { Tone.equalizers }

    static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}
