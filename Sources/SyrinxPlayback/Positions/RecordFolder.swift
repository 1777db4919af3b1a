internal import Foundation
package import SyrinxByteStream

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Stores small records on disk, one per file, so that they survive crashes and power failures.
///
/// A file is replaced atomically after its content has been written, so a reader sees either the old or the new record.
/// Several processes may use a folder at once; the last write wins. Only the user may read the files.
///
/// A file that cannot be read or decoded is neither replaced nor removed, so that the user can recover its content.
package struct RecordFolder: Sendable {
    /// The path of the folder.
    package let path: FilePath
    /// The file name extension, without a dot.
    let pathExtension: String
    /// The maximum size of a record, in bytes.
    let maximumBytes: Int
    /// The noun for a record in messages.
    private let noun: String

    /// Creates a store in a folder, which is created by the first write.
    package init(path: FilePath, pathExtension: String, maximumBytes: Int, noun: String = "position") {
        (self.path, self.pathExtension, self.maximumBytes) = (path, pathExtension, maximumBytes)
        self.noun = noun
    }

    /// Returns the file of an item's record, named by a digest of its identifier.
    package func file(of item: String) -> FilePath {
        path.appending(SHA256Digest.hexadecimal(of: Array(item.utf8)) + "." + pathExtension)
    }

    /// Returns the files of all records, in no particular order.
    package func files() -> [FilePath] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path.name)) ?? []
        return names.filter { !$0.hasPrefix(".") && $0.hasSuffix("." + pathExtension) }.map { path.appending($0) }
    }

    /// Stores a record, replacing the file.
    /// - Throws: ``PlaybackError``: `file.positionNotWritten`, or `file.recordUnreadable` if the file contains
    ///   something else.
    package func store<Record: Codable>(_ record: Record, to file: FilePath) throws(PlaybackError) {
        guard let data = try? JSONEncoder().encode(record), data.count <= maximumBytes else {
            throw PlaybackError(.positionNotWritten, "The record is invalid and cannot be stored.")
        }
        let number = path.makeFolder()
        guard number == 0 else { throw failure(number) }
        _ = try load(Record.self, from: file)
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

    /// Returns the record in a file; `nil` if there is no file.
    /// - Throws: ``PlaybackError`` (`file.recordUnreadable`) if the file cannot be read or contains something else.
    package func load<Record: Decodable>(_ type: Record.Type, from file: FilePath) throws(PlaybackError) -> Record? {
        let stream: FileByteStream
        do throws(SyrinxError) {
            stream = try FileByteStream(path: file)
        } catch {
            if error.code == .fileNotFound { return nil }
            throw unreadable(file, error.message)
        }
        defer { stream.cancel() }
        let data: [UInt8]
        do throws(SyrinxError) { data = try stream.readAll(limit: maximumBytes) } catch {
            throw unreadable(file, error.message)
        }
        guard let record = try? JSONDecoder().decode(type, from: Data(data)) else {
            throw unreadable(file, "it is damaged, or of another version")
        }
        return record
    }

    /// Removes a file with a record of this type, if it exists.
    /// - Throws: The errors of ``load(_:from:)``; then the file is kept.
    package func remove(_ type: (some Decodable).Type, in file: FilePath) throws(PlaybackError) {
        guard try load(type, from: file) != nil else { return }
        _ = file.withCString { unlink($0) }
        sync()
    }

    /// Calls `body` while no other process is in this method for the same folder, so that it can change what it has read.
    ///
    /// Waits at most two seconds for another process, which may have been suspended.
    package func exclusively<Result>(
        _ body: () throws(PlaybackError) -> Result
    ) throws(PlaybackError) -> Result {
        let number = path.makeFolder()
        guard number == 0 else { throw failure(number) }
        let lock = path.appending(".lock").withCString { open($0, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600) }
        // Without a lock, a change is as safe as that of any other record.
        guard lock >= 0 else { return try body() }
        defer { close(lock) }
        var attempts = 0
        while attempts < Self.lockAttempts, flock(lock, LOCK_EX | LOCK_NB) != 0 {
            usleep(Self.lockInterval)
            attempts += 1
        }
        return try body()
    }

    /// The number of attempts to get the lock, and the microseconds between two of them.
    private static let lockAttempts = 200
    private static let lockInterval: UInt32 = 10_000

    // MARK: System calls

    /// Writes all bytes, and waits until they are on disk, so that the file is complete before it is renamed.
    /// - Returns: The error number, or 0.
    private static func save(_ data: Data, to descriptor: Int32) -> Int32 {
        // Identifiers may contain passwords.
        guard fchmod(descriptor, 0o600) == 0 else { return errno }
        let number = Descriptor.writeAll(data, to: descriptor)
        guard number == 0 else { return number }
        return fsync(descriptor) == 0 ? 0 : errno
    }

    /// Waits until changes of the directory are on disk, if the file system supports it.
    private func sync() {
        let descriptor = path.withCString { open($0, O_RDONLY | O_CLOEXEC) }
        guard descriptor >= 0 else { return }
        _ = fsync(descriptor)
        close(descriptor)
    }

    private func unreadable(_ file: FilePath, _ reason: String) -> PlaybackError {
        let reason = reason.last == "." ? reason.dropLast() : reason[...]
        return PlaybackError(
            .recordUnreadable,
            "The file \(file.name) cannot be read, and is left as it is: \(reason). Move it away to begin anew."
        )
    }

    private func failure(_ number: Int32) -> PlaybackError {
        let cause = String(cString: strerror(number))
        return PlaybackError(.positionNotWritten, "The \(noun) cannot be written in \(path.name): \(cause).")
    }
}
