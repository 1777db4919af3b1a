import Dispatch
import Foundation
import Synchronization

/// Bytes of remote resources, kept on disk from one run to the next.
///
/// Each resource has a folder, named by a digest, in which each piece of 64 KiB is a file with a checksum: written beside and
/// renamed, so that it is there whole or not at all, even if the process is killed. Several processes may use a cache at once.
/// Files and folders are for the user alone (0600, 0700), and hold neither the URL nor a password. What has not been used for
/// longest goes first. A disk that is full or may not be written to only means that nothing more is kept. The same holds for a
/// folder that belongs to another user or is a symbolic link: nothing in it is read, written or removed.
public final class DiskCache: Sendable {
    /// The folder that everything lies in.
    public let directory: String
    /// Bytes kept at most, on the whole.
    public let limit: Int64
    let folder: CacheDirectory

    fileprivate struct State {
        /// The size of the cache at the last sweep, in bytes; `nil` before the first.
        var usedAtSweep: Int64?
        var writtenSinceSweep: Int64 = 0
        var backlog = 0
        /// Those who wait for the disk.
        var waiting: [@Sendable () -> Void] = []
        /// Those who read or fill a resource at the moment, by its folder.
        var entries: [String: [WeakEntry]] = [:]
    }

    fileprivate struct WeakEntry {
        weak var entry: DiskCacheEntry?
    }

    /// The streams that wait for the network: unhurried transfers yield to them.
    package let demand = NetworkDemand()

    /// The folders of all entries, of any process.
    var entryFolders: [CacheDirectory] { folder.names.filter { !$0.hasPrefix(".") }.map(folder.entry) }

    private let state = Mutex(State())
    let writer = DispatchQueue(label: "syrinx.cache", qos: .utility)

    /// Bytes that wait to be written at most: what comes on top is not kept.
    fileprivate static let maximumBacklog = 8 << 20

    /// A cache in `directory`, which is made when it is needed.
    ///
    /// - Parameters:
    ///   - directory: A folder for this alone.
    ///   - limit: Bytes kept at most; 1 GiB by default.
    public init(directory: String, limit: Int64 = 1 << 30) {
        self.directory = directory
        folder = CacheDirectory(directory)
        self.limit = max(0, limit)
    }

    /// The user's cache: `$XDG_CACHE_HOME/syrinx`, else `~/.cache/syrinx`; `nil` if there is no home.
    ///
    /// An `environment` of `nil` is the process's own.
    public static func user(
        environment: [String: String]? = nil,
        limit: Int64 = 1 << 30
    ) -> DiskCache? {
        UserFolder.cache.path(environment: environment).map { DiskCache(directory: $0, limit: limit) }
    }

    /// Returns the entry in the folder of that name.
    ///
    /// The name has to be unique to a resource and must not reveal it.
    package func entry(named name: String, onFailure: @escaping @Sendable (String) -> Void) -> DiskCacheEntry {
        let entry = DiskCacheEntry(folder: folder.entry(name), cache: self, onFailure: onFailure)
        if entry.resource != nil { entry.folder.touch() }
        state.withLock { state in
            let others = state.entries[entry.directory, default: []].filter { $0.entry != nil }
            state.entries[entry.directory] = others + [WeakEntry(entry: entry)]
        }
        return entry
    }

    /// The others who read or fill the same.
    func others(of entry: DiskCacheEntry) -> [DiskCacheEntry] {
        state.withLock { state in
            let all = state.entries[entry.directory, default: []].compactMap(\.entry)
            return all.filter { $0 !== entry }
        }
    }

    /// Forgets who is gone.
    ///
    /// Later: the last reference to an entry may be released during a walk over all of them, with the lock held.
    func left(_ directory: String) {
        writer.async { [self] in
            state.withLock { state in
                let rest = state.entries[directory, default: []].filter { $0.entry != nil }
                state.entries[directory] = rest.isEmpty ? nil : rest
            }
        }
    }

    /// Whether so much waits to be written that who brings more had better wait.
    package var isBehind: Bool { state.withLock { $0.backlog > Self.maximumBacklog / 2 } }

    /// Calls `call` once when most of what waits has been written, on whatever thread that is; at once if it has.
    package func whenCaughtUp(_ call: @escaping @Sendable () -> Void) {
        let isNow = state.withLock { state in
            guard !state.hasCaughtUp else { return true }
            state.waiting.append(call)
            return false
        }
        if isNow { call() }
    }

    /// Writes `bytes` as a file of a folder, at a time of its own; `done` gets what went wrong.
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

    /// Waits until all that was to be written has been.
    public func flush() { writer.sync {} }

    /// Throws away what has not been used for longest, until nine tenths of the limit are kept.
    ///
    /// What is kept until somebody says otherwise neither goes nor counts. If another process does so at the moment, it is left to that.
    package func sweep() {
        guard case .success(let lock) = folder.lock(".lock") else { return }
        defer { CacheDirectory.unlock(lock) }
        // What is no folder of ours is neither counted nor removed.
        var entries = entryFolders.filter { !$0.hasFile(DiskCacheEntry.keptMark) }
            .compactMap { folder in folder.usage.map { (folder: folder, size: $0.size, lastUse: $0.lastUse) } }
        var total = entries.reduce(Int64(0)) { $0.addingClamped($1.size) }
        if total > limit {
            entries.sort { $0.lastUse > $1.lastUse }
            // Some room more than has to be, but not at the cost of what is in use.
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

    /// Takes note of what has been written, and says whether there may be too much now, and who need not wait any more.
    ///
    /// Writes of other processes are unknown; so the size is measured when the first byte is written, and now and then.
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
