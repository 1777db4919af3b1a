import CSyrinxCurl
import Synchronization
import SyrinxByteStream

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The thread of this process on which libcurl performs all transfers and timers run.
///
/// Any thread may post a command. The transport's thread performs commands in order, and calls the listeners of
/// transfers and the actions of timers.
final class Transport: Sendable {
    /// A command for the transport's thread.
    enum Command: Sendable {
        case start(Transfer)
        case resume(Transfer)
        case cancel(Transfer, keepsConnection: Bool)
        case set(TransportTimer)
        case cancelTimer(TransportTimer)
        /// Free the memory of a cookie jar that no transfer uses.
        case free(CookieShare)
    }

    /// The state of the transport's thread.
    private enum Life {
        /// The thread has not created its `curl_multi` yet.
        case starting
        case running(CurlMulti)
        case stopping
        case stopped
    }

    private struct Mailbox {
        var commands: [Command] = []
        var life = Life.starting
    }

    private static let process = Mutex<Transport?>(nil)
    private let mailbox = Mutex(Mailbox())

    /// Returns the transport of this process.
    ///
    /// The first call loads libcurl and starts the thread. If that fails, a later call tries again.
    ///
    /// - Throws: `.libraryMissing` if libcurl is not installed; `.noThread` if the system cannot start another thread.
    static func shared(for name: String) throws(SyrinxError) -> Transport {
        if let failure = csyrinx_curl_load() {
            let reason = String(cString: failure)
            throw SyrinxError(
                .libraryMissing,
                "libcurl, which opens URLs, could not be loaded (\(reason)); install the package libcurl4 or libcurl",
                name: name
            )
        }
        return try process.withLock { transport throws(SyrinxError) in
            if let transport { return transport }
            let new = Transport()
            try new.start(for: name)
            transport = new
            return new
        }
    }

    private init() {}

    private func start(for name: String) throws(SyrinxError) {
        let thread = Unmanaged.passRetained(self)
        var handle = pthread_t()
        // Signals are handled on other threads of the program: the new thread inherits this mask.
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &before)
        let status = pthread_create(
            &handle,
            nil,
            { context in
                guard let context else { return nil }
                Unmanaged<Transport>.fromOpaque(context).takeRetainedValue().run()
                return nil
            },
            thread.toOpaque()
        )
        pthread_sigmask(SIG_SETMASK, &before, nil)
        guard status == 0 else {
            thread.release()
            let reason = Descriptor.sentence(status)
            throw SyrinxError(.noThread, "no thread could be started for the network: \(reason)", name: name)
        }
        pthread_detach(handle)
        // The TLS library frees its memory in an exit handler, which must not run during a transfer.
        atexit { Transport.process.withLock { $0 }?.stop() }
    }

    /// Appends a command without blocking.
    func post(_ command: Command) {
        mailbox.withLock { mailbox in
            mailbox.commands.append(command)
            if case .running(let multi) = mailbox.life { csyrinx_multi_wakeup(multi.pointer) }
        }
    }

    /// Calls `action` on the transport's thread at `deadline`, in seconds of `Uptime`.
    func schedule(at deadline: Double, _ action: @escaping @Sendable () -> Void) -> TransportTimer {
        let timer = TransportTimer(deadline: deadline, transport: self, action)
        post(.set(timer))
        return timer
    }

    /// Calls `action` on the transport's thread after `seconds`.
    @discardableResult
    func schedule(after seconds: Double, _ action: @escaping @Sendable () -> Void) -> TransportTimer {
        schedule(at: Uptime.now + max(0, seconds), action)
    }

    /// Stores the `curl_multi` that commands wake.
    func use(_ multi: OpaquePointer) {
        mailbox.withLock { mailbox in
            if case .stopping = mailbox.life { return }
            mailbox.life = .running(CurlMulti(pointer: multi))
        }
    }

    private func run() {
        let loop = TransportLoop(transport: self)
        while performCommands(on: loop) { loop.turn() }
        // When the process exits, the system frees the rest.
        mailbox.withLock { $0.life = .stopped }
    }

    /// Performs the posted commands; returns false when the process exits.
    private func performCommands(on loop: TransportLoop) -> Bool {
        let commands = mailbox.withLock { mailbox -> [Command]? in
            if case .stopping = mailbox.life { return nil }
            defer { mailbox.commands = [] }
            return mailbox.commands
        }
        guard let commands else { return false }
        for command in commands { loop.perform(command) }
        return true
    }

    /// The maximum time in seconds that the exit of the process waits for the thread, which is busy for milliseconds at
    /// most.
    private static let exitPatience = 0.2

    /// Ends the thread before the process exits.
    private func stop() {
        mailbox.withLock { mailbox in
            if case .running(let multi) = mailbox.life { csyrinx_multi_wakeup(multi.pointer) }
            mailbox.life = .stopping
        }
        if TransportLoop.isOnThread { return }
        let end = Uptime.now + Self.exitPatience
        while Uptime.now < end {
            if case .stopped = mailbox.withLock({ $0.life }) { return }
            usleep(500)
        }
    }
}

/// A pointer to a `curl_multi`.
private struct CurlMulti: @unchecked Sendable {
    // Unchecked: other threads only call `csyrinx_multi_wakeup`, which is thread-safe.
    let pointer: OpaquePointer
}

/// The monotonic clock of transfers, in seconds.
enum Uptime {
    static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

/// An action that the transport's thread performs at a later time.
final class TransportTimer: Sendable {
    /// The time in seconds of `Uptime`.
    let deadline: Double
    let action: @Sendable () -> Void
    private let transport: Transport

    init(deadline: Double, transport: Transport, _ action: @escaping @Sendable () -> Void) {
        self.deadline = deadline.isNaN ? .infinity : deadline
        self.transport = transport
        self.action = action
    }

    /// Cancels the timer.
    ///
    /// An action that is already running continues to its end.
    func cancel() { transport.post(.cancelTimer(self)) }
}
