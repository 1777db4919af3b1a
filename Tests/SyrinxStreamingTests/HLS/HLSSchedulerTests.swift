import Foundation
import SyrinxByteStream
import Testing

@testable import SyrinxStreaming

@Suite("HLS scheduling")
struct HLSSchedulerTests {
    /// A playlist of segments `range`, each of 4 seconds.
    private func playlist(
        _ range: Range<Int64>,
        isEnded: Bool = false,
        host: String = "a",
        change: (inout HLSMediaPlaylist.Segment) -> Void = { _ in }
    ) -> HLSMediaPlaylist {
        var playlist = HLSMediaPlaylist()
        playlist.targetDuration = 4
        playlist.isEnded = isEnded
        playlist.firstSequence = range.lowerBound
        playlist.segments = range.compactMap { sequence in
            guard let url = URL(string: "http://\(host)/\(sequence).ts") else { return nil }
            var segment = HLSMediaPlaylist.Segment(
                sequence: sequence,
                resource: HLSMediaPlaylist.Resource(url: url),
                duration: 4,
                discontinuity: 0,
                isGap: false
            )
            change(&segment)
            return segment
        }
        return playlist
    }

    private func scheduler(_ bandwidths: Int64...) throws -> HLSScheduler {
        var master = HLSMasterPlaylist()
        for bandwidth in bandwidths {
            let url = try #require(URL(string: "http://x/\(bandwidth).m3u8"))
            master.variants.append(
                HLSMasterPlaylist.Variant(
                    url: url,
                    bandwidth: bandwidth,
                    codecs: ["mp4a.40.2"],
                    statesPictures: false
                )
            )
        }
        return HLSScheduler(HLSSelection(master))
    }

    private func opened(_ media: HLSMediaPlaylist) throws -> HLSScheduler {
        var scheduler = try scheduler(64_000)
        #expect(scheduler.next(at: 0, hasRoom: true, ahead: 0) == .load(level: 0))
        #expect(scheduler.next(at: 0, hasRoom: true, ahead: 0) == .wait(until: .infinity))
        _ = scheduler.loaded(media, level: 0, began: 0)
        return scheduler
    }

    /// Plans segments as long as there are some, at `now`.
    private func plans(_ scheduler: inout HLSScheduler, at now: Double, ahead: Double = 0) -> [HLSPlan] {
        var plans: [HLSPlan] = []
        while case .fetch(let plan) = scheduler.next(at: now, hasRoom: true, ahead: ahead) { plans.append(plan) }
        return plans
    }

    private let failure = SyrinxError(.httpStatus(404), "There is none.", name: "x")

    @Test("A presentation with an end is played from its first segment to its last")
    func onDemand() throws {
        var scheduler = try opened(playlist(7..<10, isEnded: true))
        let all = plans(&scheduler, at: 0)
        #expect(all.map(\.segment.sequence) == [7, 8, 9])
        #expect(all.map(\.joint) == [.first, .continuous, .continuous])
        #expect(all.map(\.entry.start) == [0, 4, 8])
        #expect(scheduler.next(at: 1e6, hasRoom: true, ahead: 0) == .end)
    }

    @Test("A live presentation starts three target durations before its end and is reloaded as RFC 8216 says")
    func live() throws {
        var scheduler = try opened(playlist(10..<20))
        let first = plans(&scheduler, at: 0)
        #expect(first.map(\.segment.sequence) == [17, 18, 19])
        #expect(first.first?.entry.start == 28)
        // One target duration after the load began, half of it where nothing was new.
        #expect(scheduler.next(at: 0, hasRoom: true, ahead: 0) == .wait(until: 4))
        #expect(scheduler.next(at: 4, hasRoom: true, ahead: 0) == .load(level: 0))
        #expect(scheduler.loaded(playlist(10..<20), level: 0, began: 4) == .none)
        #expect(scheduler.next(at: 4, hasRoom: true, ahead: 0) == .wait(until: 6))
        #expect(scheduler.next(at: 6, hasRoom: true, ahead: 0) == .load(level: 0))
        #expect(scheduler.loaded(playlist(11..<21), level: 0, began: 6) == .advanced)
        #expect(plans(&scheduler, at: 6).map(\.segment.sequence) == [20])
        #expect(scheduler.next(at: 6, hasRoom: true, ahead: 0) == .wait(until: 10))
        _ = scheduler.loaded(playlist(12..<22, isEnded: true), level: 0, began: 10)
        #expect(plans(&scheduler, at: 10).map(\.segment.sequence) == [21])
        #expect(scheduler.next(at: 10, hasRoom: true, ahead: 0) == .end)
    }

