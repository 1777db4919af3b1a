import Testing

@testable import SyrinxStreaming

@Suite("Ticks of a streamer") struct TickPacingTests {
    private let millisecond: UInt64 = 1_000_000

    @Test(
        "Ten renders a second are ticks, whatever the length of their blocks",
        arguments: [1, 10, 23, 30, 93] as [UInt64]
    )
    func renders(block: UInt64) {
        var pacing = TickPacing(at: 0)
        var ticks = 0
        for time in stride(from: block, through: 10_000, by: Int(block)) where pacing.rendered(at: time * millisecond) {
            ticks += 1
        }
        #expect((98...100).contains(ticks))
    }

    @Test("While renders tick, the timer does not, and looks rarely")
    func timerRests() {
        var pacing = TickPacing(at: 0)
        var look: UInt64 = 100
        var looks = 0
        for time in 1...10_000 as ClosedRange<UInt64> {
            if time % 30 == 0 { _ = pacing.rendered(at: time * millisecond) }
            guard time == look else { continue }
            let (isTick, wait) = pacing.looked(at: time * millisecond)
            // The first look comes with the first tick, which either may take.
            #expect(!isTick || looks == 0)
            look += wait / millisecond
            looks += 1
        }
        #expect(looks <= 36)
    }

    @Test("Where no render comes, the timer ticks ten times a second")
    func timerTicks() {
        var pacing = TickPacing(at: 0)
        var now: UInt64 = 0
        var ticks = 0
        var wait = TickPacing.interval
        while now < 10_000 * millisecond {
            now += wait
            let look = pacing.looked(at: now)
            if look.isTick { ticks += 1 }
            wait = look.wait
        }
        #expect(ticks == 100)
    }

    @Test("The timer takes over within half a second of the last render, and gives way to the next")
    func takesOver() {
        var pacing = TickPacing(at: 0)
        _ = pacing.rendered(at: 100 * millisecond)
        let early = pacing.looked(at: 200 * millisecond)
        #expect(!early.isTick && early.wait == TickPacing.watchInterval)
        let late = pacing.looked(at: 500 * millisecond)
        #expect(late.isTick && late.wait == TickPacing.interval)
        let again = pacing.looked(at: 600 * millisecond)
        #expect(again.isTick)
        let isTick = pacing.rendered(at: 710 * millisecond)
        #expect(isTick)
        let rests = pacing.looked(at: 720 * millisecond)
        #expect(!rests.isTick && rests.wait == TickPacing.watchInterval)
    }
}
