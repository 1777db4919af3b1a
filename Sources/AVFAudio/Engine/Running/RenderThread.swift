import Glibc
import Synchronization

/// The thread that renders an engine's graph at the moment, so that a call from there is not made to wait for itself.
final class RenderThread: @unchecked Sendable {
    // Unchecked: the pointer never changes, and its target is atomic.

    /// The thread's handle, or 0 while no thread renders.
    ///
    /// It has its own allocation, so that the render thread writes it without a reference count. Valid as long as this
    /// object exists.
    let handle: UnsafeMutablePointer<Atomic<UInt>>

    init() {
        handle = .allocate(capacity: 1)
        handle.initialize(to: Atomic(0))
    }

    deinit {
        handle.deinitialize(count: 1)
        handle.deallocate()
    }

    /// Whether the calling thread is the render thread.
    var isCurrent: Bool { handle.pointee.load(ordering: .relaxed) == UInt(pthread_self()) }
}
