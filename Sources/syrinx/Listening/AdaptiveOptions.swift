public import ArgumentParser
import SyrinxListening
public import SyrinxStreaming

/// The options of `play` that adapt the sound to the recording.
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

    /// The requested settings.
    var sound: AdaptiveSound {
        AdaptiveSound(smartSpeed: smartSpeed ?? .off, boostsVoice: voiceBoost ?? false, normalization: normalize)
    }

    /// Whether a word is a loudness in LUFS, −70 to 0, and not an episode number or a file name.
    private static func isLoudness(_ word: String) -> Bool { Double(word).map { (-70...0).contains($0) } ?? false }

    /// Returns the arguments with the default value inserted after each `--normalize` that has none.
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

extension LoopMode: ExpressibleByArgument {}
