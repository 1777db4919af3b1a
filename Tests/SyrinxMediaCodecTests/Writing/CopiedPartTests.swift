import Testing

@testable import SyrinxMediaCodec

/// Decisions about the packets of a part that is copied.
@Suite struct CopiedPartTests {
    private typealias Span = CopiedPart.Span

    @Test("Packets are cut to the range")
    func packetsAreCutToThePart() {
        var part = CopiedPart(1500..<3000, .hiding(0...10_000))
        #expect(part.place(start: 0, count: 1000, padding: 0) == Span(start: 0, count: 1000, startCut: 1000, endCut: 0))
        // One that does not state its start follows on the one before.
        #expect(
            part.place(start: nil, count: 1000, padding: 0) == Span(start: 1000, count: 1000, startCut: 500, endCut: 0)
        )
        #expect(
            part.place(start: 2000, count: 1000, padding: 0) == Span(start: 2000, count: 1000, startCut: 0, endCut: 0)
        )
        #expect(
            part.place(start: 2900, count: 1000, padding: 0) == Span(start: 2900, count: 1000, startCut: 0, endCut: 900)
        )
        #expect(part.place(start: 2900, count: 1000, padding: 950)?.endCut == 950)
        #expect(part.place(start: 2900, count: 1000, padding: 5000)?.endCut == 1000)
        #expect(part.place(start: 3000, count: 1000, padding: 0) == nil)
    }

    @Test("A packet is kept if any of its frames is in the range")
    func aPacketIsHeardIfAnyOfItsFramesIs() {
        let part = CopiedPart(1500..<3000, .wholePackets)
        #expect(!part.isHeard(Span(start: 0, count: 1000, startCut: 1000, endCut: 0)))
        #expect(part.isHeard(Span(start: 1000, count: 1000, startCut: 500, endCut: 0)))
        #expect(!part.isHeard(Span(start: 1000, count: 1000, startCut: 500, endCut: 500)))
        // Of some the length is not known.
        #expect(part.isHeard(Span(start: 1500, count: 0, startCut: 0, endCut: 0)))
        #expect(!part.isHeard(Span(start: 1499, count: 0, startCut: 0, endCut: 0)))
    }

    @Test("Only packets that can be trimmed are copied before the range")
    func asManyPacketsBeforeThePartAreCopiedAsCanBeHidden() {
        let spans = (0..<10).map { Span(start: 1000 * $0, count: 1000, startCut: 0, endCut: 0) }
        let part = CopiedPart(9500..<20_000, .hiding(529...4624))
        #expect(part.leadCount(spans) == 5 && part.lead(of: spans[5]) == 4500 && part.lead(of: spans[4]) == 0)
        let all = CopiedPart(9500..<20_000, .hiding(0...Int64.max))
        #expect(all.leadCount(spans) == 10 && all.lead(of: spans[0]) == 9500)
        // Less than a decoder drops cannot be stated.
        let start = CopiedPart(9100..<20_000, .hiding(529...4624))
        #expect(start.lead(of: spans[9]) == 0)
    }

    @Test("If trimming is impossible, the range starts with a whole packet")
    func withoutAMeansThePartBeginsWithAWholePacket() {
        let spans = [
            Span(start: -1000, count: 1000, startCut: 1000, endCut: 0),
            Span(start: 0, count: 1000, startCut: 0, endCut: 0),
        ]
        // The delay of the encoder stays where it is.
        #expect(CopiedPart(0..<500, .wholePackets).leadCount(spans) == 2)
        #expect(CopiedPart(10..<500, .wholePackets).leadCount(spans) == 1)
        #expect(
            CopiedPart(10..<500, .bytes).leadCount(spans) == 1 && CopiedPart(0..<500, .bytes).lead(of: spans[0]) == 0
        )
        #expect(CopiedPart(0..<500, .bytes).leadCount([]) == 0)
    }

    @Test("Impossible numbers do not trap")
    func numbersThatCannotBeDoNotTrap() {
        var part = CopiedPart(.max - 1..<Int64.max, .hiding(0...Int64.max))
        #expect(part.place(start: .min, count: .max, padding: .min) != nil)
        #expect(part.place(start: .max - 1, count: .max, padding: .max)?.endCut == .max)
        #expect(part.place(start: nil, count: -5, padding: 0) == nil)
    }
}
