import SyrinxDevice
import SyrinxTestSupport
import Testing

@Suite struct ClockTests {
    @Test("The tick schedule does not drift in ten hours")
    func pacedClockDoesNotDrift() {
        var clock = TickSchedule(sampleRate: 44_100, start: 1000)
        #expect(clock.blockFrameCount == 441)
        for _ in 0..<3_600_000 { clock.advance() }
        // Ten hours later to the nanosecond, up to the rounding of a double.
        #expect(abs(Int64(clock.due) - 36_000_000_001_000) <= 10)
    }

    @Test("The tick schedule catches up after short delays and restarts after long ones")
    func pacedClockCatchesUpWithAShortDelayAndGivesUpOnALongOne() {
        var clock = TickSchedule(sampleRate: 48_000, start: 0)
        for _ in 0..<10 { clock.advance() }
        #expect(clock.due == 100_000_000)
        let isDryEarly = clock.isDry(at: 400_000_000)
        #expect(!isDryEarly)
        #expect(clock.due == 100_000_000)
        let isDryLate = clock.isDry(at: 700_000_000)
        #expect(isDryLate)
        #expect(clock.due == 700_000_000)
        clock.held(50)
        #expect(clock.due == 700_000_050)
    }

    @Test(
        "The tick schedule's blocks fit the render limit at every rate",
        arguments: [1.0, 8000, 44_100, 384_000, 10_000_000]
    )
    func pacedBlocksFit(sampleRate: Double) {
        for blockDuration in [0, 0.01, 0.03, 1] {
            let schedule = TickSchedule(sampleRate: sampleRate, blockDuration: blockDuration, start: 0)
            #expect((1...4096).contains(schedule.blockFrameCount))
        }
    }

    @Test("The throttle does not slow a card that keeps time")
    func writePacerLeavesARealCardAlone() {
        // A card whose crystal runs 0.1 % fast, for an hour.
        var pacer = RealTimeThrottle(sampleRate: 48_000, bufferFrameCount: 2880, now: 0)
        var held = 0
        for period in 0..<360_000 as Range<UInt64> {
            let now = period < 6 ? 0 : (period - 6) * 9_990_000
            if pacer.due(writing: 480, at: now) != now { held += 1 }
        }
        #expect(held == 0)
        #expect(!pacer.isClocked)
    }

    @Test("The throttle slows a PCM that takes all samples at once")
    func writePacerHoldsBackWhatTakesAllAtOnce() {
        var pacer = RealTimeThrottle(sampleRate: 48_000, bufferFrameCount: 2880, now: 0)
        var now: UInt64 = 0
        for _ in 0..<1000 { now = max(now, pacer.due(writing: 480, at: now)) }
        #expect(pacer.isClocked)
        // Ten seconds, less the buffer and the tenth of a second that were let through.
        #expect((9_700_000_000...10_000_000_000).contains(now))
    }

    @Test("The null output keeps real time")
    func nullKeepsRealTime() throws {
        let device = NullOutput(format: DeviceFormat(sampleRate: 44_100, channelCount: 1))
        #expect(try device.open(preferred: nil) == DeviceFormat(sampleRate: 44_100, channelCount: 1))
        let source = SignalSource([[0.5]], repeats: true)
        let begin = ContinuousClock.now
        try device.start(source.callback)
        #expect(waitUntil { source.renderedFrameCount >= 44_100 })
        let seconds = (ContinuousClock.now - begin) / .seconds(1)
        device.stop()
        // A busy machine may take longer, but nothing makes it shorter.
        #expect(seconds > 0.98)
    }

    @Test("The null output asks for blocks of the duration that is wanted, and tells it as its latency")
    func nullBlocks() throws {
        let format = DeviceFormat(sampleRate: 48_000, channelCount: 1)
        let device = NullOutput(format: format, blockDuration: 0.03)
        _ = try device.open(preferred: nil)
        let source = SignalSource([[0.5]], repeats: true)
        try device.start(source.callback)
        #expect(waitUntil { source.renderedFrameCount >= 4_800 })
        device.stop()
        #expect(source.renderedFrameCount % 1_440 == 0)
        #expect(device.latency == 0.03)
        // No block has more than 4096 frames.
        let fast = DeviceFormat(sampleRate: 409_600, channelCount: 1)
        _ = try device.open(preferred: fast)
        try device.start(SignalSource([[0.5]], repeats: true).callback)
        device.stop()
        #expect(device.latency == 0.01)
        #expect(NullOutput(blockDuration: .nan).latency == 0.01)
        #expect(NullOutput(blockDuration: 7).latency == 0.1)
    }

    @Test("The null output refuses impossible formats")
    func nullRefusesNonsense() {
        for format in [
            DeviceFormat(sampleRate: 0, channelCount: 2), DeviceFormat(sampleRate: .nan, channelCount: 2),
            DeviceFormat(sampleRate: 48_000, channelCount: 0), DeviceFormat(sampleRate: .infinity, channelCount: 1),
        ] {
            let error = #expect(throws: DeviceError.self) { try NullOutput().open(preferred: format) }
            #expect(error?.code == .unsupportedFormat)
        }
    }
}
