internal import SyrinxByteStream

extension AVIOBridge {
    /// Returns the pages in a range that libavformat has read.
    func stretch(of range: Range<Int64>) -> OggGapDetector.Stretch {
        var stretch = OggGapDetector.Stretch()
        var place = range.lowerBound
        while place < range.upperBound, stretch.pages.count < Self.mostPages {
            let head = recentBytes(at: place, count: OggPage.largestHeader)
            guard let page = OggPage(head) else {
                // Fewer bytes may be the start of an incomplete page.
                if head.count == OggPage.largestHeader { stretch.isBroken = true }
                break
            }
            let bytes = recentBytes(at: place, count: page.end)
            guard bytes.count == page.end else { break }
            let isWhole = OggPage.isWhole(bytes)
            stretch.pages.append((page, isWhole))
            if !isWhole { stretch.isBroken = true }
            place += Int64(page.end)
        }
        return stretch
    }

    /// The maximum number of pages: enough for headers with a picture; a gap has at most a few seconds.
    private static let mostPages = 256
}
