internal import SyrinxByteStream

/// Reads the packet table of a long recording in an MP4 file, so that libavformat needs to read only its start.
///
/// Unusual tables are left to libavformat. Box names and layouts are those of ISO/IEC 14496-12.
struct MP4TableReader {
    /// Bytes that libavformat is to read in place of those of the file.
    typealias Correction = (offset: Int64, bytes: [UInt8])

    /// A table, and the corrections that limit libavformat's index to the first packets.
    struct Result {
        var table: MP4PacketTable
        /// The number of packets in libavformat's index.
        var indexedCount: Int
        var corrections: [Correction]
        /// Bits a second of all packets.
        var bitRate: Int64
    }

    private struct ChunkCount {
        var first: Int64
        var packets: Int
    }

    /// The minimum number of packets: below it, libavformat needs at most 1.5 MB.
    static let minimumCount = 1 << 16
    /// The table has 2 bytes for each.
    private static let maximumCount = 1 << 26
    /// The minimum number of packets in libavformat's index: more than it reads to identify the codec.
    private static let indexedCount = 4096
    /// The changes in the number of packets of a chunk beyond which libavformat's index is as small.
    private static let maximumChangeCount = 1 << 17
    private static let blockSize = 1 << 16

    let boxes: MP4Boxes
    /// Reads a number of bytes at an offset; fewer if they are unavailable.
    let bytes: (_ offset: Int64, _ count: Int) -> [UInt8]

    /// Returns the table; `nil` if the recording is short, or its tables are unusual.
    func read() -> Result? {
        guard let movie = boxes.boxes(from: 0, to: .max, until: "moov").last, movie.kind == "moov" else { return nil }
        let parts = boxes.boxes(from: movie.body, to: movie.end)
        guard !parts.contains(where: { $0.kind == "mvex" }) else { return nil }
        let tracks = parts.filter { $0.kind == "trak" }.map { ($0, kind(of: $0)) }
        let sounds = tracks.filter { $0.1 == "soun" }
        guard sounds.count == 1, !tracks.contains(where: { $0.1 == "vide" }), let track = sounds.first?.0,
            let media = boxes.find(["mdia"], in: track),
            let trackScale = scale(of: boxes.boxes(from: media.body, to: media.end)),
            let list = boxes.find(["minf", "stbl"], in: media)
        else { return nil }
        guard var result = table(boxes.boxes(from: list.body, to: list.end)), trackScale.duration > 0 else {
            return nil
        }
        let bits = result.table.byteCount.multipliedClamped(by: 8).multipliedClamped(by: trackScale.ticks)
        result.bitRate = bits / max(min(result.table.ticks, trackScale.duration), 1)
        return result.table.count > result.indexedCount ? result : nil
    }

    private func kind(of track: MP4Boxes.Box) -> String {
        guard let handler = boxes.find(["mdia", "hdlr"], in: track) else { return "" }
        return String(decoding: boxes.bytes(handler.body.addingClamped(8), 4), as: UTF8.self)
    }

    /// Returns the timescale and the duration in ticks of the only `mdhd` among these boxes.
    private func scale(of boxes: [MP4Boxes.Box]) -> (ticks: Int64, duration: Int64)? {
        let found = boxes.filter { $0.kind == "mdhd" }
        guard found.count == 1, let version = numbers(found[0].body, 1, width: 1)?.first, version < 2 else {
            return nil
        }
        let place = found[0].body.addingClamped(version == 1 ? 20 : 12)
        guard let ticks = numbers(place, 1)?.first, ticks > 0,
            let duration = numbers(place.addingClamped(4), 1, width: version == 1 ? 8 : 4)?.first
        else { return nil }
        return (ticks, duration)
    }

    // MARK: The tables

    private func table(_ boxes: [MP4Boxes.Box]) -> Result? {
        let usual: Set = ["stsd", "stts", "stsc", "stsz", "stco", "co64", "sgpd", "sbgp", "free", "skip"]
        let named = Dictionary(boxes.map { ($0.kind, $0) }, uniquingKeysWith: { first, _ in first })
        let large = named["co64"]
        guard boxes.allSatisfy({ usual.contains($0.kind) }), (named["stco"] == nil) != (large == nil),
            !["stsd", "stts", "stsc", "stsz", "stco", "co64"].contains(where: { kind in
                boxes.count { $0.kind == kind } > 1
            }), let description = named["stsd"], let sizeBox = named["stsz"], let countBox = named["stsc"],
            let offsetBox = named["stco"] ?? large, let timeBox = named["stts"], isUsual(description),
            let sizes = sizes(sizeBox), let chunks = chunkCounts(countBox)
        else { return nil }
        var table = MP4PacketTable(sizes: sizes)
        guard let chunkCount = entryCount(offsetBox, width: large == nil ? 4 : 8) else { return nil }
        var indexed = (packets: 0, chunks: 0)
        var place = 0
        let areRead = forEach(offsetBox.body.addingClamped(8), chunkCount, width: large == nil ? 4 : 8) {
            chunk,
            offset in
            while place + 1 < chunks.count, chunks[place + 1].first <= Int64(chunk) + 1 { place += 1 }
            if indexed.packets < Self.indexedCount {
                indexed = (indexed.packets + min(chunks[place].packets, sizes.count), chunk + 1)
            }
            return table.append(chunkOf: chunks[place].packets, at: offset)
        }
        guard areRead, addTimes(timeBox, to: &table), table.isComplete else { return nil }
        var corrections: [Correction] = []
        if indexed.chunks == 1, indexed.packets > Self.indexedCount {
            indexed.packets = Self.indexedCount
            corrections.append((countBox.body.addingClamped(12), Self.bytes(Int64(indexed.packets))))
        }
        let changes = chunks.count { $0.first <= Int64(indexed.chunks) }
        corrections.append((sizeBox.body.addingClamped(8), Self.bytes(Int64(indexed.packets))))
        corrections.append((offsetBox.body.addingClamped(4), Self.bytes(Int64(indexed.chunks))))
        corrections.append((countBox.body.addingClamped(4), Self.bytes(Int64(changes))))
        return Result(table: table, indexedCount: indexed.packets, corrections: corrections, bitRate: 0)
    }

