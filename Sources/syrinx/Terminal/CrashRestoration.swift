import Foundation
import Synchronization

/// Restores the terminal if the process crashes.
enum CrashRestoration {
    /// The data for the signal handler.
    private struct Plan {
        var keys: Int32
        var mode: termios
        var sequence: UnsafeMutablePointer<UInt8>
        var count: Int
    }

    // Unsafe: the handler may run at any time on any thread. It reads the pointer once; the memory never changes and is
    // never freed.
    nonisolated(unsafe) private static var plan: UnsafeMutablePointer<Plan>?
    private static let isInstalled = Mutex(false)
    private static let signals = [SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE]

    /// Makes a crash write `bytes` to standard error, and restore the mode of the terminal with descriptor `keys`.
    static func arm(_ keys: Int32, _ mode: termios, _ bytes: [UInt8]) {
        let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes.count)
        copy.initialize(from: bytes, count: bytes.count)
        let new = UnsafeMutablePointer<Plan>.allocate(capacity: 1)
        new.initialize(to: Plan(keys: keys, mode: mode, sequence: copy, count: bytes.count))
        plan = new
        let isFirst = isInstalled.withLock { isInstalled in
            defer { isInstalled = true }
            return !isInstalled
        }
        guard isFirst else { return }
        for number in signals {
            signal(number) { number in
                // Only async-signal-safe functions: write, tcsetattr, signal, raise (signal-safety(7)).
                if let plan = CrashRestoration.plan {
                    _ = write(STDERR_FILENO, plan.pointee.sequence, plan.pointee.count)
                    tcsetattr(plan.pointee.keys, TCSANOW, &plan.pointee.mode)
                }
                signal(number, SIG_DFL)
                raise(number)
            }
        }
    }

    /// Makes a crash leave the terminal unchanged.
    static func disarm() { plan = nil }
}
