internal import CSyrinxFFmpeg
internal import SyrinxByteStream

/// The packets of a FLAC file, whose frames state their positions.
final class FLACSource: PacketSource {
    /// Whether the end of the file was examined.
    private var hasSeenEnd = false
    /// The end of the last frame, if the file ends with it.
    private var end: Int64?

    /// Reads the first packet.
    /// - Throws: `.corrupt` if there is no audio, or the stream's error.
    init(_ reader: LibavPacketReader) throws(SyrinxError) {
        try super.init(reader, first: try reader.readFirst())
        checkLength()
    }

    override func isShort(_ last: Int64, of stated: Int64) -> Bool {
        // A file that is cut off ends within a frame; if it ends with a whole frame, the stream info was wrong.
        super.isShort(last, of: stated) && format.splitter?.hasEndedWhole != true
    }

    // MARK: Length

    /// The sizes of the part of the end that is examined, from the smallest to the largest.
    private static let endSizes = 16384...262_144

    /// Checks the end of the file if that is cheap, or if the stated length must be wrong.
    private func checkLength() {
        guard let info = format.splitter?.info, let length = stream.length else { return }
        // Whole frames of the largest size, and of the fewest samples; the length is the server's word.
        let frames =
            info.largestFrame > 0 ? Double(length.subtractingClamped(firstOffset)) / Double(info.largestFrame) : 1
        // Bounded: in floating point.
        let least = max(frames - 1, 1) * Double(info.blockSizes.lowerBound)
        if stream.firstMissing(from: firstOffset) >= length || self.info.frameCount.map({ Double($0) < least }) == true
        {
            lookAtEnd()
        }
        if !stream.isRemote, stream.isSeekable { checkOrder(info) }
    }

    /// The number of positions that are checked for the start of another recording.
    private static let probeCount: Int64 = 8

    /// Discards the stated length of concatenated recordings, each of which has its own sample numbers.
    private func checkOrder(_ info: FLACStreamInfo) {
        guard hasSeenEnd, let stated = self.info.frameCount, let length = stream.length, length > firstOffset else {
            return
        }
        let step = length.subtractingClamped(firstOffset) / Self.probeCount
        var positions: [(sample: Int64, offset: Int64)] = []
        for number in 1..<Self.probeCount {
            let offset = firstOffset + number * step
            guard step > 0, let found = firstFrame(in: offset..<length, info), let sample = found.sample else { break }
            // Positions may be closer to each other than frames.
            if found.offset != positions.last?.offset { positions.append((sample, found.offset)) }
        }
        let isInOrder = zip(positions, positions.dropFirst()).allSatisfy { $0.sample < $1.sample }
        guard !isInOrder || end.map({ $0 < stated }) == true else { return }
        self.info.frameCount = nil
        self.info.durationIsExact = false
        guard let first = positions.first, first.sample > 0, first.offset > firstOffset else { return }
        let density = Double(first.sample) / Double(first.offset - firstOffset)
        let seconds = Double(length - firstOffset) * density / self.info.sampleRate
        self.info.duration = StatedLimits.plausible(seconds: seconds, sampleRate: self.info.sampleRate)
    }

    /// Corrects a length that is too small, using the last frame.
    ///
    /// A length that is too large stays until the end is reached: in concatenated recordings, the last frame states too
    /// little.
    private func lookAtEnd() {
        guard !hasSeenEnd, let info = format.splitter?.info else { return }
        let wanted = info.largestFrame > 0 ? 3 * info.largestFrame : 65536
        format.bridge.sideFailure = nil
        let bytes = format.bridge.tail(min(max(wanted, Self.endSizes.lowerBound), Self.endSizes.upperBound))
        // A later attempt may succeed.
        if format.bridge.sideFailure != nil { return }
        hasSeenEnd = true
        guard let end = FLACTail.end(of: bytes, info) else { return }
        let count = end.subtractingClamped(timing.origin)
        self.end = count
        if count > self.info.frameCount ?? 0 { setFrameCount(count) }
    }

    /// Removes a stated length that was too small, if a packet ends after it.
    override func didPlace(_ packet: UnsafePointer<AVPacket>, _ place: PacketTimeline.Place, at offset: Int64?) {
        guard let start = place.start, let count = place.frameCount, let known = info.frameCount,
            case let frame = start.addingClamped(count), frame > known
        else { return }
        lookAtEnd()
        guard let now = info.frameCount, frame > now else { return }
        info.frameCount = nil
        info.duration = nil
        info.durationIsExact = false
    }

    // MARK: Seeking

    override func seek(toFrame frame: Int64) throws(SyrinxError) {
        if info.frameCount.map({ frame > $0 }) ?? true { lookAtEnd() }
        try super.seek(toFrame: frame)
    }

    override func go(toFrame frame: Int64) throws(SyrinxError) {
        if try seekAmongFrames(toFrame: frame) { return }
        try super.go(toFrame: frame)
    }

    /// Continues at the frame that contains `frame`.
    /// - Returns: Whether that frame was found.
    private func seekAmongFrames(toFrame frame: Int64) throws(SyrinxError) -> Bool {
        guard let info = format.splitter?.info, let length = stream.length,
            let frameCount = self.info.frameCount, firstOffset < length
        else { return false }
        var search = InterpolationSearch(
            target: frame,
            sampleCount: frameCount,
            unitSize: Int64(info.blockSizes.upperBound),
            bytes: firstOffset..<length
        )
        while let range = search.next() {
            guard let (sample, offset) = firstFrame(in: range, info) else { return false }
            search.see(sample, at: offset, in: range)
        }
        guard let offset = search.found?.offset else { return false }
        timing.breakOff()
        try jump(toOffset: offset)
        guard let landed = try peekPlaced()?.startFrame else { return false }
        return landed <= frame
    }

    /// The number of bytes to read at a time when searching for a frame: about a third of a frame of music.
    private static let lookSize = 3072
    /// The maximum size of a frame header, in bytes.
    private static let headSize = 16

    /// Finds the first frame that starts in `range`; its sample is `nil` if there is none.
    ///
    /// Returns `nil` if that cannot be determined within two frames.
    private func firstFrame(in range: Range<Int64>, _ info: FLACStreamInfo) -> (sample: Int64?, offset: Int64)? {
        let most = 2 * max(info.largestFrame, 32768)
        let wanted = range.upperBound - range.lowerBound
        var bytes: [UInt8] = []
        var place = 0
        while bytes.count < most {
            // If this fails, the read of the packet fails too and throws the error.
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
