public import Foundation
internal import SyrinxDSP

/// The strength by which the pauses of speech are shortened while it plays.
///
/// A pause lies near the noise floor of the recording, which is found while it plays. The parts that remain on either side are joined
/// without a click. Breaths and other soft sounds between words are played faster, and none of them is cut; words stay as they are. What
/// has neither pauses nor breaths passes sample for sample.
public enum SmartSpeed: String, Sendable, CaseIterable {
    /// Pauses stay as they are.
    case off
    /// Pauses over 0.3 s: of those 0.24 s remain, and 40 % of the rest, at most 1.5 s. Breaths are played 1.25 times as fast.
    case mild
    /// Pauses over 0.2 s: of those 0.16 s remain, and 25 % of the rest, at most 0.75 s. Breaths are played 1.5 times as fast.
    case medium
    /// Pauses over 0.12 s: of those 0.08 s remain, and 10 % of the rest, at most 0.4 s. Breaths are played 2.4 times as fast.
    case strong

    /// The lengths that remain; `nil` for all of them.
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
    /// The strength by which pauses of speech are shortened; default `off`.
    ///
    /// Can be set at any time, from any thread but the render thread. It applies to what is decoded from then on, which is heard once
    /// what has been decoded has been played: usually some four seconds of the input later. Times stay those of the input, and rate
    /// and pitch work as before. Broadcasts and live presentations are played as they are sent.
    public var smartSpeed: SmartSpeed {
        get { controller.lock.withLock { controller.tracks.settings.smartSpeed } }
        set { controller.lock.withLock { controller.tracks.setSmartSpeed(newValue) } }
    }

    /// The time by which `smartSpeed` has shortened listening to the current item, in seconds.
    ///
    /// A pause counts once it has been passed, by its length at the rate that it would have been heard at. 0 without an item, and when
    /// an item begins again; a seek changes nothing.
    public var timeSaved: TimeInterval {
        controller.lock.withLock {
            controller.notePassedPauses()
            return controller.progress.timeSaved
        }
    }

    /// The time by which `smartSpeed` has shortened listening since the streamer was made, in seconds.
    public var totalTimeSaved: TimeInterval {
        controller.lock.withLock {
            controller.notePassedPauses()
            return controller.savings.total
        }
    }

    /// Returns the seconds saved in an item when it was played last; 0 if it is not among the last hundred.
    ///
    /// For when the event `ended` comes, and another item may be the current one.
    package func timeSaved(in item: StreamingItem.ID) -> TimeInterval {
        controller.lock.withLock { controller.savings.seconds(in: item) }
    }
}
