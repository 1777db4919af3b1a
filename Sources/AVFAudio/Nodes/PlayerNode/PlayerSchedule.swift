import Foundation
import Glibc
import Synchronization

/// The control side of a player: its queue, the items that the render thread still reads, and the pending completion
/// handlers.
final class PlayerSchedule: @unchecked Sendable {
    // Unchecked: `lock` guards all mutable state except the kernel's atomics.
    let kernel = PlayerKernel()
    private let lock = NSLock()
    private var completions = PlayerCompletions()
    /// Items that the render thread has not finished, by rising index.
    private var held: [Held] = []
    private var started = false
    private var frames: Int64 = 0
    private var reader: SegmentReader?
    private let serviced = Atomic<Int>(0)
    private let hasTimer = Atomic<Bool>(false)
    private let readsFiles = Atomic<Bool>(false)

    private struct Held {
        let item: UnsafeMutablePointer<ScheduledItem>
        /// Alive until the render thread is done with it.
        let owner: AnyObject
    }

    deinit {
        reader?.end()
        Self.call(completions.drain())
    }

    // MARK: Scheduling

    /// A completion handler and the time to call it.
    typealias Completion = PlayerCompletions.Call

    func schedule(
        _ buffer: AVAudioPCMBuffer,
        start: ItemStart,
        options: AVAudioPlayerNodeBufferOptions,
        completion: Completion?,
        isLast: Bool = false
    ) {
        let playable = buffer.asStandard()
        guard let channels = playable.floatChannelData else {
            fatalError("A player node plays PCM of a common format, not \(buffer.format).")
        }
        let content = ItemContent.samples(
            channels,
            channelCount: Int(playable.format.channelCount),
            frameCount: Int(playable.frameLength)
        )
        lock.withLock {
            append(content, playable, start: start, options: options, completion: completion, isLast: isLast)
            frames += Int64(playable.frameLength)
        }
        kernel.nudge()
    }

    func schedule(_ segment: FileSegment, start: ItemStart, completion: Completion?) {
        lock.withLock {
            let reader = self.reader ?? SegmentReader(kernel: kernel)
            self.reader = reader
            readsFiles.store(true, ordering: .releasing)
            append(.feed(segment.ring), segment, start: start, options: [], completion: completion, isLast: false)
            reader.add(segment)
        }
    }

    private func append(
        _ content: ItemContent,
        _ owner: AnyObject,
        start: ItemStart,
        options: AVAudioPlayerNodeBufferOptions,
        completion: Completion?,
        isLast: Bool
    ) {
        let entry: ItemEntry =
            options.contains(.interrupts)
            ? .interrupts : options.contains(.interruptsAtLoop) ? .interruptsAtLoop : .queued
        let index = kernel.queue.nextIndex
        if let completion { completions.add(completion, index: index) }
        let item = kernel.queue.append(
            content,
            start: start,
            entry: entry,
            loops: options.contains(.loops),
            isLast: isLast
        )
        held.append(Held(item: item, owner: owner))
        // After the item is in the queue: a thread that sees this number then finds the item.
        if case .queued = entry { return }
        kernel.commands.lastInterrupter.store(index, ordering: .releasing)
    }

    /// Frames of buffers scheduled since the last stop.
    var scheduledFrames: Int64 { lock.withLock { frames } }

    // MARK: Transport

    var isStarted: Bool { lock.withLock { started } }

    func play(atFrame frame: Int64?, hostTime: UInt64) {
        lock.withLock {
            started = true
            kernel.play(atFrame: frame, atHostTime: hostTime)
        }
    }

    func pause() {
        lock.withLock {
            started = false
            kernel.pause()
        }
    }

    func stop() {
        lock.withLock {
            started = false
            kernel.pause()
            dropAll()
        }
    }

    /// Clears the schedule and restarts the player's time at 0.
    ///
    /// Whether the player is playing does not change.
    func reset() { lock.withLock { dropAll() } }

    private func dropAll() {
        frames = 0
        kernel.dropAll()
        reader?.dropAll()
        Self.call(completions.drain())
    }

    /// Waits until `count` frames of the files that are scheduled have been read, or all of them, or the time is over.
    func waitForFiles(_ count: Int, seconds: Double) {
        lock.withLock { reader }?.wait(forFrames: count, seconds: seconds)
    }

    // MARK: Housekeeping

    /// Frees the items that the render thread has finished, and calls the completion handlers that are due.
    ///
    /// Do not call it on the render thread.
    /// - Parameter latency: Returns the delay in seconds of the nodes after the player; called only if a handler needs
    ///   it.
    func service(latency: () -> Double) {
        let consumed = kernel.consumedIndex.load(ordering: .acquiring)
        if readsFiles.load(ordering: .acquiring) { sem_post(kernel.readerSignal) }
        // Most renders finish no item. With a thousand players this check has to be very cheap.
        guard serviced.exchange(consumed, ordering: .acquiringAndReleasing) != consumed else { return }
        // Called without the lock, because `latency` may query the engine.
        let ahead = lock.withLock { completions.awaitsPlayback } ? UInt64(max(0, latency()) * 1e9) : 0
        lock.withLock {
            var due: [Completion] = []
            let count = held.prefix { $0.item.pointee.index <= consumed }.count
            for done in held[..<count] {
                let heardAt = done.item.pointee.heardAt.load(ordering: .relaxed)
                let isHeard = heardAt > 0 ? heardAt + ahead : nil
                due += completions.finish(index: done.item.pointee.index, heardAt: isHeard)
            }
            held.removeFirst(count)
            kernel.queue.reclaim(upTo: consumed)
            due += completions.heard(at: monotonicNanoseconds())
            Self.call(due)
            setTimer()
        }
    }

    /// Schedules the next check for the time at which the next item is audible, in case that no render does it
    /// earlier.
    private func setTimer() {
        guard let next = completions.nextDue, !hasTimer.exchange(true, ordering: .acquiringAndReleasing) else { return }
        let now = monotonicNanoseconds()
        let wait = DispatchTimeInterval.nanoseconds(Int(next > now ? next - now : 0))
        AVAudioEngine.callbackQueue.asyncAfter(deadline: .now() + wait) { [weak self] in
            guard let self else { return }
            hasTimer.store(false, ordering: .releasing)
            lock.withLock {
                Self.call(completions.heard(at: monotonicNanoseconds()))
                setTimer()
            }
        }
    }

    /// Calls the handlers in order, on the queue of the engine.
    private static func call(_ calls: [Completion]) {
        guard !calls.isEmpty else { return }
        AVAudioEngine.callbackQueue.async {
            for call in calls { call.handler(call.type) }
        }
    }
}
