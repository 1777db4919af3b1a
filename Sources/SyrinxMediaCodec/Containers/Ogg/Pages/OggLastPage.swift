/// Finds the length of an Ogg file of one stream in its last pages.
///
/// libavformat searches the last 64 KiB, because a page can be that long. Over a network, those bytes take time to
/// download. If the last few KiB are whole pages of the only stream, libavformat needs no others.
enum OggLastPage {
    /// The number of bytes at the end that libavformat searches: the size of the largest page (RFC 3533, section 6).
    static let reach: Int64 = 65307
    /// The number of bytes that are read first: one second of Opus at 128 kbit/s, which contains most files' last page.
    static let size = 16384
    /// The number of bytes that are sure to contain a whole page, even if the file is truncated.
    private static let longSize = 2 * Int(reach)

    /// The number of bytes read at the start of a recording, where each stream has a first page of a few dozen bytes.
    static let frontSize = 4096

    /// Returns the serial number of the only stream; `nil` if the file starts with several streams.
    static func onlySerial(in head: [UInt8]) -> ArraySlice<UInt8>? {
        let first = Array(OggPage.pages(from: head).prefix(2))
        guard first.count == 2, first[0].isBeginning, !first[1].isBeginning else { return nil }
        return first[0].serial
    }

    /// Returns the number of bytes at the start of `tail` that libavformat does not need to find the length.
    ///
    /// `tail` is the end of a file that starts with `head`. Returns `nil` if libavformat may need bytes before `tail`.
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

    /// Returns enough bytes from the end of a file to contain a whole page, unless the file is damaged.
    /// - Parameter tail: Returns the requested number of bytes at the end of the file.
    static func read(_ tail: (_ count: Int) -> [UInt8]) -> [UInt8] {
        let short = tail(size)
        if lastPage(in: short, where: { $0.end <= short.count }) != nil { return short }
        // A truncated file ends within a page, so a whole page starts earlier.
        return tail(longSize)
    }

    /// Returns the last granule position in `tail`, the end of a file that starts with `head`.
    ///
    /// Returns `nil` if the file contains several streams.
    static func lastPosition(in tail: [UInt8], after head: [UInt8]) -> Int64? {
        guard let serial = onlySerial(in: head) else { return nil }
        // libavformat ignores the samples of a truncated page.
        return lastPage(in: tail) { $0.serial == serial && $0.position != nil && $0.end <= tail.count }?.position
    }

    /// Whether the last page of a file of one stream has no granule position, or one before that of the first page.
    ///
    /// `head` is the start of the file. The result is false if the end of the file contains no whole page.
    /// - Parameter tail: Returns the requested number of bytes at the end of the file.
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

    /// Whether the last page in `tail`, which ends with the file, is complete and marked as the last of its stream.
    static func endsStream(_ tail: [UInt8]) -> Bool {
        // The header of a very large page may precede `tail`; then assume that the stream is complete.
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
