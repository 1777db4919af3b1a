/// Where the rules of the render thread hold, for RealtimeSanitizer: it reports what allocates, locks or calls the system
/// between the two.
///
/// Nothing, unless built by `scripts/sanitize realtime`.
enum RealtimeSection {
    #if REALTIME_SANITIZER
        @inline(__always)
        static func enter() { rtsanEnter() }

        @inline(__always)
        static func exit() { rtsanExit() }
    #else
        @inline(__always)
        static func enter() {}

        @inline(__always)
        static func exit() {}
    #endif
}

#if REALTIME_SANITIZER
    // Of the sanitizer's runtime, which the linker adds: there is no header to import. Neither takes or returns anything, so
    // that Swift's convention of calling is C's.
    @_silgen_name("__rtsan_realtime_enter") private func rtsanEnter()
    @_silgen_name("__rtsan_realtime_exit") private func rtsanExit()
#endif
