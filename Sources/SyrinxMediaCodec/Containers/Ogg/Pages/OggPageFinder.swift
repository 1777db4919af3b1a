internal import SyrinxByteStream

/// Looks for pages in a file, from anywhere in it.
struct OggPageFinder {
    let bridge: AVIOBridge
    /// The length of the file.
    let length: Int64

    /// The result of reading a range.
    enum Look {
        case page(OggPage, Range<Int64>)
        /// None that is wanted begins there.
        case nothing
        /// It cannot be found out.
        case failure
    }

    /// Read at a time in looking for a header.
    private static let lookSize = 3072

    /// The first page that begins in `range` and is wanted, among as many bytes as the largest page has.
    func first(in range: Range<Int64>, where isWanted: (OggPage) -> Bool) -> Look {
        let most = Int(OggLastPage.reach) + OggPage.largestHeader
        var bytes: [UInt8] = []
        var place = 0
        while bytes.count < most {
            // What fails here fails again where it matters, and is thrown there.
            let more = bridge.read(at: range.lowerBound + Int64(bytes.count), count: Self.lookSize)
            bytes += more
            let isAtEnd = more.count < Self.lookSize
            // Where a pipe ends is known once it has been read, if at all.
            let end = bridge.stream.length.map { min($0, length) } ?? (bridge.sideFailure == nil ? 0 : length)
            if isAtEnd, range.lowerBound + Int64(bytes.count) < end { return .failure }
            while place + (isAtEnd ? 0 : OggPage.largestHeader) < bytes.count {
                if range.lowerBound + Int64(place) >= range.upperBound { return .nothing }
                if let page = OggPage(bytes, at: place), isWanted(page) {
                    return .page(page, range.lowerBound + Int64(place)..<range.lowerBound + Int64(page.end))
                }
                place += 1
            }
            if isAtEnd { return .nothing }
        }
        return .failure
    }
}
