// The first two imports are for `timespec`, which Swift assigns to the C module that the compiler loads first.
import CSyrinxALSA
import CSyrinxPulse
import Glibc
import SyrinxByteStream

extension UnsafeMutablePointer<sem_t> {
    /// Waits up to 50 ms for a post, the time in which a device's thread must react.
    ///
    /// - Returns: Whether the semaphore was posted.
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
