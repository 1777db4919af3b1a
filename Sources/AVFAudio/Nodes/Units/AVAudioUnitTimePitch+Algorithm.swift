public import Foundation
import Synchronization

/// The choice of an algorithm, which Apple's unit does not have.
extension AVAudioUnitTimePitch {
    /// The ways to change rate and pitch.
    public enum Algorithm: String, Sendable, CaseIterable {
        /// The algorithm with the best measurements: `spectral`, for music and for speech.
        case automatic
        /// A phase vocoder, for music and anything else.
        case spectral
        /// Pieces of the waveform joined where they fit, for speech: at a quarter of the cost, one pitch at a time.
        case timeDomain
    }

    /// The algorithm that changes rate and pitch, default `automatic`.
    ///
    /// Can be set while it plays, on any thread; heard within 50 ms, without a click.
    public var algorithm: Algorithm {
        get {
            let index = parameters.algorithm.load(ordering: .relaxed)
            return Algorithm.allCases.indices.contains(index) ? Algorithm.allCases[index] : .automatic
        }
        set {
            // The cases stand in the order of the kernel's raw values.
            parameters.algorithm.store(Algorithm.allCases.firstIndex(of: newValue) ?? 0, ordering: .relaxed)
        }
    }

    /// Whether a voice keeps its size when the pitch changes, default false.
    ///
    /// Its formants then stay where they are. Only the spectral method can do it, and is used for it whatever `algorithm` says.
    public var preservesFormants: Bool {
        get { parameters.preservesFormants.load(ordering: .relaxed) }
        set { parameters.preservesFormants.store(newValue, ordering: .relaxed) }
    }

    /// The longest time, in seconds, from setting a parameter to where it is heard in what is rendered.
    ///
    /// 0 at rate 1 and pitch 0. The output itself is never late: it lies where the time map says, and `latency` is 0.
    public var responseTime: TimeInterval { parameters.responseTime.load(ordering: .relaxed) }
}
