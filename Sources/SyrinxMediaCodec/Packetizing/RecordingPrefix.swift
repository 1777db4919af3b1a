/// Checks whether the first bytes of a recording are enough to open it, before more of them arrive.
///
/// A reader that opens too few bytes as a complete file would report a wrong format or error.
package struct RecordingPrefix {
    private let bytes: [UInt8]

    /// The number of consecutive frames that rule out a chance match, and let a decoder find its format.
    private static let enoughFrames = 4
    /// The number of bytes that libavformat examines to rule out that the samples contain another codec.
    private static let enoughSamples = 64

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Whether the bytes identify the format and contain some audio.
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

    /// Skips the metadata blocks, and checks for the start of a frame (RFC 9639, section 8.1).
    private func hasFLACFrame(from start: Int) -> Bool {
        var place = start
        while place + 4 <= bytes.count {
            let size = bytes[place + 1..<place + 4].reduce(0) { $0 << 8 | Int($1) }
            let isLast = bytes[place] & 0x80 != 0
            // Bounded: the place is within the bytes, the size has 24 bits.
            place += 4 + size
            // A frame header has at most 16 bytes.
            if isLast { return place + 16 <= bytes.count }
        }
        return false
    }

    /// Looks for a RIFF or AIFF chunk that contains some audio after its own `head` bytes.
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

    /// Whether the last box is complete.
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
