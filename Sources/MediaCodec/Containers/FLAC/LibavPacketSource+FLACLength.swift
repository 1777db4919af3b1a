internal import ByteStream

// The length that the stream info of a FLAC file states, and the one that its last frame tells.
extension LibavPacketSource {
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
}

/// The end of a FLAC file.
enum FLACTail {
    /// The marks of tags that may follow the last frame of a complete file.
    private static let tags = ["TAG", "APETAGEX", "ID3"].map { Array($0.utf8) }

    private static let mostHeads = 16

    /// Whether nothing is missing where `rest` comes behind a frame: nothing, or a tag.
    static func isEnd(_ rest: ArraySlice<UInt8>) -> Bool {
        rest.isEmpty || tags.contains { rest.starts(with: $0) }
    }

    /// The sample behind the last one of a file that ends with `bytes`.
    ///
    /// `nil` if its last frame is not whole, or if the one before does not lead to it.
    static func end(of bytes: [UInt8], _ info: FLACStreamInfo) -> Int64? {
        let heads = bytes.indices.compactMap { place in
            bytes[place] == 0xFF
                ? FLACFrameHeader(bytes[...], at: place, of: info).map { (place: place, frame: $0) } : nil
        }
        // By chance one place in millions looks like a head; of files that are made of heads, not each is summed up.
        let last = heads.suffix(Self.mostHeads).last { head in
            FLACChecksum.lastEnd(in: bytes[head.place...]).map { isEnd(bytes[$0...]) } ?? false
        }
        guard let last, last.frame.start == 0 || heads.contains(where: { $0.frame.end == last.frame.start }) else {
            return nil
        }
        return last.frame.end
    }
}
