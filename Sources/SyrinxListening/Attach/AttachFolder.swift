import Foundation
package import SyrinxByteStream
import SyrinxMediaCodec

/// The folder of the detached player: its socket, and the lock that only one player of a user holds.
///
/// It is `syrinx` in `$XDG_RUNTIME_DIR`, or `run` in the user's cache folder if that variable is missing. Only the user can read it.
package final class AttachFolder: Sendable {
    private let descriptor: Int32
    /// The path, for messages.
    package let path: String

    /// The name of the environment variable with the folder of the login session.
    private static let variable = "XDG_RUNTIME_DIR"
    private static let socketName = "player.sock", lockName = "player.lock"

    /// Opens the folder.
    ///
    /// - Parameters:
    ///   - creates: Whether it is created if it is missing.
    ///   - environment: The environment variables.
    /// - Throws: `file.permissionDenied` if the folder belongs to another user, `file.notFound` if it is missing, or another error of a
    ///   file.
    package init(
        creates: Bool,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(Failure) {
        guard let path = Self.path(environment) else {
            let message = "neither XDG_RUNTIME_DIR, XDG_CACHE_HOME nor HOME names a folder for the player's socket"
            throw Failure(code: .fileNotFound, message: message, name: Self.variable)
        }
        self.path = path
        if creates { try Self.create(path) }
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.failure(errno, path) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            defer { close(descriptor) }
            throw Self.failure(errno, path)
        }
        guard status.st_uid == geteuid(), status.st_mode & 0o077 == 0 || fchmod(descriptor, 0o700) == 0 else {
            close(descriptor)
            let message = "this folder belongs to another user, so no socket is made in it"
            throw Failure(code: .filePermissionDenied, message: message, name: path)
        }
    }

    deinit { close(descriptor) }

    private static func path(_ environment: [String: String]) -> String? {
        if let base = environment[variable], base.hasPrefix("/") { return base + "/syrinx" }
        return UserFolder.cache.path(environment: environment).map { $0 + "/run" }
    }

    /// Creates the folder, and those above it if they are missing.
    private static func create(_ path: String) throws(Failure) {
        let above = (path as NSString).deletingLastPathComponent
        try? FileManager.default.createDirectory(atPath: above, withIntermediateDirectories: true)
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw failure(errno, path) }
    }

    private static func failure(_ number: Int32, _ path: String) -> Failure {
        let code: ErrorCode =
            switch number {
            case ENOENT: .fileNotFound
            case EACCES, EPERM, ELOOP, ENOTDIR: .filePermissionDenied
            default: .fileWriteFailed
            }
        return Failure(code: code, message: Descriptor.sentence(number), name: path)
    }

    // The descriptor names the checked folder, even if another one is moved to its path. It also keeps the address of a socket short.
    private func inside(_ name: String) -> String { "/proc/self/fd/\(descriptor)/\(name)" }

    // MARK: The player's side

    /// Acquires the lock of the player, which the end of the process releases.
    ///
    /// - Returns: The descriptor that holds it.
    /// - Throws: `device.playerRuns` if another process has it.
    package func lock() throws(Failure) -> Int32 {
        let lock = open(inside(Self.lockName), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, mode_t(0o600))
        guard lock >= 0 else { throw Self.failure(errno, path + "/" + Self.lockName) }
        guard Descriptor.retrying({ flock(lock, LOCK_EX | LOCK_NB) }) == 0 else {
            let isTaken = errno == EWOULDBLOCK
            let failure = Self.failure(errno, path + "/" + Self.lockName)
            close(lock)
            guard isTaken else { throw failure }
            throw Failure(
                code: .playerRuns,
                message:
                    "a detached player runs already: syrinx attach shows it, and syrinx queue add adds to its queue",
                name: "--detach"
            )
        }
        return lock
    }

    /// Creates the socket of the player, in place of one that a crash has left; only the holder of the lock calls it.
    /// - Returns: The descriptor, which accepts connections without blocking.
    package func makeListener() throws(Failure) -> Int32 {
        let name = path + "/" + Self.socketName
        let listener = try Self.makeSocket(name, flags: Int32(SOCK_NONBLOCK.rawValue))
        unlink(inside(Self.socketName))
        let isBound = withAddress { address, length in bind(listener, address, length) == 0 }
        guard isBound, chmod(inside(Self.socketName), 0o600) == 0, listen(listener, 16) == 0 else {
            defer { close(listener) }
            throw Self.failure(errno, name)
        }
        return listener
    }

    /// Removes the socket, as the player ends.
    package func removeSocket() { unlink(inside(Self.socketName)) }

    // MARK: The face's side

    /// Connects to the player.
    /// - Throws: `device.noPlayer` if none runs.
    package func makeConnection() throws(Failure) -> Int32 {
        let name = path + "/" + Self.socketName
        let connection = try Self.makeSocket(name, flags: 0)
        let isConnected = withAddress { address, length in
            Descriptor.retrying { connect(connection, address, length) } == 0
        }
        guard isConnected else {
            defer { close(connection) }
            throw errno == ENOENT || errno == ECONNREFUSED ? Self.noPlayer : Self.failure(errno, name)
        }
        return connection
    }

    /// The failure of a face that finds no player.
    package static let noPlayer = Failure(
        code: .noPlayer,
        message: "no detached player of yours runs: syrinx play --detach starts one",
        name: "attach"
    )

    private static func makeSocket(_ name: String, flags: Int32) throws(Failure) -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | flags, 0)
        guard descriptor >= 0 else { throw failure(errno, name) }
        return descriptor
    }

    private func withAddress<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // Shorter than the address has room for: a number and a name.
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: inside(Self.socketName).utf8) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}

extension ErrorCode {
    /// There is no running player to control.
    package static let noPlayer = ErrorCode(rawValue: "device.noPlayer")
    /// Another detached player of the user runs.
    package static let playerRuns = ErrorCode(rawValue: "device.playerRuns")
}
