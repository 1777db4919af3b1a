import Foundation
import Synchronization

/// The thread that cleans up after each render: it frees played buffers, calls completion handlers, and pauses an idle
/// device.
///
/// The device's thread wakes it, so it uses no time while nothing renders.
final class EngineService: Sendable {
    private let isEnding = Atomic<Bool>(false)
    private let renderer: EngineRenderer

    init(renderer: EngineRenderer) { self.renderer = renderer }

    /// Begins; `body` is called on the service's thread after renders.
    /// - Parameter polls: Whether the service is not woken, because the renderer must not make a system call: then it
    ///   looks every 5 ms.
    func start(polls: Bool, _ body: @escaping @Sendable () -> Void) {
        let thread = Thread { [self] in
            while !isEnding.load(ordering: .acquiring) {
                if polls { usleep(5_000) } else { renderer.waitForService() }
                if isEnding.load(ordering: .acquiring) { break }
                body()
            }
        }
        thread.name = "syrinx.engine"
        thread.start()
    }

    /// Ends the thread, after the call that may be running.
    ///
    /// Does not wait for it.
    func end() {
        isEnding.store(true, ordering: .releasing)
        renderer.wakeService()
    }
}
