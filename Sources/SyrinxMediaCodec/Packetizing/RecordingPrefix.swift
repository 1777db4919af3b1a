/// The first bytes of a recording, of which no more may come for a while.
///
/// A reader that opens them as if they were all gets a wrong answer if they say too little, so they are examined before.
package struct RecordingPrefix {
    private let bytes: [UInt8]

    /// So many frames in a row are no chance hit, and enough for a decoder to find its format.
    private static let enoughFrames = 4
    /// So much sound libavformat looks at to see that it is no other codec in the guise of samples.
    private static let enoughSamples = 64

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Whether they tell what the recording is, and hold some of its sound.
    package var isEnough: Bool {
        var start = 0
        while let end = FormatProbe.id3End(of: Array(bytes[start...].prefix(10))) {
            guard end < Int64(bytes.count - start) else { return false }
            start += Int(end)
        }
        let rest = bytes[start...]
        if rest.starts(with: "fLaC".utf8) { return hasFLACFrame(from: start + 4) }
        if start == 0, rest.starts(with: "RIFF".utf8) { return hasSamples("data", isLittleEndian: true, head: 0) }
        if start == 0, rest.starts(with: "FORM".utf8) { return hasSamples("SSND", isLittleEndian: false, head: 8) }
        if start == 0, rest.dropFirst(4).starts(with: "ftyp".utf8) { return isWholeMP4 }
        return [FrameSyntax.mpeg, .adts, .ac3, .loas].contains { hasFrames(of: $0, from: start) }
    }

    private func hasFrames(of syntax: FrameSyntax, from start: Int) -> Bool {
        var place = start
        var kind: UInt32?
        for _ in 0..<Self.enoughFrames {
            guard place < bytes.count, let head = syntax.head(bytes[place...]), kind == nil || kind == head.kind,
                // Bounded: the place is within the bytes.
                head.byteCount <= bytes.count - place
            else { return false }
            kind = head.kind
            // Bounded: no more than the bytes that are there.
            place += head.byteCount
        }
        return true
    }

    /// Passes over the blocks of metadata (RFC 9639 section 8.1).
    private func hasFLACFrame(from start: Int) -> Bool {
        var place = start
        while place + 4 <= bytes.count {
            let size = bytes[place + 1..<place + 4].reduce(0) { $0 << 8 | Int($1) }
            let isLast = bytes[place] & 0x80 != 0
            // Bounded: the place is within the bytes, the size has 24 bits.
            place += 4 + size
            // The head of a frame is no longer.
            if isLast { return place + 16 <= bytes.count }
        }
        return false
    }

    /// Looks for a chunk of RIFF or AIFF with some sound behind the `head` bytes of its own.
    private func hasSamples(_ kind: String, isLittleEndian: Bool, head: Int) -> Bool {
        var place = 12
        while place + 8 <= bytes.count {
            let field = bytes[place + 4..<place + 8]
            let size = Int(
                (isLittleEndian ? field.reversed() : Array(field)).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            )
            let body = place + 8
            if bytes[place...].starts(with: kind.utf8) {
                // Bounded: `head` is a constant of the caller; `body` is within the bytes.
                return bytes.count - body >= min(head + Self.enoughSamples, size)
            }
            // Bounded: the place is within the bytes, the size has 32 bits.
            place = body + size + size % 2
        }
        return false
    }

    /// Whether the last box ends where the bytes do.
    private var isWholeMP4: Bool {
        var place = 0
        while place + 8 <= bytes.count {
            let size = bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
            guard size >= 8 else { return false }
            // Bounded: the place is within the bytes, the size has 32 bits.
            place += size
        }
        return place == bytes.count
    }
}
