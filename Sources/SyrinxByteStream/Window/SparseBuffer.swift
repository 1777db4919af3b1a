/// Pieces of a long byte sequence, held in memory within a bound.
///
/// A plain value: a user that shares it between threads guards it (`BlockingWindow` does). Bytes are stored in segments of at
/// most `segmentSize` bytes, sorted and never overlapping, and thrown away a segment at a time.
package struct SparseBuffer {
    /// Bytes that a segment holds at most: small against the bound, large against the cost of a segment.
    package static let segmentSize = 65_536

    private struct Segment {
        let start: Int64
        var bytes: [UInt8]
        var end: Int64 { start + Int64(bytes.count) }
    }

    /// Bytes held at most, but for what is pinned.
    package var limit: Int
    /// Bytes behind the reader that are kept in preference to bytes far ahead of it.
    package let behind: Int64
    /// Ranges that are never thrown away, though they count towards `limit`.
    package var pinned: [Range<Int64>]
    /// The offset of the reader.
    ///
    /// Bytes far from it are discarded first.
    package var readerOffset: Int64 = 0
    /// Bytes held now.
    package private(set) var heldByteCount = 0

    private var segments: [Segment] = []

    /// An empty store that holds about `limit` bytes.
    package init(limit: Int, behind: Int64, pinned: [Range<Int64>] = []) {
        self.limit = limit
        self.behind = behind
        self.pinned = pinned
    }

    /// The ranges held, ascending, neighbours joined.
    package var heldRanges: [Range<Int64>] {
        Array(RangeSet(segments.map { $0.start..<$0.end }).ranges)
    }

    /// The first offset at or after `offset` that is not held.
    package func firstMissing(from offset: Int64) -> Int64 {
        var missing = offset
        var index = firstSegment(endingAfter: offset)
        while index < segments.count, segments[index].start <= missing {
            missing = segments[index].end
            index += 1
        }
        return missing
    }

    /// The first offset at or after `offset` that is held; `nil` if there is none.
    package func firstHeld(from offset: Int64) -> Int64? {
        let index = firstSegment(endingAfter: offset)
        return index < segments.count ? max(segments[index].start, offset) : nil
    }

    /// Copies what is held from `offset` on, up to the first gap, and returns how many bytes that were.
    package func copy(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        var copied = 0
        var index = firstSegment(endingAfter: offset)
        while index < segments.count, copied < buffer.count {
            let segment = segments[index]
            let skip = Int(offset - segment.start) + copied
            guard skip >= 0 else { break }
            let count = min(segment.bytes.count - skip, buffer.count - copied)
            segment.bytes.withUnsafeBytes { source in
                UnsafeMutableRawBufferPointer(rebasing: buffer[copied..<(copied + count)])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: source[skip..<(skip + count)]))
            }
            copied += count
            index += 1
            if index < segments.count, segments[index].start != segment.end { break }
        }
        return copied
    }

    /// Adds bytes that begin at `offset`; what is held already stays as it is.
    package mutating func insert(_ bytes: UnsafeRawBufferPointer, at offset: Int64) {
        var position = offset
        let end = offset + Int64(bytes.count)
        while position < end {
            let index = firstSegment(endingAfter: position)
            var stop = end
            if index < segments.count {
                if segments[index].start <= position {
                    position = segments[index].end
                    continue
                }
                stop = min(end, segments[index].start)
            }
            let piece = bytes[Int(position - offset)..<Int(stop - offset)]
            add(UnsafeRawBufferPointer(rebasing: piece), at: position, before: index)
            position = stop
        }
        if heldByteCount > limit { evict() }
    }

    /// Adds bytes to a gap: to the segment that ends there while it has room, then to new ones.
    private mutating func add(_ bytes: UnsafeRawBufferPointer, at offset: Int64, before index: Int) {
        var index = index
        var rest = bytes
        var position = offset
        heldByteCount += bytes.count
        if index > 0, segments[index - 1].end == position {
            let room = Self.segmentSize - segments[index - 1].bytes.count
            let count = min(room, rest.count)
            if count > 0 {
                segments[index - 1].bytes.append(contentsOf: rest[..<count])
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
                position += Int64(count)
            }
        }
        while !rest.isEmpty {
            let count = min(Self.segmentSize, rest.count)
            var segment = Segment(start: position, bytes: [])
            segment.bytes.reserveCapacity(Self.segmentSize)
            segment.bytes.append(contentsOf: rest[..<count])
            segments.insert(segment, at: index)
            index += 1
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            position += Int64(count)
        }
    }

    /// Throws segments away until the bound is met, or only what must stay is left.
    ///
    /// First what lies more than `behind` bytes behind the reader, the farthest first; then what lies ahead beyond a
    /// gap, the farthest first; then the rest behind. What the reader comes to next without a gap always stays.
    private mutating func evict() {
        let reader = readerOffset
        let run = firstMissing(from: reader)
        func removeFirst(_ indices: some Sequence<Int>, while condition: (Segment) -> Bool) -> Int? {
            for index in indices where condition(segments[index]) && !isPinned(segments[index]) { return index }
            return nil
        }
        while heldByteCount > limit {
            let victim =
                removeFirst(segments.indices) { $0.end <= reader - behind }
                ?? removeFirst(segments.indices.reversed()) { $0.start > run }
                ?? removeFirst(segments.indices) { $0.end <= reader }
            guard let victim else { return }
            heldByteCount -= segments[victim].bytes.count
            segments.remove(at: victim)
        }
    }

    /// Throws away what lies more than `near` bytes from the reader, if it can be had elsewhere.
    package mutating func release(near: Int64, where isElsewhere: (Range<Int64>) -> Bool) {
        for (index, segment) in segments.enumerated().reversed() {
            let range = segment.start..<segment.end
            let isNear = range.overlaps(readerOffset - near..<readerOffset + near)
            guard !isNear, !isPinned(segment), isElsewhere(range) else { continue }
            heldByteCount -= segment.bytes.count
            segments.remove(at: index)
        }
    }

    private func isPinned(_ segment: Segment) -> Bool {
        pinned.contains { $0.overlaps(segment.start..<segment.end) }
    }

    /// The index of the first segment that ends after `offset`, or the count.
    private func firstSegment(endingAfter offset: Int64) -> Int {
        var low = 0
        var high = segments.count
        while low < high {
            let middle = (low + high) / 2
            if segments[middle].end <= offset { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
