package import SyrinxStreaming

/// The ways in which the sound adapts to the recording.
package struct AdaptiveSound: Equatable, Sendable {
    /// The strength by which pauses of speech are shortened.
    package var smartSpeed = SmartSpeed.off
    /// Whether speech is brought to an even loudness.
    package var boostsVoice = false
    /// The loudness to which each input is brought, in LUFS; `nil` leaves it as it is.
    package var normalization: Double?

    /// The loudness where none is given, in LUFS.
    package static let standardLoudness = -16.0

    /// Creates a sound that adapts in these ways.
    package init(smartSpeed: SmartSpeed = .off, boostsVoice: Bool = false, normalization: Double? = nil) {
        (self.smartSpeed, self.boostsVoice, self.normalization) = (smartSpeed, boostsVoice, normalization)
    }

    /// Sets what differs from `previous` on a streamer; `nil` sets all.
    package func apply(to streamer: Streamer, replacing previous: AdaptiveSound? = nil) {
        if smartSpeed != previous?.smartSpeed ?? .off { streamer.smartSpeed = smartSpeed }
        if boostsVoice != previous?.boostsVoice ?? false {
            streamer.voiceBoost = boostsVoice ? VoiceBoostSettings() : nil
        }
        if normalization != previous?.normalization {
            streamer.normalization = normalization.map { LoudnessNormalization(target: $0) }
        }
    }
}
