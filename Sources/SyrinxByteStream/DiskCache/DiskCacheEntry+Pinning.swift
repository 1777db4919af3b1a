import Synchronization

/// Pinning: entries that are kept until they are released, with a record of their owner.
extension DiskCacheEntry {
    /// The name of the file that marks a pinned entry.
    static let keptMark = "kept"
    private static let recordMark = Array("SYRXKEPT".utf8)

    /// Whether the entry is pinned.
    package var isKept: Bool { state.withLock { $0.isKept } }

    /// Whether all bytes of the resource are cached.
    package var isWhole: Bool {
        state.withLock { state in state.resource.map { state.heldByteCount >= $0.length } ?? false }
    }

    /// Pins the entry regardless of its size, with a record; replaces an earlier record.
    ///
    /// - Returns: The system's error message if the record cannot be written.
    package func keep(_ record: [UInt8]) -> String? {
        let content = Self.recordMark + Self.words(Checksum.of(record)) + record
        if case .system(let message) = folder.write(content, to: Self.keptMark) { return message }
        setKept(true)
        return nil
    }

    /// Unpins the entry, so that it can be evicted.
    package func release() {
        folder.remove(Self.keptMark)
        setKept(false)
    }

    /// Unpins the entry and deletes its bytes.
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
    /// Returns the records of the pinned entries with the names of their folders.
    ///
    /// A record that cannot be read is left out; its entry stays pinned.
    package func keptRecords() -> [(name: String, record: [UInt8])] {
        entryFolders.compactMap { folder in
            guard let name = folder.name, folder.hasFile(DiskCacheEntry.keptMark) else { return nil }
            return DiskCacheEntry.record(in: folder).map { (name, $0) }
        }
    }

    /// The exclusive right, among all processes, to pin entries of this cache; it ends when the object is deallocated.
    package final class Keeper: Sendable {
        private let descriptor: Int32

        /// The reason why the right was not granted.
        package enum Refusal: Error {
            /// Another keeper exists.
            case taken
            /// The error message of the system.
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

    /// Acquires the exclusive right to pin entries.
    package func makeKeeper() throws(Keeper.Refusal) -> Keeper {
        let refusal = folder.make()
        do throws(Keeper.Refusal) {
            return try Keeper(folder)
        } catch {
            // The reason why the folder cannot be created is more useful than that it does not exist.
            if case .system(let reason) = refusal, case .system = error { throw .system(reason) }
            throw error
        }
    }
}
