import Testing

@testable import SyrinxStreaming

@Suite struct SeekRateLimiterTests {
    @Test("A single seek is carried out at once")
    func aSeekByItselfIsCarriedOutAtOnce() {
        var spacing = SeekRateLimiter()
        #expect(spacing.delay(at: 5) == 0)
        #expect(spacing.delay(at: 5.1001) == 0)
        #expect(spacing.delay(at: 50) == 0)
    }

    /// A slider that is drawn for five seconds reports 300 places a second.
    @Test("Of many seeks in a row ten a second are carried out")
    func ofManyInARowTenASecondAreCarriedOut() {
        var spacing = SeekRateLimiter()
        var carriedOut = 0
        for number in 0..<1500 where spacing.delay(at: Double(number) / 300) == 0 { carriedOut += 1 }
        #expect((45...51).contains(carriedOut), "\(carriedOut)")
    }

    @Test("The last seek waits for the rest of the interval only")
    func theLastOneWaitsForNoLongerThanItHasTo() {
        var spacing = SeekRateLimiter()
        #expect(spacing.delay(at: 1) == 0)
        let delay = spacing.delay(at: 1.07)
        #expect(abs(delay - 0.03) < 1e-9)
        #expect(spacing.delay(at: 1.07 + delay + 1e-9) == 0)
    }
}
