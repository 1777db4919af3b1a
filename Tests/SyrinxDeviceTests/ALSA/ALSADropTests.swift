import Testing

@testable import SyrinxDevice

/// Returns the way to drop a PCM's frames, of which fewer than 480 are not worth it.
@Suite("Dropping samples of a PCM") struct ALSADropTests {
    private func drop(_ queued: Int, limit: Int = .max, margin: Int? = 96) -> ALSADrop {
        ALSADrop(queued: queued, limit: limit, margin: margin, least: 480)
    }

    @Test("A rewind stops short of the frames that the card may have read")
    func aCardGoesBackToWhereItMayHaveRead() {
        #expect(drop(2_880) == .rewind(2_784))
        #expect(drop(2_880, limit: 1_000) == .rewind(1_000))
        #expect(drop(577) == .rewind(481))
    }

    @Test("A short remainder is played and not dropped")
    func whatIsLittleIsPlayed() {
        #expect(drop(576) == .nothing)
        #expect(drop(2_880, limit: 480) == .nothing)
        #expect(drop(50) == .nothing)
        #expect(drop(0) == .nothing)
        #expect(drop(480, margin: nil) == .nothing)
    }

    @Test("A PCM that cannot rewind is restarted only if all of it may be dropped")
    func aPCMThatCannotGoBackIsEmptiedIfAllMayBeDropped() {
        #expect(drop(2_880, margin: nil) == .restart)
        #expect(drop(2_880, limit: 2_880, margin: nil) == .restart)
        #expect(drop(2_880, limit: 2_879, margin: nil) == .nothing)
    }
}
