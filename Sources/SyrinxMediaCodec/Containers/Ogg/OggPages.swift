import SyrinxByteStream

/// Looks at the headers of the pages of a file of one stream.
struct OggPages {
    let frameCount: Int64
    let length: Int64
    let framesPerPage: Int64
    private let bridge: AVIOBridge
    private let serial: ArraySlice<UInt8>
    /// The position of frame 0.
    private let origin: Int64

    /// Pages that are gone through from where a search ends, at the most.
    private static let mostSteps = 8

    init?(_ source: OggSource) {
        bridge = source.format.bridge
        guard !source.metadata.hasNoCommonClock, let last = source.metadata.end,
            let frameCount = source.info.frameCount, 1...1 << 60 ~= frameCount, let length = source.stream.length,
            let serial = OggLastPage.onlySerial(in: bridge.head), source.firstOffset < length
        else { return nil }
        self.frameCount = frameCount
        self.length = length
        self.serial = serial
        origin = last.subtractingClamped(frameCount)
        // The first page with sound is as long as the others; most hold a second at most.
        let first = OggPage.pages(from: bridge.head).lazy.compactMap(\.position).first { $0 > 0 }
        let second = source.timing.sampleRate
        framesPerPage = min(max(first.map { [origin] in $0.subtractingClamped(origin) } ?? second, second / 50), second)
    }

    /// The first page that begins in `range`, by the place behind it; a sample of `nil` if none does, and nothing at all if that
    /// cannot be found out.
    func first(in range: Range<Int64>) -> (sample: Int64?, offset: Int64)? {
        let look = OggPageFinder(bridge: bridge, length: length)
            .first(in: range) { $0.serial == serial && $0.position != nil }
        switch look {
        case .page(let page, let bytes): return (page.position.map { $0.subtractingClamped(origin) }, bytes.upperBound)
        case .nothing: return (nil, range.upperBound)
        case .failure: return nil
        }
    }

    /// The places around the page in which `frame` is, gone to page by page; `nil` where they do not tell.
    func around(_ frame: Int64, from first: InterpolationSearch.Place) -> (
        start: InterpolationSearch.Place, end: InterpolationSearch.Place
    )? {
        var start: InterpolationSearch.Place?
        var place = first
        var previous: InterpolationSearch.Place?
        for _ in 0..<Self.mostSteps {
            let header = bridge.read(at: place.offset, count: OggPage.largestHeader)
            guard let page = OggPage(header), page.serial == serial else { return nil }
            // The packet that goes on in it has to be read from the page before; and the last page tells where the sound ends, which
            // may be within its last packet, so that only the page before tells where it begins.
            start = page.isContinued || page.isLast ? previous : place
            previous = place
            place.offset = place.offset.addingClamped(Int64(page.end))
            guard let position = page.position else { continue }
            place.sample = position.subtractingClamped(origin)
            if place.sample > frame { return start.map { ($0, place) } }
        }
        return nil
    }
}