    @Test("A server that holds requests back is asked for the segment to come")
    func blockingReload() throws {
        var media = playlist(0..<5)
        media.canBlockReload = true
        var scheduler = try opened(media)
        _ = plans(&scheduler, at: 0)
        #expect(scheduler.next(at: 0.5, hasRoom: true, ahead: 0) == .load(level: 0, query: HLSReloadQuery(sequence: 5)))
    }

    @Test("Lost segments are described with the next one or the end, apart from the gaps of the playlist")
    func holes() throws {
        var scheduler = try opened(playlist(0..<5, isEnded: true) { $0.isGap = $0.sequence == 2 })
        let all = plans(&scheduler, at: 0)
        #expect(all.map(\.segment.sequence) == [0, 1, 3, 4])
        #expect(all[2].hole == HLSHole(gap: 4) && all[3].hole == HLSHole())
        scheduler.segmentFailed(all[1], after: all[0], failure, at: 1)
        let rest = plans(&scheduler, at: 1)
        #expect(rest.map(\.segment.sequence) == [3, 4])
        let hole = try #require(rest.first?.hole)
        #expect(hole.gap == 4 && hole.losses.map(\.segment.sequence) == [1] && rest.first?.silence == 8)
        scheduler.segmentFailed(rest[1], after: rest[0], failure, at: 2)
        #expect(plans(&scheduler, at: 2).isEmpty)
        #expect(scheduler.holeAtEnd.losses.map(\.segment.sequence) == [4])
    }

    @Test("Segments that have gone are jumped over, forward into the window")
    func expired() throws {
        var scheduler = try opened(playlist(0..<6))
        #expect(plans(&scheduler, at: 0).last?.segment.sequence == 5)
        #expect(scheduler.loaded(playlist(50..<60), level: 0, began: 200) == .advanced)
        let next = plans(&scheduler, at: 200)
        #expect(next.first?.joint == .jump && next.first?.segment.sequence == 51)
        #expect(next.dropFirst().allSatisfy { $0.joint == .continuous })
        // The time that passed unseen counts.
        #expect(next.first?.entry.start == 204.0)
    }

