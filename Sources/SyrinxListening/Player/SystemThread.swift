import Foundation
import SyrinxByteStream

/// Detached threads whose start can fail; Foundation's `Thread` waits forever if the system cannot start more threads.
package enum SystemThread {
    /// The work of a thread.
    private final class Work: Sendable {
        let name: String
        let body: @Sendable () -> Void

        init(_ name: String, _ body: @escaping @Sendable () -> Void) { (self.name, self.body) = (name, body) }
    }

    /// Starts a detached thread.
    /// - Parameters:
    ///   - name: At most 15 bytes, as `top` shows it.
    ///   - body: Runs on the thread.
    /// - Throws: `device.noThread` if the system starts no more threads.
    package static func start(_ name: String, _ body: @escaping @Sendable () -> Void) throws(Failure) {
        let work = Unmanaged.passRetained(Work(name, body))
        var thread = pthread_t()
        let number = pthread_create(
            &thread,
            nil,
            { argument in
                guard let argument else { return nil }
                let work = Unmanaged<Work>.fromOpaque(argument).takeRetainedValue()
                Thread.current.name = work.name
                work.body()
                return nil
            },
            work.toOpaque()
        )
        guard number == 0 else {
            work.release()
            throw failure(number)
        }
        pthread_detach(thread)
    }

    /// Checks that this number of threads can be started.
    ///
    /// Without the check, libraries would wait forever for their threads.
    /// - Throws: `device.noThread` if the system starts fewer.
    package static func check(count: Int) throws(Failure) {
        let gate = DispatchSemaphore(value: 0)
        var started = 0
        defer { for _ in 0..<started { gate.signal() } }
        for _ in 0..<count {
            try start("syrinx.probe") { gate.wait() }
            started += 1
        }
    }

    private static func failure(_ number: Int32) -> Failure {
        let reason = Descriptor.sentence(number)
        return Failure(
            code: .noThread,
            message:
                "the system starts no more threads for this user (\(reason)): end other programs, or raise ulimit -u",
            name: "threads"
        )
    }
}
