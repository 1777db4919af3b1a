internal import SyrinxByteStream

/// An index of packet offsets in a stream without an index, built while packets are read.
///
/// It stores the offset of every n-th packet. When it is full, every other entry is removed and n is doubled, so its
/// size is limited.
package struct PacketIndex {
    private(set) var stride: Int64
    package private(set) var entries: [(packet: Int64, offset: Int64)] = []
    /// 16,384 entries need 256 KB.
    ///
    /// For ten hours of MP3, there is an entry for every 128 packets, which is 3 s.
    private let capacity: Int

    package init(capacity: Int = 16384, stride: Int64 = 16) {
        self.capacity = capacity
        self.stride = stride
    }

    /// Notes that packet `number` starts at `offset`.
    ///
    /// Packets must be ascending or already known; some may be missing.
    package mutating func note(packet number: Int64, at offset: Int64) {
        guard number >= next else { return }
        if entries.count == capacity {
            entries = Swift.stride(from: 0, to: entries.count, by: 2).map { entries[$0] }
            stride *= 2
            guard number >= next else { return }
        }
        entries.append((number, offset))
    }

    /// The first packet that gets another entry; without gaps, entries are multiples of the stride.
    private var next: Int64 { entries.last.map { $0.packet.addingClamped(stride) } ?? 0 }

    /// The last packet known that is not after `number`.
    package func entry(atOrBefore number: Int64) -> (packet: Int64, offset: Int64)? {
        let count = firstIndex { $0.packet > number }
        return count > 0 ? entries[count - 1] : nil
    }

    /// Returns the last known packet that starts at or before `offset`.
    package func entry(atOrBeforeOffset offset: Int64) -> (packet: Int64, offset: Int64)? {
        let count = firstIndex { $0.offset > offset }
        return count > 0 ? entries[count - 1] : nil
    }

    /// The first packet known that is after `number`.
    package func entry(after number: Int64) -> (packet: Int64, offset: Int64)? {
        let index = firstIndex { $0.packet > number }
        return index < entries.count ? entries[index] : nil
    }

    /// Returns the index of the first entry for which `isBehind` is true, in a partitioned list.
    private func firstIndex(_ isBehind: ((packet: Int64, offset: Int64)) -> Bool) -> Int {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if isBehind(entries[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

/// Estimates the offset of an unknown packet: arithmetically for a constant bit rate, otherwise from the encoder's
/// table.
struct PacketEstimate {
    /// The offset of packet 0.
    var firstOffset: Int64
    /// On average.
    var bytesPerPacket: Double
    /// The table of a Xing header, with the packets and the bytes that it spans; its bytes are counted from `tableOffset`.
    var table: (entries: [UInt8], packets: Double, bytes: Double, offset: Double)?
    /// The samples of the file's bit rate.
    var survey: BitRateSampler?

    /// Returns the expected offset of packet `number`.
    func offset(ofPacket number: Int64) -> Int64 {
        if let survey {
            return Int64(clamped: Self.value(at: Double(number), of: survey.nodes.map { ($0.packet, $0.offset) }))
        }
        guard let table, table.packets > 0, table.entries.count == 100 else {
            return firstOffset.addingClamped(Int64(clamped: (Double(max(number, 0)) * bytesPerPacket).rounded()))
        }
        let percent = min(max(Double(number) / table.packets * 100, 0), 100)
        let below = min(Int(percent), 99)
        let low = Self.value(table.entries, below)
        let share = low + (Self.value(table.entries, below + 1) - low) * (percent - Double(below))
        return max(Int64(clamped: (table.offset + share / 256 * table.bytes).rounded()), firstOffset)
    }

    /// Returns the estimated packet at `offset`.
    func packet(at offset: Int64) -> Int64 {
        if let survey {
            return Int64(clamped: Self.value(at: Double(offset), of: survey.nodes.map { ($0.offset, $0.packet) }))
        }
        guard let table, table.bytes > 0, table.entries.count == 100 else {
            guard bytesPerPacket > 0 else { return 0 }
            return max(Int64(clamped: (Double(offset.subtractingClamped(firstOffset)) / bytesPerPacket).rounded()), 0)
        }
        let share = min(max((Double(offset) - table.offset) / table.bytes * 256, 0), 256)
        let below = (1...100).first { Self.value(table.entries, $0) > share }.map { $0 - 1 } ?? 99
        let low = Self.value(table.entries, below)
        let width = Self.value(table.entries, below + 1) - low
        let part = width > 0 ? (share - low) / width : 0
        return max(Int64(clamped: ((Double(below) + part) / 100 * table.packets).rounded()), 0)
    }

    /// Interpolates the value at `x` between ascending points; outside of them, returns that of the nearest end.
    private static func value(at x: Double, of points: [(x: Double, y: Double)]) -> Double {
        guard let above = points.firstIndex(where: { $0.x >= x }) else { return points.last?.y ?? 0 }
        guard above > 0 else { return points[0].y }
        let (low, high) = (points[above - 1], points[above])
        return low.y + (high.y - low.y) * (x - low.x) / (high.x - low.x)
    }

    private static func value(_ table: [UInt8], _ place: Int) -> Double {
        place < table.count ? Double(table[place]) : 256
    }
}
