import AudioDevice
import Foundation
import Synchronization

/// Stopping on the thread that renders, which cannot wait for the render to end.
extension AVAudioEngine {
    /// Ends rendering: at once, or soon after where the caller is the render thread itself.
    func stopFromAnyThread() {
        guard renderThread.isCurrent else { return endRendering() }
        // No lock: its holder may be waiting for this very render.
        bridge.refuse()
        isStopRequested.store(true, ordering: .releasing)
        Self.stopQueue.async { [weak self] in self?.finishRequestedStop() }
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
            endRendering()
        }
    }

    /// Ends rendering because no reference to the engine is left.
    ///
    /// On the render thread what that still uses is kept until it is done, and only then let go, by another thread.
    func endWithOwner() {
        guard renderThread.isCurrent else { return endRendering() }
        bridge.refuse()
        service?.end()
        let remains = Remains(
            device: manual == nil ? device : nil,
            renderer: renderer,
            plans: plans,
            run: manualRun,
            bridge: bridge,
            thread: renderThread,
            capture: capture,
            retired: retiredCaptures,
            adapter: outputState.adapter,
            input: input
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
        let capture: Capture?
        let retired: [Capture]
        let adapter: OutputAdapter?
        let input: AVAudioInputNode?

        func end() {
            device?.stop()
            bridge.close()
            renderer?.waitForRender()
            capture?.device.stop()
            // All of it up to here.
            withExtendedLifetime(self) {}
        }
    }
}
