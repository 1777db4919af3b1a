import Foundation
import Synchronization

/// What a node that feeds a mixer can ask of it.
public protocol AVAudioMixing: AnyObject {
    /// Linear gain, 0…1, default 1. A change is ramped over 10 ms.
    var volume: Float { get set }
    /// From −1, left, to 1, right; default 0. A change is ramped over 10 ms.
    var pan: Float { get set }
}

extension AVAudioMixing where Self: AVAudioNode {
    /// Linear gain, 0…1, default 1.
    ///
    /// A change is ramped over 10 ms.
    public var volume: Float {
        get { mixing.volume.load(ordering: .relaxed) }
        set { mixing.volume.store(newValue.isFinite ? max(0, newValue) : 0, ordering: .relaxed) }
    }

    /// From −1, left, to 1, right; default 0.
    ///
    /// A change is ramped over 10 ms.
    public var pan: Float {
        get { mixing.pan.load(ordering: .relaxed) }
        set { mixing.pan.store(newValue.isFinite ? min(1, max(-1, newValue)) : 0, ordering: .relaxed) }
    }
}
