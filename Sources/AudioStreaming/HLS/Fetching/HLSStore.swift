import ByteStream
import Foundation
import HTTPStream

/// The resources of a presentation that are open: those to be played next, and some that have been.
struct HLSStore {
    /// The name of a resource: segments in ranges of one file share it, others have one each.
    struct Key: Hashable {
        let url: URL
        let sequence: Int64?
        let epoch: Int
        /// The first byte of a part, which may have been asked for before its number was known.
        let start: Int64?

        init(_ entry: HLSWindow.Entry) {
            let segment = entry.segment
            url = segment.resource.url
            let isShared = segment.resource.range != nil || segment.part != nil
            sequence = isShared ? nil : segment.sequence
            epoch = isShared ? 0 : entry.epoch
            start = segment.part == nil ? nil : segment.resource.range?.lowerBound ?? 0
        }

        init(_ hint: HLSMediaPlaylist.Hint) {
            url = hint.url
            sequence = nil
            epoch = 0
            start = hint.start
        }
    }

    /// A resource that is open.
    final class Resource: @unchecked Sendable {
        // Unchecked: what changes is touched under the lock of the loader only.
        let stream: any ByteStream
        /// The time at which it was asked for; `nil` once its rate has been measured, or where it tells nothing.
        var began: Double?
        /// Whether nothing more will come.
        var isOver = false
        /// The number of the last use.
        var use = 0

        init(_ stream: any ByteStream, began: Double?) {
            self.stream = stream
            self.began = began
        }

        /// Whether all of a range, or of the whole, is there or will never be.
        func isComplete(_ range: Range<Int64>?) -> Bool {
            if isOver { return true }
            guard let end = range?.upperBound ?? stream.length else { return !stream.isRemote }
            return stream.firstMissing(from: range?.lowerBound ?? 0) >= end
        }

        var heldByteCount: Int { (stream as? HTTPByteStream)?.memoryByteCount ?? 0 }
        var receivedByteCount: Int64 { (stream as? HTTPByteStream)?.receivedByteCount ?? 0 }
    }

    private(set) var resources: [Key: Resource] = [:]
    /// Bytes that have come for resources which are not open any more.
    private(set) var formerByteCount: Int64 = 0
    private var uses = 0

    /// Bytes of segments that have been played and are kept to go back to.
    private static let keptByteCount = 8 << 20
    /// And their number.
    private static let keptCount = 64

    /// Returns the open resource, and counts that as a use.
    mutating func use(_ key: Key) -> Resource? {
        uses += 1
        resources[key]?.use = uses
        return resources[key]
    }

    /// Adds a resource.
    mutating func add(_ resource: Resource, as key: Key) {
        uses += 1
        resource.use = uses
        resources[key] = resource
    }

    /// Takes out a resource.
    mutating func remove(_ key: Key) -> Resource? {
        guard let resource = resources.removeValue(forKey: key) else { return nil }
        formerByteCount = formerByteCount.addingClamped(resource.receivedByteCount)
        return resource
    }

    /// Takes out those that are used longest ago, as far as they take too much.
    /// - Parameter wanted: Those that are to be played.
    /// - Returns: What was taken out, to be cancelled.
    mutating func evict(besides wanted: Set<Key>) -> [Resource] {
        let old = resources.filter { !wanted.contains($0.key) }.sorted { $0.value.use > $1.value.use }
        var bytes = 0
        var evicted: [Resource] = []
        for (index, (key, resource)) in old.enumerated() {
            bytes += resource.heldByteCount
            let isKept = index < Self.keptCount && bytes <= Self.keptByteCount && resource.isComplete(nil)
            if !isKept, let resource = remove(key) { evicted.append(resource) }
        }
        return evicted
    }

    /// Bytes that have come for all resources.
    var receivedByteCount: Int64 {
        resources.values.reduce(formerByteCount) { $0.addingClamped($1.receivedByteCount) }
    }
}
