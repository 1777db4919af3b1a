internal import AVFAudio
public import CoreMedia
public import Foundation

// Seeking, and observers of the time.
extension AVPlayer {
    /// Goes to `time`, whether it has arrived or not.
    ///
    /// Exact to the sample. Before the item is open the seek is kept. A new seek replaces one that is under way.
    /// - Parameters:
    ///   - time: The time in the item, clamped to it.
    ///   - completionHandler: Called on the main queue: with true when the sound of that time is there to be heard, with false if
    ///     another seek or item came first, or the item cannot go there.
    public func seek(to time: CMTime, completionHandler: (@Sendable (Bool) -> Void)? = nil) {
        guard let item = currentItem else {
            if let completionHandler { DispatchQueue.main.deliver { completionHandler(false) } }
            return
        }
        seek(item, to: time, completion: completionHandler)
    }

    /// Goes to `time`, whatever the tolerance exactly; as `seek(to:completionHandler:)`.
    public func seek(
        to time: CMTime,
        toleranceBefore: CMTime,
        toleranceAfter: CMTime,
        completionHandler: (@Sendable (Bool) -> Void)? = nil
    ) { seek(to: time, completionHandler: completionHandler) }

    /// Goes to `time`, and returns when it has arrived.
    ///
    /// At the top level of a `main.swift`, outside of every function, the compiler chooses the method without `async` wherever that fits,
    /// and warns that `await` has no effect. There, ask for the result: `let hasArrived: Bool = await player.seek(to: time)`.
    /// - Returns: Whether it arrived there, and was not passed over for another seek.
    @discardableResult
    public func seek(to time: CMTime) async -> Bool {
        await withCheckedContinuation { done in seek(to: time) { done.resume(returning: $0) } }
    }

    /// Goes to `time`, whatever the tolerance exactly.
    /// - Returns: Whether it arrived there, and was not passed over for another seek.
    @discardableResult
    public func seek(to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime) async -> Bool {
        await seek(to: time)
    }

    func seek(_ item: AVPlayerItem, to time: CMTime, completion: (@Sendable (Bool) -> Void)?) {
        // Infinite times are the ends.
        let seconds =
            time.isPositiveInfinity ? Double.greatestFiniteMagnitude : time.isNegativeInfinity ? 0 : time.seconds
        core.seek(item, to: seconds, completion: completion)
    }

    func cancelSeek(of item: AVPlayerItem) { if item === currentItem { core.cancelSeek() } }

    /// Calls `block` at multiples of an interval of the item's time, and at each start, stop and jump.
    /// - Parameters:
    ///   - interval: The interval; at least a millisecond.
    ///   - queue: The queue to call on; `nil` is the main queue.
    ///   - block: Gets the time that is heard.
    /// - Returns: A token for `removeTimeObserver`; the observer ends with it.
    public func addPeriodicTimeObserver(
        forInterval interval: CMTime,
        queue: DispatchQueue?,
        using block: @escaping @Sendable (CMTime) -> Void
    ) -> Any {
        core.clock.add(queue: queue, block) { $0.addPeriodic(every: interval.seconds) }
    }

    /// Calls `block` each time that one of `times` is passed in playing; a seek over it does not count.
    /// - Parameters:
    ///   - times: Times in the item, as `NSValue(time:)`.
    ///   - queue: The queue to call on; `nil` is the main queue.
    ///   - block: Called at each.
    /// - Returns: A token for `removeTimeObserver`; the observer ends with it.
    public func addBoundaryTimeObserver(
        forTimes times: [NSValue],
        queue: DispatchQueue?,
        using block: @escaping @Sendable () -> Void
    ) -> Any {
        let seconds = times.map(\.timeValue.seconds)
        return core.clock.add(queue: queue, { _ in block() }, { $0.addBoundaries(seconds) })
    }

    /// Ends an observer of the time.
    /// - Parameter observer: The token.
    public func removeTimeObserver(_ observer: Any) { (observer as? TimeObserver)?.end() }
}
