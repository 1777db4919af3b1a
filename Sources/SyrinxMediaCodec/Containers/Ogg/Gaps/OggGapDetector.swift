internal import SyrinxByteStream

/// Tells how much sound is missing where pages of Ogg are lost.
///
/// libavformat counts on from the page before, so that what comes behind a hole is placed where that begins, until the page after
/// it tells another time. But where the sound of a page ends it says itself, and its packets how long it is.
struct OggGapDetector {
    /// The pages between two pages in which packets begin.
    struct Stretch {
        /// Those of which all bytes are there, and whether their checksums are right.
        var pages: [(page: OggPage, isWhole: Bool)] = []
        /// Whether something is there that is no whole page.
        var isBroken = false
    }

    /// The sound missing before a page, in samples.
    struct Hole: Equatable {
        /// Whether the page has come before, or its sound belongs before what has been given out: then it is not to be heard.
        var isStale = false
        /// At the end of the recording before, in a chain.
        var endCount: Int64 = 0
        /// The number of samples missing of the page's recording.
        var count: Int64 = 0
        /// The position at which the first packet that begins in the page begins, if `count` is not 0.
        var end: Int64 = 0
        /// The number of frames to be heard from there on, if it is the last page, which may end within a packet.
        var soundLeft: Int64?

        /// Whether what is missing is how the recording begins.
        var isAtFront: Bool { count > 0 && count == end }

        /// - Parameters:
        ///   - end: Where the sound of `page` ends.
        ///   - position: Where the sound of the last page before it ended.
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
        /// The end position of the sound; `nil` if no page has stated it.
        var position: Int64?

        init(_ page: OggPage, or position: Int64? = nil) {
            (serial, number) = (page.serial, page.number)
            self.position = page.position ?? position
        }
    }

    /// The last page that is known to have been read.
    private var last: Last?
    /// The place of the last page in which a packet begins.
    private(set) var place: Range<Int64> = 0..<0
    private var isBehindHole = false

    /// More pages are not lost: there the numbers begin anew.
    private static let mostLost: UInt32 = 1 << 20
    /// Samples: what begins later has been recorded or cut out, and what a damaged page says beyond that is damage, too.
    private static let mostAtEnds: Int64 = 480_000

    /// Takes note of the next page that a packet begins in.
    /// - Parameters:
    ///   - place: Where it lies in the file.
    ///   - between: What lies between the last one and this, which is asked for where it is not the next.
    ///   - sound: What it holds, which is asked for behind a hole.
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

    /// Returns the sound missing after the last page, if `stretch` follows.
    ///
    /// The header of a damaged page is used, where that is possible.
    func lostAtEnd(_ stretch: Stretch) -> Int64 {
        guard let last, let position = last.position else { return 0 }
        let own = stretch.pages.prefix { !$0.page.isBeginning }.filter { $0.page.serial == last.serial }
        // What ends in a whole page has been read.
        guard let end = own.last(where: { $0.page.position != nil }), !end.isWhole else { return 0 }
        let count = (end.page.position ?? 0).subtractingClamped(position)
        return 1...Self.mostAtEnds ~= count ? count : 0
    }

    /// Whether pages between these two are lost, and were not left out by a recording from some point on.
    private func isGap(from last: Last, to page: OggPage, _ isBroken: Bool) -> Bool {
        (last.position != 0 || isBroken) && 1...Self.mostLost ~= page.number &- last.number &- 1
    }

    /// Takes note of whole pages in which nothing begins, and of headers.
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

    /// Says that the next page is another one than the next in line.
    mutating func breakOff() {
        self = OggGapDetector()
        place = .max..<Int64.max
    }
}
