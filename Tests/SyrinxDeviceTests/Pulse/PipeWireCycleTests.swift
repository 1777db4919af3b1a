import Testing

@testable import SyrinxDevice

/// When PipeWire reads a stream: times in microseconds, after a request for 21.3 ms.
@Suite("PipeWire cycle") struct PipeWireCycleTests {
    private func readAhead(at time: UInt64, read: UInt64 = 0, latest: UInt64 = 1_000) -> UInt64? {
        var cycle = PipeWireCycle()
        cycle.note(requestFor: 21_333, at: 1_000_000)
        return cycle.readAhead(at: 1_000_000 + time, latest: latest, read: read)
    }

    @Test("The latency is unknown before the first request")
    func nothingIsKnownBeforeTheFirstRequest() {
        #expect(PipeWireCycle().readAhead(at: 5, latest: 1_000, read: 0) == nil)
        var cycle = PipeWireCycle()
        cycle.note(requestFor: 0, at: 1)
        #expect(cycle.readAhead(at: 5, latest: 1_000, read: 0) == nil)
    }

    @Test("No reading is taken right after a request")
    func nothingIsReadRightAfterARequest() {
        #expect(readAhead(at: 0) == 0)
        #expect(readAhead(at: 1_500) == 0)
    }

    @Test(
        "As long as nothing has been read, the blocks that could have been are ruled out",
        arguments: [
            (2_000, 2_666), (4_500, 5_333), (6_300, 7_111), (8_000, 0), (10_000, 10_666), (12_000, 0), (18_000, 0),
            (20_400, 21_333),
        ]
    )
    func oneBlockOrSeveral(time: UInt64, expected: UInt64) {
        #expect(readAhead(at: time) == expected)
    }

    @Test(
        "The block size is estimated from packets that have been read",
        arguments: [
            // A quarter: it may also be two eighths.
            (6_000, 5_333, 0), (7_200, 5_333, 2_666), (9_800, 5_333, 5_333),
            // A third, to a frame.
            (9_000, 7_090, 0), (13_500, 7_130, 7_111),
            // A half, or two quarters, or four eighths.
            (11_000, 10_666, 0), (15_500, 10_666, 5_333), (20_500, 10_666, 10_666),
        ]
    )
    func blocksThatWereRead(time: UInt64, read: UInt64, expected: UInt64) {
        #expect(readAhead(at: time, read: read) == expected)
    }

    @Test("A write that arrives sooner waits for fewer blocks")
    func whatArrivesSoonerMeetsFewerBlocks() {
        #expect(readAhead(at: 18_000, latest: 1_000) == 0)
        #expect(readAhead(at: 18_000, latest: 3_400) == 21_333)
    }

    @Test("A server that reads irregularly counts a whole request")
    func whoReadsOtherwiseMayReadAWholeRequest() {
        #expect(readAhead(at: 1_000, read: 1_234) == 21_333)
        #expect(readAhead(at: 40_000) == 21_333)
        #expect(readAhead(at: 3_000, read: 30_000) == 21_333)
        #expect(readAhead(at: 1 << 60) == 21_333)
    }

    @Test("Impossible numbers do not overflow")
    func numbersBeyondReasonDoNotTrap() {
        for length in [1, 20_000, UInt64.max] {
            for now in [0, 1_000_000, UInt64.max] {
                for number in [0, 1_000, UInt64.max] {
                    var cycle = PipeWireCycle()
                    cycle.note(requestFor: length, at: 1_000_000)
                    let ahead = cycle.readAhead(at: now, latest: number, read: number)
                    #expect(ahead.map { $0 <= 2_000_000 } == true)
                }
            }
        }
    }
}
