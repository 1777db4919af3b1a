package import SyrinxByteStream

extension MediaReader {
    /// Counts the frames of a recording by reading all of it.
    ///
    /// Packets of equal length are counted without decoding.
    /// - Returns: The number of frames that reading returns, or those present if the recording is truncated.
    /// - Throws: The errors of `open(_:raw:roundsIntegersDown:)`, or the error of the stream.
    package static func countFrames(of stream: any ByteStream) throws(SyrinxError) -> Int64 {
        let demuxer = try MediaDemuxer.open(stream)
        if let known = demuxer.info.frameCount { return known }
        return try MediaReader.open(demuxer).countFrames()
    }

    /// Counts the frames of the recording, as `countFrames(of:)` does, and ends at its end.
    ///
    /// Frames that have already been read are included.
    /// - Throws: The error of the stream.
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
