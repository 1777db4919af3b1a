internal import CSyrinxFFmpeg
internal import SyrinxByteStream

/// Seeking in Ogg by page headers, each of which states the end position of its audio.
///
/// libavformat reads complete pages at seven or more positions, whereas a few headers suffice (see
/// `Benchmarks/results/start-vs-mpv.md`).
extension OggSource {
    /// The start of a page, and the first frame of the first packet that starts in it.
    private typealias Place = InterpolationSearch.Place

    /// Returns false if the file is not suitable or the search fails, so that timestamps must be used.
    func seekAmongPages(toFrame frame: Int64) throws(SyrinxError) -> Bool {
        guard let pages = OggPages(self) else { return false }
        let target = min(max(frame, 0), pages.frameCount.subtractingClamped(1))
        // Starts further back if the target starts in the page before, or libavformat knows the time only from the next
        // page.
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

    /// Adds index entries for the pages around `frame`, so that libavformat need not search.
    private func jump(between start: Place, and end: Place, to frame: Int64) throws(SyrinxError) {
        let stamp = { (frame: Int64) in self.timing.timestamp(ofFrame: frame.addingClamped(self.timing.startSkip)) }
        let distance = Int32(clamping: end.offset - start.offset)
        av_add_index_entry(format.stream, start.offset, stamp(start.sample), 0, 0, AVINDEX_KEYFRAME)
        // The distance states that no page starts between the two.
        av_add_index_entry(format.stream, end.offset, stamp(end.sample), 0, distance, AVINDEX_KEYFRAME)
        breakOff()
        timing.breakOff()
        _ = av_seek_frame(format.context, format.stream.pointee.index, stamp(frame), AVSEEK_FLAG_BACKWARD)
        if let failure = format.bridge.failure { throw failure }
    }
}
