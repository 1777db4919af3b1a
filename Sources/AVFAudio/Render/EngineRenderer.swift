import CoreAudioTypes
import Glibc
package import Synchronization
import SyrinxByteStream
import SyrinxDevice

/// The end of the graph, which the device calls.
///
/// It runs the current plan behind a gate that fades in and out.
///
/// While the gate is shut, the graph does not advance by a single frame, so a pause loses nothing. Requests to drop or
/// reset data that arrive while the gate is closing are applied when it is fully closed, so that no sound is cut off.
package final class EngineRenderer: @unchecked Sendable {
    // Unchecked: non-atomic state below `Render state` belongs to the rendering thread, of which `render` admits one
    // at a time, and to `touchBottom`, which runs while that thread is stopped.

    // MARK: Shared

    /// The plan, owned by the engine.
    ///
    /// `PlanSwap` documents when an old plan is freed.
    let plan = Atomic<UnsafeMutableRawPointer?>(nil)
    /// Odd while a render runs: the thread that makes it odd renders, and no other.
    package let renderSerial = Atomic<Int>(0)
    /// The requested timeline, and the timeline of the current frame count.
    private let askedTimeline: Atomic<Int>
    private let appliedTimeline: Atomic<Int>
    /// Records the identity of the rendering thread.
    private let thread: RenderThread
    /// The memory of `thread`, which has the same lifetime.
    private let threadHandle: UnsafeMutablePointer<Atomic<UInt>>
    /// The requested state of the gate: bit 0 open, bit 1 fade in; the higher bits count the required full closings.
    private let gate = Atomic<Int>(0)
    /// The count of `gate` that has been carried out.
    private let bottoms = Atomic<Int>(0)
    private let isAtRest = Atomic<Bool>(true)
    /// The number of silent frames rendered since the graph was held.
    private let stillFrames = Atomic<Int>(0)
    /// The number of rendered frames, the number of content frames, and the host time at which the next frame is
    /// audible.
    let time = PublishedTriple()
    /// The host time at which the last rendered content is audible; 0 without a clock and before any content.
    let contentHeardTime = Atomic<UInt64>(0)
    private let hasEnded = Atomic<Bool>(false)
    /// The latency of the effects in frames, for an output that is written to a file.
    private let latency = Atomic<Int>(0)
    /// Whether a client has requested service after the next render.
    private let isServiceDue = Atomic<Bool>(false)
    private let serviceSignal: UnsafeMutablePointer<sem_t>

    let sampleRate: Double
    let channelCount: Int
    let manner: RenderManner

    // MARK: Render state

    // Exclusivity is unchecked at run time: one thread has all accesses, and each is over before the next begins.
    @exclusivity(unchecked) private var gain = Ramp(0)
    private var frames: Int64 = 0
    private var contentFrames: Int64 = 0
    @exclusivity(unchecked) private var trim: ContentTrim
    private var timeline: Int
    private let fadeFrames: Int
    private let section = RealtimeSection()

    /// Creates a renderer.
    /// - Parameters:
    ///   - timeline: The number of the timeline of its frames, by which nodes detect a restart.
    ///   - thread: Records the identity of the rendering thread while it renders.
    init(sampleRate: Double, channelCount: Int, manner: RenderManner, timeline: Int, thread: RenderThread) {
        trim = ContentTrim(sampleRate: manner.mayBlock ? sampleRate : 0, channelCount: channelCount)
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.manner = manner
        self.timeline = timeline
        askedTimeline = Atomic(timeline)
        appliedTimeline = Atomic(timeline)
        self.thread = thread
        threadHandle = thread.handle
        fadeFrames = RampTime.fade(sampleRate)
        serviceSignal = .allocate(capacity: 1)
        sem_init(serviceSignal, 0, 0)
    }

    deinit {
        sem_destroy(serviceSignal)
        serviceSignal.deallocate()
    }

    // MARK: Control

    /// Opens the gate: from the next frame on, or over a short fade.
    func open(fades: Bool) {
        change { ($0 & ~3) | (fades ? 3 : 1) }
    }

    /// Shuts the gate, over a short fade.
    func shut() {
        change { $0 & ~1 }
    }

    /// Closes the gate completely, whatever is requested in the meantime.
    ///
    /// Later requests to nodes are applied when the gate is closed.
    func shutForChange() {
        change { ($0 & ~1) + 4 }
    }

    /// Closes the gate at once, and counts it as fully closed at the next render.
    ///
    /// Call it only while no render runs or can start: the frames that would have faded were dropped.
    func touchBottom() {
        gain.jump(to: 0)
        shutForChange()
    }

    private func change(_ body: (Int) -> Int) {
        var old = gate.load(ordering: .acquiring)
        while true {
            let (done, found) = gate.compareExchange(
                expected: old,
                desired: body(old),
                ordering: .acquiringAndReleasing
            )
            if done { return }
            old = found
        }
    }

    /// Whether the gate is requested to be open.
    var isOpen: Bool { gate.load(ordering: .acquiring) & 1 != 0 }

    /// Whether the end of the sound was rendered, and nothing else requested since.
    var hasReachedEnd: Bool {
        gate.load(ordering: .acquiring) >> 2 == bottoms.load(ordering: .acquiring)
            && hasEnded.load(ordering: .acquiring)
    }

    /// Whether nodes have to drop data before further sound is audible.
    var owesBottom: Bool { gate.load(ordering: .acquiring) >> 2 != bottoms.load(ordering: .acquiring) }

    /// Whether the gate is fully closed and the graph is held.
    var isShut: Bool { isAtRest.load(ordering: .acquiring) }

    /// Sets the time in seconds that a file output skips at the start and after each seek.
    func setLatency(_ seconds: Double) {
        latency.store(max(0, Int(clamped: (seconds * sampleRate).rounded())), ordering: .releasing)
    }

    /// Counts frames from 0 again, on another timeline, with the next render.
    func resetTime(to timeline: Int) { askedTimeline.store(timeline, ordering: .releasing) }

    /// Whether no render has been since `resetTime`.
    var isTimeBehind: Bool {
        askedTimeline.load(ordering: .acquiring) != appliedTimeline.load(ordering: .acquiring)
    }

    /// The number of frames rendered on the timeline that was requested last.
    var sampleTime: Int64 { isTimeBehind ? 0 : time.read().0 }

    /// Waits for the end of a render that may be under way.
    ///
    /// Not from within one.
    func waitForRender() {
        while renderSerial.load(ordering: .sequentiallyConsistent) % 2 != 0 { usleep(100) }
    }

    /// The number of the most recent frames that are silent because the graph was held.
    ///
    /// The value may be too small.
    var stillFrameCount: Int { stillFrames.load(ordering: .acquiring) }

    /// Waits until a render has been, or `wakeService()`.
    func waitForService() {
        while sem_wait(serviceSignal) != 0 {}
        isServiceDue.store(false, ordering: .releasing)
    }

    /// Wakes the thread that waits for a render.
    func wakeService() {
        if !isServiceDue.exchange(true, ordering: .acquiringAndReleasing) { sem_post(serviceSignal) }
    }

    /// The callback of a device.
    ///
    /// `self` has to outlive its use.
    var callback: RenderCallback {
        RenderCallback(
            context: Unmanaged.passUnretained(self).toOpaque(),
            render: { context, channels, count, time in
                Unmanaged<EngineRenderer>.fromOpaque(context)._withUnsafeGuaranteedRef {
                    UInt32($0.render(channels, frames: Int(count), hostTime: time.map { $0.pointee.mHostTime }))
                }
            },
            didRender: { context in
                Unmanaged<EngineRenderer>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.wakeService() }
            }
        )
    }

    // MARK: Render

    /// Renders into `channels`, and returns the number of content frames at the start.
    ///
    /// One thread at a time: during a render, a second thread gets silence and changes nothing.
    func render(
        _ channels: UnsafePointer<UnsafeMutablePointer<Float>>,
        frames count: Int,
        hostTime: UInt64?
    ) -> Int {
        let serial = renderSerial.load(ordering: .relaxed)
        guard serial % 2 == 0, claim(serial) else {
            for channel in 0..<channelCount { channels[channel].update(repeating: 0, count: count) }
            return 0
        }
        threadHandle.pointee.store(UInt(pthread_self()), ordering: .relaxed)
        // Without real time, nodes may wait.
        if !manner.mayBlock { section.enter() }
        takeUpTimeline()
        let content = renderPlan(channels, count, hostTime ?? 0)
        if !manner.mayBlock { section.exit() }
        threadHandle.pointee.store(0, ordering: .relaxed)
        renderSerial.store(serial &+ 2, ordering: .sequentiallyConsistent)
        return content
    }

    @_noLocks @_noAllocation
    private func claim(_ serial: Int) -> Bool {
        renderSerial.compareExchange(expected: serial, desired: serial &+ 1, ordering: .sequentiallyConsistent)
            .exchanged
    }

    @_noLocks @_noAllocation
    private func takeUpTimeline() {
        let asked = askedTimeline.load(ordering: .acquiring)
        guard asked != timeline else { return }
        timeline = asked
        frames = 0
        contentFrames = 0
    }

    private func renderPlan(
        _ channels: UnsafePointer<UnsafeMutablePointer<Float>>,
        _ count: Int,
        _ hostTime: UInt64
    ) -> Int {
        guard let raw = plan.load(ordering: .sequentiallyConsistent) else {
            for channel in 0..<channelCount { channels[channel].update(repeating: 0, count: count) }
            noteStill(count, of: count)
            publish(hostTime: 0)
            return 0
        }
        guard !trim.isReady else {
            let content = trim.take(channels, count: count)
            silence(channels, from: content, to: count)
            contentFrames += Int64(content)
            publish(hostTime: 0)
            return content
        }
        var content = 0
        var held = 0
        // A block that is held back completely must not look like missing data.
        repeat {
            held = trim.heldCount
            content = Unmanaged<RenderPlan>.fromOpaque(raw)._withUnsafeGuaranteedRef { plan in
                renderGated(plan, channels, count, hostTime)
            }
            frames += Int64(count)
        } while content == 0 && trim.heldCount > held
        contentFrames += Int64(content)
        publish(hostTime: hearingTime(ofFrame: count, hostTime))
        if content > 0 { contentHeardTime.store(hearingTime(ofFrame: content, hostTime), ordering: .releasing) }
        return content
    }

    /// Returns the host time at which a frame is audible, in a block whose first frame is audible at `hostTime`; 0
    /// without a clock.
    @_noLocks @_noAllocation
    private func hearingTime(ofFrame frame: Int, _ hostTime: UInt64) -> UInt64 {
        hostTime == 0 ? 0 : hostTime &+ UInt64(Double(frame) / sampleRate * 1e9)
    }

    @_noLocks @_noAllocation
    private func publish(hostTime: UInt64) {
        time.publish(frames, contentFrames, Int64(bitPattern: hostTime))
        appliedTimeline.store(timeline, ordering: .releasing)
    }

    private func renderGated(
        _ plan: RenderPlan,
        _ channels: UnsafePointer<UnsafeMutablePointer<Float>>,
        _ count: Int,
        _ hostTime: UInt64
    ) -> Int {
        var done = 0
        var (content, tail, isEnd) = (0, 0, false)
        while done < count {
            let (runs, isFalling, touchedBottom) = settle()
            if touchedBottom {
                _ = plan.run(frames: 0, pass: .unheard)
                trim.reset()
                isEnd = false
            }
            guard runs else { break }
            // If only the content at the start of a block is kept, content after silence waits for the next block.
            if touchedBottom, manner.mayBlock, content < done { break }
            var chunk = min(count - done, plan.maximumFrameCount)
            if gain.remaining > 0 { chunk = min(chunk, gain.remaining) }
            let pass = RenderPass(
                appliesCommands: !isFalling,
                isSilent: false,
                manner: manner,
                hostTime: hearingTime(ofFrame: done, hostTime),
                sampleTime: frames + Int64(done),
                timeline: timeline
            )
            plan.advanceSequences(frames: chunk, sampleRate: sampleRate, pass: pass)
            let result = plan.run(frames: chunk, pass: pass)
            deliver(result, to: channels, at: done, count: chunk)
            let info = result.info.pointee
            if content == done, info.contentFrames > 0 {
                content += min(info.contentFrames, chunk)
                tail = info.tailFrames
            }
            if info.isEnd { isEnd = true }
            done += chunk
        }
        for channel in 0..<plan.root.result.channelCount where done < count {
            (channels[channel] + done).update(repeating: 0, count: count - done)
        }
        noteStill(count - done, of: count)
        if manner.mayBlock {
            let latency = latency.load(ordering: .acquiring)
            let kept = trim.trim(channels, content: content, tail: tail, latency: latency)
            silence(channels, from: kept, to: content)
            content = kept
        }
        // The frames held back precede the end.
        if isEnd, !trim.isReady { hasEnded.store(true, ordering: .releasing) }
        return content
    }

    /// Sets the frames after the content to 0.
    @_noLocks @_noAllocation
    private func silence(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, from start: Int, to end: Int) {
        for channel in 0..<channelCount where start < end {
            (channels[channel] + start).update(repeating: 0, count: end - start)
        }
    }

    /// Records that the last `still` of `count` frames were rendered while the graph was held.
    @_noLocks @_noAllocation
    private func noteStill(_ still: Int, of count: Int) {
        let before = still == count ? stillFrames.load(ordering: .relaxed) : 0
        stillFrames.store(before &+ still, ordering: .releasing)
    }

    /// Applies requests to the gate.
    ///
    /// Returns whether the graph runs, whether the gate is closing, and whether it has just closed completely, so that
    /// nodes may change inaudibly.
    @_noLocks @_noAllocation
    private func settle() -> (runs: Bool, isFalling: Bool, touchedBottom: Bool) {
        let asked = gate.load(ordering: .acquiring)
        let isAskedOpen = asked & 1 != 0
        let owesBottom = asked >> 2 != bottoms.load(ordering: .relaxed)
        if !isAskedOpen || owesBottom {
            if gain.current > 0 {
                if !gain.isHeading(to: 0) { gain.head(to: 0, over: fadeFrames) }
                return (true, true, false)
            }
            if owesBottom {
                hasEnded.store(false, ordering: .releasing)
                bottoms.store(asked >> 2, ordering: .releasing)
            }
            guard isAskedOpen else {
                isAtRest.store(true, ordering: .releasing)
                return (false, false, owesBottom)
            }
        }
        isAtRest.store(false, ordering: .releasing)
        if !gain.isHeading(to: 1) {
            if asked & 2 != 0 { gain.head(to: 1, over: fadeFrames) } else { gain.jump(to: 1) }
        }
        return (true, false, owesBottom)
    }

    @_noLocks @_noAllocation
    private func deliver(
        _ result: RenderSlot,
        to channels: UnsafePointer<UnsafeMutablePointer<Float>>,
        at position: Int,
        count: Int
    ) {
        for channel in 0..<result.channelCount {
            let source = result.channels[channel]
            let target = channels[channel] + position
            if gain.remaining == 0, gain.current == 1 {
                copySamples(from: source, to: target, count: count)
            } else {
                var ramp = gain
                for frame in 0..<count { target[frame] = source[frame] * ramp.next() }
            }
        }
        gain.skip(count)
    }
}
