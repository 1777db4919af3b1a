internal import CoreAudioTypes
internal import SyrinxByteStream
internal import SyrinxMediaCodec

/// The object behind an `AudioFileID`: a file with random access to its packets.
///
/// Call it from one thread at a time.
final class PacketFile: PacketHolder {
    let stream: any ByteStream
    private(set) var known: StreamParser.Known
    private(set) var facts: StreamPropertyTable
    private var demuxer: MediaDemuxer
    /// The places of the packets read so far, in order, of a file without a table.
    private var places: [TableCutter.Entry] = []
    /// Whether packets are stored in the file unchanged, so that `places` locates them.
    private let hasPlaces: Bool
    /// The packet that has been read from `demuxer`, and the number of the next one.
    private var upcoming: (packet: MediaPacket?, number: Int64)
    /// A packet that there was no room for.
    private var held: (number: Int64, bytes: [UInt8])?
    private var largest: UInt32 = 0
    /// The number of packets; `nil` until the last packet was read.
    private var counted: Int64?

    init(_ stream: any ByteStream) throws(SyrinxError) {
        self.stream = stream
        demuxer = try MediaDemuxer.open(stream)
        demuxer.goesOnInChain = false
        guard let packet = try demuxer.nextPacket() else {
            throw SyrinxError(.corrupt, "It contains no audio packets.", name: stream.name)
        }
        known = StreamParser.Known(demuxer, first: packet)
        facts = StreamPropertyTable(known)
        hasPlaces = known.info.format.framing.isSequenceOfFrames
        upcoming = (packet, 0)
    }

    // MARK: Counts

    /// Returns the number of packets: from the file's table, or counted by reading the file to its end.
    func packetCount() throws(SyrinxError) -> Int64 {
        if let table = known.table { return Int64(table.count) }
        if facts.bytesPerPacket > 0 { return try soundByteCount() / Int64(facts.bytesPerPacket) }
        return try countedPackets()
    }

    /// Returns the counted number of packets, because the number in a header may be wrong.
    private func countedPackets() throws(SyrinxError) -> Int64 {
        if let counted { return counted }
        while try advance() != nil {}
        return counted ?? upcoming.number
    }

    /// The duration in seconds computed from the counted packets, if the file states no exact duration.
    var countedDuration: Double? {
        let format = facts.format
        guard !known.info.durationIsExact, let counted, format.mFramesPerPacket > 0, format.mSampleRate > 0 else {
            return nil
        }
        return Double(counted) * Double(format.mFramesPerPacket) / format.mSampleRate
    }

    /// The bytes of the sound.
    func soundByteCount() throws(SyrinxError) -> Int64 {
        if facts.known.table != nil { return Int64(clamping: facts.tableByteCount) }
        let size = max((stream.length ?? 0) - facts.dataOffset, 0)
        guard facts.bytesPerPacket > 0 else {
            guard hasPlaces else { return size }
            _ = try countedPackets()
            return places.last.map { $0.offset + Int64($0.size) - facts.dataOffset } ?? 0
        }
        guard let frames = known.info.frameCount else { return size }
        let (stated, isTooLarge) = frames.multipliedReportingOverflow(by: Int64(facts.bytesPerPacket))
        return isTooLarge ? size : min(max(stated, 0), size)
    }

    /// The bytes of the largest packet, for which a file without a table is read to its end.
    func countedLargest() throws(SyrinxError) -> UInt32 {
        if facts.bytesPerPacket > 0 { return UInt32(clamping: facts.bytesPerPacket) }
        if let largest = facts.largestInTable { return largest }
        _ = try countedPackets()
        return largest
    }

    // MARK: Reading

