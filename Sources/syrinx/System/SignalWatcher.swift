import Foundation
import Synchronization
import SyrinxByteStream
import SyrinxListening

/// Turns signals into ordinary calls on a thread of its own, so that nothing has to be async-signal-safe.
final class SignalWatcher: Sendable {
    /// The meaning of a signal.
    enum Request: Sendable {
        /// `SIGINT`, `SIGQUIT`, `SIGTERM` or `SIGHUP`: end at once, with this exit code.
        case end(ExitStatus)
        /// `SIGTSTP`: the terminal's stop key.
        case suspend
        /// `SIGCONT`: running again.
        case resumed
        /// `SIGWINCH`: the terminal has another size.
        case resized
    }

    private let set: [Int32]

    /// Blocks the signals in this thread and in all that it starts: call it before there is any other thread.
    ///
    /// `SIGPIPE` and `SIGXFSZ` are ignored: a write to a closed pipe, or beyond what a file may hold, is an error that is looked
    /// at where it happens.
    init() {
        // `nohup` asks to be left alone by SIGHUP, a shell that starts something in the background by SIGQUIT, and one without
        // job control by SIGTSTP.
        let numbers = [SIGINT, SIGTERM, SIGCONT, SIGWINCH] + [SIGHUP, SIGQUIT, SIGTSTP].filter { !Self.isIgnored($0) }
        set = numbers
        var mask = Self.mask(of: numbers)
        pthread_sigmask(SIG_BLOCK, &mask, nil)
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
    }

    /// Begins to hand signals to `handler`, one at a time, on the watcher's thread.
    /// - Parameters:
    ///   - handler: Returns the seconds without a signal after which `overdue` is called; `nil` leaves that as it is.
    ///   - overdue: Called on the watcher's thread.
    /// - Throws: If there is no thread; then signals do what they do where they are not watched for.
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

    /// Stops the process as `SIGTSTP` does where it is not watched for, and returns when it goes on.
    ///
    /// Without a shell that could continue it, in an orphaned process group, the system does nothing. On the watcher's thread only.
    static func stopProcess() {
        signal(SIGTSTP, SIG_DFL)
        raise(SIGTSTP)
        var mask = Self.mask(of: [SIGTSTP])
        // It comes between these two.
        pthread_sigmask(SIG_UNBLOCK, &mask, nil)
        pthread_sigmask(SIG_BLOCK, &mask, nil)
    }

    /// Waits for the next signal.
    /// - Parameter seconds: The time that it waits; `nil` for ever.
    /// - Returns: `nil` if the time is over.
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
