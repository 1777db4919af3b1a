public import Foundation
internal import SyrinxDSP

/// The strength with which pauses in speech are shortened during playback.
///
/// A pause is a stretch near the noise floor of the recording, which is measured during playback. The audio on both
/// sides of a cut is joined without a click. Breaths and other soft sounds between words are played faster but not cut.
/// Words do not change. A recording without pauses and breaths passes unchanged, sample for sample.
public enum SmartSpeed: String, Sendable, CaseIterable {
    /// Pauses are not shortened.
    case off
    /// Pauses over 0.3 s are shortened to 0.24 s plus 40 % of the rest, at most 1.5 s; breaths play 1.25 times as fast.
    case mild
    /// Pauses over 0.2 s are shortened to 0.16 s plus 25 % of the rest, at most 0.75 s; breaths play 1.5 times as fast.
    case medium
    /// Pauses over 0.12 s are shortened to 0.08 s plus 10 % of the rest, at most 0.4 s; breaths play 2.4 times as fast.
    case strong

    /// The pause lengths of this strength; `nil` if pauses are not shortened.
    var pauseLengths: PauseLengths? {
        switch self {
        case .off: nil
        case .mild: .mild
        case .medium: .medium
        case .strong: .strong
        }
    }
}

extension Streamer {
    /// The strength with which pauses in speech are shortened; `off` by default.
    ///
    /// A change applies to newly decoded audio, so it is heard after the already decoded audio: usually about four
    /// seconds of the input later. Times remain times of the input, and rate and pitch work as before. Broadcasts and
    /// live presentations are never shortened.
    ///
    /// May be set at any time, from any thread except the render thread.
    ///
    /// ```swift
    /// streamer.smartSpeed = .medium
    /// print("\(streamer.timeSaved) s saved in this episode")
    /// ```
    public var smartSpeed: SmartSpeed {
        get { controller.lock.withLock { controller.tracks.settings.smartSpeed } }
        set { controller.lock.withLock { controller.tracks.setSmartSpeed(newValue) } }
    }

    /// The listening time that `smartSpeed` has saved in the current item, in seconds.
    ///
    /// A pause counts after it was passed, by the removed length at the current rate. The value is 0 without an item,
    /// and when an item starts again. A seek does not change it.
    public var timeSaved: TimeInterval {
        controller.lock.withLock {
            controller.notePassedPauses()
            return controller.progress.timeSaved
        }
    }

    /// The listening time that `smartSpeed` has saved since the streamer was created, in seconds.
    public var totalTimeSaved: TimeInterval {
        controller.lock.withLock {
            controller.notePassedPauses()
            return controller.savings.total
        }
    }

    /// Returns the seconds saved in the last playback of an item; 0 if the item is not among the last hundred.
    ///
    /// Use it in the handler of the event `ended`, when another item may already be current.
    package func timeSaved(in item: StreamingItem.ID) -> TimeInterval {
        controller.lock.withLock { controller.savings.seconds(in: item) }
    }
}
