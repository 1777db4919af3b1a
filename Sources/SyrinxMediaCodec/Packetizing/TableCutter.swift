/// Splits a file into the packets of a table, such as that of an MP4 file.
package struct TableCutter: PacketCutter {
    /// The file position of a packet.
    package struct Entry: Sendable, Equatable {
        package let offset: Int64
        package let size: Int32

        package init(offset: Int64, size: Int32) {
            self.offset = offset
            self.size = size
        }

        var end: Int64 { offset + Int64(size) }
    }

    /// The packets in the order of the recording.
    package let entries: [Entry]
    /// The indices of `entries`, in the order of the file.
    private let order: [Int]
    private var backlog: ByteBacklog
    /// The index in `order` of the next packet.
    private var upcoming = 0

    /// - Parameters:
    ///   - entries: The packets in the order of the recording; offsets and sizes must not be negative.
    ///   - offset: The file offset of the first pushed byte.
    package init(_ entries: [Entry], at offset: Int64) {
        self.entries = entries
        let isInOrder = zip(entries, entries.dropFirst()).allSatisfy { $0.offset <= $1.offset }
        order = isInOrder ? Array(entries.indices) : entries.indices.sorted { entries[$0].offset < entries[$1].offset }
        backlog = ByteBacklog(at: offset)
        breakOff(at: offset, toFrame: nil)
    }

    package mutating func push(_ bytes: UnsafeRawBufferPointer) {
        // Bytes before the next packet belong to no packet, and are not stored.
        let gap = order.indices.contains(upcoming) ? entries[order[upcoming]].offset - backlog.fileOffset : .max
        if backlog.waiting == 0, gap >= Int64(bytes.count) {
            backlog.restart(at: backlog.fileOffset.addingReportingOverflow(Int64(bytes.count)).partialValue)
        } else {
            backlog.append(bytes)
        }
    }

    package mutating func breakOff(at offset: Int64?, toFrame frame: Int64?) {
        guard let offset else { return }
        backlog.restart(at: offset)
        var (low, high) = (0, order.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[order[middle]].offset < offset { low = middle + 1 } else { high = middle }
        }
        upcoming = low
    }

    package mutating func finish() {}

    package mutating func next() -> PacketCut? {
        while upcoming < order.count {
            let entry = entries[order[upcoming]]
            let skip = entry.offset - backlog.fileOffset
            // If packets overlap, the later one cannot be returned.
            guard skip >= 0 else {
                upcoming += 1
                continue
            }
            guard Int64(backlog.waiting) >= skip, Int64(backlog.waiting) - skip >= Int64(entry.size) else { return nil }
            backlog.place += Int(skip)
            upcoming += 1
            return PacketCut(bytes: backlog.take(Int(entry.size)), offset: entry.offset)
        }
        backlog.place = backlog.count
        return nil
    }
}
