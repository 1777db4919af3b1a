import Foundation
import Synchronization

/// A node that processes its input.
open class AVAudioUnit: AVAudioNode, @unchecked Sendable {
    // Unchecked: no state of its own.

    /// One.
    open override var numberOfInputs: Int { 1 }
}

/// A unit that gives another number of frames than it takes.
open class AVAudioUnitTimeEffect: AVAudioUnit, @unchecked Sendable {
    // Unchecked: the state is an atomic.
    let parameters = TimePitchParameters()

    /// Whether the input goes through unchanged.
    ///
    /// Default false.
    public var bypass: Bool {
        get { parameters.bypass.load(ordering: .relaxed) }
        set { parameters.bypass.store(newValue, ordering: .relaxed) }
    }
}
