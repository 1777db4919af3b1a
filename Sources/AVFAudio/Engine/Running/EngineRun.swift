import CoreAudioTypes
import Foundation
import Glibc
import Synchronization
import SyrinxDevice

/// The rendering of an engine: starts and pauses it, publishes plans to it, and cleans up after each render.
///
/// Any thread except the render thread may call the methods, unless a method states otherwise.
package final class EngineRun: @unchecked Sendable {
    // Unchecked: `lock` guards all mutable state; the renderer shares only atomics with the render thread.
    let lock: NSRecursiveLock
    let graph: EngineGraph
    let output: EngineOutput
    /// The input device, which ends with the rendering.
    weak var input: EngineInput?

    private(set) var phase = Phase.stopped
    /// `nil` while the engine is stopped.
    package private(set) var renderer: EngineRenderer?
    private(set) var plans = PlanSwap()
    /// The thread that renders now; without `lock`, for callers that may not wait for it.
    let renderThread = RenderThread()
    let bridge = ManualBridge()
    private(set) var manualRun: ManualRun?
    private(set) var service: EngineService?
    /// The processors of the current plan, kept from plan to plan.
    private var processors = ProcessorCache()
    /// The number of starts and resets, by which nodes detect that their time restarted.
    private var timeline = 0
    /// Frames of content that the last renderer gave.
    private(set) var lastRunContent: Int64 = 0
    /// When a paused engine was first seen to have faded, in monotonic nanoseconds.
    private var pausedSince: UInt64?
    private(set) var idleWatch = IdleWatch()
    /// The sequencers that play through the engine.
    private(set) var sequences: [SequenceKernel] = []
    /// Set by a `stop()` on the render thread, until another thread has carried it out.
    let isStopRequested = Atomic<Bool>(false)
    /// Held while rendering stops.
    ///
    /// When both are needed, take it before `lock`.
    let stopLock = NSRecursiveLock()
    /// Seconds by which effects delay the sound; see `AVAudioEngine.effectLatency`.
    var effectLatency = 0.0 {
        didSet { renderer?.setLatency(effectLatency) }
    }
    var renderObserver: (@Sendable () -> Void)?

    /// The largest number of frames that a graph renders at once.
    package static let maximumFrameCount = 4096

    enum Phase {
        case stopped
        case running
        /// The gate is shut; the device still runs, or rests.
        case paused(deviceRests: Bool)
    }

    init(_ graph: EngineGraph, _ output: EngineOutput, lock: NSRecursiveLock) {
        (self.graph, self.output, self.lock) = (graph, output, lock)
    }

    /// Whether the engine is rendering and no stop was requested.
    var renders: Bool {
        lock.withLock {
            guard case .running = phase else { return false }
            return !isStopRequested.load(ordering: .acquiring)
        }
    }

    // MARK: Starting and holding

    /// Starts rendering, or resumes it after a pause.
    /// - Parameter isHeld: Whether a stopped engine starts with a held graph, while the device plays silence.
    func start(isHeld: Bool = false) throws {
        finishRequestedStop()
        if lock.withLock({ graph.usesInputNode }) { input?.prepare() }
        let fresh = try lock.withLock { () -> EngineRenderer? in
            switch phase {
            case .running: wake()
            case .paused(let deviceRests):
                if let renderer { output.resume(renderer, fades: true, dropsUnheard: false) }
                if deviceRests { output.device?.resume() }
                phase = .running
            case .stopped:
                return try startFresh(isHeld: isHeld)
            }
            return nil
        }
        guard let fresh else { return }
        do {
            try input?.settle()
        } catch {
            lock.withLock { if renderer === fresh { shutDown(fresh) } }
            throw error
        }
    }

    private func startFresh(isHeld: Bool) throws -> EngineRenderer {
        let manual = output.manual
        let format = try manual?.graphFormat ?? output.open()
        let mayBlock = manual == nil && output.device?.isPaced == false
        timeline += 1
        let renderer = EngineRenderer(
            sampleRate: format.sampleRate,
            channelCount: Int(format.channelCount),
            manner: RenderManner(
                mayBlock: mayBlock,
                isOffline: manual?.mode == .offline,
                fades: manual == nil
            ),
            timeline: timeline,
            thread: renderThread
        )
        renderer.setLatency(effectLatency)
        if graph.isOutputFree { graph.makeMixer() }
        output.renderFormat = format
        do {
            plans.publish(try compile(format: format), to: renderer)
        } catch {
            output.renderFormat = nil
            throw error
        }
        self.renderer = renderer
        for player in plans.players { player.isAborted.store(false, ordering: .releasing) }
        if !isHeld { renderer.open(fades: false) }
        if let manual {
            manualRun = ManualRun(settings: manual, renderer: renderer, input: graph.inputKernel)
            manualRun.map(bridge.open)
        }
        let service = EngineService(renderer: renderer)
        self.service = service
        // The engine, and not this object: it must not end while the service works.
        service.start(polls: manual?.mode == .realtime) { [weak engine = graph.engine] in engine?.run.serve(renderer) }
        phase = .running
        guard manual == nil, let device = output.device else { return renderer }
        do {
            try output.deviceLock.withLock { try device.start(renderer.callback) }
        } catch {
            shutDown(renderer)
            throw error
        }
        return renderer
    }

    /// Fades out and pauses.
    func pause() {
        lock.withLock {
            guard case .running = phase, let renderer else { return }
            renderer.shut()
            pausedSince = nil
            phase = .paused(deviceRests: idleWatch.wake())
        }
    }

    /// Resets all nodes, and in manual mode the timeline.
    func reset() {
        for node in lock.withLock({ graph.nodes.nodes.values.map { $0 } }) { node.reset() }
        lock.withLock {
            guard output.manual != nil, let renderer else { return }
            timeline += 1
            renderer.resetTime(to: timeline)
        }
    }

    // MARK: Sequencers

    /// Adds a sequencer, which plays while the engine renders.
    func add(_ sequence: SequenceKernel) {
        lock.withLock {
            sequences.append(sequence)
            graphHasChanged()
        }
    }

    /// Ends the playing of a sequencer.
    func remove(_ sequence: SequenceKernel) {
        lock.withLock {
            sequences.removeAll { $0 === sequence }
            graphHasChanged()
        }
    }

    // MARK: Changes while it runs

    /// Publishes a changed graph to the render thread.
    func graphHasChanged() {
        guard let renderer else { return }
        do {
            let format = try output.renderFormat ?? output.open()
            plans.publish(try compile(format: format), to: renderer)
        } catch {
            // A graph with missing parts is silent until it is complete again.
            plans.publish(nil, to: renderer)
        }
        wake()
    }

    private func compile(format: AVAudioFormat) throws -> RenderPlan {
        var compiler = PlanCompiler(
            graph,
            format: format,
            maximumFrameCount: Self.maximumFrameCount,
            manualFrameCount: Int(output.manual?.maximumFrameCount ?? 0),
            keeping: processors
        )
        compiler.sequences = sequences
        let plan = try compiler.compile()
        processors = compiler.processors
        return plan
    }

    /// Clears the sample rate converters at the inputs of `node`.
    func resetResamplers(into node: AVAudioNode) {
        lock.withLock { processors.resamplers(into: node) }.forEach { $0.reset() }
    }

    // MARK: After a render

    /// Serves players and taps after one or more renders, on the service's thread or that of an offline render.
    func serve(_ renderer: EngineRenderer) {
        let players = lock.withLock { () -> [ObjectIdentifier: AVAudioPlayerNode] in
            guard self.renderer === renderer else { return [:] }
            plans.reclaim(renderer)
            letDeviceRest(renderer)
            restIfIdle(renderer)
            return graph.nodes.players
        }
        for player in players.values { player.service() }
        let (taps, sequences, waits) = lock.withLock { (plans.taps, plans.sequences, output.manual?.mode == .offline) }
        for tap in taps { tap.deliver(waits: waits, flushes: false) }
        for sequence in sequences { sequence.service.withLock { $0 }?() }
        let observer = lock.withLock { renderObserver }
        // Released after the lock was taken again. A writer that finds the table unshared and mutates it in place is
        // then ordered after this read by the lock. ThreadSanitizer recognizes the lock, but not the ordering by the
        // reference count alone.
        withExtendedLifetime(players) {}
        observer?()
    }

    /// Stops a paused device after the fade was played.
    private func letDeviceRest(_ renderer: EngineRenderer) {
        guard case .paused(deviceRests: false) = phase, renderer.isShut, output.manual == nil,
            let device = output.device, device.isPaced
        else { return }
        let now = monotonicNanoseconds()
        guard let shutAt = pausedSince else {
            pausedSince = now
            return
        }
        guard Double(now - shutAt) > device.latency * 1e9 else { return }
        device.pause()
        pausedSince = nil
        phase = .paused(deviceRests: true)
    }

    // MARK: Idleness

    func setAutoShutdown(_ isEnabled: Bool) {
        lock.withLock {
            idleWatch.isEnabled = isEnabled
            if !isEnabled { wake() }
        }
    }

    /// There may be something to play again.
    func wake() {
        lock.withLock {
            guard idleWatch.wake(), case .running = phase else { return }
            output.device?.resume()
        }
    }

    /// Restarts the idle count for a device that was just started.
    func noteActivity() { _ = idleWatch.wake() }

    /// Pauses the device after a long silence.
    ///
    /// Called after a render, with the lock held.
    private func restIfIdle(_ renderer: EngineRenderer) {
        guard output.manual == nil, case .running = phase, let device = output.device, device.isPaced,
            !plans.hasOtherEnds
        else { return }
        let (all, content, _) = renderer.time.read()
        if idleWatch.rendered(all: all, content: content, sampleRate: renderer.sampleRate) { device.pause() }
    }

    /// Applies pending requests to the nodes if no render is running that could apply them.
    func settleIfIdle() {
        lock.withLock {
            switch phase {
            case .running where !idleWatch.isResting: return
            case .paused(deviceRests: false): return
            case .stopped, .running, .paused(deviceRests: true): break
            }
            for player in graph.nodes.players.values {
                player.kernel.settleUnheard()
                player.service()
            }
        }
    }

    // MARK: Ending, with the lock

    /// Stops rendering: closes the device and delivers the pending buffers of taps.
    func shutDown(_ renderer: EngineRenderer) {
        // While another output is searched, the device does not run, and another thread may be opening it.
        if output.manual == nil, !output.isRecovering { output.device?.stop() }
        output.isRecovering = false
        bridge.close()
        manualRun = nil
        input?.stop()
        service?.end()
        service = nil
        let taps = plans.taps
        plans.publish(nil, to: renderer)
        // A manual render on another thread may be in its last block.
        renderer.waitForRender()
        lastRunContent = renderer.time.read().1
        for tap in taps { tap.deliver(waits: output.manual?.mode == .offline, flushes: true) }
        plans.clear()
        input?.releaseRetired()
        self.renderer = nil
        output.renderFormat = nil
        _ = idleWatch.wake()
        output.adapter = nil
        phase = .stopped
        settleIfIdle()
        for player in graph.nodes.players.values { player.service() }
    }
}
