internal import CSyrinxFFmpeg
internal import SyrinxByteStream

/// The packet table of a long MP4 file, used in place of libavformat's index, which takes 37 MB for ten hours.
///
/// libavformat is given a shortened table, so its index contains only the first packets, from which it describes the
/// recording. The first packets of both tables are compared for consistency. Not thread-safe.
final class LongTable {
    /// Whether the start of the table agrees with libavformat's index.
    let isUsable: Bool
    private let table: MP4PacketTable
    private let stream: UnsafeMutablePointer<AVStream>
    private let io: UnsafeMutablePointer<AVIOContext>?
    /// The timestamp of the first packet.
    private var origin: Int64 = 0
    /// The number of the next packet.
    private var next = 0

    /// Reads the packet table of a long recording in a local file; `nil` for other files.
    static func read(through bridge: AVIOBridge) -> MP4TableReader.Result? {
        // In a remote file, the table would be downloaded twice.
        guard bridge.stream.isSeekable, !bridge.stream.isRemote, bridge.head.dropFirst(4).starts(with: "ftyp".utf8)
        else { return nil }
        let boxes = MP4Boxes { bridge.peek(at: $0, count: $1) }
        return MP4TableReader(boxes: boxes) { bridge.read(at: $0, count: $1) }.read()
    }

    /// Compares a table with the index of a stream that was opened with the shortened table.
    /// - Parameters:
    ///   - result: The packet table.
    ///   - context: The open container.
    ///   - stream: The audio stream that the table describes.
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

    /// The maximum number of entries in `entries`, limited by `LibavOpening.largestAllocation`.
    private static let listedCount = LibavOpening.largestAllocation / MemoryLayout<TableCutter.Entry>.stride

    /// The number of packets.
    var count: Int { table.count }

    /// Returns the file offset and the size of a packet, in bytes.
    func place(of index: Int) -> (offset: Int64, size: Int64) {
        let packet = table[index]
        return (packet.offset, Int64(packet.size))
    }

    /// Returns the timestamp of a packet, in ticks of the stream.
    func timestamp(of index: Int) -> Int64 { origin.addingClamped(table.time(of: index)) }

    /// The file positions of all packets; `nil` if the list would be too large.
    var entries: [TableCutter.Entry]? {
        guard table.count <= Self.listedCount else { return nil }
        return (0..<table.count).map { index in
            let packet = table[index]
            return TableCutter.Entry(offset: packet.offset, size: Int32(clamping: packet.size))
        }
    }

    /// Seeks to the last packet that starts at or before a timestamp.
    /// - Parameter timestamp: In ticks of the stream; out of range, the nearest packet is chosen.
    func seek(to timestamp: Int64) {
        next = table.index(at: timestamp.subtractingClamped(origin))
        // Like libavformat's seek, clear the end-of-file state.
        io?.pointee.eof_reached = 0
    }

    /// Reads the next packet, like `av_read_frame`.
    ///
    /// Skips a packet beyond the end of the file. After any other failure, the next call reads the same packet again.
    /// - Parameter packet: An empty packet, which receives the data, timestamps and flags.
    /// - Returns: A negative error number of libavformat at the end, beyond the end of the file, or on failure.
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
