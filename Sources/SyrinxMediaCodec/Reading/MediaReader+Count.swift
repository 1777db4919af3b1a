package import SyrinxByteStream

extension MediaReader {
    /// Counts the frames of a recording, where nothing but the whole of it tells.
    ///
    /// Where all packets are equally long they are counted without being decoded, which takes as long as reading the bytes.
    /// - Returns: The frames that reading the whole gives out; of one that is cut off, those that are there.
    /// - Throws: As `open(_:raw:roundsIntegersDown:)`, and the stream's error.
    package static func countFrames(of stream: any ByteStream) throws(SyrinxError) -> Int64 {
        let demuxer = try MediaDemuxer.open(stream)
        if let known = demuxer.info.frameCount { return known }
        return try MediaReader.open(demuxer).countFrames()
    }

    /// Counts the frames of the recording, as `countFrames(of:)` does, and is at its end afterwards.
    ///
    /// What has been read already counts too.
    /// - Throws: The stream's error.
    package func countFrames() throws(SyrinxError) -> Int64 {
        if let known = info.frameCount { return known }
        if demuxer.source.timing.method == .counted {
            while try demuxer.nextPacket() != nil {}
            if let cut = demuxer.source.connectionCut { throw cut }
            if let counted = info.frameCount { return counted }
        }
        let block = PlanarBuffer(channelCount: info.channelCount, capacity: 4096)
        do throws(SyrinxError) {
            while try read(into: UnsafePointer(block.channels), frameCount: block.capacity) > 0 {}
        } catch {
            guard error.code == .truncated else { throw error }
        }
        return position
    }
}
