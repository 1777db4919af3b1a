import Testing

@testable import SyrinxDesktopModel

@Suite struct ShownPositionTests {
    private func position(_ heard: Double, rate: Double = 1, in lead: Double?, end: Double? = 60) -> Double {
        ShownPosition.position(heard: heard, rate: rate, now: 100, presentation: lead.map { 100 + $0 }, end: end)
    }

    @Test func `The position is carried on to the time at which the frame is seen, at the rate`() {
        #expect(abs(position(10, in: 0.016) - 10.016) < 1e-9)
        #expect(abs(position(10, rate: 2, in: 0.016) - 10.032) < 1e-9)
        #expect(abs(position(10, rate: 0.5, in: 0.016, end: nil) - 10.008) < 1e-9)
    }

    @Test func `The position is that of the middle of the frame`() {
        let shown = ShownPosition.position(
            heard: 10,
            rate: 2,
            now: 100,
            presentation: 100.016,
            interval: 0.016,
            end: 60
        )
        #expect(abs(shown - 10.048) < 1e-9)
    }

    @Test func `A lead below 0 counts as 0, and a long one as the greatest`() {
        #expect(position(10, in: -0.5) == 10)
        #expect(abs(position(10, in: 3) - 10.1) < 1e-9)
        #expect(position(10, in: nil) == 10)
    }

    @Test func `The position does not leave the recording`() {
        #expect(position(59.99, in: 0.016) == 60)
        #expect(position(60.2, in: 0.016) == 60.2)
    }

    @Test func `Numbers out of range give what is heard, or what is near it`() {
        for number in hostileNumbers {
            let shown = position(10, rate: number, in: number, end: number)
            #expect(shown.isFinite && shown >= 10)
        }
    }
}
