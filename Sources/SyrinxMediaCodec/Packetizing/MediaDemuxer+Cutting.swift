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
        func frames(_ syntax: FrameSyntax) -> (any PacketCutter)? {
            // A free bit rate is one that the head does not tell.
            syntax.head(packet.data[...]) == nil ? nil : FrameCutter(syntax, at: offset)
        }
        switch info.container {
        case "mp3": return frames(.mpeg)
        case "aac": return frames(.adts)
        case "ac3": return frames(.ac3)
        case "loas": return frames(.loas)
        case "flac": return FLACStreamInfo(magicCookie).map { FLACCutter($0, at: offset) }
        case "wav", "aiff", "w64", "au", "caf":
            guard format.mFormatID == kAudioFormatLinearPCM, format.mBytesPerFrame > 0 else { return nil }
            return SampleCutter(frameSize: Int(format.mBytesPerFrame), at: offset, frameCount: info.frameCount)
        default: return nil
        }
    }
}
