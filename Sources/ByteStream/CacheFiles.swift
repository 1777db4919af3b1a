#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The system calls of `DiskCache`.
///
/// What fails while reading or removing only means that there is nothing: the caller goes on without.
enum CacheFiles {
    enum Failure: Error, Equatable, Sendable {
        /// Too much waits to be written already, or somebody else is at it.
        case busy
        /// The system's words.
        case system(String)
    }

    /// Writes a file that appears whole or not at all; makes the folders it lies in.
    static func write(_ bytes: [UInt8], to path: String) -> Failure? {
        let folder = String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)])
        var refusal: Failure?
        // Another process may throw the folder away at any moment, which is no sign of a bad disk.
        for _ in 0..<3 {
            let failure = write(bytes, to: path, in: folder)
            guard failure == missingFolder else { return failure }
            refusal = makeFolders(folder)
        }
        return refusal ?? .busy
    }

    private static func write(_ bytes: [UInt8], to path: String, in folder: String) -> Failure? {
        let temporary = folder + "/.\(getpid())-\(UInt32.random(in: .min ... .max)).part"
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
        let descriptor = open(temporary, flags, 0o600)
        guard descriptor >= 0 else { return failure() }
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { all in
                pwrite(descriptor, all.baseAddress.map { $0 + written }, all.count - written, off_t(written))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let failure = failure()
                close(descriptor)
                unlink(temporary)
                return failure
            }
            written += count
        }
        guard close(descriptor) == 0, rename(temporary, path) == 0 else {
            let failure = failure()
            unlink(temporary)
            return failure
        }
        return nil
    }

    private static var missingFolder: Failure { .system(String(cString: strerror(ENOENT))) }
    private static func failure() -> Failure { .system(String(cString: strerror(errno))) }

    /// Makes `folder` and what is missing above it, the user's alone; what exists stays.
    /// - Returns: Why the first that could not be made could not.
    static func makeFolders(_ folder: String) -> Failure? {
        var path = ""
        var refusal: Failure?
        for part in folder.split(separator: "/") {
            path += "/" + part
            if mkdir(path, 0o700) != 0, errno != EEXIST { refusal = refusal ?? failure() }
        }
        return refusal
    }

    /// A whole file; `nil` if it cannot be read or is longer than `limit`.
    static func read(_ path: String, limit: Int) -> [UInt8]? {
        // A pipe that somebody put there would be waited for otherwise; so it is empty.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var isComplete = false
        let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            count = 0
            while count < limit, let base = buffer.baseAddress {
                let got = pread(descriptor, base + count, limit - count, off_t(count))
                if got < 0, errno == EINTR { continue }
                guard got > 0 else {
                    isComplete = got == 0
                    break
                }
                count += got
            }
        }
        return isComplete ? bytes : nil
    }

    /// The names of what lies in a folder, but for `.` and `..`.
    static func names(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
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

    /// How much a folder of files takes, and when it was last used.
    ///
    /// The time is in nanoseconds since 1970.
    static func usage(of folder: String) -> (path: String, size: Int64, lastUse: Int) {
        var status = stat()
        let lastUse = stat(folder, &status) == 0 ? modification(status) : 0
        var size: Int64 = 0
        for name in names(in: folder) where lstat(folder + "/" + name, &status) == 0 {
            size += room(for: Int64(status.st_size))
        }
        return (folder, size, lastUse)
    }

    /// What a file of so many bytes takes, where a disk gives room in blocks of 4096, as most do.
    static func room(for count: Int64) -> Int64 { (min(count, 1 << 50) + 4_095) & ~4_095 }

    private static func modification(_ status: stat) -> Int {
        #if canImport(Darwin)
            Int(status.st_mtimespec.tv_sec) * 1_000_000_000 + Int(status.st_mtimespec.tv_nsec)
        #else
            Int(status.st_mtim.tv_sec) * 1_000_000_000 + Int(status.st_mtim.tv_nsec)
        #endif
    }

    /// Notes that a folder is being used.
    static func touch(_ folder: String) { utimes(folder, nil) }

    /// Removes a file, or a folder with the files in it.
    static func remove(_ path: String) {
        if unlink(path) == 0 { return }
        for name in names(in: path) { unlink(path + "/" + name) }
        rmdir(path)
    }

    /// Removes what lies in a folder but for one file, and the folder if it is empty then.
    static func empty(_ folder: String, butFor kept: String) {
        for name in names(in: folder) where "/" + name != kept { remove(folder + "/" + name) }
        rmdir(folder)
    }

    /// Whether there is something of that name.
    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// A lock between processes; `.busy` if somebody has it.
    static func lock(_ path: String) -> Result<Int32, Failure> {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return .failure(failure()) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let failure = errno == EWOULDBLOCK ? Failure.busy : failure()
            close(descriptor)
            return .failure(failure)
        }
        return .success(descriptor)
    }

    static func unlock(_ descriptor: Int32) { close(descriptor) }
}
