internal import Foundation
internal import Synchronization
internal import SyrinxStreaming

/// The playback position in a player's current item, in seconds.
///
/// A streamer leaves an item at its end at once, whereas the player is notified later. Until then, the position is that
/// of the end.
final class PlayerTime: Sendable {
    private struct State {
        /// The number of inputs given to the streamer.
        var generation = 0
        /// A position to report instead of the streamer's.
        var held: Double?
        /// The end positions of items that the player has not left yet, in order.
        var ends: [Double] = []
        /// The number of changes, which detects a change between two reads.
        var changeCount = 0
    }

    private let streamerTime: @Sendable () -> Double?
    private let state = Mutex(State())

    /// - Parameter streamerTime: Returns the streamer's position in its item; `nil` without an item.
    init(_ streamerTime: @escaping @Sendable () -> Double?) { self.streamerTime = streamerTime }

    convenience init(_ streamer: TimePitchStreamer) {
        self.init { [weak streamer] in streamer?.currentTime }
    }

    var seconds: Double {
        while true {
            let (known, count) = state.withLock { ($0.ends.first ?? $0.held, $0.changeCount) }
            if let known { return known }
            // Without the lock, because the streamer reports the end of an item with its own lock held.
            let time = streamerTime() ?? 0
            if state.withLock({ $0.changeCount == count }) { return time }
        }
    }

    /// Holds a position that the streamer has left, such as the end; `nil` returns to the streamer's position, as after
    /// a seek.
    func hold(_ seconds: Double?) {
        change { ($0.held, $0.ends) = (seconds, []) }
    }

    /// Starts with a new input of the streamer; earlier ends are discarded.
    func begin(_ generation: Int) {
        change { ($0.generation, $0.held, $0.ends) = (generation, nil, []) }
    }

    /// Notes that the streamer leaves an item, before its position changes.
    /// - Parameter generation: The number of the input.
    func ended(at seconds: Double, _ generation: Int) {
        change { state in
            if state.generation == generation { state.ends.append(seconds) }
        }
    }

    /// Moves on to the next item.
    /// - Parameter hasEnded: Whether the previous item was played to its end; false if it failed.
    func follow(hasEnded: Bool) {
        change { state in
            state.held = nil
            if hasEnded, !state.ends.isEmpty { state.ends.removeFirst() }
        }
    }

    private func change(_ body: (inout State) -> Void) {
        state.withLock { state in
            body(&state)
            state.changeCount &+= 1
        }
    }
}

/// Applies the player's volume and the item's mix to a streamer, 50 times a second during playback.
final class MixTimer: @unchecked Sendable {
    // Unchecked: `lock` guards the mutable state.
    private let lock = NSLock()
    private weak let streamer: TimePitchStreamer?
    private var timer: (any DispatchSourceTimer)?
    private var isRunning = false
    private var playerVolume: Float = 1
    private var itemEnvelope: VolumeEnvelope?

    init(_ streamer: TimePitchStreamer) { self.streamer = streamer }

    deinit { timer?.cancel() }

    /// The volume of the player, 0…1.
    var volume: Float {
        get { lock.withLock { playerVolume } }
        set {
            lock.withLock { playerVolume = newValue }
            apply()
        }
    }

    /// The volume envelope of the current item.
    var envelope: VolumeEnvelope? {
        get { lock.withLock { itemEnvelope } }
        set {
            lock.withLock {
                itemEnvelope = newValue
                schedule()
            }
            apply()
        }
    }

    /// Sets whether playback is running.
    func run(_ isRunning: Bool) {
        lock.withLock {
            guard self.isRunning != isRunning else { return }
            self.isRunning = isRunning
            schedule()
        }
    }

    func stop() {
        lock.withLock {
            isRunning = false
            schedule()
        }
    }

    private func schedule() {
        guard isRunning, itemEnvelope != nil else {
            timer?.cancel()
            timer = nil
            return
        }
        guard timer == nil else { return }
        let timer = DispatchSource.makeTimerSource(queue: .global(qos: .userInteractive))
        timer.setEventHandler { [weak self] in self?.apply() }
        timer.schedule(deadline: .now(), repeating: .milliseconds(20), leeway: .milliseconds(2))
        timer.resume()
        self.timer = timer
    }

    private func apply() {
        guard let streamer else { return }
        let time = streamer.currentTime ?? 0
        // Samples that are rendered now are heard after the output latency.
        let rendered = time + streamer.engine.presentationLatency * Double(streamer.rate)
        streamer.volume = lock.withLock { playerVolume * (itemEnvelope?.volume(at: rendered) ?? 1) }
    }
}
