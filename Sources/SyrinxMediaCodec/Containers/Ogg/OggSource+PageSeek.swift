internal import CSyrinxFFmpeg
internal import SyrinxByteStream

/// Seeks in Ogg by the headers of its pages, each of which tells where the sound in it ends.
///
/// libavformat reads whole pages at seven places or more, where a few looks at headers are enough (`start-vs-mpv` in
/// `Benchmarks/README.md`).
extension OggSource {
    /// A place where a page begins, and the frame that the first packet to begin in it begins with.
    private typealias Place = InterpolationSearch.Place

    /// False if that is not what this is, or if it leads nowhere, and timestamps have to do.
    func seekAmongPages(toFrame frame: Int64) throws(SyrinxError) -> Bool {
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
    private func jump(between start: Place, and end: Place, to frame: Int64) throws(SyrinxError) {
        let stamp = { (frame: Int64) in self.timing.timestamp(ofFrame: frame.addingClamped(self.timing.startSkip)) }
        let distance = Int32(clamping: end.offset - start.offset)
        av_add_index_entry(format.stream, start.offset, stamp(start.sample), 0, 0, AVINDEX_KEYFRAME)
        // Its distance says that nothing begins between the two.
        av_add_index_entry(format.stream, end.offset, stamp(end.sample), 0, distance, AVINDEX_KEYFRAME)
        breakOff()
        timing.breakOff()
        _ = av_seek_frame(format.context, format.stream.pointee.index, stamp(frame), AVSEEK_FLAG_BACKWARD)
        if let failure = format.bridge.failure { throw failure }
    }
}
