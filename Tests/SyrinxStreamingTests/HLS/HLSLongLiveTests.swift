import Foundation
import SyrinxByteStream
import SyrinxTestSupport
import Testing

@testable import SyrinxStreaming

/// Ten hours of a live presentation, with a clock of its own.
@Suite("HLS for ten hours")
struct HLSLongLiveTests {
    /// A sender that adds a segment each 6.006 seconds and keeps the last eight.
    private struct Sender {
        static let duration = 6.006
        static let count: Int64 = 8
        /// The time from which it adds nothing for a while, and the time at which it goes on, where it would have been.
        var outage = Double.infinity..<Double.infinity

        func playlist(at now: Double) throws -> HLSMediaPlaylist {
            let time = outage.contains(now) ? outage.lowerBound : now
            let end = Self.count + Int64(time / Self.duration)
            var playlist = HLSMediaPlaylist()
            playlist.targetDuration = 7
            playlist.firstSequence = end - Self.count
            playlist.segments = try (playlist.firstSequence..<end).map { sequence in
                HLSMediaPlaylist.Segment(
                    sequence: sequence,
                    resource: HLSMediaPlaylist.Resource(url: try #require(URL(string: "http://x/\(sequence).ts"))),
                    duration: Self.duration,
                    discontinuity: 0,
                    date: 1.7e9 + Double(sequence) * Self.duration,
                    isGap: false
                )
            }
            return playlist
        }
    }

    /// The figures of a session.
    private struct Session {
        var plans: [HLSPlan] = []
        var loadCount = 0
        var largestWindow = 0
        /// The shortest time by which a segment was known before it was to be heard.
        var leastAhead = Double.infinity
        /// The largest deviation of a segment's time from the one that its number tells.
        var worstTime = 0.0
    }

    private let failure = SyrinxError(.httpStatus(503), "It is busy.", name: "x")

    /// Plays in real time, from a playlist that takes up to 2.5 seconds to come and fails each 41st time.
    private func play(_ sender: Sender, until end: Double) throws -> Session {
        var random = SplitMix64(seed: 20)
        let url = try #require(URL(string: "http://x/live.m3u8"))
        var scheduler = HLSScheduler(HLSSelection(only: HLSMediaPlaylist.Resource(url: url)))
        var session = Session()
        var pending: (began: Double, arrives: Double)?
        var now = 0.0
        var begin: (clock: Double, start: Double)?
        for _ in 0..<200_000 where now < end {
            switch scheduler.next(at: now, hasRoom: true, ahead: 0) {
            case .load:
                pending = (now, now + Double.random(in: 0.05...2.5, using: &random))
                session.loadCount += 1
            case .fetch(let plan):
                if begin == nil { begin = (now, plan.entry.start) }
                // After a jump what is heard begins anew.
                if plan.joint == .jump { begin = (now, plan.entry.start) }
                if let begin {
                    session.leastAhead = min(session.leastAhead, plan.entry.start - begin.start - (now - begin.clock))
                }
                let expected = Double(plan.segment.sequence) * Sender.duration
                session.worstTime = max(session.worstTime, abs(plan.entry.start - expected))
                session.plans.append(plan)
                scheduler.played()
            case .wait(let time):
                now = min(time, pending?.arrives ?? .infinity)
                try #require(now.isFinite, "nothing is to come")
            case .prefetch: break
            case .end, .fail: throw failure
            }
            guard let load = pending, load.arrives <= now else { continue }
            pending = nil
            if session.loadCount % 41 == 0 {
                scheduler.playlistFailed(failure, level: 0, at: now)
            } else {
                _ = scheduler.loaded(try sender.playlist(at: load.began), level: 0, began: load.began)
            }
            session.largestWindow = max(session.largestWindow, scheduler.window?.entries.count ?? 0)
        }
        return session
    }

    @Test("Every segment is planned once, in time and at its time, and no more is kept than the playlist has")
    func steady() throws {
        let session = try play(Sender(), until: 36_000)
        let numbers = session.plans.map(\.segment.sequence)
        let first = try #require(numbers.first)
        #expect(numbers == Array(first..<(first + Int64(numbers.count))))
        #expect(numbers.count > 5_980)
        #expect(session.plans.dropFirst().allSatisfy { $0.joint == .continuous })
        #expect(session.worstTime < 1e-6, "\(session.worstTime) s")
        #expect(session.leastAhead > -1e-9, "\(session.leastAhead) s")
        #expect(session.largestWindow == 8)
        // Once for each segment, more often where it was too early, and never more than twice as often.
        #expect((5_000...12_000).contains(session.loadCount), "\(session.loadCount)")
    }

    @Test("A sender that stood still for two minutes is found again, and times are those of its dates")
    func outage() throws {
        let session = try play(Sender(outage: 18_000..<18_120), until: 36_000)
        #expect(session.plans.count { $0.joint == .jump } == 1)
        #expect(session.worstTime < 1e-3, "\(session.worstTime) s")
        #expect(session.largestWindow == 8)
        let numbers = session.plans.map(\.segment.sequence)
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 })
        let jump = try #require(session.plans.firstIndex { $0.joint == .jump })
        #expect(15...22 ~= numbers[jump] - numbers[jump - 1])
    }
}
