import CoreAudioTypes
import Glibc
package import Synchronization
import SyrinxByteStream
import SyrinxDevice

/// The end of the graph: what the device calls.
///
/// It runs the plan of the moment, behind a gate that fades.
///
/// While the gate is shut the graph stands still, to the sample: a pause loses nothing. What nodes were asked to drop or
/// reset while the gate was falling is taken up at the bottom, so that nothing is cut off in full swing.
package final class EngineRenderer: @unchecked Sendable {
    // Unchecked: what is not atomic below `Render state` is touched by the rendering thread alone, of which `render` lets in
    // one at a time, and by `touchBottom`, which has that thread held up.

    // MARK: Shared

    /// The plan, owned by the engine; see `PlanSwap` for when an old one is freed.
    let plan = Atomic<UnsafeMutableRawPointer?>(nil)
    /// Odd while a render runs: the thread that makes it odd renders, and no other.
    package let renderSerial = Atomic<Int>(0)
    /// The timeline that is asked for, and the one that the count of frames is of.
    private let askedTimeline: Atomic<Int>
    private let appliedTimeline: Atomic<Int>
    /// Told which thread renders.
    private let thread: RenderThread
    /// The memory of `thread`, which has the same lifetime.
    private let threadHandle: UnsafeMutablePointer<Atomic<UInt>>
    /// The gate as asked for: bit 0 open, bit 1 fade in, above them a count of the times that it has to touch the bottom.
    private let gate = Atomic<Int>(0)
    /// The count of `gate` that has been carried out.
    private let bottoms = Atomic<Int>(0)
    private let isAtRest = Atomic<Bool>(true)
    /// Frames of silence given since the graph has stood still.
    private let stillFrames = Atomic<Int>(0)
    /// Frames given so far, those of them that were content, the host time of hearing the next one.
    let time = PublishedTriple()
    /// The host time at which the content rendered so far has been heard; 0 without a clock, and before the first.
    let contentHeardTime = Atomic<UInt64>(0)
    private let hasEnded = Atomic<Bool>(false)
    /// Frames by which effects delay the sound, for an output that is written and not heard.
    private let latency = Atomic<Int>(0)
    /// Renders after which somebody wants to look at what has become of it.
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

    /// - Parameters:
    ///   - timeline: What its frames count on, for nodes that have counted on another.
    ///   - thread: Told which thread renders, while one does.
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

    /// Shuts the gate and has it touch the bottom, whatever is asked of it meanwhile: what nodes are asked after this is
    /// taken up there.
    func shutForChange() {
        change { ($0 & ~1) + 4 }
    }

    /// Has the gate be shut at once, and touch the bottom at the next render.
    ///
    /// Only while no render runs, nor can begin: what it would have faded has been dropped.
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

    /// Whether the gate is asked to be open.
    var isOpen: Bool { gate.load(ordering: .acquiring) & 1 != 0 }

    /// Whether the end of the sound has been rendered, and nothing else has been asked for since.
    var hasReachedEnd: Bool {
        gate.load(ordering: .acquiring) >> 2 == bottoms.load(ordering: .acquiring)
            && hasEnded.load(ordering: .acquiring)
    }

    /// Whether nodes are to drop their data before anything else is heard.
    var owesBottom: Bool { gate.load(ordering: .acquiring) >> 2 != bottoms.load(ordering: .acquiring) }

    /// Whether the gate has fallen shut and the graph stands still.
    var isShut: Bool { isAtRest.load(ordering: .acquiring) }

    /// Sets the seconds that an output that is written, and not heard, leaves out wherever the sound begins anew.
    func setLatency(_ seconds: Double) {
        latency.store(max(0, Int(clamped: (seconds * sampleRate).rounded())), ordering: .releasing)
    }

    /// Counts frames from 0 again, on another timeline, with the next render.
    func resetTime(to timeline: Int) { askedTimeline.store(timeline, ordering: .releasing) }

    /// Whether no render has been since `resetTime`.
    var isTimeBehind: Bool {
        askedTimeline.load(ordering: .acquiring) != appliedTimeline.load(ordering: .acquiring)
    }

    /// Frames given so far on the timeline that was asked for last.
    var sampleTime: Int64 { isTimeBehind ? 0 : time.read().0 }

    /// Waits for the end of a render that may be under way.
    ///
    /// Not from within one.
    func waitForRender() {
        while renderSerial.load(ordering: .sequentiallyConsistent) % 2 != 0 { usleep(100) }
    }

    /// The number of the last frames given that are silent because the graph stood still.
    ///
    /// It may be smaller than the number given.
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

    /// Fills `channels`, and returns how many frames from the first on are content.
    ///
    /// One thread at a time: while one renders, another is given silence, and changes nothing.
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
        // A block that is held back as a whole must not look like a lack of data.
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

    /// Returns the host time of hearing a frame of a block whose first frame is heard at `hostTime`; 0 without a clock.
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
            // Where only the content at the front of a block is kept, what comes after silence waits for the next block.
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
        // The frames that have been held back come before the end.
        if isEnd, !trim.isReady { hasEnded.store(true, ordering: .releasing) }
        return content
    }

    /// The frames behind the content are silence.
    @_noLocks @_noAllocation
    private func silence(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, from start: Int, to end: Int) {
        for channel in 0..<channelCount where start < end {
            (channels[channel] + start).update(repeating: 0, count: end - start)
        }
    }

    /// Takes note that the last `still` of `count` frames were given while the graph stood still.
    @_noLocks @_noAllocation
    private func noteStill(_ still: Int, of count: Int) {
        let before = still == count ? stillFrames.load(ordering: .relaxed) : 0
        stillFrames.store(before &+ still, ordering: .releasing)
    }

    /// Takes up what is asked of the gate.
    ///
    /// Returns whether the graph runs now, whether it is on its way down, and whether it has come to the bottom at
    /// which nodes change unheard.
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
