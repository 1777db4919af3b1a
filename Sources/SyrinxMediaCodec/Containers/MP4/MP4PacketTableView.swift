internal import CSyrinxFFmpeg
internal import CoreAudioTypes
internal import SyrinxByteStream

/// The table of packets that libavformat has read, or that of a long recording, which is read here.
struct MP4PacketTableView {
    private let reader: LibavPacketReader

    init(_ reader: LibavPacketReader) { self.reader = reader }

    private var stream: UnsafeMutablePointer<AVStream> { reader.format.stream }

    /// The number of packets.
    var count: Int { reader.format.longTable?.count ?? Int(avformat_index_get_entries_count(stream)) }

    private func entry(_ index: Int) -> AVIndexEntry? {
        avformat_index_get_entry(stream, Int32(clamping: index))?.pointee
    }

    /// The time of a packet in ticks.
    func timestamp(of index: Int) -> Int64 {
        reader.format.longTable?.timestamp(of: index) ?? entry(index)?.timestamp ?? 0
    }

    /// The offset and the bytes of a packet.
    func place(of index: Int) -> (offset: Int64, size: Int64) {
        reader.format.longTable?.place(of: index) ?? entry(index).map { ($0.pos, Int64($0.size)) } ?? (-1, 0)
    }

    /// Returns the index of a packet that was read.
    /// - Parameter next: Its expected index, if libavformat has not jumped.
    func index(of packet: UnsafePointer<AVPacket>, expecting next: Int) -> Int {
        let place = packet.pointee.pos
        if next < count, self.place(of: next).offset == place { return next }
        // The first of those that have its time, and from there on by its place.
        var (low, high) = (0, count - 1)
        while low < high {
            let middle = (low + high) / 2
            if timestamp(of: middle) < packet.pointee.dts { low = middle + 1 } else { high = middle }
        }
        let sameTime = (low..<min(low + 4096, count)).prefix { timestamp(of: $0) <= packet.pointee.dts }
        return sameTime.first { self.place(of: $0).offset == place } ?? low
    }

    /// The positions of all packets; `nil` if they are unknown.
    var entries: [TableCutter.Entry]? {
        if let table = reader.format.longTable { return table.entries }
        var entries: [TableCutter.Entry] = []
        entries.reserveCapacity(count)
        for index in 0..<count {
            let (offset, size) = place(of: index)
            guard offset >= 0, size > 0, offset <= .max - Int64(Int32.max) else { return nil }
            entries.append(TableCutter.Entry(offset: offset, size: Int32(clamping: size)))
        }
        return entries
    }

    /// Makes the clock of these packets.
    func clock(
        _ timing: PacketTimeline,
        _ parameters: UnsafePointer<AVCodecParameters>,
        _ header: MP4TrackHeader,
        _ first: UnsafePointer<AVPacket>
    ) -> MP4PacketClock {
        let origin = timestamp(of: 0)
        let isPlain = isPCM(parameters.pointee.codec_id)
        let fixed = isPlain ? 0 : framesPerPacket(timing, parameters, first)
        return MP4PacketClock(
            count: count,
            framesPerPacket: fixed,
            lastDuration: lastDuration(timing, parameters, header),
            usualDuration: timing.timestamp(ofFrame: fixed).subtractingClamped(timing.origin),
            statedTicks: header.duration,
            time: { timestamp(of: $0).subtractingClamped(origin) },
            frames: { timing.frames($0) }
        )
    }

    /// Returns the duration of the last packet in ticks; `nil` if it is unknown.
    private func lastDuration(
        _ timing: PacketTimeline,
        _ parameters: UnsafePointer<AVCodecParameters>,
        _ header: MP4TrackHeader
    ) -> Int64? {
        guard let stated = header.lastDuration, stated > 0 else { return nil }
        guard stated == 1 else { return stated }
        // libavformat combines samples of one tick into larger packets.
        let bytes = Int64(StreamDescription.of(parameters, framesPerPacket: 0).mBytesPerFrame)
        if isPCM(parameters.pointee.codec_id), bytes > 0 {
            return timing.timestamp(ofFrame: place(of: count - 1).size / bytes).subtractingClamped(timing.origin)
        }
        return header.duration.map { $0.subtractingClamped(timestamp(of: count - 1)) } ?? stated
    }

    private func framesPerPacket(
        _ timing: PacketTimeline,
        _ parameters: UnsafePointer<AVCodecParameters>,
        _ first: UnsafePointer<AVPacket>
    ) -> Int64 {
        let codec = parameters.pointee.codec_id
        if let frames = AMRSample.frames(of: codec) {
            let inner = 0..<max(count - 1, 1)
            let duration = timestamp(of: min(1, count - 1)).subtractingClamped(timestamp(of: 0))
            let areAlike =
                inner.allSatisfy { place(of: $0).size == place(of: 0).size }
                || inner.dropLast().allSatisfy {
                    timestamp(of: $0 + 1).subtractingClamped(timestamp(of: $0)) == duration
                }
            return areAlike ? Int64(AMRSample.sizes(in: first, codec: codec).count).multipliedClamped(by: frames) : 0
        }
        return codec == AV_CODEC_ID_OPUS
            ? 0 : Int64(StreamDescription.of(parameters, framesPerPacket: timing.framesPerPacket).mFramesPerPacket)
    }
}
