import AVFAudio

/// The settings of a boost of speech.
public struct VoiceBoostSettings: Sendable, Equatable {
    /// The loudness to come to in LUFS: −40…−5, default −16.
    public var target: Double
    /// The largest gain in dB: 0…40, default 30.
    public var maximumGain: Double

    /// A boost to a loudness.
    public init(target: Double = -16, maximumGain: Double = 30) {
        (self.target, self.maximumGain) = (target, maximumGain)
    }
}

extension Streamer {
    /// The boost that brings speech to an even loudness; `nil`, as by default, is none.
    ///
    /// It can be set at any time, without a click. It comes behind the effects, and delays the sound by 10 ms. A seek keeps the gain; an
    /// input that is opened begins its own. `voiceBoostNode` tells what it does.
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

    /// The normalisation that brings inputs to one loudness, each by a gain of its own; `nil`, as by default, is none.
    ///
    /// It can be set at any time, without a click. The gain comes from tags, else from a measurement ahead of what is heard, on a thread of
    /// low priority that fetches nothing: a file is measured as a whole, and of a stream all that has arrived. A file has its own gain within
    /// the first second, and the next input before it is heard. The gain of a stream that is still arriving is found within the first
    /// seconds, and corrected by no more than 6 dB a second: played as fast as it arrives, one that swells by 8 dB in half a minute comes
    /// out some 2 LU too loud. A broadcast, a presentation and standard input are measured as they are
    /// decoded. An output that does not keep time waits for the measurement of a file.
    ///
    /// Inputs that follow without a gap change the gain at their first frame. Those of one album have one gain, or go on with what has been
    /// measured of the album.
    public var normalization: LoudnessNormalization? {
        get { controller.lock.withLock { controller.tracks.settings.normalization } }
        set {
            controller.lock.withLock {
                controller.tracks.settings.normalization = newValue
                controller.tracks.updateGains()
            }
        }
    }

    /// The gain in dB by which the input that is heard is normalised, and where it is from.
    public var normalizationGain: LoudnessNormalization.Gain {
        controller.lock.withLock {
            let gain = controller.tracks.current.gain
            return LoudnessNormalization.Gain(decibels: gain.decibels, source: gain.source)
        }
    }
}
