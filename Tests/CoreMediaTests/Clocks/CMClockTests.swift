import CoreMedia
import Testing

/// The host's clock, and timebases.
@Suite struct CMClockTests {
    @Test("The host's clock counts the units of the system")
    func hostTime() {
        let before = mach_absolute_time()
        let now = CMClockGetTime(CMClockGetHostTimeClock())
        let after = mach_absolute_time()
        #expect((before...after).contains(CMClockConvertHostTimeToSystemUnits(now)))
        #expect(CMClockMakeHostTimeFromSystemUnits(1_500_000_000).seconds == 1.5)
        #expect(CMClockConvertHostTimeToSystemUnits(CMTimeMake(value: 3, timescale: 2)) == 1_500_000_000)
        #expect(CMClockConvertHostTimeToSystemUnits(.invalid) == 0)
        #expect(CMClockConvertHostTimeToSystemUnits(CMTimeMake(value: -3, timescale: 2)) == 0)
    }

    @Test("A timebase stands still until it has a rate, and runs from where it was set")
    func timebase() throws {
        let clock = CMClockGetHostTimeClock()
        let base = try CMTimebase(sourceClock: clock)
        #expect(base.rate == 0 && base.time == .zero)
        let minute = CMTimeMake(value: 60, timescale: 1)
        try base.setTime(minute)
        #expect(base.time == minute)
        // At times that are chosen, so that nothing waits.
        let start = CMTimeMake(value: 1000, timescale: 1)
        try base.setRateAndAnchorTime(rate: 1.5, anchorTime: minute, referenceTime: start)
        let later = CMTimeMake(value: 1010, timescale: 1)
        #expect(CMSyncConvertTime(later, from: clock, to: base).seconds == 75)
        #expect(CMSyncConvertTime(CMTimeMake(value: 75, timescale: 1), from: base, to: clock).seconds == 1010)
        #expect(base.rate(relativeTo: clock) == 1.5 && CMTimebaseGetEffectiveRate(base) == 1.5)
        #expect(base.time > .zero)
        #expect(CMTimebaseSetRate(base, rate: .nan) == kCMTimebaseError_InvalidParameter)
        #expect(CMTimebaseSetTime(base, time: .indefinite) == kCMTimebaseError_InvalidParameter)
    }

    @Test("A timebase on a timebase has the product of both rates")
    func chain() throws {
        let clock = CMClockGetHostTimeClock()
        let slow = try CMTimebase(sourceClock: clock)
        let fast = try CMTimebase(sourceTimebase: slow)
        try slow.setRateAndAnchorTime(rate: 0.5, anchorTime: .zero, referenceTime: CMTimeMake(value: 100, timescale: 1))
        try fast.setRateAndAnchorTime(rate: 4, anchorTime: .zero, referenceTime: CMTimeMake(value: 10, timescale: 1))
        #expect(fast.effectiveRate == 2 && fast.sourceTimebase === slow && fast.sourceClock == nil)
        // At 130 of the clock the slow one shows 15, and the fast one 20.
        #expect(CMSyncConvertTime(CMTimeMake(value: 130, timescale: 1), from: clock, to: fast).seconds == 20)
        try slow.setRate(0)
        #expect(!CMSyncConvertTime(.zero, from: fast, to: clock).isValid)
    }
}
