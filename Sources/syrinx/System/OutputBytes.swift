import Foundation
import SyrinxByteStream
import SyrinxListening
import SyrinxMediaCodec

/// Writes bytes to a `PendingFile` or to standard output.
final class OutputBytes {
    private let file: PendingFile?
    private let name: String
    private var descriptor: Int32 { file?.descriptor ?? STDOUT_FILENO }

    /// Opens `path` for writing; `-` is standard output.
    init(path: FilePath) throws(Failure) {
        guard !Self.isStandardOutput(path) else {
            file = nil
            name = "standard output"
            return
        }
        name = path.name
        do throws(PendingFile.Failure) {
            file = try PendingFile(path: path)
        } catch {
            throw Self.failure(error.number, path.name)
        }
    }

    /// Writes bytes.
    func write(_ bytes: some ContiguousBytes) throws(Failure) {
        let number = Descriptor.writeAll(bytes, to: descriptor)
        guard number == 0 else { throw Self.failure(number, name) }
    }

    /// Returns a folder for temporary data as large as the output: that of `path`, or the system's temporary folder.
    static func roomyFolder(for path: FilePath) -> FilePath {
        let isPlain = path.status.map { $0.st_mode & S_IFMT == S_IFREG } ?? true
        return isPlain && !isStandardOutput(path) ? path.folder : FilePath(FileManager.default.temporaryDirectory.path)
    }

    /// Moves the finished file to its final name.
    func commit() throws(Failure) {
        do throws(PendingFile.Failure) {
            try file?.commit()
        } catch {
            throw Self.failure(error.number, name)
        }
    }

    /// Removes the file, unless it has been committed.
    func abandon() { file?.abandon() }

    private static func isStandardOutput(_ path: FilePath) -> Bool { path.bytes == [UInt8(ascii: "-")] }

    private static func failure(_ number: Int32, _ name: String) -> Failure {
        let isDenied = number == EACCES || number == EPERM || number == EROFS
        let code: ErrorCode = isDenied ? .filePermissionDenied : .fileWriteFailed
        return Failure(code: code, message: Descriptor.sentence(number), name: name)
    }
}
