internal import SyrinxByteStream

/// Finds boxes in an MP4 file (ISO/IEC 14496-12, section 4.2).
struct MP4Boxes {
    /// Reads up to `count` bytes at an offset of the file; fewer if they are unavailable.
    let bytes: (_ offset: Int64, _ count: Int) -> [UInt8]

    struct Box: Equatable {
        var kind: String
        var start: Int64
        /// The offset after the header.
        var body: Int64
        var end: Int64
    }

    /// The maximum number of boxes at one level of a real file.
    private static let mostBoxes = 256

    /// Returns consecutive boxes, up to the first one with the type `last`.
    func boxes(from start: Int64, to end: Int64, until last: String? = nil) -> [Box] {
        var found: [Box] = []
        var offset = start
        while offset < end, end - offset >= 8, found.count < Self.mostBoxes {
            let head = bytes(offset, 16)
            guard head.count >= 8 else { break }
            var size = Self.number(head[0..<4])
            var body = offset.addingClamped(8)
            if size == 1, head.count == 16 {
                size = Self.number(head[8..<16])
                body = offset.addingClamped(16)
            }
            guard let next = offset.addingChecked(size == 0 ? end - offset : size), next > offset, next >= body else {
                break
            }
            let kind = String(decoding: head[4..<8], as: UTF8.self)
            found.append(Box(kind: kind, start: offset, body: body, end: min(next, end)))
            if kind == last { break }
            offset = next
        }
        return found
    }

    /// Finds nested boxes of these types, starting within `box`.
    func find(_ kinds: [String], in box: Box) -> Box? {
        kinds.reduce(box) { box, kind in
            guard let box else { return nil }
            // A `meta` has a version before the boxes in it.
            let body = box.kind == "meta" ? box.body.addingClamped(4) : box.body
            guard let last = boxes(from: body, to: box.end, until: kind).last, last.kind == kind else { return nil }
            return last
        }
    }

    /// Big-endian.
    static func number(_ bytes: ArraySlice<UInt8>) -> Int64 {
        Int64(bitPattern: bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }

    // MARK: Questions

    /// The boxes of the movie's header; none if it cannot be read.
    var inMovie: [Box] {
        guard let movie = boxes(from: 0, to: .max, until: "moov").last, movie.kind == "moov" else { return [] }
        return boxes(from: movie.body, to: movie.end)
    }

    /// Whether the audio is fragmented: then the header describes only its start, or none of it.
    var isFragmented: Bool { inMovie.contains { $0.kind == "mvex" } }

    /// Whether a segment index precedes the first fragment; whether its times include the encoder delay depends on the
    /// writer.
    var hasSegmentIndex: Bool { boxes(from: 0, to: .max, until: "sidx").last?.kind == "sidx" }

    /// The number of packets in the table of the first audio track.
    var packetCount: Int64? {
        inMovie.first { $0.kind == "trak" && isSound($0) }
            .flatMap { find(["mdia", "minf", "stbl", "stsz"], in: $0) }
            .flatMap { number($0.body.addingClamped(8), 4) }
    }

    /// Returns whether a `trak` is an audio track.
    func isSound(_ track: Box) -> Bool {
        guard let handler = find(["mdia", "hdlr"], in: track) else { return false }
        return bytes(handler.body.addingClamped(8), 4).elementsEqual("soun".utf8)
    }

    /// The number of a `trak`, which libavformat has as the stream's.
    func trackNumber(of track: Box) -> Int32? {
        guard let header = find(["tkhd"], in: track), let version = number(header.body, 1) else { return nil }
        return number(header.body.addingClamped(version == 1 ? 20 : 12), 4).flatMap { Int32(exactly: $0) }
    }

    /// The ticks per second of a `mvhd` or `mdhd`.
    func timescale(of header: Box) -> Int64? {
        number(header.body.addingClamped(number(header.body, 1) == 1 ? 20 : 12), 4).flatMap { $0 > 0 ? $0 : nil }
    }

    /// Returns the duration in ticks of a `mdhd`; `nil` if it is unknown.
    func duration(of header: Box) -> Int64? {
        let isLong = number(header.body, 1) == 1
        let duration = number(header.body.addingClamped(isLong ? 24 : 16), isLong ? 8 : 4)
        // All bits set means unknown.
        return duration.flatMap { $0 > 0 && (isLong || $0 != 0xFFFF_FFFF) ? $0 : nil }
    }

    /// A big-endian number of `width` bytes.
    func number(_ offset: Int64, _ width: Int64) -> Int64? {
        let read = bytes(offset, Int(width))
        return read.count == width ? Self.number(read[...]) : nil
    }
}
