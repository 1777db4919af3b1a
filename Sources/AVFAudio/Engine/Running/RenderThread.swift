import Glibc
import Synchronization

/// The thread that renders an engine's graph at the moment, so that a call from there is not made to wait for itself.
final class RenderThread: @unchecked Sendable {
    // Unchecked: the pointer is a constant, and what it points to is atomic.

    /// The thread's handle, or 0 while no thread renders.
    ///
    /// In memory of its own, so that the render thread writes it without a reference; valid as long as this object lives.
    let handle: UnsafeMutablePointer<Atomic<UInt>>

    init() {
        handle = .allocate(capacity: 1)
        handle.initialize(to: Atomic(0))
    }

    deinit {
        handle.deinitialize(count: 1)
        handle.deallocate()
    }

    /// Whether the calling thread is the one.
    var isCurrent: Bool { handle.pointee.load(ordering: .relaxed) == UInt(pthread_self()) }
}
