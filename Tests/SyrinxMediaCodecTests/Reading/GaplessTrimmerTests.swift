import Testing

@testable import SyrinxMediaCodec

@Suite struct GaplessTrimmerTests {
    private typealias Cut = GaplessTrimmer.Cut

    /// The second packet of a page of Vorbis may be said to begin later than it does; the third is right.
    @Test("Timestamps count until the target of a seek is reached")
    func untilTheTargetIsReachedEachTimestampCounts() {
        var trimmer = GaplessTrimmer(next: nil, end: nil, longestGap: 1 << 20)
        trimmer.seek(to: 2_000, next: nil)
        #expect(trimmer.accept(start: 1_448, count: 576, endTrim: 0) == Cut(silence: 0, keep: 552..<576))
        trimmer.seek(to: 3_000, next: nil)
        #expect(trimmer.accept(start: 1_448, count: 576, endTrim: 0).keep.isEmpty)
        #expect(trimmer.accept(start: 1_576, count: 1_024, endTrim: 0).keep.isEmpty)
        #expect(trimmer.accept(start: 2_600, count: 1_024, endTrim: 0) == Cut(silence: 0, keep: 400..<1_024))
        // From there on what has been given out is counted.
        #expect(trimmer.accept(start: 3_700, count: 1_024, endTrim: 0) == Cut(silence: 0, keep: 0..<1_024))
        #expect(trimmer.next == 4_648)
    }

    @Test("A damaged gap at the seek target becomes silence")
    func aGapOfDamageAtTheTargetIsSilence() {
        var trimmer = GaplessTrimmer(next: nil, end: nil, longestGap: 1 << 20)
        trimmer.seek(to: 2_000, next: nil)
        _ = trimmer.accept(start: 1_000, count: 500, endTrim: 0)
        trimmer.damaged()
        #expect(trimmer.accept(start: 2_500, count: 100, endTrim: 0) == Cut(silence: 500, keep: 0..<100))
    }
}
