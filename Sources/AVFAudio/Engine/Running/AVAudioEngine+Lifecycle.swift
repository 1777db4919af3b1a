import AudioDevice
import CoreAudioTypes
import Foundation
import Glibc
import Synchronization

extension AVAudioEngine {
    /// Whether the engine renders, and has not been asked to stop.
    var renders: Bool {
        lock.withLock {
            guard case .running = phase else { return false }
            return !isStopRequested.load(ordering: .acquiring)
        }
    }

    /// Begins to render, or goes on after a pause.
    func beginRendering() throws {
        finishRequestedStop()
        if lock.withLock({ input.map(isInUse) ?? false }) { prepareInput() }
        let fresh = try lock.withLock { () -> EngineRenderer? in
            switch phase {
            case .running: wake()
            case .paused(let deviceRests):
                if let renderer { letGo(renderer, fades: true, dropsUnheard: false) }
                if deviceRests { device?.resume() }
                phase = .running
            case .stopped:
                return try startFresh()
            }
            return nil
        }
        guard let fresh else { return }
        do {
            try settleInput()
        } catch {
            lock.withLock { if renderer === fresh { shutDown(fresh) } }
            throw error
        }
    }

    private func isInUse(_ node: AVAudioNode) -> Bool {
        !graph.outputs(of: node).isEmpty || node.taps.withLock { !$0.all.isEmpty }
    }

    private func startFresh() throws -> EngineRenderer {
        let format = try manual?.graphFormat ?? openDevice()
        let mayBlock = manual == nil && device?.isPaced == false
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
        _ = madeMixer()
        renderFormat = format
        do {
            plans.publish(try compile(format: format), to: renderer)
        } catch {
            renderFormat = nil
            throw error
        }
        self.renderer = renderer
        for player in plans.players { player.isAborted.store(false, ordering: .releasing) }
        renderer.open(fades: false)
        if let manual {
            manualRun = ManualRun(settings: manual, renderer: renderer, input: inputKernel)
            manualRun.map(bridge.open)
        }
        let service = EngineService(renderer: renderer)
        self.service = service
        service.start(polls: manual?.mode == .realtime) { [weak self] in self?.serve(renderer) }
        phase = .running
        guard manual == nil, let device else { return renderer }
        do {
            try deviceLock.withLock { try device.start(renderer.callback) }
        } catch {
            shutDown(renderer)
            throw error
        }
        return renderer
    }

    /// Stands still, after a fade.
    func holdRendering() {
        lock.withLock {
            guard case .running = phase, let renderer else { return }
            renderer.shut()
            pausedSince = nil
            phase = .paused(deviceRests: idleWatch.wake())
        }
    }

    /// Ends rendering, and lets players stand still.
    func endRendering() {
        stopLock.withLock {
            lock.withLock {
                isStopRequested.store(false, ordering: .releasing)
                guard let renderer else { return }
                fadeAway(renderer)
                for player in graph.players.values { player.schedule.pause() }
                shutDown(renderer)
            }
        }
        renderObserverSnapshot?()
    }

    /// Gives a device that keeps time the few milliseconds that the fade takes.
    private func fadeAway(_ renderer: EngineRenderer) {
        for player in plans.players {
            player.isAborted.store(true, ordering: .releasing)
            player.nudge()
        }
        for tap in plans.taps { tap.abort() }
        renderer.shut()
        guard case .running = phase, let device, device.isPaced, manual == nil else { return }
        let deadline = monotonicNanoseconds() + 30_000_000
        while !renderer.isShut, monotonicNanoseconds() < deadline { usleep(1_000) }
    }

