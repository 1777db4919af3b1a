// alsa-lib includes the C library, and so counts as the module that defines some of its structures.
import CSyrinxALSA
import Glibc

/// A thread of a device's own, with all signals left to the other threads of the process.
struct DeviceThread {
    /// The function of the thread: a plain function and its pointer, so that nothing is retained for it.
    typealias Body = @convention(c) (UnsafeMutableRawPointer) -> Void

    private struct Launch {
        let body: Body
        let context: UnsafeMutableRawPointer
        let name: StaticString
    }

    private let thread: pthread_t

    /// Starts a thread.
    /// - Parameters:
    ///   - name: At most 15 characters, as `top` shows it.
    ///   - wantsPriority: Whether to ask for real-time priority. A refusal is no error: it only costs safety margin.
    ///   - device: The name in the error.
    ///   - context: Given to `body`; has to live until `join()` has returned.
    ///   - body: Runs on the thread.
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
        // A signal that is handled on the device's thread would hold up the sound: the new thread inherits this mask.
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

    /// Asks for real-time priority for `thread`.
    ///
    /// A refusal is no error.
    static func askForPriority(_ thread: pthread_t) {
        // 10 is low among the real-time priorities: above all ordinary work, below the system's own audio threads.
        var parameters = sched_param()
        parameters.sched_priority = 10
        pthread_setschedparam(thread, SCHED_RR, &parameters)
    }

    /// Names the calling thread, as `top` shows it; through the kernel's file, since Swift does not import `prctl`.
    private static func setName(_ name: StaticString) {
        let file = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        write(file, name.utf8Start, name.utf8CodeUnitCount)
        close(file)
    }

    /// Waits for the end of the thread.
    func join() { pthread_join(thread, nil) }
}
