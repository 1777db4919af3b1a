internal import SyrinxByteStream

/// Reads the tags before and after the audio of a file, in any container.
enum TagsAtEdges {
    /// The largest leading tag, in bytes, because it is read into memory; longer ones are left to libavformat.
    private static let largestFront: Int64 = 8 << 20
    /// The largest trailing tag, in bytes.
    private static let largestEnd = 16 << 20
    /// The marker at the end of a Lyrics3 v2 tag, after six digits that state its size.
    private static let lyricsMark = "LYRICS200"

    /// Returns the tags that have precedence over libavformat's, and the `spare` tags that come after libavformat's.
    /// - Parameter front: The ID3v2 tags before the audio.
    /// - Returns: `soundEnd` is the offset of the first tag after the audio, or the length of the file, if it is known.
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

    /// Reads the ID3v2 tags before the audio.
    ///
    /// The first tag is the newest, and the others supply its missing fields.
    /// - Parameter places: The adjacent file ranges of the tags.
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

    /// Finds the tags after the audio; `nil` if reading the end of the stream would have to wait.
    /// - Returns: The offset of the first tag, the file range of the APEv2 tag, and the ID3v1 tag.
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

    /// Returns the size in bytes of a Lyrics3 tag that ends with `mark`; `nil` if there is none.
    private static func lyricsSize(_ mark: ArraySlice<UInt8>) -> Int64? {
        guard mark.suffix(lyricsMark.utf8.count).elementsEqual(lyricsMark.utf8) else { return nil }
        return Int64(String(decoding: mark.prefix(6), as: UTF8.self))?.addingClamped(Int64(mark.count))
    }
}
