internal import CSyrinxFFmpeg
internal import CoreAudioTypes

extension MediaDemuxer {
    /// Creates a cutter that splits this recording into packets, starting with the first audio packet.
    /// - Parameters:
    ///   - packet: The first audio packet.
    ///   - table: The value of `packetTable`.
    /// - Returns: `nil` for containers that only libavformat can split: Ogg, Matroska and fragmented MP4.
    package func makeCutter(first packet: MediaPacket, table: [TableCutter.Entry]?) -> (any PacketCutter)? {
        if let table { return TableCutter(table, at: table.map(\.offset).min() ?? 0) }
        guard let offset = packet.byteOffset else { return nil }
        let format = info.streamDescription
        switch info.format.cutting {
        case .unavailable: return nil
        case .frames(let syntax):
            // The header of a free-format frame does not state its length.
            return syntax.head(packet.data[...]) == nil ? nil : FrameCutter(syntax, at: offset)
        case .framesOfFLAC: return FLACStreamInfo(magicCookie).map { FLACCutter($0, at: offset) }
        case .samples:
            guard format.mFormatID == kAudioFormatLinearPCM, format.mBytesPerFrame > 0 else { return nil }
            return SampleCutter(frameSize: Int(format.mBytesPerFrame), at: offset, frameCount: info.frameCount)
        }
    }
}
