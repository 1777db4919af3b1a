internal import CSyrinxFFmpeg
internal import SyrinxByteStream

/// Frame parsing for FLAC files: libavformat's parser buffers ten frames before it returns the first one.
extension LibavContext {
    /// Makes libavformat return the bytes of a FLAC file unchanged, and returns the parser that splits them.
    ///
    /// Returns `nil` if the stream info does not state enough.
    static func makeFLACParser(_ context: UnsafeMutablePointer<AVFormatContext>) -> FLACFrameParser? {
        guard context.pointee.nb_streams > 0, let stream = context.pointee.streams[0],
            let info = flacInfo(of: stream),
            // Its ticks must be samples.
            stream.pointee.time_base.num == 1, Int(stream.pointee.time_base.den) == info.sampleRate
        else { return nil }
        context.pointee.flags |= AVFMT_FLAG_NOPARSE | AVFMT_FLAG_NOFILLIN
        // Otherwise it would search 50 packets for timestamps, which do not exist.
        context.pointee.max_ts_probe = 0
        return FLACFrameParser(info)
    }

    /// The stream info of FLAC in any container.
    var flacInfo: FLACStreamInfo? { Self.flacInfo(of: stream) }

    private static func flacInfo(of stream: UnsafeMutablePointer<AVStream>) -> FLACStreamInfo? {
        guard let parameters = stream.pointee.codecpar, parameters.pointee.codec_id == AV_CODEC_ID_FLAC,
            let extra = parameters.pointee.extradata, case let size = Int(parameters.pointee.extradata_size), size > 0
        else { return nil }
        return FLACStreamInfo([UInt8](UnsafeBufferPointer(start: extra, count: size)))
    }

    /// Reads the next frame of a FLAC file; false at the end.
    func readFrame(into packet: UnsafeMutablePointer<AVPacket>) throws(SyrinxError) -> Bool {
        while true {
            if let piece = splitter?.next() {
                try fill(packet, with: piece.bytes, at: piece.offset)
                packet.pointee.pts = piece.frame?.start ?? syrinx_no_timestamp()
                packet.pointee.dts = packet.pointee.pts
                packet.pointee.duration = Int64(piece.frame?.count ?? 0)
                return true
            }
            guard splitter?.isAtEnd == false else { return false }
            guard try readChunk(into: packet) else {
                splitter?.finish()
                continue
            }
            let bytes = UnsafeBufferPointer(start: UnsafePointer(packet.pointee.data), count: Int(packet.pointee.size))
            splitter?.push(bytes, at: packet.pointee.pos)
            av_packet_unref(packet)
        }
    }

    /// Creates a packet from bytes at `offset` of the file.
    func fill(
        _ packet: UnsafeMutablePointer<AVPacket>,
        with bytes: some Collection<UInt8>,
        at offset: Int64
    ) throws(SyrinxError) {
        guard av_new_packet(packet, Int32(clamping: bytes.count)) >= 0, let data = packet.pointee.data else {
            throw SyrinxError.outOfMemory(name)
        }
        UnsafeMutableRawBufferPointer(start: data, count: bytes.count).copyBytes(from: bytes)
        packet.pointee.stream_index = stream.pointee.index
        packet.pointee.pos = offset
        packet.pointee.flags |= AV_PKT_FLAG_KEY
    }
}
