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

    /// A folder with room for as much as is going to be written to `path`: its own, or that for temporary files.
    static func roomyFolder(for path: String) -> String {
        var status = stat()
        let isOrdinary = path != "-" && (stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG)
        return isOrdinary
            ? URL(fileURLWithPath: path).deletingLastPathComponent().path : FileManager.default.temporaryDirectory.path
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