    @Test("A playlist that begins anew is followed, and an older version is not")
    func restarts() throws {
        var scheduler = try opened(playlist(100..<106))
        _ = plans(&scheduler, at: 0)
        #expect(scheduler.loaded(playlist(99..<105), level: 0, began: 4) == .none)
        #expect(scheduler.window?.end == 24)
        #expect(scheduler.loaded(playlist(0..<6), level: 0, began: 6) == .restarted)
        let next = plans(&scheduler, at: 6)
        #expect(next.first?.joint == .jump && next.first?.segment.sequence == 3)
        #expect(
            next.first?.entry.clock
                != scheduler.levels[0].window?.entries.first.map { HLSClockID(epoch: $0.epoch - 1, discontinuity: 0) }
        )
        // Numbers of other resources are another stream.
        #expect(
            scheduler.loaded(playlist(0..<4, host: "b") { $0.resource.url.append(path: "x") }, level: 0, began: 8)
                == .restarted
        )
    }

    @Test("A delta update keeps what it leaves out")
    func delta() throws {
        var scheduler = try opened(playlist(0..<10))
        _ = plans(&scheduler, at: 0)
        var delta = playlist(8..<12)
        delta.firstSequence = 1
        delta.skippedCount = 7
        #expect(scheduler.loaded(delta, level: 0, began: 4) == .advanced)
        #expect(scheduler.window?.entries.map(\.segment.sequence) == Array(1..<12))
        #expect(scheduler.window?.start == 4 && scheduler.window?.end == 48)
        #expect(plans(&scheduler, at: 4).map(\.segment.sequence) == [10, 11])
    }

    @Test("Joints tell discontinuities, other maps and gaps")
    func joints() throws {
        let url = try #require(URL(string: "http://x/init.mp4"))
        let map = HLSMediaPlaylist.Initialization(resource: HLSMediaPlaylist.Resource(url: url))
        let media = playlist(0..<6, isEnded: true) { segment in
            if segment.sequence >= 1 { segment.discontinuity = 1 }
            if segment.sequence >= 2 { segment.initialization = map }
            if segment.sequence == 3 { segment.isGap = true }
        }
        var scheduler = try opened(media)
        let all = plans(&scheduler, at: 0)
        #expect(all.map(\.segment.sequence) == [0, 1, 2, 4, 5])
        #expect(all.map(\.joint) == [.first, .discontinuity, .initialized, .discontinuity, .continuous])
        #expect(all.map(\.silence) == [0, 0, 0, 4, 0])
    }

    @Test("A rate that the line affords is gone up to when enough is in hand, and down from when it is not")
    func rates() throws {
        var scheduler = try scheduler(64_000, 128_000, 600_000)
        #expect(scheduler.next(at: 0, hasRoom: true, ahead: 0) == .load(level: 1))
        _ = scheduler.loaded(playlist(0..<100, isEnded: true), level: 1, began: 0)
        guard case .fetch(let first) = scheduler.next(at: 0, hasRoom: true, ahead: 0) else { return }
        #expect(first.level == 1)
        scheduler.arrived(bytes: 500_000, seconds: 1)
        // Too little in hand.
        guard case .fetch(let second) = scheduler.next(at: 1, hasRoom: true, ahead: 4) else { return }
        #expect(second.level == 1 && second.joint == .continuous)
        #expect(scheduler.next(at: 1, hasRoom: true, ahead: 12) == .load(level: 2))
        // Until its playlist has come, the old one goes on.
        guard case .fetch(let third) = scheduler.next(at: 1, hasRoom: true, ahead: 12) else { return }
        #expect(third.level == 1)
        _ = scheduler.loaded(playlist(0..<100, isEnded: true), level: 2, began: 1)
        guard case .fetch(let fourth) = scheduler.next(at: 2, hasRoom: true, ahead: 12) else { return }
        #expect(fourth.level == 2 && fourth.joint == .switched && fourth.segment.sequence == 3)
        scheduler.arrived(bytes: 100_000, seconds: 20)
        #expect(scheduler.next(at: 22, hasRoom: true, ahead: 2) == .load(level: 0))
        _ = scheduler.loaded(playlist(0..<100, isEnded: true), level: 0, began: 22)
        guard case .fetch(let fifth) = scheduler.next(at: 22, hasRoom: true, ahead: 2) else { return }
        #expect(fifth.level == 0 && fifth.joint == .switched && fifth.segment.sequence == 4)
    }

    @Test("A rendition that fails is replaced by another, and what is missing everywhere is passed over or ends it")
    func failures() throws {
        var scheduler = try scheduler(64_000, 128_000)
        #expect(scheduler.next(at: 0, hasRoom: true, ahead: 0) == .load(level: 1))
        scheduler.playlistFailed(failure, level: 1, at: 0)
        #expect(scheduler.next(at: 0, hasRoom: true, ahead: 0) == .load(level: 0))
        _ = scheduler.loaded(playlist(0..<9, isEnded: true), level: 0, began: 0)
        let all = plans(&scheduler, at: 0)
        scheduler.segmentFailed(all[2], after: all[1], failure, at: 1)
        let again = plans(&scheduler, at: 1)
        #expect(again.first?.segment.sequence == 3 && again.first?.silence == 4 && again.first?.joint == .discontinuity)
        var last = all[1]
        for plan in again.prefix(4) {
            scheduler.segmentFailed(plan, after: last, failure, at: 2)
            last = plan
        }
        #expect(scheduler.next(at: 3, hasRoom: true, ahead: 0) == .fail(.httpStatus(404)))
        var lonely = try self.scheduler(64_000)
        _ = lonely.next(at: 0, hasRoom: true, ahead: 0)
        lonely.playlistFailed(failure, level: 0, at: 0)
        #expect(lonely.next(at: 0, hasRoom: true, ahead: 0) == .fail(.httpStatus(404)))
    }

    @Test("A live presentation of which no segment can be fetched fails, and one that has played waits for more")
    func nothingThere() throws {
        for hasPlayed in [false, true] {
            var scheduler = try opened(playlist(0..<2))
            let all = plans(&scheduler, at: 0)
            #expect(all.count == 2)
            if hasPlayed { scheduler.played() }
            scheduler.segmentFailed(all[0], after: nil, failure, at: 0)
            let next = try #require(plans(&scheduler, at: 0).first)
            #expect(next.segment.sequence == 1)
            scheduler.segmentFailed(next, after: nil, failure, at: 0)
            let step = scheduler.next(at: 0, hasRoom: true, ahead: 0)
            #expect(step == (hasPlayed ? .wait(until: 4) : .fail(.httpStatus(404))))
        }
    }

    @Test("A live playlist that fails is tried again, and its loss ends playing when all has been played")
    func lostPlaylist() throws {
        var scheduler = try opened(playlist(0..<6))
        _ = plans(&scheduler, at: 0)
        var now = 4.0
        for _ in 0..<3 {
            #expect(scheduler.next(at: now, hasRoom: true, ahead: 0) == .load(level: 0))
            scheduler.playlistFailed(failure, level: 0, at: now)
            now += 20
        }
        #expect(scheduler.next(at: now, hasRoom: true, ahead: 0) == .fail(.httpStatus(404)))
    }

    @Test("Without room nothing is fetched and nothing is reloaded")
    func room() throws {
        var scheduler = try opened(playlist(0..<6))
        #expect(scheduler.next(at: 100, hasRoom: false, ahead: 0) == .wait(until: .infinity))
    }

    @Test("Sound alone is chosen before pictures, and stereo that every decoder knows before other sound")
    func selection() throws {
        func url(_ name: String) throws -> URL { try #require(URL(string: "http://x/\(name)")) }
        func variant(_ name: String, _ rate: Int64, _ codecs: [String], pictures: Bool = true, group: String? = nil)
            throws
            -> HLSMasterPlaylist.Variant
        {
            HLSMasterPlaylist.Variant(
                url: try url(name),
                bandwidth: rate,
                codecs: codecs,
                statesPictures: pictures,
                audioGroup: group
            )
        }
        var master = HLSMasterPlaylist()
        master.variants = [
            try variant("hd", 5_000_000, ["avc1.640028", "mp4a.40.2"]),
            try variant("sd", 800_000, ["avc1.4d401f", "mp4a.40.2"]),
        ]
        #expect(HLSSelection(master).levels.map(\.playlist.url.path) == ["/sd", "/hd"])
        #expect(HLSSelection(master).start == 0 && !HLSSelection(master).adapts)
        master.variants.append(try variant("radio", 96_000, ["mp4a.40.2"], pictures: false))
        #expect(HLSSelection(master).levels.map(\.playlist.url.path) == ["/radio"])
        master.variants[0].audioGroup = "surround"
        master.variants[0].codecs = ["avc1.640028", "ec-3"]
        master.variants[1].audioGroup = "stereo"
        for (group, name, language, isDefault, channels) in [
            ("surround", "s", "en", true, Int64(6)), ("stereo", "en", "en", true, 2), ("stereo", "de", "de", false, 2),
        ] {
            master.renditions.append(
                HLSMasterPlaylist.Rendition(
                    group: group,
                    name: name,
                    language: language,
                    isDefault: isDefault,
                    isAutomatic: true,
                    channelCount: channels,
                    url: try url(name)
                )
            )
        }
        #expect(HLSSelection(master).levels.map(\.playlist.url.path) == ["/en"])
        func chosen(_ languages: [String], name: String? = nil) -> [String] {
            let preference = SoundPreference(languages: languages, name: name)
            return HLSSelection(master, preference: preference).levels.map(\.playlist.url.path)
        }
        #expect(chosen(["fr", "de-AT"]) == ["/de"])
        #expect(chosen([], name: "de") == ["/de"])
        #expect(chosen(["fr"], name: "commentary") == ["/en"])
        #expect(master.soundOptions.map(\.name) == ["s", "en", "de"])
    }
}
