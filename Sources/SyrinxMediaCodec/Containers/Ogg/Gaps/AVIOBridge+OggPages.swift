internal import SyrinxByteStream

extension AVIOBridge {
    /// Returns the pages in a range that libavformat has read.
    func stretch(of range: Range<Int64>) -> OggGapDetector.Stretch {
        var stretch = OggGapDetector.Stretch()
        var place = range.lowerBound
        while place < range.upperBound, stretch.pages.count < Self.mostPages {
            let head = recentBytes(at: place, count: OggPage.largestHeader)
            guard let page = OggPage(head) else {
                // Less may be the start of a page of which no more has come.
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

    /// Tags with a picture take as many pages of headers; a hole is no longer than some seconds.
    private static let mostPages = 256
}
