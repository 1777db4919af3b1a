internal import AudioStreaming
internal import Foundation
internal import Synchronization

/// The time that is heard of a player's current item, in seconds.
final class PlayerTime: @unchecked Sendable {
    // Unchecked: the reference is not changed after `init`, and the held time is behind a lock.
    private weak let streamer: TimePitchStreamer?
    private let held = Mutex<Double?>(nil)

    init(_ streamer: TimePitchStreamer) { self.streamer = streamer }

    var seconds: Double { held.withLock { $0 } ?? streamer?.currentTime ?? 0 }

    /// Holds a time that the streamer has left, such as the end; `nil` is the streamer's own again.
    func hold(_ seconds: Double?) { held.withLock { $0 = seconds } }
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
