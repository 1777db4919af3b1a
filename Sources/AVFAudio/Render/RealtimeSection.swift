import Glibc

/// Marks the start and end of a render for RealtimeSanitizer, which reports allocations, locks and system calls in
/// between.
///
/// Has no effect unless the sanitizer's runtime is loaded, as `scripts/sanitize realtime` does.
struct RealtimeSection: Sendable {
    private typealias Mark = @convention(c) () -> Void

    private let enterMark: Mark?
    private let exitMark: Mark?

    /// Looks up the functions of the runtime by name, because it has no header to import.
    init() {
        // The functions have neither parameters nor results, as `Mark` declares.
        enterMark = unsafeBitCast(dlsym(nil, "__rtsan_realtime_enter"), to: Mark?.self)
        exitMark = unsafeBitCast(dlsym(nil, "__rtsan_realtime_exit"), to: Mark?.self)
    }

    @inline(__always)
    func enter() { enterMark?() }

    @inline(__always)
    func exit() { exitMark?() }
}
