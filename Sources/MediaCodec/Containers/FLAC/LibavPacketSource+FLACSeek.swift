internal import ByteStream

/// Seeks in FLAC files by the heads of the frames, each of which tells where it begins.
extension LibavPacketSource {
    /// False if that is not what this is, or if it leads nowhere, and timestamps have to do.
    func seekAmongFLACFrames(toFrame frame: Int64) throws(MediaError) -> Bool {
        guard metadata.container == "flac", let info = format.splitter?.info, let length = stream.length,
            let frameCount = self.info.frameCount, firstOffset < length
        else { return false }
        var search = InterpolationSearch(
            target: frame,
            sampleCount: frameCount,
            unitSize: Int64(info.blockSizes.upperBound),
            bytes: firstOffset..<length
        )
        while let range = search.next() {
            guard let (sample, offset) = firstFLACFrame(in: range, info) else { return false }
            search.see(sample, at: offset, in: range)
        }
        guard let offset = search.found?.offset else { return false }
        timing.breakOff()
        try jump(toOffset: offset)
        guard let landed = try peekPlaced()?.startFrame else { return false }
        return landed <= frame
    }

    /// The number of bytes that are read at a time to find a frame: a third of one, in music.
    private static let lookSize = 3072
    /// The head of a frame is no longer.
    private static let headSize = 16

    /// The first frame that begins in `range`; a sample of `nil` if none does, and nothing at all if that cannot be found
    /// out within two frames.
    private func firstFLACFrame(in range: Range<Int64>, _ info: FLACStreamInfo) -> (sample: Int64?, offset: Int64)? {
        let most = 2 * max(info.largestFrame, 32768)
        let wanted = range.upperBound - range.lowerBound
        var bytes: [UInt8] = []
        var place = 0
        while bytes.count < most {
            // What fails here fails again where it matters, and is thrown there.
            let more = format.bridge.read(at: range.lowerBound + Int64(bytes.count), count: Self.lookSize)
            bytes += more
            let isShort = more.count < Self.lookSize
            if isShort, Int64(bytes.count) < wanted { return nil }
            while place + (isShort ? 0 : Self.headSize) < bytes.count {
                if place >= wanted { return (nil, range.upperBound) }
                if let frame = FLACFrameHeader(bytes[...], at: place, of: info) {
                    return (frame.start, range.lowerBound + Int64(place))
                }
                place += 1
            }
            if isShort { return (nil, range.upperBound) }
        }
        return nil
    }
}
