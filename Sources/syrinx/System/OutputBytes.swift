import Foundation

/// A file of bytes that appears under its name only when it is complete; or standard output.
///
/// What is no plain file (a pipe, `/dev/null`) is written to directly.
final class OutputBytes {
    private let path: String
    private let temporary: String?
    private var descriptor: Int32
    private let name: String

    /// Begins to write to `path`, or to standard output for `-`.
    init(path: String) throws(Failure) {
        self.path = path
        name = path == "-" ? "standard output" : path
        guard path != "-" else {
            temporary = nil
            descriptor = STDOUT_FILENO
            return
        }
        var status = stat()
        let isSpecial = stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
        let url = URL(fileURLWithPath: path)
        let beside = url.deletingLastPathComponent()
            .appendingPathComponent(".\(url.lastPathComponent).\(UInt32.random(in: .min ... .max)).part").path
        temporary = isSpecial ? nil : beside
        descriptor =
            isSpecial ? open(path, O_WRONLY | O_CLOEXEC) : open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw Self.failure(errno, name) }
    }

    /// Adds bytes.
    func write(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
        do throws(Descriptor.WriteError) {
            try Descriptor.write(bytes, to: descriptor)
        } catch {
            throw Self.failure(error.number, name)
        }
    }

    /// Adds bytes.
    func write(_ bytes: [UInt8]) throws(Failure) {
        let outcome = bytes.withUnsafeBytes { buffer -> Result<Void, Failure> in
            do throws(Failure) { return .success(try write(buffer)) } catch { return .failure(error) }
        }
        try outcome.get()
    }

    /// Writes over the first bytes, which have been written before; an ordinary file only.
    func overwriteStart(_ bytes: [UInt8]) throws(Failure) {
        let written = bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
        if written != bytes.count { throw Self.failure(written < 0 ? errno : ENOSPC, name) }
    }

    /// Whether what is written to `path` can be gone back in: a file that is there, or will be.
    static func isOrdinary(_ path: String) -> Bool {
        var status = stat()
        guard path != "-" else { return false }
        return stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
    }

    /// Puts the file in its place.
    func commit() throws(Failure) {
        guard path != "-", descriptor >= 0 else { return }
        let closed = close(descriptor)
        descriptor = -1
        if closed != 0 || temporary.map({ rename($0, path) }) ?? 0 != 0 {
            let failure = Self.failure(errno, name)
            if let temporary { unlink(temporary) }
            throw failure
        }
    }

    /// Leaves nothing behind, unless it has been committed.
    func abandon() {
        guard path != "-", descriptor >= 0 else { return }
        close(descriptor)
        descriptor = -1
        if let temporary { unlink(temporary) }
    }

    private static func failure(_ number: Int32, _ name: String) -> Failure {
        let isDenied = number == EACCES || number == EPERM || number == EROFS
        let code = isDenied ? "file.permissionDenied" : "file.writeFailed"
        return Failure(code: code, message: Descriptor.sentence(number), name: name)
    }
}
