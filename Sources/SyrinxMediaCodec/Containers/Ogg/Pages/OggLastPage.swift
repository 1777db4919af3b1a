/// The end of an Ogg file that is one stream only, from which its length is read.
///
/// libavformat looks for it in the last 64 KiB, as far as a page can reach back, of which over a network each costs time.
/// Where a few KiB end in whole pages of the one stream that there is, they are all that it has to see.
enum OggLastPage {
    /// The distance by which libavformat goes back: the largest possible page (RFC 3533, 6).
    static let reach: Int64 = 65307
    /// The number of bytes that are examined: a second of Opus at 128 kbit/s, which most of its pages hold.
    static let size = 16384
    /// In this there is a whole page, wherever the file is cut off.
    private static let longSize = 2 * Int(reach)

    /// The number of bytes that are examined at the start of a recording: pages that begin its streams, of a few dozen bytes
    /// each.
    static let frontSize = 4096

    /// The serial number of the stream that a file begins with; `nil` if it begins with more than one.
    static func onlySerial(in head: [UInt8]) -> ArraySlice<UInt8>? {
        let first = Array(OggPage.pages(from: head).prefix(2))
        guard first.count == 2, first[0].isBeginning, !first[1].isBeginning else { return nil }
        return first[0].serial
    }

    /// Returns the number of bytes at the start of `tail`, the end of a file that begins with `head`, that are not needed to
    /// learn the end of the sound; `nil` if more than `tail` may be needed.
    static func unneeded(of tail: [UInt8], after head: [UInt8]) -> Int? {
        guard let serial = onlySerial(in: head) else { return nil }
        return tail.indices.first { leadsToTheEnd(tail, from: $0, of: serial) }
    }

    private static func leadsToTheEnd(_ tail: [UInt8], from start: Int, of serial: ArraySlice<UInt8>) -> Bool {
        var place = start
        var tellsTime = false
        while let page = OggPage(tail, at: place), page.serial == serial {
            tellsTime = tellsTime || page.position != nil
            place = page.end
            if place == tail.count { return tellsTime }
        }
        return false
    }

    /// The end of a file, as much as has a whole page in it, if it is not damaged.
    /// - Parameter tail: Gives the last bytes, as many as it is asked for.
    static func read(_ tail: (_ count: Int) -> [UInt8]) -> [UInt8] {
        let short = tail(size)
        if lastPage(in: short, where: { $0.end <= short.count }) != nil { return short }
        // A file that is cut off ends within a page.
        return tail(longSize)
    }

    /// The last position that a page in `tail` tells, of a file that begins with `head`; `nil` if that is of more than one stream.
    static func lastPosition(in tail: [UInt8], after head: [UInt8]) -> Int64? {
        guard let serial = onlySerial(in: head) else { return nil }
        // One that is cut off has no sound that libavformat would count.
        return lastPage(in: tail) { $0.serial == serial && $0.position != nil && $0.end <= tail.count }?.position
    }

    /// Whether the positions of a file of one stream, which begins with `head`, end with none, or with one before the first.
    ///
    /// A file that is cut off ends with a page that is not whole, and says nothing.
    /// - Parameter tail: Gives the last bytes, as many as it is asked for.
    static func isBeforeTheStart(of head: [UInt8], tail: (_ count: Int) -> [UInt8]) -> Bool {
        guard let serial = onlySerial(in: head) else { return false }
        let first = OggPage.pages(from: head).lazy.compactMap(\.position).first { $0 > 0 } ?? 1
        for size in [size, longSize] {
            let bytes = tail(size)
            let last = lastPage(in: bytes) { $0.serial == serial && $0.packetCount > 0 && $0.end <= bytes.count }
            if let last { return last.position.map { $0 < first } ?? true }
        }
        return false
    }

    /// Whether the last page in `tail`, which ends where the file does, is whole, and the last of its stream.
    static func endsStream(_ tail: [UInt8]) -> Bool {
        // Of the largest pages the header may lie before the tail: then nothing is known.
        guard let page = lastPage(in: tail, where: { _ in true }) else { return true }
        return page.isLast && page.end <= tail.count
    }

    static func lastPage(in tail: [UInt8], where isWanted: (OggPage) -> Bool) -> OggPage? {
        for place in tail.indices.reversed() {
            if let page = OggPage(tail, at: place), isWanted(page) { return page }
        }
        return nil
    }
}
