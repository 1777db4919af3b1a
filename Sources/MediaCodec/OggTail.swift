/// The end of an Ogg file, from which its length is read.
///
/// libavformat looks for it in the last 64 KiB, as far as a page can reach back, of which over a network each costs time.
/// Where a few KiB end in whole pages of the one stream that there is, they are all that it has to see.
enum OggTail {
    /// What libavformat goes back by: the largest page there can be (RFC 3533, 6).
    static let reach: Int64 = 65307
    /// What is looked at: a second of Opus at 128 kbit/s, which is what most of its pages hold.
    static let size = 16384

    /// How many bytes at the start of `tail`, which ends where the file does, need not be seen to learn when the sound of the
    /// file that begins with `head` ends; `nil` if more than `tail` may have to be.
    static func unneeded(of tail: [UInt8], after head: [UInt8]) -> Int? {
        guard let first = Page(head, at: 0), first.isBeginning, let second = Page(head, at: first.end),
            !second.isBeginning
        else { return nil }
        return tail.indices.first { leadsToTheEnd(tail, from: $0, of: first.serial) }
    }

    private static func leadsToTheEnd(_ tail: [UInt8], from start: Int, of serial: [UInt8]) -> Bool {
        var place = start
        var tellsTime = false
        while let page = Page(tail, at: place), page.serial == serial {
            tellsTime = tellsTime || page.tellsTime
            place = page.end
            if place == tail.count { return tellsTime }
        }
        return false
    }

    /// A page's header (RFC 3533, 6).
    private struct Page {
        let serial: [UInt8]
        let end: Int
        let isBeginning: Bool
        /// Whether a packet ends in it, so that it says when.
        let tellsTime: Bool

        init?(_ bytes: [UInt8], at start: Int) {
            guard start + 27 <= bytes.count, bytes[start...].starts(with: "OggS".utf8) else { return nil }
            let segmentEnd = start + 27 + Int(bytes[start + 26])
            guard segmentEnd <= bytes.count else { return nil }
            serial = Array(bytes[start + 14..<start + 18])
            end = segmentEnd + bytes[start + 27..<segmentEnd].reduce(0) { $0 + Int($1) }
            isBeginning = bytes[start + 5] & 2 != 0
            tellsTime = bytes[start + 6..<start + 14].contains { $0 != 0xFF }
        }
    }
}
