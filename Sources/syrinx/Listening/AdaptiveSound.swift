public import ArgumentParser
public import SyrinxStreaming

/// The ways in which the sound adapts to the recording.
struct AdaptiveSound: Equatable, Sendable {
    /// The strength by which pauses of speech are shortened.
    var smartSpeed = SmartSpeed.off
    /// Whether speech is brought to an even loudness.
    var boostsVoice = false
    /// The loudness to which each input is brought, in LUFS; `nil` leaves it as it is.
    var normalization: Double?

    /// The loudness where none is given, in LUFS.
    static let standardLoudness = -16.0

    /// Sets what differs from `previous` on a streamer; `nil` sets all.
    func apply(to streamer: Streamer, replacing previous: AdaptiveSound? = nil) {
        if smartSpeed != previous?.smartSpeed ?? .off { streamer.smartSpeed = smartSpeed }
        if boostsVoice != previous?.boostsVoice ?? false {
            streamer.voiceBoost = boostsVoice ? VoiceBoostSettings() : nil
        }
        if normalization != previous?.normalization {
            streamer.normalization = normalization.map { LoudnessNormalization(target: $0) }
        }
    }
}

/// The options of `play` that make the sound adapt.
struct AdaptiveOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Shorten the pauses of speech (default: off)", valueName: "strength"))
    var smartSpeed: SmartSpeed?

    @Flag(inversion: .prefixedNo, help: "Bring speech to an even loudness")
    var voiceBoost: Bool?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Loudness of each input, from its tags or measured (-70 … 0 LUFS, -16 if no number follows)",
            valueName: "LUFS"
        )
    )
    var normalize: Double?

    func validate() throws {
        if let normalize { try SoundOptions.check("--normalize", normalize, -70...0) }
    }

    /// The ways that the options ask for.
    var sound: AdaptiveSound {
        AdaptiveSound(smartSpeed: smartSpeed ?? .off, boostsVoice: voiceBoost ?? false, normalization: normalize)
    }

    /// Whether a word is a loudness, and not the number of an episode or the name of a file.
    private static func isLoudness(_ word: String) -> Bool { Double(word).map { (-70...0).contains($0) } ?? false }

    /// Returns the arguments with the number that `--normalize` has where it stands alone.
    static func completed(_ arguments: [String]) -> [String] {
        var complete: [String] = []
        for (index, argument) in arguments.enumerated() {
            let next = index + 1 < arguments.count ? arguments[index + 1] : ""
            let isAlone = argument == "--normalize" && !isLoudness(next) && !complete.contains("--")
            complete.append(isAlone ? "--normalize=\(AdaptiveSound.standardLoudness)" : argument)
        }
        return complete
    }
}

extension SmartSpeed: ExpressibleByArgument {}
