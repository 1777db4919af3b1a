import Foundation
import SyrinxByteStream
import SyrinxHTTPStream

/// The open resources of a presentation: those to be played next, and some that were already played.
struct HLSStore {
    /// The key of a resource: segments that are ranges of one file share a key.
    struct Key: Hashable {
        let location: CompactURL
        let sequence: Int64?
        let epoch: Int
        /// The first byte of a part, which may be requested before its number is known.
        let start: Int64?

        init(_ entry: HLSWindow.Entry) {
            let segment = entry.segment
            location = segment.resource.location
            let isShared = segment.resource.range != nil || segment.part != nil
            sequence = isShared ? nil : segment.sequence
            epoch = entry.epoch
            start = segment.part == nil ? nil : segment.resource.range?.lowerBound ?? 0
        }

        /// - Parameter epoch: The number of times that the playlist of the hint had begun anew: names may be used again then.
        init(_ hint: HLSMediaPlaylist.Hint, epoch: Int) {
            location = CompactURL(hint.url)
            sequence = nil
            self.epoch = epoch
            start = hint.start
        }
    }

    /// A resource that is open.
    final class Resource: @unchecked Sendable {
        // Unchecked: the loader's lock guards all mutable state.
        let stream: any ByteStream
        /// The start time of the rate measurement, and the bytes received before; `nil` if the rate is not measured.
        var began: Double?
        var bytesBefore: Int64 = 0
        /// The times of the head of the answer and of its last byte.
        var respondedAt: Double?
        var completedAt: Double?
        private(set) var isMeasured = false
        /// Whether no more bytes will arrive.
        var isOver = false
        /// The number of the last use.
        var use = 0

        init(_ stream: any ByteStream, began: Double?) {
            self.stream = stream
            self.began = began
        }

        /// Measures the rate of a part from its first byte, once; the server may delay the response until the part
        /// exists.
        /// - Parameter now: The current time.
        /// - Returns: The bytes, the seconds, and whether the part was requested before it was listed; `nil` if
        ///   unknown.
        func takePartRate(at now: Double) -> (bytes: Int64, seconds: Double, isEarly: Bool)? {
            guard !isMeasured, isComplete(nil) else { return nil }
            isMeasured = true
            let end = completedAt ?? now
            guard !isOver, let respondedAt else { return nil }
            if let began, began < end {
                return (receivedByteCount.subtractingClamped(bytesBefore), end - max(began, respondedAt), false)
            }
            return (receivedByteCount, end - respondedAt, true)
        }

        /// Whether all of a range, or of the resource, has arrived or will never arrive.
        func isComplete(_ range: Range<Int64>?) -> Bool {
            if isOver { return true }
            guard let end = range?.upperBound ?? stream.length else { return !stream.isRemote }
            return stream.firstMissing(from: range?.lowerBound ?? 0) >= end
        }

        var heldByteCount: Int { (stream as? HTTPByteStream)?.memoryByteCount ?? 0 }
        var receivedByteCount: Int64 { (stream as? HTTPByteStream)?.receivedByteCount ?? 0 }
    }

    private(set) var resources: [Key: Resource] = [:]
    /// The number of bytes received for resources that were closed.
    private(set) var formerByteCount: Int64 = 0
    private var uses = 0

    /// The number of bytes of played segments that are kept for seeking back.
    private static let keptByteCount = 8 << 20
    /// And their number.
    private static let keptCount = 64

    /// Returns the open resource, and marks it as used.
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

    /// The open resource that has this stream.
    func resource(of stream: any ByteStream) -> Resource? { resources.values.first { $0.stream === stream } }

    /// Removes a resource and returns it.
    mutating func remove(_ key: Key) -> Resource? {
        guard let resource = resources.removeValue(forKey: key) else { return nil }
        formerByteCount = formerByteCount.addingClamped(resource.receivedByteCount)
        return resource
    }

    /// Removes the least recently used resources beyond the limits.
    /// - Parameter wanted: The resources that are about to be played.
    /// - Returns: The removed resources, to be cancelled.
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

    /// The number of bytes received for all resources.
    var receivedByteCount: Int64 {
        resources.values.reduce(formerByteCount) { $0.addingClamped($1.receivedByteCount) }
    }
}
