import Foundation
import Glibc
import Synchronization

/// The things to undo when the demo ends, in whatever way: folders to remove, processes to end.
///
/// Signals are taken by a thread of this class, so that none can come between two steps.
final class Scene: Sendable {
    /// Holds the MP3; removed at the end.
    let folder: URL

    private let child = Mutex<pid_t?>(nil)

    /// Makes the folder and begins to take SIGINT, SIGTERM and SIGHUP.
    ///
    /// Called from the main thread before there is another: threads inherit which signals are blocked.
    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("syrinx-demo-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var signals = Scene.signals
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        Thread.detachNewThread { self.takeSignals() }
    }

    private static var signals: sigset_t {
        var signals = sigset_t()
        sigemptyset(&signals)
        for signal in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, signal) }
        return signals
    }

    /// Removes the folder.
    func clear() {
        // It may be half removed already, by the thread that takes signals.
        try? FileManager.default.removeItem(at: folder)
    }

    private func takeSignals() {
        var signals = Scene.signals
        while true {
            var info = siginfo_t()
            let signal = sigwaitinfo(&signals, &info)
            guard signal > 0 else { continue }
            let hasChild = child.withLock { child in
                // A terminal sends its signals to the child by itself; what comes from `kill` is only for this process.
                if let child, info.si_code == SI_USER { kill(child, signal) }
                return child != nil
            }
            if !hasChild {
                clear()
                _exit(128 + signal)
            }
        }
    }

    /// Runs a program to its end, with this process's own terminal, input and output.
    ///
    /// - Returns: Its exit code; 128 and the signal's number if a signal ended it.
    func run(_ program: URL, _ arguments: [String]) throws(DemoError) -> Int32 {
        var failure: Int32 = 0
        let id = child.withLock { child -> pid_t in
            var id: pid_t = 0
            failure = spawn(program.path, arguments, output: nil, id: &id)
            if failure == 0 { child = id }
            return id
        }
        guard failure == 0 else { throw DemoError.cannotRun(program.path, errno: failure) }
        // First wait without reaping: as long as the child is a zombie no other process can have its number.
        var info = siginfo_t()
        while waitid(P_PID, id_t(id), &info, WEXITED | WNOWAIT) != 0 && errno == EINTR {}
        child.withLock { $0 = nil }
        return reap(id)
    }

    /// Runs a program to its end and gives what it wrote to standard output.
    ///
    /// - Returns: Nil if it could not be run or failed.
    func output(of program: URL, _ arguments: [String]) -> Data? {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { return nil }
        let reader = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
        var id: pid_t = 0
        let failure = spawn(program.path, arguments, output: ends[1], id: &id)
        close(ends[1])
        guard failure == 0 else { return nil }
        let data = try? reader.readToEnd()
        return reap(id) == 0 ? data ?? Data() : nil
    }

    private func reap(_ id: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0 && errno == EINTR {}
        // The layout of wait(2)'s status, whose macros Swift does not import: the signal in the low seven bits.
        let signal = status & 0x7f
        return signal == 0 ? (status >> 8) & 0xff : 128 + signal
    }

    /// Keeps every descriptor but the three standard ones from children: the sockets of the server are not the player's.
    private func keepDescriptors() {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        for descriptor in names.compactMap({ Int32($0) }) where descriptor > STDERR_FILENO {
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        }
    }

    /// Starts a child in this process's own group, so that the terminal stays in the foreground for it, and with no
    /// signal blocked; returns 0 or an error number.
    private func spawn(_ path: String, _ arguments: [String], output: Int32?, id: inout pid_t) -> Int32 {
        keepDescriptors()
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))

        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let output { posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO) }

        var strings: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) }
        strings.append(nil)
        defer { for string in strings { free(string) } }
        return posix_spawn(&id, path, &actions, &attributes, strings, environ)
    }
}
