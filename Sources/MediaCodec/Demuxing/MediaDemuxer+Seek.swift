internal import ByteStream
internal import CFFmpeg

extension MediaDemuxer {
    /// Goes to a packet from which the sound at `frame` can be decoded.
    ///
    /// The next packet is the one that holds `frame`, or one before it: as many as the codec needs to get going. Streams
    /// without an index are read from the nearest place seen before, so that the frame is exact; of a remote one the unseen
    /// part is jumped over, by arithmetic or by the encoder's table, and the frame is then nominal. Frames out of range
    /// are taken to the nearest end.
    /// - Throws: `.notSeekable` if it lies behind and the stream cannot go back, or the stream's error.
    package func seek(toFrame frame: Int64) throws(MediaError) {
        if info.frameCount.map({ frame > $0 }) ?? true { lookAtFLACEnd() }
        let target = min(max(frame, 0), info.frameCount ?? .max / 4)
        // What libavformat had read when it failed is lost to it: from there on packets are no more the ones that are counted.
        let isBroken = format.bridge.failure != nil
        if isBroken, !stream.isSeekable { throw cannotGoBack }
        format.bridge.clearFailure()
        if timing.method == .counted {
            try seekByCount(toFrame: target, isBroken: isBroken)
        } else {
            try seekByTimestamp(toFrame: target)
        }
    }

    // MARK: By timestamp

    /// Whether a seek goes back to the start, and the reader counts from there: rounded timestamps do not tell the frame.
    ///
    /// So do those of a file of Vorbis in a single page, which is small, and those of a chain that cannot be taken apart.
    var countsFromStart: Bool {
        guard stream.isSeekable else { return false }
        if notes.hasNoCommonClock { return chain == nil }
        return (timing.method == .rounded || timing.endTrimExcess > 0) && !stream.isRemote
    }

    /// Whether a seek goes to another place without reading what lies before it.
    ///
    /// In Ogg libavformat looks for the place from the end on; and where that is not known, it is not known either whether several
    /// recordings follow each other.
    var canJump: Bool { stream.isSeekable && (notes.container != "ogg" || stream.length != nil) }

    private func seekByTimestamp(toFrame frame: Int64) throws(MediaError) {
        guard stream.isSeekable else {
            // The reader drops what lies between.
            let here = try peek()?.startFrame ?? info.frameCount ?? 0
            if frame < here { throw cannotGoBack }
            return
        }
        if notes.hasNoCommonClock, try seekInChain(toFrame: frame) { return }
        isInChain = false
        if countsFromStart, notes.hasNoCommonClock || timing.endTrimExcess > 0 { return try reopen() }
        let want = countsFromStart ? firstStart : max(frame.subtractingClamped(prerollFrames), firstStart)
        if try seekAmongFLACFrames(toFrame: want) { return }
        if try seekAmongOggPages(toFrame: want) { return }
        // Some containers seek past the place asked for; then from further back.
        let steps = [
            0, timing.sampleRate, timing.sampleRate.multipliedClamped(by: 10), want.subtractingClamped(firstStart),
        ]
        for step in steps {
            let start = max(want.subtractingClamped(step), firstStart)
            breakOff()
            timing.breakOff()
            let stamp = timing.timestamp(ofFrame: start.addingClamped(timing.startSkip))
            let status = av_seek_frame(format.context, format.stream.pointee.index, stamp, AVSEEK_FLAG_BACKWARD)
            if let failure = format.bridge.failure { throw MediaError(failure) }
            if status < 0 && start > firstStart { continue }
            guard status >= 0 else { throw cannotGoBack }
            if let landed = try peekPlaced()?.startFrame, landed <= max(want, firstStart) { return }
        }
    }

    // MARK: By reading

    /// Goes back in a stream without ranges, which may still hold its start: reads from there, and drops packets up to the first
    /// that `frame` needs.
    /// - Returns: Whether packets say where they begin; if not, the next one is the first, and begins at frame 0.
    /// - Throws: `.notSeekable` if the stream does not hold its start.
    func readAnew(toFrame frame: Int64) throws(MediaError) -> Bool {
        try startOver()
        guard timing.method != .rounded else { return false }
        while let packet = try peek() {
            guard let start = packet.startFrame, let count = packet.frameCount else {
                try startOver()
                return false
            }
            if start.addingClamped(Int64(count)) > frame.subtractingClamped(prerollFrames) { return true }
            pending = nil
        }
        guard notes.container == "ogg" else { return true }
        // Another recording may follow.
        try startOver()
        return false
    }

    private func startOver() throws(MediaError) {
        try reopen()
        timing.jump(toPacket: 0, exactly: true)
    }

    // MARK: By the frames of FLAC

    /// False if that is not what this is, or if it leads nowhere, and timestamps have to do.
    private func seekAmongFLACFrames(toFrame frame: Int64) throws(MediaError) -> Bool {
        guard notes.container == "flac", let info = format.splitter?.info, let length = stream.length,
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

    private func peek() throws(MediaError) -> MediaPacket? {
        guard pending == nil else { return pending }
        if let chain {
            pending = try chain.nextPacket()
        } else {
            pending = try read()
        }
        return pending
    }

    /// The next packet whose time is known: in the middle of an Ogg page there are none.
    func peekPlaced() throws(MediaError) -> MediaPacket? {
        while let packet = try peek() {
            if packet.startFrame != nil { return packet }
            pending = nil
        }
        return nil
    }
}
