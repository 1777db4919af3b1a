#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A folder of a `DiskCache`: the root folder, or the folder of an entry in it.
///
/// Each call opens the folder again and accesses files relative to its descriptor. It follows no symbolic links to the
/// folder or in it, and refuses folders of other owners. Otherwise, another user with write access could redirect the
/// cache to other files. Only the path to the root folder may contain links.
///
/// Failures of reading or removing are treated like missing files.
struct CacheDirectory: Sendable {
    enum Failure: Error, Equatable, Sendable {
        /// Too many writes are pending, or another process is writing.
        case busy
        /// The error message of the system.
        case system(String)
    }

    /// The path of the root folder.
    let root: String
    /// The name of the entry; `nil` for the root folder.
    let name: String?

    /// Creates the root folder of a cache.
    init(_ root: String) {
        self.root = root
        name = nil
    }

    private init(_ root: String, _ name: String) {
        self.root = root
        self.name = name
    }

    /// Returns the folder of an entry, whose name must not contain a slash.
    func entry(_ name: String) -> CacheDirectory { CacheDirectory(root, name) }

    var path: String { name.map { root + "/" + $0 } ?? root }

    // MARK: Opening

    private static let directoryFlags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW

    /// Calls `body` with a descriptor of the folder.
    private func withDescriptor<Result>(_ body: (Int32) -> Result) -> Swift.Result<Result, OpenFailure> {
        let outer = open(root, Self.directoryFlags)
        guard outer >= 0 else { return .failure(OpenFailure(errno, root)) }
        defer { close(outer) }
        guard Self.isOwn(outer) else { return .failure(.stranger(root)) }
        guard let name else { return .success(body(outer)) }
        let inner = openat(outer, name, Self.directoryFlags)
        guard inner >= 0 else { return .failure(OpenFailure(errno, path)) }
        defer { close(inner) }
        return Self.isOwn(inner) ? .success(body(inner)) : .failure(.stranger(path))
    }

    private struct OpenFailure: Error {
        let isMissing: Bool
        let message: String

        init(_ number: Int32, _ path: String) {
            isMissing = number == ENOENT
            let isNoFolder = number == ENOTDIR || number == ELOOP
            message =
                isNoFolder
                ? "\(path) is not a folder, and symbolic links are not followed" : String(cString: strerror(number))
        }

        private init(_ message: String) {
            isMissing = false
            self.message = message
        }

        static func stranger(_ path: String) -> OpenFailure { OpenFailure("\(path) belongs to another user") }
    }

