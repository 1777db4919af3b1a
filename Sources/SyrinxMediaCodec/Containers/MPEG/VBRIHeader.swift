internal import SyrinxByteStream

/// The header that Fraunhofer's encoders write into the first frame of an MP3 with a variable bit rate.
///
/// It follows 32 bytes after the frame's own header: `VBRI`, the version, the delay and the quality (2 bytes each), the
/// bytes and the frames of the stream (4). Then the table follows: the number of entries, their scale, the size of an
/// entry and the frames between two entries (2 each). The unit of the delay is undocumented, and no decoder drops it.
struct VBRIHeader {
    let packetCount: Int64
    let byteCount: Int64
    /// The position of each hundredth of the time, in 256ths of the bytes, as in a Xing header.
    let table: [UInt8]?

    private static let offset = 36

    init?(_ bytes: [UInt8]) {
        var reader = XingHeader.Reader(bytes: bytes, position: Self.offset)
        guard let tag = reader.take(4), tag.elementsEqual("VBRI".utf8), reader.take(6) != nil,
            let size = reader.number(4), let packets = reader.number(4), packets > 0,
            let count = reader.number(2), let scale = reader.number(2), let width = reader.number(2),
            reader.number(2) != nil
        else { return nil }
        byteCount = size
        packetCount = packets
        var ends: [Int64] = [0]
        for _ in 0..<count {
            guard (1...4).contains(width), let entry = reader.number(Int(width)) else { break }
            ends.append((ends.last ?? 0).addingClamped(entry.multipliedClamped(by: scale)))
        }
        // Cut off, it would describe the beginning only.
        guard ends.count > count, let total = ends.last, total > 0 else {
            table = nil
            return
        }
        table = (0..<100).map { percent in
            let place = Double(percent) / 100 * Double(ends.count - 1)
            let below = Int(place)
            let low = Double(ends[below])
            let high = Double(ends[min(below + 1, ends.count - 1)])
            return UInt8(clamped: (low + (high - low) * (place - Double(below))) / Double(total) * 256)
        }
    }
}
