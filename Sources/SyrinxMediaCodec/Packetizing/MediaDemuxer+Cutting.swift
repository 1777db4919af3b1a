internal import CSyrinxFFmpeg
internal import CoreAudioTypes

extension MediaDemuxer {
    /// Makes what cuts the packets of this recording out of bytes that are pushed, beginning with the first of its sound.
    /// - Parameters:
    ///   - packet: The first one.
    ///   - table: What `packetTable` is.
    /// - Returns: `nil` where only libavformat can: in Ogg and Matroska, and in MP4 in fragments.
    package func makeCutter(first packet: MediaPacket, table: [TableCutter.Entry]?) -> (any PacketCutter)? {
        if let table { return TableCutter(table, at: table.map(\.offset).min() ?? 0) }
        guard let offset = packet.byteOffset else { return nil }
        let format = info.streamDescription
        switch info.format.cutting {
        case .unavailable: return nil
        case .frames(let syntax):
            // The head of a frame of a free bit rate does not state its length.
            return syntax.head(packet.data[...]) == nil ? nil : FrameCutter(syntax, at: offset)
        case .framesOfFLAC: return FLACStreamInfo(magicCookie).map { FLACCutter($0, at: offset) }
        case .samples:
            guard format.mFormatID == kAudioFormatLinearPCM, format.mBytesPerFrame > 0 else { return nil }
            return SampleCutter(frameSize: Int(format.mBytesPerFrame), at: offset, frameCount: info.frameCount)
        }
    }
}
