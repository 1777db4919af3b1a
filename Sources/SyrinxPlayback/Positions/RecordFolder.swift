internal import Foundation
package import SyrinxByteStream

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Small records on disk, each in a file of its own, which outlive a crash, a killed process and a loss of power.
///
/// A file is replaced as a whole after its content has reached the disk, so that a reader sees the old record or the new one.
/// Several processes may use a folder at once; the last one to write wins. Only the user may read the files.
package struct RecordFolder: Sendable {
    /// The path of the folder.
    package let path: FilePath
    /// The ending of the names of files, without a dot.
    let pathExtension: String
    /// The size, in bytes, above which a file is no record.
    let maximumBytes: Int

    /// The records in a folder, which the first write creates.
    package init(path: FilePath, pathExtension: String, maximumBytes: Int) {
        (self.path, self.pathExtension, self.maximumBytes) = (path, pathExtension, maximumBytes)
    }

    /// The file for a record about this item: the digest of its identifier.
    package func file(of item: String) -> FilePath {
        path.appending(SHA256Digest.hexadecimal(of: Array(item.utf8)) + "." + pathExtension)
    }

    /// The files of all records, in no order.
    package func files() -> [FilePath] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path.name)) ?? []
        return names.filter { !$0.hasPrefix(".") && $0.hasSuffix("." + pathExtension) }.map { path.appending($0) }
    }

    /// Writes a record in place of the one in this file.
    /// - Throws: ``PlaybackError`` (`file.positionNotWritten`).
    package func store(_ record: some Encodable, to file: FilePath) throws(PlaybackError) {
        guard let data = try? JSONEncoder().encode(record), data.count <= maximumBytes else {
            throw PlaybackError(.positionNotWritten, "The record cannot be stored because it is not a valid one.")
        }
        let number = path.makeFolder()
        guard number == 0 else { throw failure(number) }
        let saved: Int32
        do throws(PendingFile.Failure) {
            let pending = try PendingFile(path: file)
            saved = pending.isPlain ? Self.save(data, to: pending.descriptor) : EEXIST
            if saved == 0 { try pending.commit() }
        } catch {
            throw failure(error.number)
        }
        guard saved == 0 else { throw failure(saved) }
        sync()
    }

    /// The record in this file; `nil` if there is none, or if it is damaged.
    package func load<Record: Decodable>(_ type: Record.Type, from file: FilePath) -> Record? {
        let descriptor = file.withCString { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var data = Data()
        var piece = [UInt8](repeating: 0, count: 1 << 14)
        while data.count <= maximumBytes {
            let count = piece.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            data.append(contentsOf: piece[..<count])
        }
        return data.count <= maximumBytes ? try? JSONDecoder().decode(type, from: data) : nil
    }

    /// Removes a file, if it is there.
    package func remove(_ file: FilePath) {
        _ = file.withCString { unlink($0) }
        sync()
    }

    // MARK: The system

    /// Writes all bytes, and waits until they are on the disk: a name must never lead to content that is not there.
    /// - Returns: The error number, or 0.
    private static func save(_ data: Data, to descriptor: Int32) -> Int32 {
        // Addresses may hold secrets.
        guard fchmod(descriptor, 0o600) == 0 else { return errno }
        var rest = Array(data)[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { return errno }
            rest = rest.dropFirst(written)
        }
        return fsync(descriptor) == 0 ? 0 : errno
    }

    /// Waits until the folder's list of names is on the disk; some file systems cannot, and do not need to.
    private func sync() {
        let descriptor = path.withCString { open($0, O_RDONLY | O_CLOEXEC) }
        guard descriptor >= 0 else { return }
        _ = fsync(descriptor)
        close(descriptor)
    }

    private func failure(_ number: Int32) -> PlaybackError {
        let cause = String(cString: strerror(number))
        return PlaybackError(.positionNotWritten, "The position cannot be written in \(path.name): \(cause).")
    }
}