    private func shutDown(_ renderer: EngineRenderer) {
        // While another output is searched, the device does not run, and another thread may be opening it.
        if manual == nil, !outputState.isRecovering { device?.stop() }
        outputState.isRecovering = false
        bridge.close()
        manualRun = nil
        stopInput()
        service?.end()
        service = nil
        let taps = plans.taps
        plans.publish(nil, to: renderer)
        // A manual render on another thread may be in its last block.
        renderer.waitForRender()
        lastRunContent = renderer.time.read().1
        for tap in taps { tap.deliver(waits: manual?.mode == .offline, flushes: true) }
        plans.clear()
        retiredCaptures = []
        self.renderer = nil
        renderFormat = nil
        _ = idleWatch.wake()
        outputState.adapter = nil
        phase = .stopped
        settleIfIdle()
        for player in graph.players.values { player.service() }
    }

    /// Resets all nodes, and in manual mode the timeline.
    func resetNodes() {
        for node in lock.withLock({ graph.nodes.values.map { $0 } }) { node.reset() }
        lock.withLock {
            guard manual != nil, let renderer else { return }
            timeline += 1
            renderer.resetTime(to: timeline)
        }
    }

    // MARK: Changes while it runs

    func graphHasChanged() {
        guard let renderer else { return }
        do {
            let format = try renderFormat ?? openDevice()
            plans.publish(try compile(format: format), to: renderer)
        } catch {
            // A graph that is half taken apart gives silence until it is whole again.
            plans.publish(nil, to: renderer)
        }
        wake()
    }

    private func compile(format: AVAudioFormat) throws -> RenderPlan {
        var compiler = PlanCompiler(
            graph: graph,
            engine: self,
            output: output,
            format: format,
            maximumFrameCount: Self.maximumFrameCount,
            keeping: processors
        )
        let plan = try compiler.compile()
        processors = compiler.processors
        return plan
    }

    // MARK: After a render

    /// On the service's thread, after one or more renders.
    func serve(_ renderer: EngineRenderer) {
        let players = lock.withLock { () -> [ObjectIdentifier: AVAudioPlayerNode] in
            guard self.renderer === renderer else { return [:] }
            plans.reclaim(renderer)
            letDeviceRest(renderer)
            restIfIdle(renderer)
            return graph.players
        }
        for player in players.values { player.service() }
        serveTaps()
        let observer = renderObserverSnapshot
        // Released after the lock was held again: a writer that then finds the table to be its own and writes to it in place comes
        // after this thread's reading by the lock, too, which ThreadSanitizer sees, and not by the count of references alone.
        withExtendedLifetime(players) {}
        observer?()
    }

    private var renderObserverSnapshot: (@Sendable () -> Void)? { lock.withLock { renderObserver } }

    /// Stops a paused device once the fade has been heard.
    private func letDeviceRest(_ renderer: EngineRenderer) {
        guard case .paused(deviceRests: false) = phase, renderer.isShut, manual == nil, let device else { return }
        guard device.isPaced else { return }
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

    // MARK: Time

    func lastRenderTime(of node: AVAudioNode) -> AVAudioTime? {
        lock.withLock {
            guard case .running = phase, let renderer else { return nil }
            let hostTime = UInt64(bitPattern: renderer.time.read().2)
            let rate = node.renderedFrames == nil ? renderer.sampleRate : node.outputFormat(forBus: 0).sampleRate
            // Right after a reset the nodes' own counts are still the old ones.
            let sampleTime = renderer.isTimeBehind ? 0 : node.renderedFrames ?? renderer.sampleTime
            return hostTime == 0
                ? AVAudioTime(sampleTime: sampleTime, atRate: rate)
                : AVAudioTime(hostTime: hostTime, sampleTime: sampleTime, atRate: rate)
        }
    }

    /// Seconds until what `node` gives is heard, on the longest way.
    func presentationLatency(of node: AVAudioNode) -> TimeInterval {
        lock.withLock {
            let device = outputLatency
            let ways = graph.outputs(of: node).map { connection in
                let next = connection.destination
                return next === output ? 0 : next.latency + presentationLatency(of: next) - device
            }
            return (ways.max() ?? 0) + device
        }
    }

    /// Seconds until a frame rendered now is heard.
    var outputLatency: TimeInterval { lock.withLock { manual == nil ? device?.latency ?? 0 : 0 } }
}
