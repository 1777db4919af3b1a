internal import AVFAudio
public import CoreMedia
public import Foundation

// Seeking and time observers.
extension AVPlayer {
    /// Seeks to `time`, also if that part has not arrived.
    ///
    /// The seek is accurate to the sample. A seek before the item is open is carried out after opening. A new seek
    /// replaces a pending one.
    ///
    /// ```swift
    /// player.seek(to: CMTime(seconds: 90, preferredTimescale: 600)) { finished in
    ///     print(finished ? "at 1:30" : "interrupted")
    /// }
    /// ```
    /// - Parameters:
    ///   - time: The time in the item, clamped to its duration.
    ///   - completionHandler: Called on the main queue: with true when audio of that time is ready, with false if
    ///     another seek or item replaced this seek, or if the item is not seekable there.
    public func seek(to time: CMTime, completionHandler: (@Sendable (Bool) -> Void)? = nil) {
        guard let item = currentItem else {
            if let completionHandler { DispatchQueue.main.deliver { completionHandler(false) } }
            return
        }
        seek(item, to: time, completion: completionHandler)
    }

    /// Seeks to `time` exactly, regardless of the tolerances; see `seek(to:completionHandler:)`.
    public func seek(
        to time: CMTime,
        toleranceBefore: CMTime,
        toleranceAfter: CMTime,
        completionHandler: (@Sendable (Bool) -> Void)? = nil
    ) { seek(to: time, completionHandler: completionHandler) }

    /// Seeks to `time` and returns when the seek has completed.
    ///
    /// At the top level of a `main.swift`, outside of every function, the compiler prefers the method without `async`
    /// and warns that `await` has no effect. There, use the result: `let finished: Bool = await player.seek(to: time)`.
    /// - Returns: Whether the seek completed; false if another seek or item replaced it.
    @discardableResult
    public func seek(to time: CMTime) async -> Bool {
        await withCheckedContinuation { done in seek(to: time) { done.resume(returning: $0) } }
    }

    /// Seeks to `time` exactly, regardless of the tolerances, and returns when the seek has completed.
    /// - Returns: Whether the seek completed; false if another seek or item replaced it.
    @discardableResult
    public func seek(to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime) async -> Bool {
        await seek(to: time)
    }

    func seek(_ item: AVPlayerItem, to time: CMTime, completion: (@Sendable (Bool) -> Void)?) {
        // Infinite times mean the start and the end.
        let seconds =
            time.isPositiveInfinity ? Double.greatestFiniteMagnitude : time.isNegativeInfinity ? 0 : time.seconds
        core.seek(item, to: seconds, completion: completion)
    }

    func cancelSeek(of item: AVPlayerItem) { if item === currentItem { core.cancelSeek() } }

    /// Calls `block` at multiples of `interval` in the item's time, and whenever playback starts, stops or jumps.
    ///
    /// ```swift
    /// let second = CMTime(value: 1, timescale: 1)
    /// let token = player.addPeriodicTimeObserver(forInterval: second, queue: .main) { time in
    ///     print("\(Int(time.seconds)) s")
    /// }
    /// ```
    /// - Parameters:
    ///   - interval: The interval, at least 1 ms.
    ///   - queue: The queue on which `block` is called; `nil` is the main queue.
    ///   - block: Receives the playback position.
    /// - Returns: A token for `removeTimeObserver(_:)`. Keep it: the observer ends when the token is deallocated.
    public func addPeriodicTimeObserver(
        forInterval interval: CMTime,
        queue: DispatchQueue?,
        using block: @escaping @Sendable (CMTime) -> Void
    ) -> Any {
        core.clock.add(queue: queue, block) { $0.addPeriodic(every: interval.seconds) }
    }

    /// Calls `block` when playback passes one of `times`; a seek past them does not count.
    /// - Parameters:
    ///   - times: Times in the item, as `NSValue(time:)`.
    ///   - queue: The queue on which `block` is called; `nil` is the main queue.
    ///   - block: Called at each of the times.
    /// - Returns: A token for `removeTimeObserver(_:)`. Keep it: the observer ends when the token is deallocated.
    public func addBoundaryTimeObserver(
        forTimes times: [NSValue],
        queue: DispatchQueue?,
        using block: @escaping @Sendable () -> Void
    ) -> Any {
        let seconds = times.map(\.timeValue.seconds)
        return core.clock.add(queue: queue, { _ in block() }, { $0.addBoundaries(seconds) })
    }

    /// Removes a time observer.
    /// - Parameter observer: The token that was returned when the observer was added.
    public func removeTimeObserver(_ observer: Any) { (observer as? TimeObserver)?.end() }
}
