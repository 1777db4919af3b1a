import Synchronization

/// Entries that are kept until they are released, and the records that their owners have written.
extension DiskCacheEntry {
    /// The file that says so.
    static let keptMark = "kept"
    private static let recordMark = Array("SYRXKEPT".utf8)

    /// Whether it is kept until `release()`.
    package var isKept: Bool { state.withLock { $0.isKept } }

    /// Whether all of it is kept.
    package var isWhole: Bool {
        state.withLock { state in state.resource.map { state.heldByteCount >= $0.length } ?? false }
    }

    /// Keeps what is there and comes, however much it is, with a word about it; replaces an older word.
    ///
    /// - Returns: The system's words if that cannot be written.
    package func keep(_ record: [UInt8]) -> String? {
        let content = Self.recordMark + Self.words(Checksum.of(record)) + record
        if case .system(let message) = folder.write(content, to: Self.keptMark) { return message }
        setKept(true)
        return nil
    }

    /// Keeps it no longer than anything else.
    package func release() {
        folder.remove(Self.keptMark)
        setKept(false)
    }

    /// Throws all of it away, and keeps it no longer.
    package func erase() {
        setKept(false)
        drop()
        folder.empty()
    }

    private func setKept(_ isKept: Bool) {
        for entry in cache.others(of: self) + [self] { entry.state.withLock { $0.isKept = isKept } }
    }

    static func record(in folder: CacheDirectory) -> [UInt8]? {
        guard let content = folder.read(keptMark, limit: 65_536), content.starts(with: recordMark),
            content.count >= 16
        else { return nil }
        let record = Array(content[16...])
        return content[8..<16].elementsEqual(words(Checksum.of(record))) ? record : nil
    }
}

extension DiskCache {
    /// Returns the records of the pinned entries, by the names of their folders.
    ///
    /// A record that cannot be read is left out, and stays: what it pins is still kept.
    package func keptRecords() -> [(name: String, record: [UInt8])] {
        entryFolders.compactMap { folder in
            guard let name = folder.name, folder.hasFile(DiskCacheEntry.keptMark) else { return nil }
            return DiskCacheEntry.record(in: folder).map { (name, $0) }
        }
    }

    /// Being the only one who keeps things here, among all processes; ends with the object.
    package final class Keeper: Sendable {
        private let descriptor: Int32

        /// The reason why no other entry can be pinned.
        package enum Refusal: Error {
            /// There is one already.
            case taken
            /// The system's words.
            case system(String)
        }

        fileprivate init(_ folder: CacheDirectory) throws(Refusal) {
            switch folder.lock(".keeper") {
            case .success(let descriptor): self.descriptor = descriptor
            case .failure(.busy): throw .taken
            case .failure(.system(let message)): throw .system(message)
            }
        }

        deinit { CacheDirectory.unlock(descriptor) }
    }

    /// Makes the caller the one who keeps things here.
    package func makeKeeper() throws(Keeper.Refusal) -> Keeper {
        let refusal = folder.make()
        do throws(Keeper.Refusal) {
            return try Keeper(folder)
        } catch {
            // That there is no such folder says less than why there is none.
            if case .system(let reason) = refusal, case .system = error { throw .system(reason) }
            throw error
        }
    }
}
