import Dispatch
import Foundation
import Synchronization

/// A cache of downloaded bytes on disk, which persists between runs.
///
/// Each resource has a folder that is named by a digest. Each block of 64 KiB is a file with a checksum, written
/// atomically, so that a killed process leaves no partial blocks. Several processes may use a cache at the same time.
/// Files and folders are accessible to the user only (0600, 0700) and contain neither the URL nor a password.
///
/// The least recently used resources are evicted first. If the disk is full or read-only, nothing more is cached and
/// reading continues. A folder that belongs to another user, or is a symbolic link, is not used.
///
/// ```swift
/// import SyrinxStreaming
///
/// var options = HTTPByteStream.Options()
/// options.cache = DiskCache(directory: "/var/tmp/radio", limit: 256 << 20)
/// let stream = try HTTPByteStream(url: url, options: options)
/// ```
public final class DiskCache: Sendable {
    /// The path of the cache's folder.
    public let directory: String
    /// The maximum size of the cache in bytes.
    public let limit: Int64
    let folder: CacheDirectory

    fileprivate struct State {
        /// The size of the cache in bytes at the last sweep; `nil` before the first sweep.
        var usedAtSweep: Int64?
        var writtenSinceSweep: Int64 = 0
        var backlog = 0
        /// The calls that wait until pending writes are done.
        var waiting: [@Sendable () -> Void] = []
        /// The entries in use, by the names of their folders.
        var entries: [String: [WeakEntry]] = [:]
    }

    fileprivate struct WeakEntry {
        weak var entry: DiskCacheEntry?
    }

    /// The streams that wait for the network; background transfers yield to them.
    package let demand = NetworkDemand()

    /// The folders of all entries, of any process.
    var entryFolders: [CacheDirectory] { folder.names.filter { !$0.hasPrefix(".") }.map(folder.entry) }

    private let state = Mutex(State())
    let writer = DispatchQueue(label: "syrinx.cache", qos: .utility)

    /// The maximum size of pending writes in bytes; further blocks are not cached.
    fileprivate static let maximumBacklog = 8 << 20

    /// Creates a cache in `directory`, which is created when it is first needed.
    ///
    /// - Parameters:
    ///   - directory: The path of a folder for this cache only.
    ///   - limit: The maximum size in bytes; 1 GiB by default.
    public init(directory: String, limit: Int64 = 1 << 30) {
        self.directory = directory
        folder = CacheDirectory(directory)
        self.limit = max(0, limit)
    }

    /// Returns the user's default cache: `$XDG_CACHE_HOME/syrinx`, otherwise `~/.cache/syrinx`; `nil` if there is no
    /// home folder.
    ///
    /// - Parameter environment: The environment variables; `nil`, the default, uses those of the process.
    public static func user(
        environment: [String: String]? = nil,
        limit: Int64 = 1 << 30
    ) -> DiskCache? {
        UserFolder.cache.path(environment: environment).map { DiskCache(directory: $0, limit: limit) }
    }

    /// Returns the entry in the folder with this name.
    ///
    /// The name must be unique for the resource and must not reveal it.
    package func entry(named name: String, onFailure: @escaping @Sendable (String) -> Void) -> DiskCacheEntry {
        let entry = DiskCacheEntry(folder: folder.entry(name), cache: self, onFailure: onFailure)
        if entry.resource != nil { entry.folder.touch() }
        state.withLock { state in
            let others = state.entries[entry.directory, default: []].filter { $0.entry != nil }
            state.entries[entry.directory] = others + [WeakEntry(entry: entry)]
        }
        return entry
    }

    /// Returns the other entries for the same resource.
    func others(of entry: DiskCacheEntry) -> [DiskCacheEntry] {
        state.withLock { state in
            let all = state.entries[entry.directory, default: []].compactMap(\.entry)
            return all.filter { $0 !== entry }
        }
    }

    /// Removes deallocated entries from the list.
    ///
    /// This runs asynchronously, because the last reference to an entry may be released while the lock is held.
    func left(_ directory: String) {
        writer.async { [self] in
            state.withLock { state in
                let rest = state.entries[directory, default: []].filter { $0.entry != nil }
                state.entries[directory] = rest.isEmpty ? nil : rest
            }
        }
    }

    /// Whether disk writes lag behind, so that producers should wait.
    package var isBehind: Bool { state.withLock { $0.backlog > Self.maximumBacklog / 2 } }

    /// Calls `call` once, on any thread, when most pending writes are done; at once if they are.
    package func whenCaughtUp(_ call: @escaping @Sendable () -> Void) {
        let isNow = state.withLock { state in
            guard !state.hasCaughtUp else { return true }
            state.waiting.append(call)
            return false
        }
        if isNow { call() }
    }

    /// Writes `bytes` asynchronously as a file of a folder; `done` receives the error, if any.
    func write(
        _ bytes: [UInt8],
        to file: String,
        in folder: CacheDirectory,
        done: @escaping @Sendable (CacheDirectory.Failure?) -> Void
    ) {
        let isAccepted = state.withLock { state in
            guard state.backlog + bytes.count <= Self.maximumBacklog else { return false }
            state.backlog += bytes.count
            return true
        }
        guard isAccepted else { return done(.busy) }
        writer.async { [self] in
            let failure = folder.write(bytes, to: file)
            let (isDue, waiting) = state.withLock { $0.wrote(bytes.count, limit: limit) }
            if isDue { sweep() }
            done(failure)
            for call in waiting { call() }
        }
    }

    /// Blocks until all pending writes are done.
    public func flush() { writer.sync {} }

    /// Evicts the least recently used entries until the cache is at 90 % of its limit.
    ///
    /// Pinned entries are neither evicted nor counted. If another process is sweeping the cache, this call does
    /// nothing.
    package func sweep() {
        guard case .success(let lock) = folder.lock(".lock") else { return }
        defer { CacheDirectory.unlock(lock) }
        // Other files in the folder are neither counted nor removed.
        var entries = entryFolders.filter { !$0.hasFile(DiskCacheEntry.keptMark) }
            .compactMap { folder in folder.usage.map { (folder: folder, size: $0.size, lastUse: $0.lastUse) } }
        var total = entries.reduce(Int64(0)) { $0.addingClamped($1.size) }
        if total > limit {
            entries.sort { $0.lastUse > $1.lastUse }
            // Frees some extra space, but never by evicting the last entry.
            while total > limit || total > limit / 10 * 9 && entries.count > 1, let oldest = entries.popLast() {
                oldest.folder.empty()
                total -= oldest.size
            }
        }
        state.withLock { state in
            state.usedAtSweep = total
            state.writtenSinceSweep = 0
        }
    }
}

extension DiskCache.State {
    fileprivate var hasCaughtUp: Bool { backlog <= DiskCache.maximumBacklog / 4 }

    /// Notes a write; returns whether the cache may exceed its limit, and the calls that need not wait any longer.
    ///
    /// Writes of other processes are unknown, so the size is measured at the first write and from time to time.
    fileprivate mutating func wrote(_ count: Int, limit: Int64) -> (isDue: Bool, waiting: [@Sendable () -> Void]) {
        backlog -= count
        writtenSinceSweep += CacheDirectory.room(for: Int64(count))
        let isFull = usedAtSweep.map { $0.addingClamped(writtenSinceSweep) > limit } ?? true
        let isDue = isFull || writtenSinceSweep >= min(16 << 20, max(1, limit / 8))
        guard hasCaughtUp else { return (isDue, []) }
        defer { waiting = [] }
        return (isDue, waiting)
    }
}
