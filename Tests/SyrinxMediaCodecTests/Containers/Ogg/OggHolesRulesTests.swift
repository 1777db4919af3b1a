import Testing

@testable import SyrinxMediaCodec

/// The gaps, page by page.
@Suite struct OggHolesRulesTests {
    private static let sound = OggPacketDurations(opus: Array(repeating: [0xF8], count: 10))

    /// A page of ten packets.
    private func page(_ number: UInt32, to position: Int64, serial: UInt8 = 1, flags: UInt8 = 0) throws -> OggPage {
        var bytes = OggPage.mark + [0, flags]
        bytes += (0..<8).map { UInt8(truncatingIfNeeded: position >> (8 * $0)) } + [serial, 0, 0, 0]
        bytes += (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * UInt32($0))) } + [0, 0, 0, 0, 10]
        return try #require(OggPage(bytes + Array(repeating: 1, count: 10)))
    }

    /// Each page takes 100 bytes, and so does what is lost.
    private func holes(
        _ pages: [(place: Int64, page: OggPage)],
        between: OggGapDetector.Stretch = OggGapDetector.Stretch(isBroken: true)
    ) -> [OggGapDetector.Hole] {
        var holes = OggGapDetector()
        return pages.map { place, page in
            let range = 100 * place..<100 * place + 100
            return holes.hole(before: page, at: range, between: { _ in between }, sound: { Self.sound })
        }
    }

    @Test("The length of a gap is measured by granule positions")
    func whatIsMissingIsMeasured() throws {
        #expect(
            Self.sound == OggPacketDurations(opus: Array(repeating: [0xF8], count: 10)) && Self.sound?.count == 9600
        )
        let found = holes([
            (0, try page(2, to: 9_600)), (1, try page(3, to: 19_200)), (3, try page(5, to: 38_400)),
            (4, try page(6, to: 48_000)),
        ])
        #expect(found.map(\.count) == [0, 0, 9_600, 0])
        #expect(found[2].end == 28_800)
        #expect(!found[2].isAtFront)
    }

    @Test("Pages that were cut out count as missing")
    func cutOutPagesAreMissingToo() throws {
        let found = holes(
            [(0, try page(2, to: 9_600)), (1, try page(3, to: 19_200)), (2, try page(6, to: 48_000))],
            between: OggGapDetector.Stretch()
        )
        #expect(found.map(\.count) == [0, 0, 19_200])
    }

    @Test("Page sequence numbers wrap around")
    func numbersWrapAround() throws {
        let found = holes([
            (0, try page(.max, to: 9_600)), (1, try page(0, to: 19_200)), (3, try page(2, to: 38_400)),
        ])
        #expect(found.map(\.count) == [0, 0, 9_600])
    }

    @Test("An implausible gap is ignored")
    func whatIsBeyondReasonIsNotMissing() throws {
        let found = holes([
            (0, try page(2, to: 9_600)), (2, try page(4, to: 1 << 60 - 1)), (4, try page(6, to: 9_600)),
            (6, try page(8, to: 1 << 60 - 1)),
        ])
        #expect(found.map(\.count) == [0, 0, 0, 0])
        var lost = MissingAudio()
        for _ in 0..<100 { lost.add(1 << 60) }
        #expect(lost.frames == 1 << 60)
    }

    /// A packet may fill whole pages, in which none begins.
    @Test("A packet that spans whole pages is no gap")
    func aLongPacketIsNoHole() throws {
        let spanned = OggGapDetector.Stretch(pages: [(try page(4, to: -1), true), (try page(5, to: -1), true)])
        let found = holes([(0, try page(3, to: 9_600)), (3, try page(6, to: 38_400))], between: spanned)
        #expect(found.map(\.count) == [0, 0])
    }

    @Test("Sequence numbers that jump back or far ahead are ignored")
    func numbersThatGoBackOrFarAheadTellNothing() throws {
        let found = holes([
            (0, try page(900, to: 9_600)), (1, try page(3, to: 38_400)), (2, try page(3, to: 48_000)),
            (3, try page(9_000_000, to: 96_000)),
        ])
        #expect(found.map(\.count) == [0, 0, 0, 0])
    }

    /// Only what is there and damaged has been lost before the first page; what was never recorded has not.
    @Test("A gap at the front is measured")
    func theFront() throws {
        var stretch = OggGapDetector.Stretch(pages: [(try page(0, to: 0, flags: 2), true), (try page(1, to: 0), true)])
        let first = (Int64(4), try page(4, to: 28_800))
        #expect(holes([first], between: stretch)[0] == OggGapDetector.Hole())
        // The first page may only go on with a packet.
        let going = OggGapDetector.Stretch(pages: stretch.pages + [(try page(3, to: -1), true)])
        #expect(holes([first], between: going)[0] == OggGapDetector.Hole())
        stretch.isBroken = true
        let hole = holes([first], between: stretch)[0]
        #expect(hole.isAtFront && hole.count == 19_200)
        let late = (Int64(4), try page(4, to: 48_000_000))
        #expect(holes([late], between: stretch)[0] == OggGapDetector.Hole())
    }

    /// The last page ends where what is heard does, so that what is missing before it is reckoned in whole packets.
    @Test("A gap before the last page is counted in whole packets")
    func theLastPageMayEndWithinAPacket() throws {
        let found = holes([(0, try page(2, to: 9_600)), (2, try page(4, to: 28_500, flags: 4))])
        #expect(found[1] == OggGapDetector.Hole(count: 9_600, end: 19_200, soundLeft: 9_300))
    }

    @Test("A gap at the end is measured")
    func theEnd() throws {
        var holes = OggGapDetector()
        _ = holes.hole(
            before: try page(2, to: 9_600),
            at: 0..<100,
            between: { _ in OggGapDetector.Stretch() },
            sound: { nil }
        )
        func lost(_ pages: [(OggPage, Bool)]) -> Int64 {
            holes.lostAtEnd(OggGapDetector.Stretch(pages: pages.map { ($0.0, $0.1) }))
        }
        #expect(lost([]) == 0)
        #expect(lost([(try page(3, to: 19_200), false)]) == 9_600)
        #expect(lost([(try page(3, to: 19_200), false), (try page(4, to: 28_800), false)]) == 19_200)
        // It holds the end of a packet that has been read.
        #expect(lost([(try page(3, to: 19_200), true)]) == 0)
        // What has been damaged may be what it says.
        #expect(lost([(try page(3, to: 1 << 40), false)]) == 0)
        #expect(lost([(try page(3, to: 4_800), false)]) == 0)
        // Another recording's pages are not its own.
        #expect(lost([(try page(0, to: 0, serial: 2, flags: 2), true), (try page(3, to: 19_200), false)]) == 0)
    }

    /// Behind the end of another recording.
    @Test("A gap at the end of a link is found behind the next link's start")
    func theEndOfTheRecordingBefore() throws {
        let stretch = OggGapDetector.Stretch(
            pages: [
                (try page(3, to: 19_200), false), (try page(0, to: 0, serial: 2, flags: 2), true),
                (try page(1, to: 0, serial: 2), true),
            ],
            isBroken: true
        )
        let found = holes([(0, try page(2, to: 9_600)), (4, try page(2, to: 9_600, serial: 2))], between: stretch)
        #expect(found[1] == OggGapDetector.Hole(endCount: 9_600))
    }

    /// RFC 6716, table 2 and section 3.2.
    @Test("Opus packets have the lengths of RFC 6716")
    func packetsOfOpus() {
        let milliseconds: [Double] =
            [10, 20, 40, 60, 10, 20, 40, 60, 10, 20, 40, 60, 10, 20, 10, 20]
            + (0..<4).flatMap { _ in [2.5, 5, 10, 20] }
        for (configuration, length) in milliseconds.enumerated() {
            let head = UInt8(configuration << 3)
            let one = Int64(length * 48)
            #expect(OggPacketDurations(opus: [[head]])?.count == one)
            #expect(OggPacketDurations(opus: [[head | 1, 0], [head | 6, 0]])?.count == 4 * one)
            #expect(OggPacketDurations(opus: [[head | 3, 0x80 | 5]])?.count == 5 * one)
        }
        #expect(OggPacketDurations(opus: [[0x03]]) == nil)
        #expect(OggPacketDurations(opus: [[0x00], [0x08]])?.step == 480)
        #expect(OggPacketDurations(opus: [[0x08], [0x08]])?.step == 960)
    }
}
