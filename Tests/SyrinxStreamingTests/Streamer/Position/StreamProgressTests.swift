import Testing

@testable import SyrinxStreaming

/// The values that a streamer keeps of its input.
@Suite("Progress of an input")
struct StreamProgressTests {
    @Test("The heard time never goes back and stops at the last time")
    func heardTime() {
        var timeline = PlaybackTimeline(start: 10, sampleRate: 1_000)
        timeline.decodedFrames = 5_000
        #expect(timeline.decodedTime == 15)
        #expect(timeline.renderedTime(playedFrames: 2_000) == 12)
        #expect(timeline.heard(12, lastTime: nil, hasFollower: false) == 12)
        #expect(timeline.heard(11, lastTime: nil, hasFollower: false) == 12)
        #expect(timeline.heard(20, lastTime: nil, hasFollower: true) == 15)
        #expect(timeline.heard(20, lastTime: 16, hasFollower: false) == 16)
    }

    @Test("A seek starts the timeline anew, and samples of an earlier seek are not current")
    func seek() {
        var timeline = PlaybackTimeline(start: 3, sampleRate: 1_000)
        #expect(timeline.isCurrent(seek: 0))
        timeline.decodedFrames = 500
        timeline.hasReachedEnd = true
        timeline.move(to: 60)
        #expect(timeline.decodedTime == 60 && timeline.lastHeard == 60 && !timeline.hasReachedEnd)
        #expect(timeline.isCurrent(seek: 1) && !timeline.isCurrent(seek: 0))
        timeline.openedAnew()
        #expect(timeline.isCurrent(seek: 0))
    }

    @Test("A broadcast has been sent as far as it was received, also after a seek back")
    func broadcast() {
        var timeline = PlaybackTimeline(sampleRate: 1_000)
        timeline.decodedFrames = 30_000
        #expect(timeline.hasBeenSent(34, ahead: 5) && !timeline.hasBeenSent(36, ahead: 5))
        timeline.move(to: 10)
        #expect(timeline.hasBeenSent(34, ahead: 0) && !timeline.hasBeenSent(36, ahead: 0))
    }

    @Test("Joining a broadcast makes the first samples current, whatever time was asked for")
    func joining() {
        var progress = StreamProgress()
        progress.move(to: 100)
        progress.metadata.received(title: ["title": "News"], at: 100)
        progress.beginNow()
        #expect(progress.timeline.decodedTime == 0 && progress.timeline.isCurrent(seek: 0))
        #expect(progress.metadata.takeTitles(until: 0) == [["title": "News"]])
    }

    @Test("A start beyond the end moves to the end")
    func beyondTheEnd() {
        var timeline = PlaybackTimeline(start: 100, sampleRate: 1_000)
        timeline.keepWithin(nil)
        #expect(timeline.baseTime == 100)
        timeline.keepWithin(40)
        #expect(timeline.baseTime == 40 && timeline.lastHeard == 40)
    }

    @Test("Titles are given when they are heard, in order, and a seek drops them")
    func titles() {
        var metadata = InputMetadata()
        metadata.opened(tags: ["title": "One"])
        metadata.decoded(tags: ["title": "One"], at: 1)
        metadata.decoded(tags: ["title": "Two"], at: 5)
        metadata.received(title: ["title": "Three"], at: 7)
        #expect(metadata.takeTitles(until: 4) == [])
        #expect(metadata.takeTitles(until: 6) == [["title": "Two"]])
        metadata.dropTitles()
        #expect(metadata.takeTitles(until: .infinity) == [])
        // What was heard last counts as decoded last.
        metadata.decoded(tags: ["title": "Two"], at: 8)
        #expect(metadata.takeTitles(until: .infinity) == [])
    }

