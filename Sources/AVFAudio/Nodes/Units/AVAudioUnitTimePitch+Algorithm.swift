public import Foundation
import Synchronization

/// The choice of an algorithm, which Apple's unit does not have.
extension AVAudioUnitTimePitch {
    /// An algorithm for changing rate and pitch.
    public enum Algorithm: String, Sendable, CaseIterable {
        /// The algorithm with the best measurements: `spectral`, for music and for speech.
        case automatic
        /// A phase vocoder, for music and anything else.
        case spectral
        /// Overlapping segments of the waveform (WSOLA), for speech: a quarter of the processing cost, for sounds with
        /// one pitch.
        case timeDomain
    }

    /// The time-stretching algorithm; default `automatic`.
    ///
    /// You may set it during playback, on any thread. The change is audible within 50 ms, without a click.
    public var algorithm: Algorithm {
        get {
            let index = parameters.algorithm.load(ordering: .relaxed)
            return Algorithm.allCases.indices.contains(index) ? Algorithm.allCases[index] : .automatic
        }
        set {
            // The order of the cases equals the order of the kernel's raw values.
            parameters.algorithm.store(Algorithm.allCases.firstIndex(of: newValue) ?? 0, ordering: .relaxed)
        }
    }

    /// Whether the formants of a voice keep their frequencies when the pitch changes; default `false`.
    ///
    /// If `true`, the spectral algorithm is used, whatever the value of `algorithm`.
    public var preservesFormants: Bool {
        get { parameters.preservesFormants.load(ordering: .relaxed) }
        set { parameters.preservesFormants.store(newValue, ordering: .relaxed) }
    }

    /// The maximum time in seconds from setting a parameter to its effect in the rendered output.
    ///
    /// The value is 0 at rate 1 and pitch 0. The output itself is not delayed: `latency` is 0.
    public var responseTime: TimeInterval { parameters.responseTime.load(ordering: .relaxed) }
}
