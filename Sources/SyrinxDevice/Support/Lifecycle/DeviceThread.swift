// alsa-lib includes the C library, so Swift treats it as the module that defines some C structures.
import CSyrinxALSA
import Glibc

/// The thread of a device, on which all signals are blocked.
struct DeviceThread {
    /// The main function of the thread; a C function with a pointer, so that nothing is retained.
    typealias Body = @convention(c) (UnsafeMutableRawPointer) -> Void

    private struct Launch {
        let body: Body
        let context: UnsafeMutableRawPointer
        let name: StaticString
    }

    private let thread: pthread_t

    /// Starts a thread.
    /// - Parameters:
    ///   - name: The name of the thread, at most 15 characters.
    ///   - wantsPriority: Whether to request real-time priority; a refusal is ignored.
    ///   - device: The name of the device in error messages.
    ///   - context: The argument of `body`, which must stay valid until `join()` has returned.
    ///   - body: The main function.
    init(
        _ name: StaticString,
        wantsPriority: Bool = false,
        device: String,
        context: UnsafeMutableRawPointer,
        body: @escaping Body
    ) throws(DeviceError) {
        let launch = UnsafeMutablePointer<Launch>.allocate(capacity: 1)
        launch.initialize(to: Launch(body: body, context: context, name: name))
        var handle = pthread_t()
        // Handling a signal on the device's thread would delay the sound; the new thread inherits this mask.
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &before)
        let status = pthread_create(
            &handle,
            nil,
            { argument in
                guard let launch = argument?.assumingMemoryBound(to: Launch.self) else { return nil }
                let work = launch.pointee
                launch.deallocate()
                Self.setName(work.name)
                work.body(work.context)
                return nil
            },
            launch
        )
        pthread_sigmask(SIG_SETMASK, &before, nil)
        guard status == 0 else {
            launch.deallocate()
            let reason = String(cString: strerror(status))
            throw DeviceError(.deviceUnavailable, "no thread could be started for it: \(reason)", device: device)
        }
        thread = handle
        if wantsPriority { Self.askForPriority(handle) }
    }

    /// Requests real-time priority for `thread`.
    ///
    /// A refusal is ignored.
    static func askForPriority(_ thread: pthread_t) {
        // 10 is a low real-time priority: above all normal threads, below the system's own audio threads.
        var parameters = sched_param()
        parameters.sched_priority = 10
        pthread_setschedparam(thread, SCHED_RR, &parameters)
    }

    /// Names the calling thread through the kernel's file, because Swift does not import `prctl`.
    private static func setName(_ name: StaticString) {
        let file = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        write(file, name.utf8Start, name.utf8CodeUnitCount)
        close(file)
    }

    /// Waits for the end of the thread.
    func join() { pthread_join(thread, nil) }
}
