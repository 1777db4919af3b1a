/// Parts of a byte sequence in memory, with a size limit.
///
/// A pure value: users that share it between threads must guard it, as `BlockingWindow` does. Bytes are stored in
/// sorted, disjoint segments of at most `segmentSize` bytes, and evicted by segment.
package struct SparseBuffer {
    /// The maximum size of a segment in bytes: small compared to the limit, large compared to the overhead.
    package static let segmentSize = 65_536

    private struct Segment {
        let start: Int64
        var bytes: [UInt8]
        var end: Int64 { start + Int64(bytes.count) }
    }

    /// The maximum number of held bytes, not counting pinned ranges.
    package var limit: Int
    /// The number of bytes behind the reader that are kept in preference to bytes far ahead.
    package let behind: Int64
    /// The ranges that are never evicted, though they count towards `limit`.
    package var pinned: [Range<Int64>]
    /// The offset of the reader.
    ///
    /// Bytes far from it are evicted first.
    package var readerOffset: Int64 = 0
    /// The number of held bytes.
    package private(set) var heldByteCount = 0

    private var segments: [Segment] = []

    /// Creates an empty buffer that holds about `limit` bytes.
    package init(limit: Int, behind: Int64, pinned: [Range<Int64>] = []) {
        self.limit = limit
        self.behind = behind
        self.pinned = pinned
    }

    /// The held ranges, ascending and merged.
    package var heldRanges: [Range<Int64>] {
        Array(RangeSet(segments.map { $0.start..<$0.end }).ranges)
    }

    /// Returns the first offset, starting at `offset`, that is not held.
    package func firstMissing(from offset: Int64) -> Int64 {
        var missing = offset
        var index = firstSegment(endingAfter: offset)
        while index < segments.count, segments[index].start <= missing {
            missing = segments[index].end
            index += 1
        }
        return missing
    }

    /// Returns the first offset, starting at `offset`, that is held; `nil` if there is none.
    package func firstHeld(from offset: Int64) -> Int64? {
        let index = firstSegment(endingAfter: offset)
        return index < segments.count ? max(segments[index].start, offset) : nil
    }

    /// Copies held bytes from `offset` to the first gap, and returns their number.
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

    /// Adds bytes at `offset`; bytes that are already held do not change.
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

    /// Adds bytes to a gap: to the segment that ends there while it has space, then to new segments.
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

    /// Evicts segments until the limit is met, or only required segments are left.
    ///
    /// The order is: bytes more than `behind` bytes behind the reader, farthest first; bytes after a gap ahead,
    /// farthest first; other bytes behind the reader. The contiguous bytes at the reader always stay.
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

    /// Evicts bytes more than `near` bytes from the reader if they are available elsewhere.
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

    /// Returns the index of the first segment that ends after `offset`, or the number of segments.
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
