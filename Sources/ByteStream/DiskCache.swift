import Dispatch
import Foundation
import Synchronization

/// Bytes of remote resources, kept on disk from one run to the next.
///
/// Each resource has a folder, named by a hash, in which each piece of 64 KiB is a file with a checksum: written beside and
/// renamed, so that it is there whole or not at all, whoever is killed meanwhile. Several processes may use a cache at once.
/// Files and folders are for the user alone (0600, 0700), and hold neither the URL nor a password. What has not been used for
/// longest goes first. A disk that is full or may not be written to only means that nothing more is kept.
public final class DiskCache: Sendable {
    /// The folder that everything lies in.
    public let directory: String
    /// Bytes kept at most, on the whole.
    public let limit: Int64

    private struct State {
        var writtenSinceSweep: Int64 = 0
        var backlog = 0
        /// Those who read or fill a resource at the moment, by its folder.
        var entries: [String: [WeakEntry]] = [:]
    }

    private struct WeakEntry {
        weak var entry: DiskCacheEntry?
    }

    /// Which streams wait for the network: what is fetched without hurry gives way to them.
    package let demand = Demand()

    private let state = Mutex(State())
    private let writer = DispatchQueue(label: "syrinx.cache", qos: .utility)

    /// Bytes that wait to be written at most: what comes on top is not kept.
    private static let maximumBacklog = 8 << 20

    /// A cache in `directory`, which is made when it is needed.
    ///
    /// - Parameters:
    ///   - directory: A folder for this alone.
    ///   - limit: Bytes kept at most; 1 GiB by default.
    public init(directory: String, limit: Int64 = 1 << 30) {
        self.directory = directory
        self.limit = max(0, limit)
    }

    /// The user's cache: `$XDG_CACHE_HOME/syrinx`, else `~/.cache/syrinx`; `nil` if there is no home.
    ///
    /// An `environment` of `nil` is the process's own.
    public static func user(
        environment: [String: String]? = nil,
        limit: Int64 = 1 << 30
    ) -> DiskCache? {
        let environment = environment ?? ProcessInfo.processInfo.environment
        // A relative path is to be ignored (XDG Base Directory Specification).
        if let base = environment["XDG_CACHE_HOME"], base.hasPrefix("/") {
            return DiskCache(directory: base + "/syrinx", limit: limit)
        }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        return DiskCache(directory: home + "/.cache/syrinx", limit: limit)
    }

    /// What is kept of the resource that `key` names.
    ///
    /// The key is hashed: it may hold secrets.
    package func entry(for key: String, onFailure: @escaping @Sendable (String) -> Void) -> DiskCacheEntry {
        entry(named: Self.name(for: key), onFailure: onFailure)
    }

    /// What a resource's folder is called.
    package static func name(for key: String) -> String { Checksum.hex(of: key) }

    /// What is kept in the folder of that name.
    package func entry(named name: String, onFailure: @escaping @Sendable (String) -> Void) -> DiskCacheEntry {
        let entry = DiskCacheEntry(directory: directory + "/" + name, cache: self, onFailure: onFailure)
        if entry.resource != nil { CacheFiles.touch(entry.directory) }
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
    func left(_ directory: String) {
        state.withLock { state in
            let rest = state.entries[directory, default: []].filter { $0.entry != nil }
            state.entries[directory] = rest.isEmpty ? nil : rest
        }
    }

    /// Writes `bytes` as a file, at a time of its own; `done` gets what went wrong.
    func write(_ bytes: [UInt8], to path: String, done: @escaping @Sendable (CacheFiles.Failure?) -> Void) {
        let isAccepted = state.withLock { state in
            guard state.backlog + bytes.count <= Self.maximumBacklog else { return false }
            state.backlog += bytes.count
            return true
        }
        guard isAccepted else { return done(.busy) }
        writer.async { [self] in
            let failure = CacheFiles.write(bytes, to: path)
            let isDue = state.withLock { state in
                state.backlog -= bytes.count
                state.writtenSinceSweep += Int64(bytes.count)
                let isDue = state.writtenSinceSweep >= min(16 << 20, max(1, limit / 8))
                if isDue { state.writtenSinceSweep = 0 }
                return isDue
            }
            if isDue { sweep() }
            done(failure)
        }
    }

    /// Waits until all that was to be written has been.
    public func flush() { writer.sync {} }

    /// Throws away what has not been used for longest, until nine tenths of the limit are kept.
    ///
    /// What is kept until somebody says otherwise neither goes nor counts. If another process does so at the moment, it is left to that.
    package func sweep() {
        guard case .success(let lock) = CacheFiles.lock(directory + "/.lock") else { return }
        defer { CacheFiles.unlock(lock) }
        var entries = CacheFiles.names(in: directory).filter { !$0.hasPrefix(".") }.map { directory + "/" + $0 }
            .filter { !CacheFiles.exists($0 + DiskCacheEntry.keptMark) }.map { CacheFiles.usage(of: $0) }
        var total = entries.reduce(0) { $0 + $1.size }
        guard total > limit else { return }
        entries.sort { $0.lastUse > $1.lastUse }
        while total > limit / 10 * 9, let oldest = entries.popLast() {
            CacheFiles.remove(oldest.path)
            total -= oldest.size
        }
    }
}

/// FNV-1a (Fowler, Noll, Vo) over words of 64 bits: every change within a single word changes it.
enum Checksum {
    private static let offset: UInt64 = 0xCBF2_9CE4_8422_2325
    private static let prime: UInt64 = 0x0000_0100_0000_01B3

    static func of(_ bytes: [UInt8], seed: UInt64 = 0) -> UInt64 {
        bytes.withUnsafeBytes { bytes in
            var hash = offset ^ seed
            let end = bytes.count & ~7
            var index = 0
            while index < end {
                let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                hash = (hash ^ UInt64(littleEndian: word)) &* prime
                // Else a change of the highest bit would stay there, and the next word could undo it.
                hash ^= hash >> 32
                index += 8
            }
            while index < bytes.count {
                hash = (hash ^ UInt64(bytes[index])) &* prime
                index += 1
            }
            return hash
        }
    }

    /// A name of 32 hexadecimal digits.
    static func hex(of text: String) -> String {
        let halves = [UInt64(0), 0x9E37_79B9_7F4A_7C15].map { seed in
            let digits = String(of(Array(text.utf8), seed: seed), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }
        return halves.joined()
    }
}
