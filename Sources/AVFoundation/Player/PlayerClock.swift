internal import AVFAudio
internal import CoreMedia
internal import Foundation
internal import Synchronization

/// A token of a time observer, whose deallocation ends the observer.
final class TimeObserver: Sendable {
    private weak let clock: PlayerClock?
    private let id: Int

    init(_ clock: PlayerClock, _ id: Int) { (self.clock, self.id) = (clock, id) }

    deinit { end() }

    func end() { clock?.remove(id) }
}

/// Calls the time observers of a player according to the playback position.
///
/// A timer is set for the next due observer; no timer runs while playback is paused.
final class PlayerClock: @unchecked Sendable {
    // Unchecked: `lock` guards the mutable state; the timer is created once.
    private struct Observer {
        let queue: DispatchQueue?
        let block: @Sendable (CMTime) -> Void
    }

    private let lock = NSLock()
    private var schedule = TimeObserverSchedule()
    private var observers: [Int: Observer] = [:]
    private var rate: Double = 0
    private let timer: any DispatchSourceTimer
    /// Returns the playback position in seconds.
    private let now: @Sendable () -> Double

    init(now: @escaping @Sendable () -> Double) {
        self.now = now
        timer = DispatchSource.makeTimerSource(
            queue: DispatchQueue(label: "syrinx.player.clock", qos: .userInteractive)
        )
        timer.setEventHandler { [weak self] in self?.tick() }
        timer.schedule(deadline: .distantFuture)
        timer.resume()
    }

    deinit { timer.cancel() }

    func add(
        queue: DispatchQueue?,
        _ block: @escaping @Sendable (CMTime) -> Void,
        _ entry: (inout TimeObserverSchedule) -> Int
    ) -> TimeObserver {
        let time = now()
        // So that the new observer is not called for earlier times.
        pass(time)
        let id = lock.withLock {
            if schedule.isEmpty { _ = schedule.jump(to: time) }
            let id = entry(&schedule)
            observers[id] = Observer(queue: queue, block: block)
            return id
        }
        arm()
        return TimeObserver(self, id)
    }

    func remove(_ id: Int) {
        lock.withLock {
            schedule.remove(id)
            observers[id] = nil
        }
    }

    /// Notes the playback rate: 0 while nothing is heard.
    func run(at rate: Double) {
        let time = now()
        let due: [Int]? = lock.withLock {
            guard rate != self.rate else { return nil }
            let hasStarted = (rate == 0) != (self.rate == 0)
            self.rate = rate
            guard hasStarted else { return schedule.advance(to: time) }
            let passed = schedule.advance(to: time)
            let periodic = schedule.jump(to: time)
            return Set(passed).union(periodic).sorted()
        }
        if let due { call(due, time) }
        arm()
    }

    /// Notes that the item was played up to `time`.
    func pass(_ time: Double) { call(lock.withLock { schedule.advance(to: time) }, time) }

    /// Notes a jump to `time`.
    func jump(to time: Double) {
        call(lock.withLock { schedule.jump(to: time) }, time)
        arm()
    }

    private func tick() {
        pass(now())
        arm()
    }

    private func call(_ due: [Int], _ time: Double) {
        let called = lock.withLock { due.compactMap { observers[$0] } }
        let time = CMTime(playerSeconds: time)
        for observer in called { (observer.queue ?? .main).deliver { observer.block(time) } }
    }

    private func arm() {
        let time = now()
        let delay: Double? = lock.withLock {
            guard rate > 0, let next = schedule.nextTime else { return nil }
            return max(0.001, (next - time) / rate)
        }
        let deadline = delay.map { DispatchTime.now() + min($0, 3_600) } ?? .distantFuture
        timer.schedule(deadline: deadline, leeway: .milliseconds(1))
    }
}
