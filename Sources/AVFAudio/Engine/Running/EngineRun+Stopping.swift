import Foundation
import Glibc
import Synchronization
import SyrinxDevice

/// Stopping an engine from any thread. The render thread cannot wait for its own render to end.
extension EngineRun {
    /// Stops rendering: immediately, or shortly afterwards if the caller is the render thread.
    func stop() {
        guard renderThread.isCurrent else { return end() }
        // No lock: its holder may be waiting for this very render.
        bridge.refuse()
        isStopRequested.store(true, ordering: .releasing)
        Self.stopQueue.async { [weak engine = graph.engine] in engine?.run.finishRequestedStop() }
    }

    /// A separate queue: a stop may wait for a render, and work that this render waits for must not wait for the stop.
    private static let stopQueue = DispatchQueue(label: "syrinx.engine.stops", attributes: .concurrent)

    /// Performs a stop that was requested on the render thread, unless called on that thread.
    func finishRequestedStop() {
        guard isStopRequested.load(ordering: .acquiring), !renderThread.isCurrent else { return }
        stopLock.withLock {
            guard isStopRequested.load(ordering: .acquiring) else { return }
            // The render that requested the stop finishes normally.
            bridge.close()
            end()
        }
    }

    /// Stops rendering and pauses all players.
    ///
    /// Do not call it on the render thread.
    func end() {
        stopLock.withLock {
            lock.withLock {
                isStopRequested.store(false, ordering: .releasing)
                guard let renderer else { return }
                fadeAway(renderer)
                for player in graph.nodes.players.values { player.schedule.pause() }
                shutDown(renderer)
            }
        }
        let observer = lock.withLock { renderObserver }
        observer?()
    }

    /// Waits a few milliseconds for the fade-out, if the device has a clock.
    private func fadeAway(_ renderer: EngineRenderer) {
        for player in plans.players {
            player.isAborted.store(true, ordering: .releasing)
            player.nudge()
        }
        for tap in plans.taps { tap.abort() }
        renderer.shut()
        guard case .running = phase, let device = output.device, device.isPaced, output.manual == nil else { return }
        let deadline = monotonicNanoseconds() + 30_000_000
        while !renderer.isShut, monotonicNanoseconds() < deadline { usleep(1_000) }
    }

    /// Stops rendering because the engine was deallocated.
    ///
    /// If the last reference is released on the render thread, another thread frees the renderer after the current
    /// render.
    func endWithOwner() {
        guard renderThread.isCurrent else { return end() }
        bridge.refuse()
        service?.end()
        let remains = Remains(
            device: output.manual == nil ? output.device : nil,
            renderer: renderer,
            plans: plans,
            run: manualRun,
            bridge: bridge,
            thread: renderThread,
            captures: input?.captures ?? EngineInput.Captures(),
            adapter: output.adapter,
            input: graph.inputNode
        )
        Self.stopQueue.async { remains.end() }
    }

    /// The parts of an engine that a render may still use when the engine is gone.
    private struct Remains: Sendable {
        let device: (any OutputDevice)?
        let renderer: EngineRenderer?
        let plans: PlanSwap
        let run: ManualRun?
        let bridge: ManualBridge
        let thread: RenderThread
        let captures: EngineInput.Captures
        let adapter: OutputAdapter?
        let input: AVAudioInputNode?

        func end() {
            device?.stop()
            bridge.close()
            renderer?.waitForRender()
            captures.current?.device.stop()
            // Keep the object alive until this point.
            withExtendedLifetime(self) {}
        }
    }
}
