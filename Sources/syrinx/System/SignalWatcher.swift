import Foundation
import Synchronization
import SyrinxByteStream
import SyrinxListening

/// Handles signals with ordinary calls on a separate thread, so that handlers need not be async-signal-safe.
final class SignalWatcher: Sendable {
    /// The request that a signal represents.
    enum Request: Sendable {
        /// End the process with this exit code, after `SIGINT`, `SIGQUIT`, `SIGTERM` or `SIGHUP`.
        case end(ExitStatus)
        /// Suspend the process, after `SIGTSTP` from the terminal.
        case suspend
        /// The process has resumed, after `SIGCONT`.
        case resumed
        /// The size of the terminal has changed, after `SIGWINCH`.
        case resized
    }

    private let set: [Int32]

    /// Blocks the signals in this thread and those that it creates; call this before other threads exist.
    ///
    /// `SIGPIPE` and `SIGXFSZ` are ignored, so that a write to a closed pipe, or beyond the file size limit, returns an
    /// error.
    init() {
        // Ignored signals stay ignored: `nohup` ignores SIGHUP, a shell ignores SIGQUIT for background processes, and a
        // shell without job control ignores SIGTSTP.
        let numbers = [SIGINT, SIGTERM, SIGCONT, SIGWINCH] + [SIGHUP, SIGQUIT, SIGTSTP].filter { !Self.isIgnored($0) }
        set = numbers
        var mask = Self.mask(of: numbers)
        pthread_sigmask(SIG_BLOCK, &mask, nil)
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
    }

    /// Starts to pass signals to `handler`, one at a time, on the watcher's thread.
    /// - Parameters:
    ///   - handler: Returns the time in seconds without another signal after which `overdue` is called; `nil` keeps the
    ///     previous time.
    ///   - overdue: Called on the watcher's thread.
    /// - Throws: An error if the thread cannot be started; then signals have their default effect.
    func start(
        _ handler: @escaping @Sendable (Request) -> Double?,
        overdue: @escaping @Sendable () -> Void
    ) throws(Failure) {
        do throws(Failure) {
            try SystemThread.start("syrinx.signals") { [self] in
                var patience: Double?
                while true {
                    if let request = next(within: patience) {
                        patience = handler(request) ?? patience
                    } else if patience != nil {
                        overdue()
                    }
                }
            }
        } catch {
            var mask = Self.mask(of: set)
            pthread_sigmask(SIG_UNBLOCK, &mask, nil)
            throw error
        }
    }

    /// Stops the process as `SIGTSTP` does by default, and returns when it resumes.
    ///
    /// Does nothing in an orphaned process group, which no shell could resume. Call it only on the watcher's thread.
    static func stopProcess() {
        signal(SIGTSTP, SIG_DFL)
        raise(SIGTSTP)
        var mask = Self.mask(of: [SIGTSTP])
        // The signal is delivered here, while it is unblocked.
        pthread_sigmask(SIG_UNBLOCK, &mask, nil)
        pthread_sigmask(SIG_BLOCK, &mask, nil)
    }

    /// Waits for the next signal.
    /// - Parameter seconds: The maximum time to wait; `nil` waits forever.
    /// - Returns: `nil` after a timeout.
    private func next(within seconds: Double?) -> Request? {
        var mask = Self.mask(of: set)
        var number: Int32 = 0
        if let seconds {
            // Bounded: a second or so.
            var time = timespec(tv_sec: Int(seconds), tv_nsec: Int((seconds - seconds.rounded(.down)) * 1e9))
            number = Descriptor.retrying { sigtimedwait(&mask, nil, &time) }
            if number < 0 { return nil }
        } else {
            while sigwait(&mask, &number) != 0 {}
        }
        return switch number {
        case SIGTSTP: .suspend
        case SIGCONT: .resumed
        case SIGWINCH: .resized
        case SIGTERM: .end(.terminated)
        case SIGHUP: .end(.hungUp)
        default: .end(.interrupted)
        }
    }

    private static func mask(of numbers: [Int32]) -> sigset_t {
        var mask = sigset_t()
        sigemptyset(&mask)
        for number in numbers { sigaddset(&mask, number) }
        return mask
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return false }
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
