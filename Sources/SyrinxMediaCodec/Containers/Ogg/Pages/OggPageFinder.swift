internal import SyrinxByteStream

/// Finds pages in a file, starting at any offset.
struct OggPageFinder {
    let bridge: AVIOBridge
    /// The length of the file, in bytes.
    let length: Int64

    /// The result of reading a range.
    enum Look {
        case page(OggPage, Range<Int64>)
        /// No page that satisfies the condition starts in the range.
        case nothing
        /// The bytes could not be read.
        case failure
    }

    /// The number of bytes per read.
    private static let lookSize = 3072

    /// Returns the first page that starts in `range` and satisfies the condition.
    ///
    /// Reads at most as many bytes as the largest page has.
    func first(in range: Range<Int64>, where isWanted: (OggPage) -> Bool) -> Look {
        let most = Int(OggLastPage.reach) + OggPage.largestHeader
        var bytes: [UInt8] = []
        var place = 0
        while bytes.count < most {
            // If the stream fails here, libavformat's own read fails again, and reports the error.
            let more = bridge.read(at: range.lowerBound + Int64(bytes.count), count: Self.lookSize)
            bytes += more
            let isAtEnd = more.count < Self.lookSize
            // The length of a pipe is unknown until its end has been read.
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
