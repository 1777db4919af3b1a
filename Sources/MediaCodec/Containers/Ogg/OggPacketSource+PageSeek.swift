internal import ByteStream
internal import CFFmpeg

/// Seeks in Ogg by the headers of its pages, each of which tells where the sound in it ends.
///
/// libavformat reads whole pages at seven places or more, where a few looks at headers are enough (`start-vs-mpv` in
/// `Benchmarks/README.md`).
extension OggPacketSource {
    /// A place where a page begins, and the frame that the first packet to begin in it begins with.
    private typealias Place = InterpolationSearch.Place

    /// False if that is not what this is, or if it leads nowhere, and timestamps have to do.
    func seekAmongPages(toFrame frame: Int64) throws(MediaError) -> Bool {
        guard let pages = OggPages(self) else { return false }
        let target = min(max(frame, 0), pages.frameCount.subtractingClamped(1))
        // Further back where what is to be read begins in the page before, or libavformat tells the time from the next page on.
        for count in [0, 1, 3] as [Int64] {
            let earlier = max(target.subtractingClamped(count.multipliedClamped(by: pages.framesPerPage)), 0)
            guard let place = place(of: earlier, pages) else { return false }
            guard let (start, end) = pages.around(earlier, from: place) else { continue }
            try jump(between: start, and: end, to: min(earlier, frame))
            if let landed = try peekPlaced()?.startFrame, landed <= max(frame, firstStart) { return true }
        }
        return false
    }

    private func place(of frame: Int64, _ pages: OggPages) -> Place? {
        var search = InterpolationSearch(
            target: frame,
            sampleCount: pages.frameCount,
            unitSize: pages.framesPerPage,
            bytes: firstOffset..<pages.length,
            look: .behindTheNext
        )
        while let range = search.next() {
            guard let look = pages.first(in: range) else { return nil }
            search.see(look.sample, at: look.offset, in: range)
        }
        guard var place = search.found else { return nil }
        if place.offset == firstOffset { place.sample = firstStart }
        return place
    }

    /// Tells libavformat where the pages around `frame` begin, so that it need not look for them.
    private func jump(between start: Place, and end: Place, to frame: Int64) throws(MediaError) {
        let stamp = { (frame: Int64) in self.timing.timestamp(ofFrame: frame.addingClamped(self.timing.startSkip)) }
        let distance = Int32(clamping: end.offset - start.offset)
        av_add_index_entry(format.stream, start.offset, stamp(start.sample), 0, 0, AVINDEX_KEYFRAME)
        // Its distance says that nothing begins between the two.
        av_add_index_entry(format.stream, end.offset, stamp(end.sample), 0, distance, AVINDEX_KEYFRAME)
        breakOff()
        timing.breakOff()
        _ = av_seek_frame(format.context, format.stream.pointee.index, stamp(frame), AVSEEK_FLAG_BACKWARD)
        if let failure = format.bridge.failure { throw MediaError(failure) }
    }
}

/// Looks at the headers of the pages of a file of one stream.
private struct OggPages {
    let frameCount: Int64
    let length: Int64
    let framesPerPage: Int64
    private let bridge: AVIOBridge
    private let serial: ArraySlice<UInt8>
    /// The position of frame 0.
    private let origin: Int64

    /// Pages that are gone through from where a search ends, at the most.
    private static let mostSteps = 8

    init?(_ source: OggPacketSource) {
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
