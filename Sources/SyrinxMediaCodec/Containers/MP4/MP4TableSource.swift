internal import CSyrinxFFmpeg
internal import SyrinxByteStream

/// The packets of an MP4 file according to the table in its header and its edit list.
final class MP4TableSource: PacketSource {
    private let table: MP4PacketTableView
    private let clock: MP4PacketClock
    private let parts: [MP4Parts.Part]
    /// The index of the current part; the number of parts at the end.
    private var part = 0
    /// Whether reading has to move to the packets of the current part.
    private var isBetweenParts = false
    /// The number of the packet that follows in the table.
    private var next = 0
    /// The remaining AMR frames of the last sample.
    private var split: [MediaPacket] = []

    /// Reads the first packet.
    /// - Returns: `nil` if no table places the packets, or the header of the track has not been read.
    /// - Throws: The stream's error.
    static func open(_ reader: LibavPacketReader) throws(SyrinxError) -> PacketSource? {
        let table = MP4PacketTableView(reader)
        guard let header = reader.format.tracks?[reader.format.stream.pointee.id], table.count > 0,
            let first = try reader.readFirst()
        else { return nil }
        return try MP4TableSource(reader, first, table, header)
    }

    private init(
        _ reader: LibavPacketReader,
        _ first: UnsafePointer<AVPacket>,
        _ table: MP4PacketTableView,
        _ header: MP4TrackHeader
    ) throws(SyrinxError) {
        let format = reader.format
        var statement = ContainerStatement()
        guard let timing = PacketTimelineBuilder(format: format, first: first, statement: statement).build(),
            let parameters = format.stream.pointee.codecpar
        else { throw SyrinxError(.corrupt, "It contains no audio frames.", name: format.name) }
        self.table = table
        clock = table.clock(timing, parameters, header, first)
        let all = MP4Parts(
            clock,
            header.edits,
            gapless: ContainerStatement.gapless(format),
            delay: FAACMark.delay(of: first, parameters),
            ticksPerSecond: max(header.timescale ?? timing.tick.denominator, 1)
        )
        parts = all.parts
        statement.length = { _ in .frames(all.frameCount) }
        try super.init(reader, first: first, statement)
    }

    // MARK: Reading

    override func takeFirst() throws(SyrinxError) -> MediaPacket? {
        if let packet = try accepted() { return packet }
        isBetweenParts = true
        return try read()
    }

    override func read() throws(SyrinxError) -> MediaPacket? {
        if !split.isEmpty { return split.removeFirst() }
        while part < parts.count {
            if isBetweenParts { try goToPart() }
            guard try reader.next() else { return nil }
            if let packet = try accepted() { return packet }
        }
        return nil
    }

    /// Creates a `MediaPacket` from the last packet; returns `nil` if it has no audio of the current part.
    private func accepted() throws(SyrinxError) -> MediaPacket? {
        let index = table.index(of: UnsafePointer(reader.packet), expecting: next)
        next = index + 1
        let span = clock.span(of: index)
        let heard = parts[part].media
        // Earlier packets are needed for the decoder's preroll.
        guard span.upperBound > heard.lowerBound.subtractingClamped(prerollFrames) else {
            av_packet_unref(reader.packet)
            return nil
        }
        let isWhole = Int64(reader.packet.pointee.size) >= table.place(of: index).size
        split = try pieces(of: span, in: parts[part])
        if span.upperBound >= heard.upperBound, isWhole {
            part += 1
            isBetweenParts = part < parts.count
        }
        return split.isEmpty ? nil : split.removeFirst()
    }

    /// Creates packets from the last sample: one for each AMR frame, otherwise one.
    private func pieces(of span: Range<Int64>, in part: MP4Parts.Part) throws(SyrinxError) -> [MediaPacket] {
        let offset = reader.offset
        let sizes = AMRSample.sizes(in: UnsafePointer(reader.packet), codec: firstParameters?.pointee.codec_id)
        let box = try reader.takePacket()
        let count = Int64(span.count) / Int64(max(sizes.count, 1))
        var packets: [MediaPacket] = []
        var place = 0
        for (number, size) in sizes.enumerated() {
            guard let piece = sizes.count == 1 ? box : PacketBox(box, bytes: place..<place + size) else {
                throw SyrinxError.outOfMemory(format.name)
            }
            place += size
            let start = span.lowerBound.addingClamped(Int64(number).multipliedClamped(by: count))
            packets.append(packet(piece, start..<start.addingClamped(count), part, offset))
        }
        return packets
    }

