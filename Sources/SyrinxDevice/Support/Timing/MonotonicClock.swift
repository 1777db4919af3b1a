// The first two imports are for `timespec`, which Swift assigns to the C module that the compiler loads first.
import CSyrinxALSA
import CSyrinxPulse
import Glibc

/// The clock of host times: `CLOCK_MONOTONIC`, in nanoseconds.
enum MonotonicClock {
    /// The number of nanoseconds per second.
    static var nanosecondsPerSecond: Double { 1_000_000_000 }

    /// Returns the current time.
    static func now() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    }

    /// Sleeps until `nanoseconds`; returns at once if that time has passed.
    static func sleep(until nanoseconds: UInt64) {
        var time = timespec()
        time.tv_sec = Int(nanoseconds / 1_000_000_000)
        time.tv_nsec = Int(nanoseconds % 1_000_000_000)
        while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil) == EINTR {}
    }

    /// Returns the time `seconds` after `start`, limited to 146 years.
    static func time(_ start: UInt64, plus seconds: Double) -> UInt64 {
        start &+ UInt64(min(max(0, seconds) * nanosecondsPerSecond, 0x1p62))
    }
}
