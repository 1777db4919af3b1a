import Foundation

/// A file inside the downloads folder.
///
/// Paths come from the database, which may have been tampered with, so no file outside of the folder is written or
/// removed. Each call opens the path anew, starting at the folder, without following symbolic links inside it. Only the
/// path of the folder itself may contain links.
struct DownloadFile: Hashable, Sendable {
    /// The absolute path.
    let path: FilePath
    private let root: FilePath
    /// The names of the folders below the downloads folder, and of the file.
    private let parts: [String]

    /// - Parameter root: The downloads folder.
    /// - Returns: `nil` if the path is not inside the folder.
    init?(path: FilePath, below root: FilePath) {
        let (path, root) = (path.standardized, root.standardized)
        let prefix = root.bytes.count > 1 ? root.bytes + [UInt8(ascii: "/")] : root.bytes
        guard path.bytes.starts(with: prefix), path.bytes.count > prefix.count else { return nil }
        let parts = path.bytes.dropFirst(prefix.count).split(separator: UInt8(ascii: "/"))
            .map { String(validating: $0, as: UTF8.self) }
        guard !parts.contains(nil) else { return nil }
        (self.path, self.root, self.parts) = (path, root, parts.compactMap(\.self))
    }

    /// The name of the incomplete file.
    private var partName: String { name + ".part" }
    private var name: String { parts.last ?? "" }

    /// Opens the incomplete file, creating it if necessary.
    /// - Returns: A file descriptor. On failure it is negative, and `errno` is set: `ELOOP` or `ENOTDIR` for a symbolic
    ///   link, `EPERM` for anything but a regular file with a single hard link.
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

    /// Returns whether a descriptor's file is still the incomplete file.
    func isPart(_ descriptor: Int32) -> Bool {
        var (own, named) = (stat(), stat())
        guard fstat(descriptor, &own) == 0,
            withFolder({ fstatat($0, partName, &named, AT_SYMLINK_NOFOLLOW) }) == 0
        else { return false }
        return own.st_dev == named.st_dev && own.st_ino == named.st_ino
    }

    /// Renames the completed file to its final name.
    /// - Returns: 0, or −1 on failure with `errno` set.
    func commitPart() -> Int32 { withFolder { renameat($0, partName, $0, name) } }

    /// Removes the file and the incomplete file, if they exist.
    func remove() {
        _ = withFolder { folder in
            for name in [name, partName] { unlinkat(folder, name, 0) }
            return 0
        }
    }

    /// Calls `body` with a descriptor of the folder that contains the file.
    /// - Parameter isMade: Whether missing folders are created.
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
