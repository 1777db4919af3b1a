import Foundation

/// A file below the folder of downloads.
///
/// The database that names it may come from anywhere: nothing outside of the folder is written or removed for it. Each call opens the way
/// from that folder on anew, and follows no link on it; only the way to the folder itself may have links.
struct DownloadFile: Hashable, Sendable {
    /// The path.
    let path: FilePath
    private let root: FilePath
    /// The names of the folders between, and of the file.
    private let parts: [String]

    /// - Parameter root: The folder of downloads.
    /// - Returns: `nil` for a path that does not lie below it.
    init?(path: FilePath, below root: FilePath) {
        let (path, root) = (path.standardized, root.standardized)
        let prefix = root.bytes.count > 1 ? root.bytes + [UInt8(ascii: "/")] : root.bytes
        guard path.bytes.starts(with: prefix), path.bytes.count > prefix.count else { return nil }
        let parts = path.bytes.dropFirst(prefix.count).split(separator: UInt8(ascii: "/"))
            .map { String(validating: $0, as: UTF8.self) }
        guard !parts.contains(nil) else { return nil }
        (self.path, self.root, self.parts) = (path, root, parts.compactMap(\.self))
    }

    /// The name of the file that is not whole.
    private var partName: String { name + ".part" }
    private var name: String { parts.last ?? "" }

    /// Opens the part that is there, or makes one.
    /// - Returns: Its descriptor; negative for a failure, with `errno`: `ELOOP` or `ENOTDIR` for a link, `EPERM` for what is no plain file with
    ///   one name.
    func openPart() -> Int32 {
        let descriptor = withFolder(isMade: true) {
            openat($0, partName, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o666)
        }
        guard descriptor >= 0 else { return descriptor }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_nlink == 1 else {
            close(descriptor)
            errno = EPERM
            return -1
        }
        return descriptor
    }

    /// Returns whether the file of a descriptor is still the part.
    func isPart(_ descriptor: Int32) -> Bool {
        var (own, named) = (stat(), stat())
        guard fstat(descriptor, &own) == 0,
            withFolder({ fstatat($0, partName, &named, AT_SYMLINK_NOFOLLOW) }) == 0
        else { return false }
        return own.st_dev == named.st_dev && own.st_ino == named.st_ino
    }

    /// Gives the part its name, because it is whole.
    /// - Returns: 0; −1 for a failure, with `errno`.
    func commitPart() -> Int32 { withFolder { renameat($0, partName, $0, name) } }

    /// Removes the file and the part, as far as they are there.
    func remove() {
        _ = withFolder { folder in
            for name in [name, partName] { unlinkat(folder, name, 0) }
            return 0
        }
    }

    /// Calls `body` with a descriptor of the folder that the file lies in.
    /// - Parameter isMade: Whether folders that are missing are made.
    private func withFolder(isMade: Bool = false, _ body: (Int32) -> Int32) -> Int32 {
        let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
        if isMade, case let number = root.makeFolder(), number != 0 {
            errno = number
            return -1
        }
        var folder = root.withCString { open($0, flags) }
        for part in parts.dropLast() where folder >= 0 {
            if isMade { mkdirat(folder, part, 0o777) }
            let next = openat(folder, part, flags | O_NOFOLLOW)
            let number = errno
            close(folder)
            folder = next
            errno = number
        }
        guard folder >= 0 else { return -1 }
        let result = body(folder)
        let number = errno
        close(folder)
        errno = number
        return result
    }
}
