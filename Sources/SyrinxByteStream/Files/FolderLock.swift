#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A lock on a folder that several processes change.
///
/// The lock is advisory: it holds among the programs that use this type. The kernel releases it when a process ends.
package struct FolderLock: Sendable {
    private let file: FilePath

    /// Creates the lock of a folder, with the file `.lock` in it.
    package init(_ folder: FilePath) { file = folder.appending(".lock") }

    /// Calls `body` while no other thread or process holds the lock.
    ///
    /// If the file system supports no locks, `body` is called without one.
    package func withLock<Result, Problem: Error>(_ body: () throws(Problem) -> Result) throws(Problem) -> Result {
        let descriptor = file.withCString { open($0, O_RDWR | O_CREAT | O_CLOEXEC, 0o600) }
        defer { if descriptor >= 0 { close(descriptor) } }
        if descriptor >= 0 {
            while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
        }
        return try body()
    }
}