    @Test("Totals count from the start of the input on the output")
    func totals() {
        var counters = OutputCounters()
        counters.received = 7
        #expect(
            counters.totals(content: 900, underruns: 4) == .init(frameCount: 0, underrunCount: 0, receivedByteCount: 7)
        )
        counters.begin(content: 100, underruns: 3)
        counters.begin(content: 500, underruns: 4)
        #expect(counters.lastContent == 500)
        #expect(
            counters.totals(content: 900, underruns: 4)
                == .init(frameCount: 800, underrunCount: 1, receivedByteCount: 7)
        )
        var next = OutputCounters()
        next.take(from: counters, content: 900, underruns: 4)
        #expect(next.totals(content: 950, underruns: 4).frameCount == 50 && next.lastContent == 500)
    }

    @Test("An input that changes again and again without sound is given up")
    func changes() {
        var limit = ReopeningLimit()
        for _ in 0..<ReopeningLimit.maximumChanges { #expect(limit.mayFollowChange(sampleRate: 1_000) == true) }
        #expect(limit.readsInOneAnswer && !limit.mayFollowChange(sampleRate: 1_000))
        limit.decoded(999, isBroadcast: false)
        #expect(limit.mayFollowChange(sampleRate: 1_000) == false)
        limit.decoded(1, isBroadcast: false)
        #expect(limit.mayFollowChange(sampleRate: 1_000) == true)
        limit.decoded(1, isBroadcast: true)
        #expect(limit.changeCount == 0)
    }

    @Test("An input without ranges is read from its start once, and again after it gave sound")
    func lostRanges() {
        var limit = ReopeningLimit()
        #expect(limit.mayReadFromStart() && !limit.mayReadFromStart())
        limit.decoded(0, isBroadcast: false)
        #expect(limit.mayReadFromStart() == false)
        limit.decoded(1, isBroadcast: false)
        #expect(limit.mayReadFromStart() == true)
    }

    @Test("Content counts as sound of the input only once samples have been decoded")
    func content() {
        var counters = OutputCounters()
        counters.begin(content: 100, underruns: 0)
        #expect(counters.note(content: 100, at: 1_000, isDecoded: true) == false)
        #expect(counters.note(content: 200, at: 2_000, isDecoded: false) == false)
        #expect(counters.lastContentAt == 0)
        #expect(counters.note(content: 300, at: 3_000, isDecoded: true) == true)
        #expect(counters.lastContentAt == 3_000)
    }

    @Test("An output without new content for 0.3 s is stalled, unless the end has been rendered")
    func stall() {
        var counters = OutputCounters()
        _ = counters.note(content: 1, at: 1_000_000_000, isDecoded: true)
        #expect(!counters.isStalled(at: 1_300_000_000) && counters.isStalled(at: 1_300_000_001))
        _ = counters.end.isHeard(at: 1_300_000_001, latency: 1)
        #expect(!counters.isStalled(at: 1_300_000_001))
        counters.move()
        #expect(counters.isStalled(at: 1_300_000_001))
    }

    @Test("Rendered content is unheard for the latency of the output")
    func unheard() {
        var counters = OutputCounters()
        #expect(counters.secondsUnheard(at: 5_000_000_000, latency: 0.2) == 0)
        _ = counters.note(content: 1, at: 5_000_000_000, isDecoded: true)
        #expect(counters.secondsUnheard(at: 5_000_000_000, latency: 0.2) == 0.2)
        #expect(abs(counters.secondsUnheard(at: 5_150_000_000, latency: 0.2) - 0.05) < 1e-9)
        #expect(counters.secondsUnheard(at: 6_000_000_000, latency: 0.2) == 0)
    }

    @Test("An end is heard one latency after it was first seen to be rendered")
    func renderedEnd() {
        var end = RenderedEnd()
        #expect(end.isHeard(at: 1_000_000_000, latency: 0.1) == false)
        #expect(end.isHeard(at: 1_099_999_999, latency: 0.1) == false)
        #expect(end.isHeard(at: 1_100_000_000, latency: 0.1) == true)
        #expect(end.renderedAt == 1_000_000_000)
        var immediate = RenderedEnd()
        #expect(immediate.isHeard(at: 7, latency: 0) == true)
    }

    @Test("The pace of a broadcast follows what is held, and rests while nothing is measured")
    func pace() {
        var progress = StreamProgress()
        #expect(progress.measurePace(bytes: nil, framesAhead: 0, played: 0) == nil)
        #expect(progress.pace == nil)
        progress.timeline.decodedFrames = 44_100
        var ratios: [Double] = []
        for second in 0..<60 {
            let played = Int64(second * 44_100)
            // Half a second more is held with every ten seconds, as bytes that wait to be decoded.
            let unread = Int64(4_000 + 400 * second)
            let bytes = (read: Int64(8_000), unread: unread)
            let ratio = progress.measurePace(bytes: bytes, framesAhead: 22_050, played: played)
            if let ratio { ratios.append(ratio) }
        }
        #expect((ratios.last ?? 1) > 1)
        progress.timeline.decodedFrames = 0
        #expect(progress.measurePace(bytes: (8_000, 4_000), framesAhead: 22_050, played: 60 * 44_100) == nil)
    }
}