    /// Returns whether there is a single description, of a codec whose packets are alike and in decoding order.
    private func isUsual(_ description: MP4Boxes.Box) -> Bool {
        let kind = boxes.bytes(description.body.addingClamped(12), 4)
        return numbers(description.body.addingClamped(4), 1) == [1]
            && ["mp4a", "alac"].contains(String(decoding: kind, as: UTF8.self))
    }

    private func sizes(_ box: MP4Boxes.Box) -> [UInt16]? {
        guard numbers(box.body.addingClamped(4), 1) == [0], let count = numbers(box.body.addingClamped(8), 1)?.first,
            Int64(Self.minimumCount)...Int64(Self.maximumCount) ~= count,
            let end = box.body.addingChecked(12 + count * 4), end <= box.end,
            // No memory is taken for stated sizes that the file does not contain.
            boxes.bytes(end - 1, 1).count == 1
        else { return nil }
        var sizes: [UInt16] = []
        sizes.reserveCapacity(Int(count))
        let areRead = forEach(box.body.addingClamped(12), Int(count), width: 4) { _, size in
            guard size > 0, let size = UInt16(exactly: size) else { return false }
            sizes.append(size)
            return true
        }
        return areRead ? sizes : nil
    }

    private func chunkCounts(_ box: MP4Boxes.Box) -> [ChunkCount]? {
        guard let count = entryCount(box, width: 12), 1...Self.maximumChangeCount ~= count else { return nil }
        var chunks: [ChunkCount] = []
        let areRead = forEach(box.body.addingClamped(8), count * 3, width: 4) { index, number in
            switch index % 3 {
            case 0:
                guard number > chunks.last?.first ?? 0 else { return false }
                chunks.append(ChunkCount(first: number, packets: 0))
            case 1: chunks[chunks.count - 1].packets = Int(number)
            default: return number == 1
            }
            return true
        }
        return areRead && chunks.first?.first == 1 ? chunks : nil
    }

    private func addTimes(_ box: MP4Boxes.Box, to table: inout MP4PacketTable) -> Bool {
        guard let count = entryCount(box, width: 8), count != 1 || numbers(box.body.addingClamped(12), 1) != [1] else {
            // libavformat combines packets of one tick, which are samples.
            return false
        }
        var packets: Int64 = 0
        return forEach(box.body.addingClamped(8), count * 2, width: 4) { index, number in
            if index % 2 == 1 { return table.append(durationOf: packets, number) }
            packets = number
            return true
        }
    }

    /// Returns the number of the entries of a box; `nil` if it is too short for them.
    private func entryCount(_ box: MP4Boxes.Box, width: Int64) -> Int? {
        guard let count = numbers(box.body.addingClamped(4), 1)?.first, count <= Int64(Self.maximumCount),
            box.body.addingClamped(8).addingClamped(count * width) <= box.end
        else { return nil }
        return Int(count)
    }

    // MARK: Numbers

    private func numbers(_ offset: Int64, _ count: Int, width: Int = 4) -> [Int64]? {
        let read = boxes.bytes(offset, count * width)
        guard read.count == count * width else { return nil }
        return (0..<count).map { MP4Boxes.number(read[$0 * width..<($0 + 1) * width]) }
    }

    /// Reads big-endian numbers in blocks, until `body` returns false.
    /// - Returns: Whether all were read.
    private func forEach(_ offset: Int64, _ count: Int, width: Int, _ body: (Int, Int64) -> Bool) -> Bool {
        var index = 0
        while index < count {
            let part = min(count - index, Self.blockSize / width)
            let read = bytes(offset.addingClamped(Int64(index * width)), part * width)
            guard read.count == part * width else { return false }
            let isWanted = read.withUnsafeBytes { bytes in
                (0..<part).allSatisfy { place in
                    let number =
                        width == 8
                        ? Int64(bitPattern: bytes.loadUnaligned(fromByteOffset: place * 8, as: UInt64.self).bigEndian)
                        : Int64(bytes.loadUnaligned(fromByteOffset: place * 4, as: UInt32.self).bigEndian)
                    return body(index + place, number)
                }
            }
            guard isWanted else { return false }
            index += part
        }
        return true
    }

    private static func bytes(_ number: Int64) -> [UInt8] {
        (0..<4).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * Int64($0))) }
    }
}
