import Testing

@testable import SyrinxDevice

/// The conclusions from two looks at a stream: in microseconds, of a sink that has been handed 60,000 and has 20,000 of it
/// left.
@Suite("Sink rewinds") struct SinkRewindTests {
    private let playing = SinkRewind.Look(handed: 60_000, unplayed: 20_000, time: 1_000_000, isPlaying: true)

    private func held(handed: Int64, after time: Int64 = 1_000) -> SinkRewind.Look {
        SinkRewind.Look(handed: handed, unplayed: 0, time: 1_000_000 + time, isPlaying: false)
    }

    private func kept(_ looks: SinkRewind.Look...) -> Int64? {
        var rewind = SinkRewind()
        looks.forEach { rewind.note($0) }
        return rewind.keptBySink
    }

    @Test("The rewind of a sink is unknown at first")
    func nothingIsKnownBefore() {
        #expect(kept() == nil)
        #expect(kept(playing) == nil)
        #expect(kept(held(handed: 0), playing) == nil)
    }

    @Test("Samples between the played position and the restart are kept")
    func whatLiesBetweenWhatIsPlayedAndWhereItGoesOnIsKept() {
        // It plays 41,000 by then.
        #expect(kept(playing, held(handed: 41_000)) == 0)
        #expect(kept(playing, held(handed: 44_000)) == 3_000)
        // Clocks are read one after the other.
        #expect(kept(playing, held(handed: 40_990)) == 0)
    }

    @Test("A sink that does not rewind is recognised")
    func aSinkThatTakesNothingBackIsKnownByIt() {
        #expect(kept(playing, held(handed: 60_000)) == nil)
        #expect(kept(playing, held(handed: 80_000, after: 20_000)) == nil)
        // What the change of a rate has left over.
        #expect(kept(playing, held(handed: 59_980)) == nil)
        #expect(kept(playing, held(handed: 55_000)) == nil)
    }

    @Test("The last report before the hold counts")
    func theLastLookBeforeItIsHeldCounts() {
        let later = SinkRewind.Look(handed: 80_000, unplayed: 20_000, time: 1_020_000, isPlaying: true)
        #expect(kept(playing, later, held(handed: 63_000, after: 21_000)) == 2_000)
    }

    @Test("Only the first report during the hold counts")
    func onlyTheFirstLookWhileItIsHeldCounts() {
        #expect(kept(playing, held(handed: 60_000), playing, held(handed: 41_000)) == nil)
        #expect(kept(playing, held(handed: 41_000), playing, held(handed: 60_000)) == 0)
    }

    @Test("A move to another sink discards the observations")
    func ofAnotherSinkNothingIsKnown() {
        var rewind = SinkRewind()
        rewind.note(playing)
        rewind.note(held(handed: 41_000))
        rewind.moved()
        #expect(rewind.keptBySink == nil)
        rewind.note(playing)
        rewind.note(held(handed: 41_000))
        #expect(rewind.keptBySink == nil)
    }
}
