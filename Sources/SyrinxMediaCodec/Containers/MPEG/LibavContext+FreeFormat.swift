internal import CSyrinxFFmpeg
internal import SyrinxByteStream

/// MP3 of a free bit rate, whose bytes libavformat passes on as if they were samples.
extension LibavContext {
    /// Reads the next frame of MP3 of a free bit rate; false at the end.
    func readFreeFrame(into packet: UnsafeMutablePointer<AVPacket>) throws(SyrinxError) -> Bool {
        while true {
            if let piece = freeSplitter?.next() {
                try fill(packet, with: piece.bytes, at: piece.offset)
                return true
            }
            guard freeSplitter?.isAtEnd == false else { return false }
            guard try readChunk(into: packet) else {
                freeSplitter?.finish()
                continue
            }
            let bytes = UnsafeBufferPointer(start: UnsafePointer(packet.pointee.data), count: Int(packet.pointee.size))
            freeSplitter?.push(bytes, at: packet.pointee.pos)
            av_packet_unref(packet)
        }
    }
}

extension FreeFormatStream {
    /// Corrects the description of the stream, which libavformat has opened as samples and continues to read byte by
    /// byte.
    func describe(_ stream: UnsafeMutablePointer<AVStream>) {
        guard let parameters = stream.pointee.codecpar else { return }
        parameters.pointee.codec_id = AV_CODEC_ID_MP3ADU
        // Bounded: a frame header knows nine rates, and at most 1,152 frames.
        parameters.pointee.sample_rate = Int32(header.sampleRate)
        parameters.pointee.frame_size = Int32(header.framesPerPacket)
        parameters.pointee.bit_rate = Int64(bitRate)
        parameters.pointee.bits_per_coded_sample = 0
        av_channel_layout_uninit(&parameters.pointee.ch_layout)
        av_channel_layout_default(&parameters.pointee.ch_layout, header.isMono ? 1 : 2)
    }
}
