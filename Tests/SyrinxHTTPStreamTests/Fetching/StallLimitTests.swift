import Testing

@testable import SyrinxHTTPStream

/// Case 18 of the faults, on a clock that is moved by hand.
@Suite("StallLimit") struct StallLimitTests {
    private func limit() -> StallLimit {
        var options = HTTPByteStream.Options()
        options.stallTimeout = 8
        options.connectTimeout = 5
        return StallLimit(options)
    }

    private func seconds(_ seconds: UInt64) -> UInt64 { seconds * 1_000_000_000 }

    @Test("A stall limit includes the connect timeout until the response head arrives")
    func silenceIsAllowedForSoLongAndBeforeTheHeadForLonger() {
        var limit = limit()
        limit.sign(at: seconds(100))
        #expect(limit.due(at: seconds(100)) == seconds(113))
        limit.sign(at: seconds(110), isHead: true)
        #expect(limit.due(at: seconds(111)) == seconds(118))
        limit.sign(at: seconds(117))
        #expect(limit.due(at: seconds(118)) == seconds(125))
    }

    @Test("Time spent paused does not count towards the stall limit")
    func aReaderThatRestsIsNoStall() {
        var limit = limit()
        limit.sign(at: 0, isHead: true)
        limit.setPaused(true, at: seconds(1))
        for hour in 0..<10 {
            let now = seconds(UInt64(hour) * 3_600 + 2)
            #expect(limit.due(at: now) == now + seconds(8))
        }
        limit.setPaused(false, at: seconds(36_000))
        #expect(limit.due(at: seconds(36_007)) == seconds(36_008))
    }
}
