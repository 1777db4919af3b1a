import CSyrinxALSA
import Glibc

/// Waits until a PCM has room, or another command for the waiting thread arrives.
struct PCMWait: ~Copyable {
    // Owned: the PCM's descriptors, and behind them the one that ends the wait.
    private let descriptors: UnsafeMutablePointer<pollfd>
    private let count: Int
    private let call: Int32

    init(_ pcm: OpaquePointer) {
        count = max(0, Int(snd_pcm_poll_descriptors_count(pcm)))
        descriptors = .allocate(capacity: count + 1)
        descriptors.initialize(repeating: pollfd(), count: count + 1)
        snd_pcm_poll_descriptors(pcm, descriptors, UInt32(count))
        // Without it each wait just takes its time.
        call = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
        descriptors[count] = pollfd(fd: call, events: Int16(POLLIN), revents: 0)
    }

    deinit {
        if call >= 0 { close(call) }
        descriptors.deallocate()
    }

    /// Ends the wait under way, or the next one.
    ///
    /// Any thread.
    func end() {
        var one: UInt64 = 1
        write(call, &one, MemoryLayout<UInt64>.size)
    }

    /// Waits, at most so long.
    func wait(_ pcm: OpaquePointer, milliseconds: Int32) {
        guard poll(descriptors, nfds_t(count + 1), milliseconds) > 0 else { return }
        if descriptors[count].revents != 0 {
            var calls: UInt64 = 0
            read(call, &calls, MemoryLayout<UInt64>.size)
        }
        // Some plugins are ready for ever unless they are asked.
        var events: UInt16 = 0
        snd_pcm_poll_descriptors_revents(pcm, descriptors, UInt32(count), &events)
    }
}
