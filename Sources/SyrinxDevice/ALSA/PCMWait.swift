import CSyrinxALSA
import Glibc

/// Waits until a PCM has free space, or another thread ends the wait.
struct PCMWait: ~Copyable {
    // Owned: the PCM's descriptors, followed by the one that ends the wait.
    private let descriptors: UnsafeMutablePointer<pollfd>
    private let count: Int
    private let call: Int32

    init(_ pcm: OpaquePointer) {
        count = max(0, Int(snd_pcm_poll_descriptors_count(pcm)))
        descriptors = .allocate(capacity: count + 1)
        descriptors.initialize(repeating: pollfd(), count: count + 1)
        snd_pcm_poll_descriptors(pcm, descriptors, UInt32(count))
        // If this fails, waits last their full time.
        call = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
        descriptors[count] = pollfd(fd: call, events: Int16(POLLIN), revents: 0)
    }

    deinit {
        if call >= 0 { close(call) }
        descriptors.deallocate()
    }

    /// Ends the current wait, or the next one.
    ///
    /// May be called from any thread.
    func end() {
        var one: UInt64 = 1
        write(call, &one, MemoryLayout<UInt64>.size)
    }

    /// Waits until the PCM has free space, but no longer than `milliseconds`.
    func wait(_ pcm: OpaquePointer, milliseconds: Int32) {
        guard poll(descriptors, nfds_t(count + 1), milliseconds) > 0 else { return }
        if descriptors[count].revents != 0 {
            var calls: UInt64 = 0
            read(call, &calls, MemoryLayout<UInt64>.size)
        }
        // Some plugins report readiness forever unless their events are read.
        var events: UInt16 = 0
        snd_pcm_poll_descriptors_revents(pcm, descriptors, UInt32(count), &events)
    }
}