    /// Reads audio bytes at an offset from the first audio byte.
    /// - Returns: The number of bytes read.
    func read(from byte: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(SyrinxError) -> Int {
        let rest = max(try soundByteCount() - byte, 0)
        let (offset, isTooFar) = facts.dataOffset.addingReportingOverflow(byte)
        guard !isTooFar else { return 0 }
        return try fill(buffer, at: offset, limit: rest)
    }

    /// Keeps a packet for the next call, which then need not seek.
    func hold(_ packet: [UInt8], number: Int64) { held = (number, packet) }

    /// Packet `number`; `nil` if there is none.
    func packet(_ number: Int64) throws(SyrinxError) -> [UInt8]? {
        if let held, held.number == number { return held.bytes }
        if let table = known.table {
            return number < Int64(table.count) ? try bytes(of: table[Int(number)]) : nil
        }
        if hasPlaces, number < Int64(places.count) { return try bytes(of: places[Int(number)]) }
        if number < upcoming.number { try startOver() }
        while let packet = try advance() {
            if upcoming.number > number { return packet.data }
        }
        return nil
    }

    /// The next packet, of which the place is noted.
    private func advance() throws(SyrinxError) -> MediaPacket? {
        guard counted == nil || upcoming.number < counted ?? 0 else { return nil }
        var packet = upcoming.packet
        upcoming.packet = nil
        if packet == nil { packet = try demuxer.nextPacket() }
        guard let packet else {
            counted = upcoming.number
            return nil
        }
        largest = max(largest, UInt32(clamping: packet.byteCount))
        if hasPlaces, Int64(places.count) == upcoming.number, let offset = packet.byteOffset,
            let size = Int32(exactly: packet.byteCount)
        {
            places.append(TableCutter.Entry(offset: offset, size: size))
        }
        upcoming.number += 1
        return packet
    }

    private func startOver() throws(SyrinxError) {
        demuxer = try MediaDemuxer.open(stream)
        demuxer.goesOnInChain = false
        upcoming = (nil, 0)
    }

    private func bytes(of entry: TableCutter.Entry) throws(SyrinxError) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: Int(entry.size))
        var count = 0
        var failure: SyrinxError?
        bytes.withUnsafeMutableBytes { buffer in
            do throws(SyrinxError) {
                count = try fill(buffer, at: entry.offset, limit: Int64(entry.size))
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return count == bytes.count ? bytes : nil
    }

    private func fill(
        _ buffer: UnsafeMutableRawBufferPointer,
        at offset: Int64,
        limit: Int64
    ) throws(SyrinxError) -> Int {
        let wanted = min(buffer.count, Int(clamping: limit))
        var done = 0
        while done < wanted {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done..<wanted])
            let count = try stream.read(at: offset + Int64(done), into: rest)
            if count == 0 { break }
            done += count
        }
        return done
    }
}

extension PacketFile {
    var total: (packets: Int64, bytes: Int64)? { nil }
    var largestPacket: UInt32 { 0 }
    var averageBytesPerPacket: Double? {
        guard let packets = try? packetCount(), let bytes = try? soundByteCount(), packets > 0 else { return nil }
        return Double(bytes) / Double(packets)
    }

    func place(ofPacket number: Int64) -> PacketOffsets.Place? {
        guard number >= 0 else { return nil }
        if facts.bytesPerPacket > 0 { return facts.samplePlace(ofPacket: number) }
        // Reading it notes its place.
        guard known.table != nil || hasPlaces, (try? packet(number)) != nil else { return nil }
        let entries = known.table ?? places
        guard number < Int64(entries.count) else { return nil }
        let byte = entries[Int(number)].offset - facts.dataOffset
        return PacketOffsets.Place(packet: number, byte: byte, isEstimate: false)
    }

    func place(ofByte byte: Int64) -> PacketOffsets.Place? {
        guard byte >= 0 else { return nil }
        if facts.bytesPerPacket > 0 { return facts.samplePlace(ofByte: byte) }
        if known.table == nil {
            guard hasPlaces, (try? countedPackets()) != nil else { return nil }
        }
        return facts.place(ofByte: byte, among: known.table ?? places)
    }
}
