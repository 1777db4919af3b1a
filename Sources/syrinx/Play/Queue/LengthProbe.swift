import Dispatch
import Synchronization
import SyrinxByteStream
import SyrinxMediaCodec

/// Finds out the lengths of files that wait in the queue, on a thread of low priority.
final class LengthProbe: Sendable {
    /// A file of the queue, with the number of its entry.
    struct File: Sendable {
        let id: Int
        let path: FilePath
    }

    /// Queues with more inputs are not looked at.
    static let longestQueue = 5_000
    /// Files that are looked at in one go.
    static let batch = 32

    private let queue = DispatchQueue(label: "syrinx.lengths", qos: .utility)
    /// The numbers of entries that have been looked at, or are being looked at.
    private let seen = Mutex<Set<Int>>([])
    private let found: @Sendable ([Int: Double]) -> Void

    /// Creates a probe.
    ///
    /// - Parameter found: Called on another thread with the lengths in seconds, by the numbers of entries.
    init(found: @escaping @Sendable ([Int: Double]) -> Void) { self.found = found }

    /// Looks at the first of the files that have not been looked at.
    func look(at files: [File]) {
        let new = seen.withLock { seen in
            let unseen = files.lazy.filter { [seen] in !seen.contains($0.id) }.prefix(Self.batch)
            let new = Array(unseen)
            seen.formUnion(new.map(\.id))
            return new
        }
        guard !new.isEmpty else { return }
        queue.async { [found] in
            let known = new.compactMap { file in Self.length(of: file.path).map { (file.id, $0) } }
            found(Dictionary(known) { first, _ in first })
        }
    }

    private static func length(of path: FilePath) -> Double? {
        (try? FileByteStream(path: path)).flatMap { try? MediaDemuxer.open($0).info.duration }
    }
}

extension PlayQueue {
    /// The files of the queue whose lengths are not known, those that come next first.
    var filesOfUnknownLength: [LengthProbe.File] {
        guard count <= LengthProbe.longestQueue else { return [] }
        let places = Array(index..<count) + Array(0..<min(index, count))
        return places.compactMap { place in
            let input = input(at: place)
            guard duration(at: place) == nil, !input.isList, input.part == nil, case .file(let path) = input.location
            else { return nil }
            return identity(at: place).map { LengthProbe.File(id: $0, path: path) }
        }
    }
}
