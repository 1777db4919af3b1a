internal import SyrinxByteStream

/// Reads the tracks of a FLAC file's cue sheet block (RFC 9639, section 8.7) as chapters.
///
/// libavformat starts each track at the pause before it.
enum FLACCueSheet {
    /// The kind of the block, and the mark of the last block.
    private static let kind: UInt8 = 5
    private static let last: UInt8 = 0x80
    /// The maximum number of blocks: a file has a handful, including a seek table and pictures.
    private static let mostBlocks = 1024
    /// The bytes before the tracks, of a track before its indices, and of an index.
    private static let sizes = (head: 396, track: 36, index: 12)
    /// The place of the number of indices in a track.
    private static let indexCountPlace = 35

    /// Finds the block and reads it.
    /// - Parameters:
    ///   - offset: The offset of the file's marker, `fLaC`.
    ///   - bytes: Reads bytes at an offset; fewer if they are unavailable.
    static func chapters(
        at offset: Int64,
        sampleRate: Int,
        _ bytes: (_ offset: Int64, _ count: Int) -> [UInt8]
    ) -> [MediaChapter] {
        var place = offset.addingClamped(4)
        for _ in 0..<mostBlocks {
            let head = bytes(place, 4)
            guard head.count == 4 else { break }
            let size = Int(head[1]) << 16 | Int(head[2]) << 8 | Int(head[3])
            place = place.addingClamped(4)
            if head[0] & ~last == kind { return chapters(in: bytes(place, size)[...], sampleRate: sampleRate) }
            guard head[0] & last == 0 else { break }
            place = place.addingClamped(Int64(size))
        }
        return []
    }

    /// Reads the body of the block.
    static func chapters(in block: ArraySlice<UInt8>, sampleRate: Int) -> [MediaChapter] {
        guard sampleRate > 0 else { return [] }
        var starts: [(seconds: Double, isSound: Bool)] = []
        var rest = block.dropFirst(sizes.head)
        // The last entry is not a track, but the end of the tracks.
        while rest.count >= sizes.track, let indexCount = rest.dropFirst(indexCountPlace).first {
            let (track, indices) = (rest.prefix(sizes.track), rest.dropFirst(sizes.track))
            let first = (0..<Int(indexCount)).lazy.map { indices.dropFirst($0 * sizes.index).prefix(sizes.index) }
                .first { $0.count == sizes.index && $0.dropFirst(8).first == 1 }
            let start = number(track.prefix(8)).addingClamped(first.map { number($0.prefix(8)) } ?? 0)
            let isData = track.dropFirst(21).first.map { $0 & 0x80 != 0 } ?? false
            starts.append((Double(start) / Double(sampleRate), !isData))
            rest = indices.dropFirst(Int(indexCount) * sizes.index)
        }
        return zip(starts, starts.dropFirst()).compactMap { one, next in
            one.isSound && next.seconds > one.seconds
                ? MediaChapter(start: one.seconds, end: next.seconds, title: nil) : nil
        }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int64 {
        Int64(clamping: bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
}
