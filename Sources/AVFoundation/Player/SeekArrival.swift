internal import AVFAudio
internal import Foundation
internal import Synchronization

/// Completes the seek under way when the sound of its time has been decoded.
///
/// Any thread may call it. Completions are called on the main queue, each once.
final class SeekArrival: Sendable {
    private struct Seek: Sendable {
        let target: Double
        let completion: (@Sendable (Bool) -> Void)?
    }

    private let pending = Mutex<Seek?>(nil)

    /// Begins a seek; one that is under way is over, without having arrived.
    func begin(target: Double, _ completion: (@Sendable (Bool) -> Void)?) {
        complete(with: false) { seek in
            defer { seek = Seek(target: target, completion: completion) }
            return seek
        }
    }

    /// Reports a part of the input, in seconds, that has been decoded since the last seek.
    func decoded(_ range: ClosedRange<Double>) {
        complete(with: true) { seek in
            // Some streams begin at the next segment.
            guard let pending = seek, range.lowerBound <= pending.target + 1, range.upperBound >= pending.target else {
                return nil
            }
            seek = nil
            return pending
        }
    }

    /// Ends a seek that is under way.
    func finish(_ hasArrived: Bool) {
        complete(with: hasArrived) { seek in
            defer { seek = nil }
            return seek
        }
    }

    /// Calls a completion on the main queue.
    func report(_ hasArrived: Bool, to completion: (@Sendable (Bool) -> Void)?) {
        if let completion { DispatchQueue.main.deliver { completion(hasArrived) } }
    }

    private func complete(with hasArrived: Bool, _ take: (inout sending Seek?) -> sending Seek?) {
        report(hasArrived, to: pending.withLock(take)?.completion)
    }
}
