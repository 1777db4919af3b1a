internal import CSyrinxFFmpeg
internal import SyrinxByteStream

/// The packets of a long MP4 file, read by its own table: libavformat keeps an index of 24 bytes a packet, 37 MB of ten hours.
///
/// The corrections limit libavformat's index to the first packets, from which it describes the recording. That index shows whether
/// both understand the table alike. One thread at a time.
final class LongTable {
    /// Whether libavformat understands the beginning of the table alike.
    let isUsable: Bool
    private let table: MP4PacketTable
    private let stream: UnsafeMutablePointer<AVStream>
    private let io: UnsafeMutablePointer<AVIOContext>?
    /// The timestamp of the first packet.
    private var origin: Int64 = 0
    /// The number of the next packet.
    private var next = 0

    /// Reads the table of a long recording in a local file; `nil` if it is another one.
    static func read(through bridge: AVIOBridge) -> MP4TableReader.Result? {
        // Of a remote one the table would come twice.
        guard bridge.stream.isSeekable, !bridge.stream.isRemote, bridge.head.dropFirst(4).starts(with: "ftyp".utf8)
        else { return nil }
        let boxes = MP4Boxes { bridge.peek(at: $0, count: $1) }
        return MP4TableReader(boxes: boxes) { bridge.read(at: $0, count: $1) }.read()
    }

    /// Checks a table against the index of a stream, which has been opened with its corrections.
    /// - Parameters:
    ///   - result: The table.
    ///   - context: The open container.
    ///   - stream: The stream of sound in it, whose packets the table has.
    init(
        _ result: MP4TableReader.Result,
        _ context: UnsafeMutablePointer<AVFormatContext>,
        _ stream: UnsafeMutablePointer<AVStream>
    ) {
        table = result.table
        (self.stream, io) = (stream, context.pointee.pb)
        guard let first = avformat_index_get_entry(stream, 0), let parameters = stream.pointee.codecpar,
            avformat_index_get_entries_count(stream) == result.indexedCount,
            [AV_CODEC_ID_AAC, AV_CODEC_ID_ALAC].contains(parameters.pointee.codec_id)
        else {
            isUsable = false
            return
        }
        let origin = first.pointee.timestamp
        isUsable = (0..<result.indexedCount).allSatisfy { index in
            guard let entry = avformat_index_get_entry(stream, Int32(clamping: index)) else { return false }
            let packet = result.table[index]
            return entry.pointee.pos == packet.offset && entry.pointee.size == packet.size
                && entry.pointee.timestamp == origin.addingClamped(packet.time)
                && entry.pointee.flags & AVINDEX_KEYFRAME != 0
        }
        self.origin = origin
        if isUsable { parameters.pointee.bit_rate = result.bitRate }
    }

    /// The packets whose places may be listed: as many as `LibavOpening.largestAllocation` has room for.
    private static let listedCount = LibavOpening.largestAllocation / MemoryLayout<TableCutter.Entry>.stride

    /// The number of packets.
    var count: Int { table.count }

    /// The offset and the bytes of a packet.
    func place(of index: Int) -> (offset: Int64, size: Int64) {
        let packet = table[index]
        return (packet.offset, Int64(packet.size))
    }

    /// The timestamp of a packet.
    func timestamp(of index: Int) -> Int64 { origin.addingClamped(table.time(of: index)) }

    /// The places of all packets; `nil` if the list would be too large.
    var entries: [TableCutter.Entry]? {
        guard table.count <= Self.listedCount else { return nil }
        return (0..<table.count).map { index in
            let packet = table[index]
            return TableCutter.Entry(offset: packet.offset, size: Int32(clamping: packet.size))
        }
    }

    /// Goes to the last packet that begins at a timestamp or before it.
    /// - Parameter timestamp: In ticks of the stream; the nearest packet is chosen where none is there.
    func seek(to timestamp: Int64) {
        next = table.index(at: timestamp.subtractingClamped(origin))
        // As after a seek of libavformat's, nothing of the end is remembered.
        io?.pointee.eof_reached = 0
    }

    /// Reads the next packet, as libavformat would.
    ///
    /// A packet beyond the end of the file is passed over; after another failure the same packet is read again.
    /// - Parameter packet: An empty packet, which gets the bytes, timestamps and flags.
    /// - Returns: A negative number of libavformat's at the end, beyond the end of the file, or if it fails.
    func readPacket(into packet: UnsafeMutablePointer<AVPacket>) -> Int32 {
        guard next < table.count else { return syrinx_error_eof() }
        let index = next
        let entry = table[index]
        let status = read(entry, into: packet)
        if status >= 0 || [syrinx_error_eof(), syrinx_error_invalid_data()].contains(status) {
            // Bounded: no more than the number of packets.
            next += 1
        }
        guard status >= 0 else { return status }
        let time = origin.addingClamped(entry.time)
        (packet.pointee.pts, packet.pointee.dts) = (time, time)
        let isLast = index >= table.count - 1
        packet.pointee.duration = isLast ? max(stream.pointee.duration.subtractingClamped(time), 0) : entry.duration
        packet.pointee.stream_index = stream.pointee.index
        packet.pointee.flags |= AV_PKT_FLAG_KEY
        return 0
    }

    private func read(_ entry: MP4PacketTable.Packet, into packet: UnsafeMutablePointer<AVPacket>) -> Int32 {
        let place = avio_seek(io, entry.offset, SEEK_SET)
        guard place == entry.offset else { return place < 0 ? Int32(clamping: place) : syrinx_error_invalid_data() }
        return av_get_packet(io, packet, Int32(clamping: entry.size))
    }
}
