internal import SyrinxByteStream

/// Finds boxes in an MP4 file (ISO/IEC 14496-12, section 4.2).
struct MP4Boxes {
    /// Reads up to `count` bytes at an offset of the file, or fewer where they cannot be had.
    let bytes: (_ offset: Int64, _ count: Int) -> [UInt8]

    struct Box: Equatable {
        var kind: String
        var start: Int64
        /// Behind its header.
        var body: Int64
        var end: Int64
    }

    /// More boxes than this in one place are not a real file.
    private static let mostBoxes = 256

    /// The boxes one behind the other, up to the first that is called `last`.
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

    /// The first box of each of these kinds, each in the one before, the first of them in `box`.
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
}
