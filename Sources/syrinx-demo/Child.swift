import Foundation
import Glibc
import Synchronization

/// The resources to release when the demo ends: the folder and the child process.
///
/// A thread of this class handles signals, so that no signal interrupts a step.
final class Scene: Sendable {
    /// The folder of the MP3 file, which is removed at the end.
    let folder: URL

    private let child = Mutex<pid_t?>(nil)

    /// Creates the folder, and starts to handle SIGINT, SIGTERM and SIGHUP.
    ///
    /// Call it on the main thread before other threads exist, because they inherit its blocked signals.
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
        // The signal thread may have removed it already.
        try? FileManager.default.removeItem(at: folder)
    }

    private func takeSignals() {
        var signals = Scene.signals
        while true {
            var info = siginfo_t()
            let signal = sigwaitinfo(&signals, &info)
            guard signal > 0 else { continue }
            let hasChild = child.withLock { child in
                // A terminal sends signals to the child too, but `kill` sends them only to this process.
                if let child, info.si_code == SI_USER { kill(child, signal) }
                return child != nil
            }
            if !hasChild {
                clear()
                _exit(128 + signal)
            }
        }
    }

    /// Runs a program to its end, with the terminal, input and output of this process.
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
        // First wait without reaping: while the child is a zombie, its number is not reused.
        var info = siginfo_t()
        while waitid(P_PID, id_t(id), &info, WEXITED | WNOWAIT) != 0 && errno == EINTR {}
        child.withLock { $0 = nil }
        return reap(id)
    }

    /// Runs a program to its end.
    ///
    /// - Returns: Its standard output; `nil` if it could not be run or failed.
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

    /// Prevents children from inheriting descriptors other than the three standard ones.
    private func keepDescriptors() {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        for descriptor in names.compactMap({ Int32($0) }) where descriptor > STDERR_FILENO {
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        }
    }

    /// Starts a child in the process group of this process, so that it stays in the terminal's foreground, with no
    /// signal blocked.
    /// - Returns: 0 or an error number.
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
