internal import CSyrinxFFmpeg
internal import SyrinxByteStream

/// Reads the packets of a recording through libavformat, one at a time, and opens it again from its start.
///
/// Owns libavformat's context and the packet that was read last. One thread at a time.
final class LibavPacketReader {
    private(set) var format: LibavContext
    /// The packet that was read last.
    let packet: UnsafeMutablePointer<AVPacket>

    /// Opens a recording.
    init(stream: any ByteStream, raw: RawSamples?, choosing choice: SoundTrackChoice?) throws(SyrinxError) {
        format = try LibavContext.open(stream, raw: raw, choosing: choice)
        guard let packet = av_packet_alloc() else { throw SyrinxError.outOfMemory(stream.name) }
        self.packet = packet
    }

    deinit {
        var packet: UnsafeMutablePointer<AVPacket>? = packet
        av_packet_free(&packet)
    }

    /// Reads the first packet of the audio stream; `nil` if there is none.
    func readFirst() throws(SyrinxError) -> UnsafePointer<AVPacket>? { try next() ? UnsafePointer(packet) : nil }

    /// Reads the next packet of the audio stream; false at the end.
    func next() throws(SyrinxError) -> Bool { try format.readPacket(into: packet) }

    /// Opens the recording again, at the start of the stream.
    func reopen() throws(SyrinxError) {
        format = try LibavContext.open(format.bridge.stream, raw: format.raw, choosing: format.choice)
        _ = format.takeStreamTags()
    }

    /// Moves the last packet into a new box.
    func takePacket() throws(SyrinxError) -> PacketBox {
        guard let box = PacketBox(moving: packet) else { throw SyrinxError.outOfMemory(format.name) }
        return box
    }

    /// The packet's timestamp, if it has one.
    var timestamp: Int64? { packet.pointee.pts == syrinx_no_timestamp() ? nil : packet.pointee.pts }

    /// The packet's offset in the file, if it has one.
    var offset: Int64? { packet.pointee.pos >= 0 ? packet.pointee.pos : nil }
}
