import Foundation
import Glibc
import Synchronization
import SyrinxDevice

/// Stops an engine, from any thread: the one that renders cannot wait for its own render to end.
extension EngineRun {
    /// Ends rendering: at once, or soon after where the caller is the render thread itself.
    func stop() {
        guard renderThread.isCurrent else { return end() }
        // No lock: its holder may be waiting for this very render.
        bridge.refuse()
        isStopRequested.store(true, ordering: .releasing)
        Self.stopQueue.async { [weak engine = graph.engine] in engine?.run.finishRequestedStop() }
    }

    /// A queue of its own: a stop may wait for a render, and what a render waits for must not wait for that.
    private static let stopQueue = DispatchQueue(label: "syrinx.engine.stops", attributes: .concurrent)

    /// Carries out a stop that was asked for on the render thread, unless this is that thread.
    func finishRequestedStop() {
        guard isStopRequested.load(ordering: .acquiring), !renderThread.isCurrent else { return }
        stopLock.withLock {
            guard isStopRequested.load(ordering: .acquiring) else { return }
            // The render that asked for it is to end as it would have.
            bridge.close()
            end()
        }
    }

    /// Ends rendering, and lets players stand still.
    ///
    /// Not on the render thread.
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

    /// Gives a device that keeps time the few milliseconds that the fade takes.
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

    /// Ends rendering because no reference to the engine is left.
    ///
    /// On the render thread what that still uses is kept until it is done, and only then let go, by another thread.
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
            // All of it up to here.
            withExtendedLifetime(self) {}
        }
    }
}
