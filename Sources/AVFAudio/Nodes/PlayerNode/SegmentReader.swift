import Foundation
import Glibc
import Synchronization

/// The thread that reads a player's files ahead of the render thread, one segment after another.
///
/// It sleeps while enough frames are buffered. A new segment, the end of a render, and a waiting render wake it.
final class SegmentReader: @unchecked Sendable {
    // Unchecked: `condition` guards `segments`; the rest is constant or atomic.
    private let kernel: PlayerKernel
    private let condition = NSCondition()
    /// The segments that are not completely played, in order.
    private var segments: [FileSegment] = []
    private let isEnding = Atomic<Bool>(false)

    /// The maximum number of frames in the buffers of all segments together: enough for two long ones.
    private static let budget = 65_536

    init(kernel: PlayerKernel) {
        self.kernel = kernel
        let thread = Thread { [self] in run() }
        thread.name = "syrinx.files"
        thread.start()
    }

    /// Ends the thread, after the read that may be running.
    ///
    /// Does not wait for it.
    func end() {
        isEnding.store(true, ordering: .releasing)
        wake()
    }

    func add(_ segment: FileSegment) {
        condition.withLock { segments.append(segment) }
        wake()
    }

    /// Forgets all segments.
    func dropAll() {
        condition.withLock {
            for segment in segments { segment.isDropped.store(true, ordering: .releasing) }
            segments = []
            condition.broadcast()
        }
    }

    /// Waits until `count` frames or all remaining frames are buffered, at most for `seconds`.
    func wait(forFrames count: Int, seconds: Double) {
        let deadline = Date(timeIntervalSinceNow: seconds)
        condition.withLock {
            while !isReady(count), condition.wait(until: deadline) {}
        }
    }

    private func isReady(_ count: Int) -> Bool {
        var ready = 0
        for segment in segments {
            ready += segment.ring.pointee.level
            if ready >= count { return true }
            if !segment.isComplete { return !segment.hasRoom }
        }
        return true
    }

    private func wake() { sem_post(kernel.readerSignal) }

    private func run() {
        while !isEnding.load(ordering: .acquiring) {
            while let segment = next() {
                segment.readOn()
                condition.withLock { condition.broadcast() }
                kernel.nudge()
                if isEnding.load(ordering: .acquiring) { return }
            }
            while sem_wait(kernel.readerSignal) != 0 {}
        }
    }

    /// The segment to read on in; `nil` if enough has been read.
    private func next() -> FileSegment? {
        condition.withLock {
            segments.removeAll {
                $0.isComplete && $0.ring.pointee.level == 0 || $0.isDropped.load(ordering: .acquiring)
            }
            var held = 0
            for segment in segments {
                // The playing segment may read, however much the others have buffered.
                if held > 0, held + segment.ring.pointee.capacity > Self.budget { return nil }
                if !segment.isComplete { return segment.hasRoom ? segment : nil }
                held += segment.heldFrames
            }
            return nil
        }
    }
}
