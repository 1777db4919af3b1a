import Testing

@testable import SyrinxDevice

/// Returns the requests to rewind before a sink plays: in microseconds, of a stream that asked for 30 ms.
@Suite("Sink backlog") struct SinkBacklogTests {
    private func requests(_ reports: Int64..., latency: Int64 = 30_000) -> [Int] {
        var backlog = SinkBacklog()
        return reports.map { backlog.requestCount(unplayed: $0, latency: latency) }
    }

    @Test("A sink with little backlog gets no rewind request")
    func aSinkThatHasNothingAheadIsLeftAlone() {
        #expect(requests(0, 30_000, 80_000, 5_000) == [0, 0, 0, 0])
    }

    @Test("One trial request precedes the others that drain the backlog")
    func oneRequestFindsOutWhetherTheyHelpAndTheOthersFollow() {
        #expect(requests(1_230_000, 1_200_000, 30_000) == [1, 40, 0])
        #expect(requests(1_230_000, 1_200_000, 100_000, 50_000) == [1, 40, 3, 0])
    }

    @Test("A sink that does not rewind is asked once")
    func aSinkThatGivesNothingBackIsAskedOnce() {
        #expect(requests(200_000, 199_000, 198_000, 197_000, 150_000) == [1, 0, 0, 0, 0])
    }

    @Test("A report from before the request does not end the draining")
    func anAnswerThatWasOnItsWayDoesNotEndIt() {
        #expect(requests(1_230_000, 1_229_000, 1_200_000, 30_000) == [1, 0, 40, 0])
    }

    @Test("Absurd backlogs cause few requests")
    func numbersBeyondReasonAreFewRequests() {
        #expect(requests(.max, .max - 40_000) == [1, 70])
        #expect(requests(.min, .max, latency: 0) == [0, 0])
        #expect(requests(60_000_000, latency: -5) == [0])
    }
}
