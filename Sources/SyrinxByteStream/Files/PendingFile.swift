#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A file that appears under its name when it is complete or, if it is written in place, from the start.
///
/// If the system supports it, an incomplete file has no name (`O_TMPFILE`), so that a killed process leaves nothing
/// behind. Otherwise it is named `.NAME.NUMBER.part` in the same folder. If the path is not that of a regular file,
/// such as a pipe or `/dev/null`, it is written directly. Use it on one thread at a time.
///
/// As with `cp`, an existing file keeps its owner and its permissions, and the target of a symbolic link is written. A
/// file without write permission is refused.
package final class PendingFile {
    /// The failure of a system call, with its error number.
    package struct Failure: Error {
        /// The value of `errno` after the call.
        package let number: Int32

        /// Creates the failure of a call that left `number` in `errno`.
        package init(number: Int32) { self.number = number }
    }

    /// The final path of the file.
    package let path: FilePath
    /// The descriptor for writing, and for reading too if `isPlain`; −1 after the file was committed or abandoned.
    package private(set) var descriptor: Int32
    /// Whether it is a regular file with random access.
    package let isPlain: Bool
    /// Whether the file is written under its own name from the start.
    private let isInPlace: Bool
    /// Whether the file was created in place and nothing was written yet.
    private var isUntouched = false
    /// The path with all links resolved.
    private let target: FilePath
    /// The temporary path; `nil` for a file without a name.
    private var temporary: FilePath?
    /// The descriptor of the file to replace; −1 if there is none.
    private var existing: Int32 = -1
    /// Whether the bytes are copied into `existing`, because it cannot be replaced by another file.
    private var isCopied = false

    private static let mode: mode_t = 0o666

    /// Starts writing a file for `path`.
    /// - Parameters:
    ///   - isInPlace: Whether the file exists under its own name from now on. An existing file keeps its content until
    ///     `begin()`.
    ///   - mayBeUnnamed: False to avoid files without a name.
    package init(path: FilePath, isInPlace: Bool = false, mayBeUnnamed: Bool = true) throws(Failure) {
        self.path = path
        self.isInPlace = isInPlace
        descriptor = -1
        let status = path.status
        isPlain = status.map { $0.st_mode & S_IFMT == S_IFREG } ?? true
        target = isInPlace || !isPlain ? path : try path.resolved()
        if !isPlain {
            guard !path.isFolder else { throw Failure(number: EISDIR) }
            descriptor = path.withCString { open($0, O_WRONLY | O_CLOEXEC) }
        } else if isInPlace {
            isUntouched = status == nil
            descriptor = path.withCString { open($0, O_RDWR | O_CREAT | O_CLOEXEC, Self.mode) }
        } else {
            if status != nil {
                existing = target.withCString { open($0, O_WRONLY | O_CLOEXEC) }
                guard existing >= 0 else { throw Failure(number: errno) }
            }
            descriptor = openTemporary(mayBeUnnamed: mayBeUnnamed)
            if descriptor < 0, existing >= 0 {
                // The folder accepts no new file, so only the content can be replaced.
                isCopied = true
                descriptor = Self.openUnnamed(in: FilePath("/tmp"))
            }
            if descriptor >= 0, !isCopied, existing >= 0 { isCopied = !takesPlace() }
        }
        guard descriptor >= 0 else {
            let number = errno
            close(existing)
            throw Failure(number: number)
        }
    }

    deinit { abandon() }

    /// Truncates a file that is written in place.
    ///
    /// Has no effect for other files.
    package func begin() throws(Failure) {
        guard isInPlace, isPlain else { return }
        isUntouched = false
        if ftruncate(descriptor, 0) != 0 { throw Failure(number: errno) }
    }

    /// Moves the file to its path; an existing file is replaced.
    package func commit() throws(Failure) {
        guard descriptor >= 0 else { return }
        var number = Self.closeCopy(of: descriptor)
        if number == 0, isPlain, !isInPlace {
            if !isCopied { number = place() }
            // A mount point cannot be renamed over.
            if number == EBUSY, existing >= 0 { isCopied = true }
            if isCopied { number = copy() }
        }
        if number == 0 {
            isUntouched = false
            if !isCopied { temporary = nil }
        }
        abandon()
        if number != 0 { throw Failure(number: number) }
    }

    /// Closes the file.
    ///
    /// A file in place that was begun stays; any other uncommitted file is removed.
    package func abandon() {
        guard descriptor >= 0 else { return }
        close(descriptor)
        descriptor = -1
        if existing >= 0 { close(existing) }
        existing = -1
        _ = temporary?.withCString { unlink($0) }
        if isUntouched { _ = path.withCString { unlink($0) } }
    }

    // MARK: The existing file

    private func openTemporary(mayBeUnnamed: Bool) -> Int32 {
        let unnamed = mayBeUnnamed ? Self.openUnnamed(in: target.folder) : -1
        guard unnamed < 0 else { return unnamed }
        let name = Self.temporary(beside: target)
        let named = name.withCString { open($0, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, Self.mode) }
        if named >= 0 { temporary = name }
        return named
    }

    /// Gives the new file the owner and the permissions of the existing one.
    /// - Returns: Whether the new file can replace it: not if the existing file has other names, or an owner that
    ///   cannot be set.
    private func takesPlace() -> Bool {
        var (old, new) = (stat(), stat())
        guard fstat(existing, &old) == 0, fstat(descriptor, &new) == 0, old.st_nlink == 1 else {
            return false
        }
        if (old.st_uid, old.st_gid) != (new.st_uid, new.st_gid), fchown(descriptor, old.st_uid, old.st_gid) != 0 {
            return false
        }
        return fchmod(descriptor, old.st_mode & 0o777) == 0
    }

    /// Copies the bytes into the existing file.
    /// - Returns: The error number, or 0.
    private func copy() -> Int32 {
        guard ftruncate(existing, 0) == 0 else { return errno }
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 17, alignment: 16)
        defer { piece.deallocate() }
        var offset: Int64 = 0
        while true {
            let (count, number) = Descriptor.readAll(into: piece, from: descriptor, at: offset)
            guard number == 0 else { return number }
            if count == 0 { return Self.closeCopy(of: existing) }
            let bytes = UnsafeRawBufferPointer(rebasing: piece[..<count])
            let failure = Descriptor.writeAll(bytes, to: existing, at: offset)
            guard failure == 0 else { return failure }
            offset = offset.addingClamped(Int64(count))
        }
    }

    // MARK: Names

    /// - Returns: The error number, or 0.
    private func place() -> Int32 {
        if let temporary { return Self.rename(temporary, to: target) }
        let number = Self.link(descriptor, to: target)
        // A hard link cannot replace a file, so a temporary name is linked first and then renamed.
        guard number == EEXIST else { return number }
        let beside = Self.temporary(beside: target)
        let second = Self.link(descriptor, to: beside)
        guard second == 0 else { return second }
        let third = Self.rename(beside, to: target)
        if third != 0 { _ = beside.withCString { unlink($0) } }
        return third
    }

    private static func temporary(beside path: FilePath) -> FilePath {
        let number = UInt32.random(in: .min ... .max)
        return path.folder.appending(Array(".".utf8) + path.lastComponent + Array(".\(number).part".utf8))
    }

    private static func rename(_ from: FilePath, to path: FilePath) -> Int32 {
        from.withCString { from in path.withCString { renameat(AT_FDCWD, from, AT_FDCWD, $0) } } == 0 ? 0 : errno
    }

    /// Closes a duplicate of the descriptor, which reveals errors that a network file system has delayed, such as a
    /// full disk.
    private static func closeCopy(of descriptor: Int32) -> Int32 {
        let copy = dup(descriptor)
        return copy >= 0 && close(copy) == 0 ? 0 : errno
    }

    #if os(Linux)
        /// `O_TMPFILE` is a macro that Swift does not import.
        ///
        /// The value is that of the kernel's `fcntl.h`, for all architectures that Swift supports.
        private static let unnamedFlag: Int32 = 0o20_000_000 | O_DIRECTORY

        /// - Returns: A negative number if files without a name are not supported, or cannot be linked.
        private static func openUnnamed(in folder: FilePath) -> Int32 {
            guard access("/proc/self/fd", X_OK) == 0 else { return -1 }
            return folder.withCString { open($0, unnamedFlag | O_RDWR | O_CLOEXEC, mode) }
        }

        private static func link(_ descriptor: Int32, to path: FilePath) -> Int32 {
            let status = "/proc/self/fd/\(descriptor)".withCString { own in
                path.withCString { linkat(AT_FDCWD, own, AT_FDCWD, $0, AT_SYMLINK_FOLLOW) }
            }
            return status == 0 ? 0 : errno
        }
    #else
        private static func openUnnamed(in folder: FilePath) -> Int32 { -1 }
        private static func link(_ descriptor: Int32, to path: FilePath) -> Int32 { ENOTSUP }
    #endif
}