    private static func isOwn(_ descriptor: Int32) -> Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_uid == geteuid()
    }

    private static var systemFailure: Failure { .system(String(cString: strerror(errno))) }

    // MARK: Writing

    /// Writes a file atomically, and creates missing folders.
    func write(_ bytes: [UInt8], to file: String) -> Failure? {
        var refusal: Failure?
        // Another process may remove the folder at any moment, which does not mean that the disk is bad.
        for _ in 0..<3 {
            switch withDescriptor({ Self.write(bytes, to: file, in: $0) }) {
            case .success(let outcome):
                guard case .system(let message) = outcome, message == Self.missing else { return outcome }
            case .failure(let failure):
                guard failure.isMissing || name != nil else { return .system(failure.message) }
            }
            refusal = make()
        }
        return refusal ?? .busy
    }

    private static var missing: String { String(cString: strerror(ENOENT)) }

    private static func write(_ bytes: [UInt8], to file: String, in folder: Int32) -> Failure? {
        let temporary = ".\(getpid())-\(UInt32.random(in: .min ... .max)).part"
        let descriptor = openat(folder, temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return systemFailure }
        var number = Descriptor.writeAll(bytes, to: descriptor)
        if close(descriptor) != 0, number == 0 { number = errno }
        if number == 0, renameat(folder, temporary, folder, file) != 0 { number = errno }
        guard number != 0 else { return nil }
        unlinkat(folder, temporary, 0)
        return .system(String(cString: strerror(number)))
    }

    /// Creates the folder and missing parent folders, accessible to the user only; existing folders stay.
    ///
    /// If an entry's path exists and is not a folder, such as a symbolic link, it is removed.
    /// - Returns: The error of the first folder that could not be created.
    func make() -> Failure? {
        let refusal = Self.makeFolders(root)
        guard let name else { return refusal }
        let outcome = CacheDirectory(root).withDescriptor { outer -> Failure? in
            if mkdirat(outer, name, 0o700) == 0 { return nil }
            guard errno == EEXIST else { return Self.systemFailure }
            var status = stat()
            let exists = fstatat(outer, name, &status, AT_SYMLINK_NOFOLLOW) == 0
            if exists, status.st_mode & S_IFMT == S_IFDIR {
                return status.st_uid == geteuid() ? nil : .system(OpenFailure.stranger(path).message)
            }
            unlinkat(outer, name, 0)
            return mkdirat(outer, name, 0o700) == 0 || errno == EEXIST ? nil : Self.systemFailure
        }
        switch outcome {
        case .success(let failure): return refusal ?? failure
        case .failure(let failure): return refusal ?? (failure.isMissing ? nil : .system(failure.message))
        }
    }

    private static func makeFolders(_ folder: String) -> Failure? {
        var path = folder.hasPrefix("/") ? "" : "."
        var refusal: Failure?
        for part in folder.split(separator: "/") {
            path += "/" + part
            if mkdir(path, 0o700) != 0, errno != EEXIST { refusal = refusal ?? systemFailure }
        }
        return refusal
    }

    // MARK: Reading

    /// Returns the content of a file; `nil` if it cannot be read, is not a regular file, or is longer than `limit`.
    func read(_ file: String, limit: Int) -> [UInt8]? {
        (try? withDescriptor { Self.read(file, in: $0, limit: limit) }.get()).flatMap(\.self)
    }

    private static func read(_ file: String, in folder: Int32, limit: Int) -> [UInt8]? {
        // Without O_NONBLOCK, opening a named pipe would block.
        let descriptor = openat(folder, file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        var isComplete = false
        let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            let all = UnsafeMutableRawBufferPointer(buffer)
            let (got, number) = Descriptor.readAll(into: all, from: descriptor, at: 0)
            isComplete = number == 0 && got < limit
            count = got
        }
        return isComplete ? bytes : nil
    }

    /// The names of the members of the folder, without `.` and `..`.
    var names: [String] { (try? withDescriptor(Self.names).get()) ?? [] }

    private static func names(in folder: Int32) -> [String] {
        // A separate descriptor, whose directory position no other code changes.
        let descriptor = openat(folder, ".", directoryFlags)
        guard descriptor >= 0 else { return [] }
        guard let stream = fdopendir(descriptor) else {
            close(descriptor)
            return []
        }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// Returns whether a regular file with this name exists.
    func hasFile(_ file: String) -> Bool {
        (try? withDescriptor { folder in
            var status = stat()
            return fstatat(folder, file, &status, AT_SYMLINK_NOFOLLOW) == 0 && status.st_mode & S_IFMT == S_IFREG
        }.get()) ?? false
    }

    /// The total size of the files in bytes, and the time of the last use in nanoseconds since 1970; `nil` if the
    /// folder is not the user's own.
    ///
    /// A time in the future is invalid, and counts as 1970.
    var usage: (size: Int64, lastUse: Int64)? {
        try? withDescriptor { folder in
            var status = stat()
            let lastUse = fstat(folder, &status) == 0 ? Self.modification(status) : 0
            // One day of tolerance, because clocks may be corrected.
            let latest = Int64(time(nil)).addingClamped(86_400).multipliedClamped(by: 1_000_000_000)
            var size: Int64 = 0
            for name in Self.names(in: folder) where fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 {
                size = size.addingClamped(Self.room(for: Int64(status.st_size)))
            }
            return (size, lastUse <= latest ? lastUse : 0)
        }.get()
    }

    /// Returns the disk space of a file, for the common block size of 4096 bytes.
    static func room(for count: Int64) -> Int64 { (min(count, 1 << 50) + 4_095) & ~4_095 }

    private static func modification(_ status: stat) -> Int64 {
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        return Int64(time.tv_sec).multipliedClamped(by: 1_000_000_000).addingClamped(Int64(time.tv_nsec))
    }

    // MARK: Removing

    /// Notes a use of the folder.
    func touch() { _ = withDescriptor { futimens($0, nil) } }

    /// Removes a file, or an empty folder.
    func remove(_ file: String) {
        _ = withDescriptor { folder in
            if unlinkat(folder, file, 0) != 0 { unlinkat(folder, file, AT_REMOVEDIR) }
        }
    }

    /// Removes the files of an entry's folder except one, and the folder if it is then empty.
    ///
    /// If the path is not a folder, such as a symbolic link, it is removed.
    func empty(butFor kept: String? = nil) {
        guard let name else { return }
        _ = withDescriptor { folder in
            for name in Self.names(in: folder) where name != kept {
                if unlinkat(folder, name, 0) != 0 { unlinkat(folder, name, AT_REMOVEDIR) }
            }
        }
        _ = CacheDirectory(root).withDescriptor { outer in
            if unlinkat(outer, name, AT_REMOVEDIR) != 0, errno == ENOTDIR { unlinkat(outer, name, 0) }
        }
    }

    // MARK: Locks

    /// Acquires a lock between processes; returns `.busy` if another process holds it.
    func lock(_ file: String) -> Result<Int32, Failure> {
        let outcome = withDescriptor { folder -> Result<Int32, Failure> in
            let descriptor = openat(folder, file, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard descriptor >= 0 else { return .failure(Self.systemFailure) }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                let failure = errno == EWOULDBLOCK ? Failure.busy : Self.systemFailure
                close(descriptor)
                return .failure(failure)
            }
            return .success(descriptor)
        }
        switch outcome {
        case .success(let result): return result
        case .failure(let failure): return .failure(.system(failure.message))
        }
    }

    static func unlock(_ descriptor: Int32) { close(descriptor) }
}