    private func packet(
        _ box: PacketBox,
        _ span: Range<Int64>,
        _ part: MP4Parts.Part,
        _ offset: Int64?
    ) -> MediaPacket {
        let before = part.media.lowerBound.subtractingClamped(span.lowerBound)
        let behind = max(span.upperBound.subtractingClamped(part.media.upperBound), 0)
        // Frames of the encoder delay have negative numbers, but a reader that counts does not see them.
        let isTrimmed = part.start > 0 || timing.isCountedByReader
        let cut = isTrimmed ? min(max(before, 0), Int64(span.count)) : 0
        return MediaPacket(
            box: box,
            startFrame: part.start.subtractingClamped(before).addingClamped(cut),
            frameCount: span.count,
            byteOffset: offset,
            // At the end, the stated length applies.
            endTrim: part == parts.last ? 0 : Int(clamping: min(behind, Int64(span.count))),
            startTrim: Int(clamping: cut),
            lostBefore: 0,
            lostFrames: 0,
            endPosition: nil,
            beginsRecording: false,
            tags: nil
        )
    }

    /// Moves to the first packet of a part that is not contiguous with the one before.
    private func goToPart() throws(SyrinxError) {
        isBetweenParts = false
        let frame = max(parts[part].media.lowerBound.subtractingClamped(prerollFrames), 0)
        let first = clock.packet(holding: frame)
        // Packets are skipped by reading if they are few, or if the stream is not seekable.
        if next <= first, first - next < 16 || !stream.isSeekable { return }
        guard stream.isSeekable else { throw cannotGoBack }
        try go(toPacket: first)
    }

    // MARK: Seeking

    override func seek(toFrame frame: Int64) throws(SyrinxError) {
        let target = clamped(frame)
        _ = try clearFailure()
        guard stream.isSeekable else { return try readOn(toFrame: target) }
        pending = nil
        let isCounted = traits.seeking == .byCountingFromStart
        part = isCounted ? 0 : parts.firstIndex { target < $0.end } ?? parts.count - 1
        let heard = parts[part]
        let ahead = isCounted ? 0 : max(target.subtractingClamped(heard.start), 0)
        let media = heard.media.lowerBound.addingClamped(ahead)
        try go(toPacket: clock.packet(holding: media.subtractingClamped(prerollFrames)))
        // A failed read there is an error of the seek.
        _ = try peek()
    }

    private func go(toPacket wanted: Int) throws(SyrinxError) {
        // libavformat may select any of several packets with one time, and no packet may precede the first of them.
        var packet = wanted
        while packet > 0, packet + 1 < table.count, table.timestamp(of: packet) == table.timestamp(of: packet + 1) {
            packet -= 1
        }
        breakOff()
        let status = format.seek(toTimestamp: table.timestamp(of: packet))
        if let failure = format.bridge.failure { throw failure }
        if status >= 0, packet + 1 == table.count || table.timestamp(of: packet) < table.timestamp(of: packet + 1) {
            next = packet
            return
        }
        let part = part
        try reopen()
        self.part = part
    }

    override func breakOff() {
        super.breakOff()
        split = []
        isBetweenParts = false
    }

    override func reopen() throws(SyrinxError) {
        try super.reopen()
        (part, next) = (0, 0)
    }

    // MARK: Guarantees

    /// Packets that are counted are found, however their times are rounded.
    override var traits: RecordingTraits {
        var traits = super.traits
        if clock.framesPerPacket > 0, stream.isSeekable { traits.seeking = .byPackets }
        return traits
    }

    /// Whether packets are missing in the file; the existing ones may contain less audio than the table states.
    override func isShort(_ last: Int64, of stated: Int64) -> Bool { last < stated && part < parts.count }

    override var packetTable: [TableCutter.Entry]? { table.entries }
}
