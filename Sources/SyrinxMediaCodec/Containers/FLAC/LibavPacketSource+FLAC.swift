internal import SyrinxByteStream

/// The length and the seeks of FLAC files, whose frames state their positions.
extension LibavPacketSource {
    // MARK: Length

    /// The sizes of the part of the end that is examined, from the smallest to the largest.
    private static let endSizes = 16384...262_144

    /// Looks at the end where that costs nothing, or where the length stated cannot be the right one.
    func checkFLACLength() {
        guard metadata.container == "flac", let info = format.splitter?.info, let length = stream.length else { return }
        // Whole frames of the largest size, and of the fewest samples; the length is the server's word.
        let frames =
            info.largestFrame > 0 ? Double(length.subtractingClamped(firstOffset)) / Double(info.largestFrame) : 1
        // Bounded: in floating point.
        let least = max(frames - 1, 1) * Double(info.blockSizes.lowerBound)
        if stream.firstMissing(from: firstOffset) >= length || self.info.frameCount.map({ Double($0) < least }) == true
        {
            lookAtFLACEnd()
        }
    }

    /// Corrects a length that is too small by what the last frame says.
    ///
    /// One that is too large stays until the end has come: of recordings joined end to end the last says less than there is.
    func lookAtFLACEnd() {
        guard metadata.container == "flac", !hasSeenFLACEnd, let info = format.splitter?.info else { return }
        let wanted = info.largestFrame > 0 ? 3 * info.largestFrame : 65536
        format.bridge.sideFailure = nil
        let bytes = format.bridge.tail(min(max(wanted, Self.endSizes.lowerBound), Self.endSizes.upperBound))
        // A later attempt may succeed.
        if format.bridge.sideFailure != nil { return }
        hasSeenFLACEnd = true
        guard let end = FLACTail.end(of: bytes, info) else { return }
        let count = end.subtractingClamped(timing.origin)
        if count > self.info.frameCount ?? 0 { setFrameCount(count) }
    }

    /// Takes back a length that was too small, when a packet lies behind it that ends at `frame`.
    func noteFLACFrame(endingAt frame: Int64?) {
        guard metadata.container == "flac", let frame, let known = info.frameCount, frame > known else { return }
        lookAtFLACEnd()
        guard let now = info.frameCount, frame > now else { return }
        info.frameCount = nil
        info.duration = nil
        info.durationIsExact = false
    }

    // MARK: Seeking

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
