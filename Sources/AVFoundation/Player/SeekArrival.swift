internal import AVFAudio
internal import Foundation
internal import Synchronization

/// Completes a pending seek when audio at its target has been decoded.
///
/// Any thread may call the methods. Each completion is called once, on the main queue.
final class SeekArrival: Sendable {
    private struct Seek: Sendable {
        let target: Double
        let completion: (@Sendable (Bool) -> Void)?
    }

    private let pending = Mutex<Seek?>(nil)

    /// Starts a seek; a pending seek completes with false.
    func begin(target: Double, _ completion: (@Sendable (Bool) -> Void)?) {
        complete(with: false) { seek in
            defer { seek = Seek(target: target, completion: completion) }
            return seek
        }
    }

    /// Notes a range of the input, in seconds, that was decoded after the last seek.
    func decoded(_ range: ClosedRange<Double>) {
        complete(with: true) { seek in
            // Some streams start decoding at the next segment.
            guard let pending = seek, range.lowerBound <= pending.target + 1, range.upperBound >= pending.target else {
                return nil
            }
            seek = nil
            return pending
        }
    }

    /// Completes the pending seek.
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
