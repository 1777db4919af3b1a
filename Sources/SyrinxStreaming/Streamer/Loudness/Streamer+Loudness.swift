import AVFAudio

/// The settings of the speech booster of a streamer.
public struct VoiceBoostSettings: Sendable, Equatable {
    /// The target loudness in LUFS, −40…−5; −16 by default.
    public var target: Double
    /// The maximum gain in dB, 0…40; 30 by default.
    public var maximumGain: Double

    /// Creates settings; `target` is in LUFS, `maximumGain` in dB.
    public init(target: Double = -16, maximumGain: Double = 30) {
        (self.target, self.maximumGain) = (target, maximumGain)
    }
}

extension Streamer {
    /// The settings of the speech booster, which brings speech to an even loudness; the default, `nil`, switches it
    /// off.
    ///
    /// May be set at any time, without a click. The booster runs after the effects and adds a delay of 10 ms. A seek
    /// keeps its gain; each new input starts with its own. `voiceBoostNode` has meters for the current gain.
    ///
    /// ```swift
    /// streamer.voiceBoost = VoiceBoostSettings(target: -16, maximumGain: 20)
    /// streamer.voiceBoost = nil // off
    /// ```
    public var voiceBoost: VoiceBoostSettings? {
        get {
            guard voiceBoostNode.isActive else { return nil }
            return VoiceBoostSettings(
                target: Double(voiceBoostNode.target),
                maximumGain: Double(voiceBoostNode.maximumGain)
            )
        }
        set {
            if let newValue {
                voiceBoostNode.target = Float(newValue.target)
                voiceBoostNode.maximumGain = Float(newValue.maximumGain)
            }
            voiceBoostNode.isActive = newValue != nil
        }
    }

    /// The loudness normalization of inputs, each with its own gain; the default, `nil`, switches it off.
    ///
    /// May be set at any time, without a click. The gain is computed from tags, otherwise from a measurement ahead of
    /// the playback position. The measurement runs on a low-priority thread and never starts a request. A file is
    /// measured completely, a stream as far as it has arrived.
    ///
    /// The gain of a file is known within the first second, that of the next item before it is heard. The gain of a
    /// stream that is still arriving is known within the first seconds, and then corrected by at most 6 dB a second. If
    /// such a stream swells by 8 dB within half a minute, it plays about 2 LU too loud. Broadcasts, presentations and
    /// standard input are measured while they are decoded. An output that does not keep time, such as a file, waits for
    /// the measurement.
    ///
    /// The gain changes exactly at the first frame of a gapless next item. Items of one album share one gain, or one
    /// measurement of the album.
    public var normalization: LoudnessNormalization? {
        get { controller.lock.withLock { controller.tracks.settings.normalization } }
        set {
            controller.lock.withLock {
                controller.tracks.settings.normalization = newValue
                controller.tracks.updateGains()
            }
        }
    }

    /// The normalization gain of the current input in dB, and its origin.
    public var normalizationGain: LoudnessNormalization.Gain {
        controller.lock.withLock {
            let gain = controller.tracks.current.gain
            return LoudnessNormalization.Gain(decibels: gain.decibels, source: gain.source)
        }
    }
}
