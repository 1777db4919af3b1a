import AudioDevice
import CoreAudioTypes
import Glibc
import Synchronization

/// The end of the graph: what the device calls.
///
/// It runs the plan of the moment, behind a gate that fades.
///
/// While the gate is shut the graph stands still, to the sample: a pause loses nothing. What nodes were asked to drop or
/// reset while the gate was falling is taken up at the bottom, so that nothing is cut off in full swing.
final class EngineRenderer: @unchecked Sendable {
    // Unchecked: what is not atomic below `Render state` is touched by the rendering thread alone, and by `touchBottom`,
    // which has that thread held up.

    // MARK: Shared

    /// The plan, owned by the engine; see `PlanSwap` for when an old one is freed.
    let plan = Atomic<UnsafeMutableRawPointer?>(nil)
    /// Odd while a render runs.
    let renderSerial = Atomic<Int>(0)
    /// The gate as asked for: bit 0 open, bit 1 fade in, above them a count of the times that it has to touch the bottom.
    private let gate = Atomic<Int>(0)
    /// The count of `gate` that has been carried out.
    private let bottoms = Atomic<Int>(0)
    private let isAtRest = Atomic<Bool>(true)
    /// Frames of silence given since the graph has stood still.
    private let stillFrames = Atomic<Int>(0)
    /// Frames given so far, those of them that were content, the host time of hearing the next one.
    let time = PublishedTriple()
    private let hasEnded = Atomic<Bool>(false)
    /// Renders after which somebody wants to look at what has become of it.
    private let isServiceDue = Atomic<Bool>(false)
    private let serviceSignal: UnsafeMutablePointer<sem_t>

    let sampleRate: Double
    let channelCount: Int
    let mayBlock: Bool
    let isOffline: Bool

    // MARK: Render state

    // Exclusivity is unchecked at run time: one thread has all accesses, and each is over before the next begins.
    @exclusivity(unchecked) private var gain = Ramp(0)
    private var frames: Int64 = 0
    private var contentFrames: Int64 = 0
    private let fadeFrames: Int
    private let section = RealtimeSection()

    init(sampleRate: Double, channelCount: Int, mayBlock: Bool, isOffline: Bool) {
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.mayBlock = mayBlock
        self.isOffline = isOffline
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

    /// Whether the gate has fallen shut and the graph stands still.
    var isShut: Bool { isAtRest.load(ordering: .acquiring) }

    /// How many of the last frames given are silence because the graph has stood still; they may be fewer than have been given.
    var stillFrameCount: Int { stillFrames.load(ordering: .acquiring) }

    /// Waits until a render has been, or `wakeService()`.
    func waitForService() {
        while sem_wait(serviceSignal) != 0 {}
        isServiceDue.store(false, ordering: .releasing)
    }

    /// Wakes who waits for a render.
    func wakeService() {
        if !isServiceDue.exchange(true, ordering: .acquiringAndReleasing) { sem_post(serviceSignal) }
    }

    /// What a device is given.
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
    func render(
        _ channels: UnsafePointer<UnsafeMutablePointer<Float>>,
        frames count: Int,
        hostTime: UInt64?
    ) -> Int {
        // Where nobody keeps real time, nodes may wait.
        if !mayBlock { section.enter() }
        defer { if !mayBlock { section.exit() } }
        renderSerial.wrappingAdd(1, ordering: .sequentiallyConsistent)
        defer { renderSerial.wrappingAdd(1, ordering: .sequentiallyConsistent) }
        guard let raw = plan.load(ordering: .sequentiallyConsistent) else {
            for channel in 0..<channelCount { channels[channel].update(repeating: 0, count: count) }
            noteStill(count, of: count)
            time.publish(frames, contentFrames, 0)
            return 0
        }
        let hostTime = hostTime ?? 0
        let content = Unmanaged<RenderPlan>.fromOpaque(raw)._withUnsafeGuaranteedRef { plan in
            renderGated(plan, channels, count, hostTime)
        }
        frames += Int64(count)
        contentFrames += Int64(content)
        time.publish(frames, contentFrames, Int64(bitPattern: hostTime))
        return content
    }

    private func renderGated(
        _ plan: RenderPlan,
        _ channels: UnsafePointer<UnsafeMutablePointer<Float>>,
        _ count: Int,
        _ hostTime: UInt64
    ) -> Int {
        var done = 0
        var content = 0
        while done < count {
            let (runs, isFalling, touchedBottom) = settle()
            if touchedBottom { _ = plan.run(frames: 0, pass: .unheard) }
            guard runs else { break }
            var chunk = min(count - done, plan.maximumFrameCount)
            if gain.remaining > 0 { chunk = min(chunk, gain.remaining) }
            let pass = RenderPass(
                appliesCommands: !isFalling,
                isSilent: false,
                mayBlock: mayBlock,
                isOffline: isOffline,
                hostTime: hostTime == 0 ? 0 : hostTime + UInt64(Double(done) / sampleRate * 1e9),
                sampleTime: frames + Int64(done)
            )
            let result = plan.run(frames: chunk, pass: pass)
            deliver(result, to: channels, at: done, count: chunk)
            let info = result.info.pointee
            if content == done { content += min(info.contentFrames, chunk) }
            if info.isEnd { hasEnded.store(true, ordering: .releasing) }
            done += chunk
        }
        for channel in 0..<plan.root.result.channelCount where done < count {
            (channels[channel] + done).update(repeating: 0, count: count - done)
        }
        noteStill(count - done, of: count)
        return content
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
