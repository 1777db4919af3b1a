import CSyrinxGLib
import Dispatch
import Glibc

/// A source of GLib's main loop that runs Swift's main actor and the main dispatch queue.
///
/// GLib's main loop, as `g_application_run` runs it, does not serve them: without this source, work for them waits until the
/// loop has ended. The source sleeps until there is work; it never polls.
///
/// While a job of the main queue runs a loop of its own, as a modal dialog does, the queue waits for the end of that job: it is
/// serial. A loop inside another callback of GLib runs the queue. The run loop of Foundation is not run, so `Timer` does not fire.
///
/// libdispatch signals an event descriptor when the main queue has work, and has a function that runs that work. Both are
/// functions that it exports for Core Foundation (`_dispatch_get_main_queue_handle_4CF`, `_dispatch_main_queue_callback_4CF`),
/// undocumented and unchanged since 2015; there is no public way. The program's `main` must be synchronous: under an
/// asynchronous one the runtime drains the queue itself, on another thread.
@MainActor
public enum GLibLoop {
    private static var source: guint = 0

    /// The number of times that the source has woken the loop.
    package private(set) static var wakeUpCount = 0

    /// Adds the source to GLib's default main context.
    ///
    /// Call it on the main thread, before the loop runs. A second call does nothing.
    public static func attach() {
        guard source == 0 else { return }
        let descriptor = _dispatch_get_main_queue_handle_4CF()
        precondition(descriptor >= 0, "libdispatch has no event descriptor for the main queue")
        source = g_unix_fd_add_full(G_PRIORITY_DEFAULT, descriptor, G_IO_IN, drain, nil, nil)
        // Work that was queued before has signalled no descriptor.
        DispatchQueue.main.async {}
    }

    /// Runs the main loop until `isDone` returns true, which is asked after each wake-up.
    package static func run(until isDone: () -> Bool) {
        while !isDone() { g_main_context_iteration(nil, 1) }
    }

    /// Calls `action` in the main loop after a delay, as a callback of GLib's own and not of the main queue.
    /// - Parameters:
    ///   - milliseconds: The delay.
    ///   - action: The action, called once.
    package static func after(milliseconds: UInt32, _ action: @escaping @MainActor () -> Void) {
        let box = Unmanaged.passRetained(ActionBox(action)).toOpaque()
        g_timeout_add_full(
            G_PRIORITY_DEFAULT,
            milliseconds,
            { data in
                guard let data else { return 0 }
                let box = Unmanaged<ActionBox>.fromOpaque(data).takeUnretainedValue()
                MainActor.assumeIsolated { box.action() }
                return 0
            },
            box,
            { data in data.map { Unmanaged<ActionBox>.fromOpaque($0).release() } }
        )
    }

    private final class ActionBox: Sendable {
        let action: @MainActor () -> Void
        init(_ action: @escaping @MainActor () -> Void) { self.action = action }
    }

    /// The number is read first: until that is done, the descriptor stays readable and the loop would not sleep.
    private static let drain: GUnixFDSourceFunc = { descriptor, _, _ in
        var count: UInt64 = 0
        var result = 0
        repeat { result = read(descriptor, &count, MemoryLayout<UInt64>.size) } while result < 0 && errno == EINTR
        MainActor.assumeIsolated { GLibLoop.wakeUpCount &+= 1 }
        _dispatch_main_queue_callback_4CF(nil)
        return gboolean(1)
    }
}
