internal import Foundation
internal import Synchronization
internal import SyrinxStreaming

/// The time that is heard of a player's current item, in seconds.
///
/// A streamer leaves an item at its end at once. The player learns of it later, and until then the time is that of the end.
final class PlayerTime: Sendable {
    private struct State {
        /// The number of times that the streamer was given an item.
        var generation = 0
        /// A time to report in place of the streamer's.
        var held: Double?
        /// The times at which items ended that the player has not gone over from yet, in order.
        var ends: [Double] = []
        /// The number of changes, so that none goes unnoticed between two looks.
        var changeCount = 0
    }

    private let streamerTime: @Sendable () -> Double?
    private let state = Mutex(State())

    /// - Parameter streamerTime: Returns the time in the item that the streamer plays; `nil` without one.
    init(_ streamerTime: @escaping @Sendable () -> Double?) { self.streamerTime = streamerTime }

    convenience init(_ streamer: TimePitchStreamer) {
        self.init { [weak streamer] in streamer?.currentTime }
    }

    var seconds: Double {
        while true {
            let (known, count) = state.withLock { ($0.ends.first ?? $0.held, $0.changeCount) }
            if let known { return known }
            // Not under the lock: the streamer reports the end of an item under its own.
            let time = streamerTime() ?? 0
            if state.withLock({ $0.changeCount == count }) { return time }
        }
    }

    /// Holds a time that the streamer has left, such as the end; `nil` is the streamer's own again, at the time of a seek.
    func hold(_ seconds: Double?) {
        change { ($0.held, $0.ends) = (seconds, []) }
    }

    /// Begins with a streamer's new input: ends of those before are of no interest.
    func begin(_ generation: Int) {
        change { ($0.generation, $0.held, $0.ends) = (generation, nil, []) }
    }

    /// Notes that the streamer leaves an item, before it has another time.
    /// - Parameter generation: The number of the input.
    func ended(at seconds: Double, _ generation: Int) {
        change { state in
            if state.generation == generation { state.ends.append(seconds) }
        }
    }

    /// Goes over to the item that follows.
    /// - Parameter hasEnded: Whether the one before has been heard to its end; else it has failed.
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

/// Sets the volume of a streamer: the player's, times that of the item's mix, fifty times a second while it plays.
final class MixTimer: @unchecked Sendable {
    // Unchecked: everything that changes is behind `lock`.
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

    /// The volume of the current item over time.
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

    /// Sets whether time goes on.
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
        // What is rendered now is heard later.
        let rendered = time + streamer.engine.presentationLatency * Double(streamer.rate)
        streamer.volume = lock.withLock { playerVolume * (itemEnvelope?.volume(at: rendered) ?? 1) }
    }
}
