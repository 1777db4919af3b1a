import SyrinxMediaCodec

/// Maps times of the received part of a broadcast to offsets of frames in bytes.
///
/// It has no side effects. Times are in seconds of decoded sound after the first received frame.
struct BroadcastIndex: Sendable {
    /// A frame that begins at a time.
    struct Mark: Equatable, Sendable {
        let seconds: Double
        let offset: Int64
    }

    /// Seconds between two marks.
    static let interval = 0.5
    /// The maximum number of marks: more than an hour.
    static let mostMarks = 10_000
    /// The maximum number of kept headers of Ogg streams, and their size in bytes.
    private static let mostHeads = 16
    private static let largestHead = 1 << 18

    private var marks: [Mark] = []
    private var heads: [(offset: Int64, head: OggStreamHead)] = []
    /// The seconds of all frames that have arrived.
    private(set) var seconds = 0.0
    /// The offset of the next unit.
    private var offset: Int64

    /// Creates the index of a broadcast whose first unit begins at `offset`.
    init(offset: Int64 = 0) { self.offset = offset }

    /// Adds the next unit.
    mutating func append(_ unit: StreamSplitter.Unit) {
        if let head = unit.head, head.bytes.count <= Self.largestHead {
            heads.append((offset, head))
            if heads.count > Self.mostHeads { heads.removeFirst() }
        }
        if unit.isFrame, unit.head == nil, marks.last.map({ seconds - $0.seconds >= Self.interval }) ?? true {
            marks.append(Mark(seconds: seconds, offset: offset))
            if marks.count > Self.mostMarks { marks.removeFirst(Self.mostMarks / 10) }
        }
        seconds += unit.duration
        offset = offset.addingClamped(Int64(unit.bytes.count))
    }

    /// Notes that bytes before the first unit are no part of it.
    mutating func skip(_ count: Int64) { offset = offset.addingClamped(count) }

    /// Returns the last mark at or before a time, from `offset` on; the first such mark if the time precedes all.
    func mark(at seconds: Double, from offset: Int64 = 0) -> Mark? {
        let first = marks.partitioningIndex { $0.offset >= offset }
        let end = marks.partitioningIndex { $0.seconds > seconds }
        return end > first ? marks[end - 1] : first < marks.count ? marks[first] : nil
    }

    /// Returns the header of the Ogg stream to which the byte at `offset` belongs; `nil` if there is none.
    func head(at offset: Int64) -> OggStreamHead? { heads.last { $0.offset < offset }?.head }
}

extension Array {
    /// Returns the index of the first element that satisfies a condition, which holds for all elements behind it.
    fileprivate func partitioningIndex(_ condition: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = low + (high - low) / 2
            if condition(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
