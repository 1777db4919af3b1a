internal import SyrinxByteStream

/// The tags that lie before the sound of a file and behind it, whatever container that is in.
enum TagsAtEdges {
    /// A longer tag at the front is left to libavformat: it would be in memory as a whole.
    private static let largestFront: Int64 = 8 << 20
    /// No real tag at the end is longer.
    private static let largestEnd = 16 << 20
    /// Lyrics3 v2 ends with its size in six digits, and this.
    private static let lyricsMark = "LYRICS200"

    /// Returns the tags that libavformat's come after, and those that come after libavformat's.
    /// - Parameter front: The tags of ID3v2 before the sound.
    /// - Returns: `soundEnd` is the offset of the first tag behind the sound, or the end of the file, if it is known.
    static func ordered(_ container: Container, front: TagList, _ bridge: AVIOBridge) -> (
        TagList, spare: TagList, soundEnd: Int64?
    ) {
        guard container.tagFormat != .vorbisComment else { return (TagList(), front, nil) }
        var tags = TagsWithin.read(container, bridge)
        guard container.tagFormat != .iTunes else { return (tags, front, nil) }
        let behind = places(behindSoundOf: bridge)
        let ape = behind?.ape.map { place in
            // fits: no more than `largestEnd`
            APEv2Tag.read(bridge.read(at: place.lowerBound, count: Int(place.count)).dropLast(APEv2Tag.edge))
        }
        for found in container.tagFormat == .id3 ? [front, ape] : [ape, front] { tags.fill(from: found ?? TagList()) }
        return (tags, behind?.id3v1 ?? TagList(), behind?.start)
    }

    /// Reads the tags of ID3v2 before the sound.
    ///
    /// The first is the newest: the others fill it up.
    /// - Parameter tags: Their places, one behind the other from the start on.
    static func front(of bridge: AVIOBridge, _ places: [Range<Int64>]) -> TagList {
        var list = TagList()
        guard let end = places.last?.upperBound, end <= largestFront else { return list }
        let front = bridge.front(Int(end))
        for place in places where place.lowerBound < front.count {
            let bytes = Array(front[Int(place.lowerBound)..<min(Int(place.upperBound), front.count)])
            if let tag = ID3v2Tag(bytes, size: Int(place.upperBound - place.lowerBound)) { list.fill(from: tag.list) }
        }
        return list
    }

    /// Looks for the tags behind the sound; `nil` if their bytes cannot be had at once.
    /// - Returns: The offset of the first tag, the place of that of APEv2, and the tag of ID3v1.
    private static func places(
        behindSoundOf bridge: AVIOBridge
    ) -> (start: Int64, ape: Range<Int64>?, id3v1: TagList?)? {
        let stream = bridge.stream
        guard !stream.isRemote, stream.isSeekable, var end = stream.length else { return nil }
        func bytes(_ count: Int) -> ArraySlice<UInt8> {
            guard end >= Int64(count), count > 0 else { return [] }
            return bridge.read(at: end.subtractingClamped(Int64(count)), count: count)[...]
        }
        let id3v1 = ID3v1Tag.read(bytes(ID3v1Tag.size))
        if id3v1 != nil { end = end.subtractingClamped(Int64(ID3v1Tag.size)) }
        if let size = lyricsSize(bytes(lyricsMark.utf8.count + 6)) { end = end.subtractingClamped(size) }
        guard let size = APEv2Tag.size(bytes(APEv2Tag.edge)), size <= largestEnd, Int64(size) <= end else {
            return (end, nil, id3v1)
        }
        let start = end.subtractingClamped(Int64(size))
        return (start, start..<end, id3v1)
    }

    /// The bytes of a Lyrics3 tag whose end is `mark`.
    private static func lyricsSize(_ mark: ArraySlice<UInt8>) -> Int64? {
        guard mark.suffix(lyricsMark.utf8.count).elementsEqual(lyricsMark.utf8) else { return nil }
        return Int64(String(decoding: mark.prefix(6), as: UTF8.self))?.addingClamped(Int64(mark.count))
    }
}
