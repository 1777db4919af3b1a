import Glibc

/// The bounds of the render thread's rules for RealtimeSanitizer, which reports allocations, locks and system calls between the
/// two calls.
///
/// Nothing, unless the sanitizer's runtime is in the process, as `scripts/sanitize realtime` puts it there.
struct RealtimeSection: Sendable {
    private typealias Mark = @convention(c) () -> Void

    private let enterMark: Mark?
    private let exitMark: Mark?

    /// Looks for the runtime by the names of its functions: there is no header of it to import.
    init() {
        // Neither takes or returns anything, as `Mark` says.
        enterMark = unsafeBitCast(dlsym(nil, "__rtsan_realtime_enter"), to: Mark?.self)
        exitMark = unsafeBitCast(dlsym(nil, "__rtsan_realtime_exit"), to: Mark?.self)
    }

    @inline(__always)
    func enter() { enterMark?() }

    @inline(__always)
    func exit() { exitMark?() }
}
