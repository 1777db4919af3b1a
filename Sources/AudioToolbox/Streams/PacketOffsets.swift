internal import SyrinxByteStream
internal import SyrinxMediaCodec

/// The offsets of packets: exact for packets that have arrived, and estimated for others.
///
/// Offsets are in bytes from the first packet. Memory is bounded: for a long stream every second offset is kept, then
/// every fourth, and so on.
struct PacketOffsets {
    /// A place, and whether it is a guess.
    struct Place: Equatable {
        var packet: Int64
        var byte: Int64
        var isEstimate: Bool
    }

    /// 65,536 places are 1 MB: each one of 28 minutes of MP3.
    private var index = PacketIndex(capacity: 65536, stride: 1)
    /// The number and the offset after the last packet that has arrived.
    private var end: (packet: Int64, byte: Int64) = (0, 0)
    /// Whether the following packets are consecutive but their offsets are unknown.
    private(set) var isBroken = false

    /// Notes the next packet.
    /// - Parameter byte: The offset of its start; `nil` if its container states whole pages only.
    mutating func note(at byte: Int64?, size: Int) {
        guard !isBroken else { return }
        if let byte, byte >= end.byte { index.note(packet: end.packet, at: byte) }
        end = (end.packet.addingClamped(1), max(byte ?? end.byte, end.byte).addingClamped(Int64(size)))
    }

    /// Records that the following packets are from another, unknown offset.
    mutating func breakOff() { isBroken = true }

    /// Returns the offset of packet `number`; `nil` before any has arrived.
    func place(ofPacket number: Int64) -> Place? {
        guard end.packet > 0, number >= 0 else { return nil }
        let (low, high) = neighbours(of: index.entry(atOrBefore: number))
        if low.packet == number, index.entry(atOrBefore: number) != nil {
            return Place(packet: number, byte: low.byte, isEstimate: false)
        }
        let byte = Double(low.byte) + Double(number.subtractingClamped(low.packet)) * bytesPerPacket(low, high)
        return Int64(exactly: byte.rounded()).map { Place(packet: number, byte: $0, isEstimate: true) }
    }

    /// Returns the packet that contains byte `byte`; `nil` before the first packet.
    func place(ofByte byte: Int64) -> Place? {
        guard end.packet > 0, byte >= 0 else { return nil }
        let entry = index.entry(atOrBeforeOffset: byte)
        let (low, high) = neighbours(of: entry)
        let mean = bytesPerPacket(low, high)
        guard mean > 0 else { return nil }
        guard entry != nil, high.packet == low.packet.addingClamped(1), byte < high.byte else {
            let packets = (Double(byte.subtractingClamped(low.byte)) / mean).rounded(.down)
            guard let packet = Int64(exactly: Double(low.packet) + packets),
                let start = Int64(exactly: (Double(low.byte) + packets * mean).rounded(.down))
            else { return nil }
            return Place(packet: packet, byte: min(start, byte), isEstimate: true)
        }
        return Place(packet: low.packet, byte: low.byte, isEstimate: false)
    }

    /// Returns the known offsets before and after a position.
    private func neighbours(
        of entry: (packet: Int64, offset: Int64)?
    ) -> (low: (packet: Int64, byte: Int64), high: (packet: Int64, byte: Int64)) {
        let low = entry.map { ($0.packet, $0.offset) } ?? (0, 0)
        let next = index.entry(after: low.0)
        return (low, next.map { ($0.packet, $0.offset) } ?? end)
    }

    /// Returns the average packet size between two offsets, or of all packets if there is no offset after the first.
    private func bytesPerPacket(_ low: (packet: Int64, byte: Int64), _ high: (packet: Int64, byte: Int64)) -> Double {
        // Behind the last place the mean of all is better than the size of one packet.
        let isLast = high.packet == end.packet
        let (from, to) = isLast ? ((packet: 0, byte: 0), end) : (low, high)
        return to.packet > from.packet ? Double(to.byte - from.byte) / Double(to.packet - from.packet) : 0
    }
}
