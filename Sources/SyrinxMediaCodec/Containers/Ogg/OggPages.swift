import SyrinxByteStream

/// Examines the page headers of a file with one stream.
struct OggPages {
    let frameCount: Int64
    let length: Int64
    let framesPerPage: Int64
    private let bridge: AVIOBridge
    private let serial: ArraySlice<UInt8>
    /// The position of frame 0.
    private let origin: Int64

    /// The maximum number of pages to step through at the end of a search.
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
        // The first page with audio is as long as the others, usually at most a second.
        let first = OggPage.pages(from: bridge.head).lazy.compactMap(\.position).first { $0 > 0 }
        let second = source.timing.sampleRate
        framesPerPage = min(max(first.map { [origin] in $0.subtractingClamped(origin) } ?? second, second / 50), second)
    }

    /// Finds the first page that starts in `range`, and returns the position after it; its sample is `nil` if there is
    /// none.
    ///
    /// Returns `nil` if that cannot be determined.
    func first(in range: Range<Int64>) -> (sample: Int64?, offset: Int64)? {
        let look = OggPageFinder(bridge: bridge, length: length)
            .first(in: range) { $0.serial == serial && $0.position != nil }
        switch look {
        case .page(let page, let bytes): return (page.position.map { $0.subtractingClamped(origin) }, bytes.upperBound)
        case .nothing: return (nil, range.upperBound)
        case .failure: return nil
        }
    }

    /// Returns the positions around the page that contains `frame`, found page by page; `nil` if positions are missing.
    func around(_ frame: Int64, from first: InterpolationSearch.Place) -> (
        start: InterpolationSearch.Place, end: InterpolationSearch.Place
    )? {
        var start: InterpolationSearch.Place?
        var place = first
        var previous: InterpolationSearch.Place?
        for _ in 0..<Self.mostSteps {
            let header = bridge.read(at: place.offset, count: OggPage.largestHeader)
            guard let page = OggPage(header), page.serial == serial else { return nil }
            // A packet that continues in it must be read from the page before. The last page states the end of the
            // audio, possibly within its last packet, so that only the page before states its start.
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
