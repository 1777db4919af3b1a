// The first two for `timespec`, which belongs to whichever module of C the compiler has come upon first.
import CSyrinxALSA
import CSyrinxPulse
import Glibc

/// The clock of host times: nanoseconds of `CLOCK_MONOTONIC`.
enum MonotonicClock {
    /// The nanoseconds of one second.
    static var nanosecondsPerSecond: Double { 1_000_000_000 }

    /// Returns the time of the clock.
    static func now() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    }

    /// Sleeps until the clock reads `nanoseconds`; returns at once if it already does.
    static func sleep(until nanoseconds: UInt64) {
        var time = timespec()
        time.tv_sec = Int(nanoseconds / 1_000_000_000)
        time.tv_nsec = Int(nanoseconds % 1_000_000_000)
        while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil) == EINTR {}
    }

    /// Returns the time of the clock `seconds` after `start`, or 146 years after it if they are more.
    static func time(_ start: UInt64, plus seconds: Double) -> UInt64 {
        start &+ UInt64(min(max(0, seconds) * nanosecondsPerSecond, 0x1p62))
    }
}
