public import Foundation
import Glibc
import Synchronization

/// A process that a test has started, and that only this object ends: by its id.
public final class ChildProcess: Sendable {
    /// The destination of one of the child's three streams.
    public enum Stream: Sendable {
        /// Nowhere, or from nowhere.
        case null
        /// Into a file, created or emptied.
        case file(String)
        /// Through this descriptor of ours.
        case descriptor(Int32)
    }

    public struct LaunchError: Error, CustomStringConvertible {
        public let description: String
    }

    /// The process id.
    public let pid: pid_t
    private let exit = Mutex<Int32?>(nil)

    /// Starts `path` (looked up in `PATH` if it has no slash), with `environment` over that of the test.
    public init(
        _ path: String,
        _ arguments: [String] = [],
        environment: [String: String] = [:],
        stdin: Stream = .null,
        stdout: Stream = .null,
        stderr: Stream = .null
    ) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (target, stream) in [(Int32(0), stdin), (1, stdout), (2, stderr)] {
            switch stream {
            case .null: posix_spawn_file_actions_addopen(&actions, target, "/dev/null", O_RDWR, 0)
            case .file(let file):
                posix_spawn_file_actions_addopen(&actions, target, file, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
            case .descriptor(let source): posix_spawn_file_actions_adddup2(&actions, source, target)
            }
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        let variables = ProcessInfo.processInfo.environment.merging(environment) { _, new in new }
        var argumentPointers = ([path] + arguments).map { strdup($0) } + [nil]
        var variablePointers = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (argumentPointers + variablePointers).forEach { free($0) } }
        var child = pid_t()
        let status = spawnLock.withLock { _ in
            posix_spawnp(&child, path, &actions, &attributes, &argumentPointers, &variablePointers)
        }
        guard status == 0 else {
            throw LaunchError(description: "\(path): \(String(cString: strerror(status)))")
        }
        pid = child
    }

    deinit {
        if exitStatus == nil { kill() }
    }

    /// The exit code, or 128 and the signal, once it has ended.
    public var exitStatus: Int32? {
        exit.withLock { exit in
            if exit == nil {
                var status: Int32 = 0
                if waitpid(pid, &status, WNOHANG) == pid { exit = Self.code(status) }
            }
            return exit
        }
    }

    /// Sends a signal, if it still runs.
    public func signal(_ number: Int32) {
        exit.withLock { exit in
            if exit == nil { Glibc.kill(pid, number) }
        }
    }

    /// Waits for the end.
    /// - Returns: The exit code, or `nil` when `timeout` seconds have passed.
    public func wait(timeout: Double = 60) -> Int32? {
        waitUntil(timeout: timeout) { self.exitStatus != nil }
        return exitStatus
    }

    /// Ends it at once, and waits until it has ended.
    public func kill() {
        signal(SIGKILL)
        _ = wait(timeout: 10)
    }

    private static func code(_ status: Int32) -> Int32 {
        let signal = status & 0x7f
        return signal == 0 ? (status >> 8) & 0xff : 128 + signal
    }
}

/// Held while a child is started and while a pipe is made: a pipe becomes close-on-exec in a second step, and a child
/// started in between would inherit it.
let spawnLock = Mutex(())
