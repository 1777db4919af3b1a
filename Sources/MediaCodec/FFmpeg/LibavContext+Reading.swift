internal import ByteStream
internal import CFFmpeg

extension LibavContext {
    /// So many damaged places are passed over before the rest is given up.
    private static let patience = 1024
    /// So often it may fail without moving on: what it has buffered may hold several damaged packets.
    private static let stuckPatience = 32

    /// Returns the error for a missing packet where the stream has failed.
    private func error(_ failure: ByteStreamError) -> MediaError {
        let isMP4 = container.hasPrefix("mov")
        guard failure.code == .notSeekable, isMP4 else { return MediaError(failure) }
        let message =
            "Its index lies at its end, and the server gives it from front to end only: it can be heard when it is downloaded."
        return MediaError(.notSeekable, message, name: name)
    }

    /// Reads the next packet of the audio stream; false at the end.
    func readPacket(into packet: UnsafeMutablePointer<AVPacket>) throws(MediaError) -> Bool {
        if splitter != nil { return try readFrame(into: packet) }
        return freeSplitter == nil ? try readChunk(into: packet) : try readFreeFrame(into: packet)
    }

    /// Reads what libavformat has next of the audio stream: a packet, or some bytes of a FLAC file; false at the end.
    func readChunk(into packet: UnsafeMutablePointer<AVPacket>) throws(MediaError) -> Bool {
        var damaged = 0
        var stuck = 0
        while true {
            let before = avio_tell(bridge.context)
            let status = av_read_frame(context, packet)
            if let failure = bridge.failure {
                // The last packet may have been cut short by the failure, without a sign of it.
                av_packet_unref(packet)
                throw error(failure)
            }
            if status >= 0 {
                // Of samples without a header, a part of a frame may be left at the end, which is none.
                // Bounded: a remainder is no more than the size.
                if let raw { av_shrink_packet(packet, packet.pointee.size - packet.pointee.size % raw.bytesPerFrame) }
                if packet.pointee.stream_index == stream.pointee.index, packet.pointee.size > 0 { return true }
                av_packet_unref(packet)
                continue
            }
            if status == syrinx_error_out_of_memory() { throw Self.tooLargeTable(name) }
            damaged += 1
            stuck = avio_tell(bridge.context) <= before ? stuck + 1 : 0
            let isHopeless = damaged > Self.patience || stuck > Self.stuckPatience
            if status != syrinx_error_invalid_data() || isHopeless { return false }
        }
    }
}
