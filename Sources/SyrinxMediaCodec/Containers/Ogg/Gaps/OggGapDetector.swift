internal import SyrinxByteStream

/// Measures the audio that is missing where Ogg pages are lost.
///
/// libavformat continues to count from the page before a gap, so audio after the gap is placed at its start until the
/// next page states another time. However, a page states the end position of its audio, and its packets have known
/// durations.
struct OggGapDetector {
    /// The pages between two pages in which packets start.
    struct Stretch {
        /// The pages whose bytes are complete, and whether their checksums are valid.
        var pages: [(page: OggPage, isWhole: Bool)] = []
        /// Whether there are bytes that are not a complete page.
        var isBroken = false
    }

    /// The audio missing before a page, in samples.
    struct Hole: Equatable {
        /// Whether the page is a repetition, or its audio precedes the output position: then it is not played.
        var isStale = false
        /// At the end of the recording before, in a chain.
        var endCount: Int64 = 0
        /// The number of samples missing of the page's recording.
        var count: Int64 = 0
        /// The position of the first packet that starts in the page, if `count` is not 0.
        var end: Int64 = 0
        /// The number of frames to play from there, if it is the last page, which may end within a packet.
        var soundLeft: Int64?

        /// Whether the start of the recording is missing.
        var isAtFront: Bool { count > 0 && count == end }

        /// - Parameters:
        ///   - end: The end of the audio of `page`.
        ///   - position: The end of the audio of the page before.
        fileprivate mutating func measure(
            _ page: OggPage,
            _ end: Int64,
            _ sound: OggPacketDurations,
            from position: Int64
        ) {
            var lost = end.subtractingClamped(sound.count).subtractingClamped(position)
            let mayEndWithin = page.isLast && sound.step > 0
            if mayEndWithin { lost = lost.dividedRoundingUp(by: sound.step).multipliedClamped(by: sound.step) }
            guard 1...OggGapDetector.mostMissing ~= lost else { return }
            (count, self.end) = (lost, position.addingClamped(lost))
            if mayEndWithin { soundLeft = end.subtractingClamped(self.end) }
        }
    }

    /// Samples: no recording is as long.
    private static let mostMissing: Int64 = 1 << 40

    private struct Last {
        var serial: ArraySlice<UInt8>
        var number: UInt32
        /// The end position of the audio; `nil` if no page has stated it.
        var position: Int64?

        init(_ page: OggPage, or position: Int64? = nil) {
            (serial, number) = (page.serial, page.number)
            self.position = page.position ?? position
        }
    }

    /// The last page that was read.
    private var last: Last?
    /// The position of the last page in which a packet starts.
    private(set) var place: Range<Int64> = 0..<0
    private var isBehindHole = false

    /// The maximum number of lost pages: after more, the page numbers have restarted.
    private static let mostLost: UInt32 = 1 << 20
    /// The maximum gap at the start in samples: a larger one is a partial recording, or damage.
    private static let mostAtEnds: Int64 = 480_000

    /// Notes the next page in which a packet starts.
    /// - Parameters:
    ///   - place: Its position in the file.
    ///   - between: Returns the bytes between the last page and this one; called if they are not adjacent.
    ///   - sound: Returns the durations of its packets; called after a gap.
    mutating func hole(
        before page: OggPage,
        at place: Range<Int64>,
        between: (Range<Int64>) -> Stretch,
        sound: () -> OggPacketDurations?
    ) -> Hole {
        var hole = Hole()
        var isBroken = false
        if last?.serial != page.serial || last?.number != page.number &- 1 {
            let end = self.place.upperBound
            let stretch = end < place.lowerBound ? between(end..<place.lowerBound) : Stretch()
            isBroken = stretch.isBroken
            if last?.serial != page.serial { hole.endCount = lostAtEnd(stretch) }
            pass(stretch, to: page)
        }
        self.place = place
        guard let known = last, known.serial == page.serial, !page.isBeginning else {
            (last, isBehindHole) = (Last(page), false)
            return hole
        }
        if let end = page.position, let position = known.position, end > 0, end <= position,
            0...Self.mostLost ~= known.number &- page.number
        {
            return Hole(isStale: true)
        }
        if isGap(from: known, to: page, isBroken) { isBehindHole = true }
        last = Last(page, or: known.position)
        guard let end = page.position else { return hole }
        defer { isBehindHole = false }
        guard isBehindHole, let position = known.position, let sound = sound() else { return hole }
        hole.measure(page, end, sound, from: position)
        if hole.isAtFront, hole.count > Self.mostAtEnds { return Hole(endCount: hole.endCount) }
        return hole
    }

    /// Returns the audio missing after the last page, if `stretch` follows.
    ///
    /// The header of a damaged page is used if possible.
    func lostAtEnd(_ stretch: Stretch) -> Int64 {
        guard let last, let position = last.position else { return 0 }
        let own = stretch.pages.prefix { !$0.page.isBeginning }.filter { $0.page.serial == last.serial }
        // What ends in a whole page has been read.
        guard let end = own.last(where: { $0.page.position != nil }), !end.isWhole else { return 0 }
        let count = (end.page.position ?? 0).subtractingClamped(position)
        return 1...Self.mostAtEnds ~= count ? count : 0
    }

    /// Returns whether pages are missing between `last` and `page`, as opposed to a stream that was captured mid-way.
    private func isGap(from last: Last, to page: OggPage, _ isBroken: Bool) -> Bool {
        (last.position != 0 || isBroken) && 1...Self.mostLost ~= page.number &- last.number &- 1
    }

    /// Notes complete pages in which no packet starts, and headers.
    private mutating func pass(_ stretch: Stretch, to page: OggPage) {
        for (other, isWhole) in stretch.pages where isWhole && other.serial == page.serial {
            if let last, last.serial == page.serial, !other.isBeginning {
                if isGap(from: last, to: other, stretch.isBroken) { isBehindHole = true }
                self.last = Last(other, or: last.position)
            } else {
                (last, isBehindHole) = (Last(other), false)
            }
        }
    }

    /// Notes that the next page is not contiguous.
    mutating func breakOff() {
        self = OggGapDetector()
        place = .max..<Int64.max
    }
}
