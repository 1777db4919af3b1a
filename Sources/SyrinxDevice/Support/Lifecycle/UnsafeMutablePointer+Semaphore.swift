// The first two for `timespec`, which belongs to whichever module of C the compiler has come upon first.
import CSyrinxALSA
import CSyrinxPulse
import Glibc
import SyrinxByteStream

extension UnsafeMutablePointer<sem_t> {
    /// Waits 50 ms at most for a post, the time that a device's thread may take to begin to obey.
    ///
    /// - Returns: Whether there was one.
    func waitBriefly() -> Bool {
        var deadline = timespec()
        clock_gettime(CLOCK_REALTIME, &deadline)
        deadline.tv_nsec += 50_000_000
        if deadline.tv_nsec >= 1_000_000_000 {
            deadline.tv_nsec -= 1_000_000_000
            deadline.tv_sec += 1
        }
        return Descriptor.retrying { sem_timedwait(self, &deadline) } == 0
    }
}
