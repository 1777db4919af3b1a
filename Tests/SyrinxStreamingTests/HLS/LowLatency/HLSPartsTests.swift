import Foundation
import SyrinxByteStream
import Testing

@testable import SyrinxStreaming

@Suite("HLS parts")
struct HLSPartsTests {
    private let failure = SyrinxError(.httpStatus(404), "There is none.", name: "x")

    func media(_ text: String, known: HLSWindow? = nil) throws -> HLSMediaPlaylist {
        let base = try #require(URL(string: "http://x/live.m3u8"))
        let parsed = try HLSPlaylistParser.parse(Array(text.utf8), locator: HLSLocator(base: base)) { sequence in
            known?.entries.first { $0.segment.sequence == sequence }?.segment
        }
        guard case .media(let playlist) = parsed else { throw failure }
        return playlist
    }

    /// A playlist of segments of four parts of half a second, of which `open` have been made of the last one.
    ///
    /// - Parameter areIndependent: Whether every part can be decoded without those before it, or only the first of a segment.
    func playlist(
        _ range: Range<Int64>,
        open: Int,
        areIndependent: Bool = true,
        control: String = "",
        tail: String = ""
    ) throws -> HLSMediaPlaylist {
        var text = "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-PART-INF:PART-TARGET=0.5\n"
        text += "#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES\(control)\n#EXT-X-MEDIA-SEQUENCE:\(range.lowerBound)\n"
        func part(_ segment: Int64, _ part: Int) -> String {
            "#EXT-X-PART:DURATION=0.5,URI=\"\(segment).\(part).mp4\""
                + (areIndependent || part == 0 ? ",INDEPENDENT=YES\n" : "\n")
        }
        for segment in range {
            if segment >= range.upperBound - 2 { text += (0..<4).map { part(segment, $0) }.joined() }
            text += "#EXTINF:2,\n\(segment).mp4\n"
        }
        text += (0..<open).map { part(range.upperBound, $0) }.joined()
        return try media(text + tail)
    }

    func opened(_ playlist: HLSMediaPlaylist) throws -> HLSScheduler {
        let url = try #require(URL(string: "http://x/live.m3u8"))
        var scheduler = HLSScheduler(HLSSelection(only: HLSMediaPlaylist.Resource(url: url)))
        _ = scheduler.loaded(playlist, level: 0, began: 0)
        return scheduler
    }

    /// The numbers of the segments and parts that are planned now: `7.2` is a part, and `7` a segment.
    func plans(_ scheduler: inout HLSScheduler, at now: Double = 0) -> [HLSPlan] {
        var plans: [HLSPlan] = []
        while case .fetch(let plan) = scheduler.next(at: now, hasRoom: true, ahead: 0) { plans.append(plan) }
        return plans
    }

    func names(_ plans: [HLSPlan]) -> [String] {
        plans.map { plan in plan.segment.part.map { "\(plan.segment.sequence).\($0)" } ?? "\(plan.segment.sequence)" }
    }

    @Test("Tags of low latency are read")
    func tags() throws {
        let playlist = try media(
            """
            #EXTM3U
            #EXT-X-TARGETDURATION:4
            #EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,CAN-SKIP-UNTIL=24,PART-HOLD-BACK=1.0,HOLD-BACK=13
            #EXT-X-PART-INF:PART-TARGET=0.33
            #EXT-X-MEDIA-SEQUENCE:266
            #EXT-X-MAP:URI="init.mp4"
            #EXT-X-PROGRAM-DATE-TIME:2020-01-01T00:00:00Z
            #EXT-X-PART:DURATION=0.33,URI="266.mp4",BYTERANGE="100@20"
            #EXT-X-PART:DURATION=0.3,URI="266.mp4",BYTERANGE="50",INDEPENDENT=YES
            #EXTINF:0.63,
            266.mp4
            #EXT-X-PART:DURATION=0.33,URI="267.0.mp4",GAP=YES
            #EXT-X-PRELOAD-HINT:TYPE=PART,URI="267.1.mp4",BYTERANGE-START=7
            #EXT-X-PRELOAD-HINT:TYPE=MAP,URI="init2.mp4"
            #EXT-X-RENDITION-REPORT:URI="../1M/x.m3u8",LAST-MSN=273,LAST-PART=2
            """
        )
        #expect(playlist.partTarget == 0.33 && playlist.partHoldBack == 1 && playlist.skipBoundary == 24)
        let parts = playlist.segments[0].parts
        #expect(parts.map(\.resource.range) == [20..<120, 120..<170])
        #expect(parts.map(\.isIndependent) == [false, true] && parts.map(\.part) == [0, 1])
        #expect(parts.map(\.sequence) == [266, 266] && parts[1].date == 1_577_836_800.33)
        #expect(parts[0].initialization == playlist.segments[0].initialization)
        #expect(playlist.openParts.map(\.sequence) == [267] && playlist.openParts[0].isGap)
        #expect(playlist.hints.map(\.url.path) == ["/267.1.mp4", "/init2.mp4"])
        #expect(playlist.hints.map(\.start) == [7, 0] && playlist.hints.map(\.isInitialization) == [false, true])
        #expect(playlist.reports.map(\.sequence) == [273] && playlist.reports[0].part == 2)
    }

    @Test("A part that cannot be read makes those of its segment tell nothing, and nothing else")
    func brokenTags() throws {
        let head = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n"
        let good = "#EXT-X-PART:DURATION=1,URI=\"a\"\n"
        for bad in [
            "DURATION=nan,URI=\"a\"", "URI=\"a\"", "DURATION=1", "DURATION=1,URI=\"file:///etc/passwd\"",
            "DURATION=1,URI=\"a\",BYTERANGE=\"x\"", "DURATION=-1,URI=\"a\"",
        ] {
            let playlist = try media(head + good + "#EXT-X-PART:\(bad)\n#EXTINF:4,\na.ts\n" + good)
            #expect(playlist.segments[0].parts.isEmpty && playlist.openParts.count == 1, "\(bad)")
        }
        let many = String(repeating: good, count: HLSMediaPlaylist.maximumParts + 1)
        #expect(try media(head + many).openParts.isEmpty)
    }

    @Test("Playing begins where the server says, and three parts before the end where it is silent")
    func start() throws {
        // The end of the parts lies at 13 seconds.
        for (control, expected) in [
            ("", "5.3"), (",PART-HOLD-BACK=2.2", "5.1"), (",PART-HOLD-BACK=0.1", "6.0"), (",PART-HOLD-BACK=60", "0"),
        ] {
            var scheduler = try opened(try playlist(0..<6, open: 2, control: control))
            #expect(names(plans(&scheduler)).first == expected, "\(control)")
        }
        #expect(try opened(try playlist(0..<6, open: 2)).window?.liveEdge == 11.5)
        // Without requests that wait, parts are not for us.
        var plain = try playlist(0..<6, open: 2)
        plain.canBlockReload = false
        var scheduler = try opened(plain)
        #expect(names(plans(&scheduler)) == ["3", "4", "5"])
    }

    @Test("Parts follow each other, and a segment that is complete is played as one")
    func order() throws {
        var scheduler = try opened(try playlist(0..<6, open: 2))
        #expect(names(plans(&scheduler)) == ["5.3", "6.0", "6.1"])
        #expect(
            scheduler.next(at: 1, hasRoom: true, ahead: 0)
                == .load(level: 0, query: HLSReloadQuery(sequence: 6, part: 2))
        )
        _ = scheduler.loaded(try playlist(2..<8, open: 1), level: 0, began: 1)
        let next = plans(&scheduler, at: 1)
        #expect(names(next) == ["6.2", "6.3", "7", "8.0"])
        #expect(next.allSatisfy { $0.joint == .continuous })
        #expect(next.map(\.entry.start) == [13, 13.5, 14, 16])
    }

    @Test("The rest of a segment whose parts are gone or cannot be had comes from the segment")
    func fallback() throws {
        for drops in [true, false] {
            var scheduler = try opened(try playlist(0..<6, open: 2))
            let first = plans(&scheduler)
            if !drops { scheduler.segmentFailed(first[2], after: first[1], failure, at: 1) }
            #expect(plans(&scheduler, at: 0).isEmpty)
            var later = try playlist(1..<7, open: 1)
            if drops {
                later.partTarget = nil
                later.segments = later.segments.map { segment in
                    var segment = segment
                    segment.parts = []
                    return segment
                }
                later.openParts = []
            }
            _ = scheduler.loaded(later, level: 0, began: 1)
            let next = plans(&scheduler, at: 1)
            #expect(names(next) == (drops ? ["6"] : ["6", "7.0"]))
            #expect(next[0].joint == .resumed && next[0].entry.start == 12)
        }
    }

    @Test("A part that is missing on purpose is passed over, and an older version of the playlist tells nothing")
    func gaps() throws {
        var first = try playlist(0..<6, open: 3)
        first.openParts[1].isGap = true
        var scheduler = try opened(first)
        let all = plans(&scheduler)
        #expect(names(all) == ["6.0", "6.2"] && all[1].joint == .jump)
        #expect(scheduler.loaded(try playlist(0..<6, open: 1), level: 0, began: 1) == .none)
        #expect(scheduler.window?.partsEnd == 13.5)
    }

    @Test("A hint is asked for once, while the playlist is waited for")
    func hints() throws {
        let tail = "#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"6.2.mp4\"\n"
        var scheduler = try opened(try playlist(0..<6, open: 2, tail: tail))
        var steps: [HLSScheduler.Step] = []
        for _ in 0..<6 { steps.append(scheduler.next(at: 0, hasRoom: true, ahead: 0)) }
        let hint = HLSMediaPlaylist.Hint(url: try #require(URL(string: "http://x/6.2.mp4")))
        #expect(Array(steps.dropFirst(3)) == [.prefetch([hint]), .wait(until: 0.125), .wait(until: 0.125)])
        // When it is listed, it is known.
        #expect(HLSStore.Key(hint, epoch: 0) == HLSStore.Key(try entry("6.2.mp4")))
    }

    private func entry(_ name: String) throws -> HLSWindow.Entry {
        let url = try #require(URL(string: "http://x/\(name)"))
        let part = HLSMediaPlaylist.Segment(
            sequence: 6,
            resource: HLSMediaPlaylist.Resource(url: url),
            duration: 0.5,
            discontinuity: 0,
            isGap: false,
            part: 2
        )
        return HLSWindow.Entry(segment: part, start: 13, epoch: 0)
    }

    @Test("A delta update is asked for while the playlist is young, and takes key, map and clock of what it leaves out")
    func delta() throws {
        let control = ",CAN-SKIP-UNTIL=12"
        var scheduler = try opened(try playlist(0..<6, open: 2, control: control))
        _ = plans(&scheduler)
        #expect(scheduler.levels[0].query(at: 5) == HLSReloadQuery(sequence: 6, part: 2, skips: true))
        #expect(scheduler.levels[0].query(at: 7) == HLSReloadQuery(sequence: 6, part: 2, skips: false))
        #expect(scheduler.levels[0].query(at: 5).items.map(\.name) == ["_HLS_msn", "_HLS_part", "_HLS_skip"])
        let whole = try media(
            "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-MAP:URI=\"i\"\n#EXT-X-KEY:METHOD=AES-128,URI=\"k\"\n#EXTINF:2,\n0\n#EXT-X-DISCONTINUITY\n#EXTINF:2,\n1\n#EXTINF:2,\n2\n"
        )
        let window = HLSWindow(whole)
        let text =
            "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-MEDIA-SEQUENCE:1\n#EXT-X-SKIP:SKIPPED-SEGMENTS=1\n#EXTINF:2,\n2\n#EXTINF:2,\n3\n"
        let update = try media(text, known: window)
        #expect(
            update.segments.map(\.discontinuity) == [1, 1]
                && update.segments.map(\.key) == [whole.segments[2].key, whole.segments[2].key]
        )
        #expect(
            update.segments[1].initialization == whole.segments[0].initialization && update.segments[1].sequence == 3
        )
        // One that does not fit is not taken, and the next request is for all.
        let lost = try media(text)
        #expect(lost.lacksSkipped && scheduler.loaded(lost, level: 0, began: 5) == .none)
        #expect(scheduler.window?.entries.count == 6 && !scheduler.levels[0].query(at: 5).skips)
    }

    /// A scheduler of two renditions, of 64 and 128 kbit/s.
    private func adaptive() throws -> HLSScheduler {
        var master = HLSMasterPlaylist()
        for rate in [64_000, 128_000] as [Int64] {
            let url = try #require(URL(string: "http://x/\(rate).m3u8"))
            master.variants.append(
                HLSMasterPlaylist.Variant(url: url, bandwidth: rate, codecs: ["mp4a.40.2"], statesPictures: false)
            )
        }
        return HLSScheduler(HLSSelection(master))
    }

    @Test("Another rendition is asked for in the state that the report tells")
    func reports() throws {
        var scheduler = try adaptive()
        let tail = "#EXT-X-RENDITION-REPORT:URI=\"64000.m3u8\",LAST-MSN=6,LAST-PART=1\n"
        _ = scheduler.loaded(try playlist(0..<6, open: 2, tail: tail), level: 1, began: 0)
        #expect(names(plans(&scheduler)) == ["5.3", "6.0", "6.1"])
        scheduler.arrived(bytes: 40_000, seconds: 10)
        _ = scheduler.next(at: 0.2, hasRoom: true, ahead: 0)
        #expect(
            scheduler.next(at: 0.2, hasRoom: true, ahead: 0)
                == .load(level: 0, query: HLSReloadQuery(sequence: 6, part: 1))
        )
        _ = scheduler.loaded(try playlist(0..<6, open: 4), level: 0, began: 0.2)
        let next = plans(&scheduler, at: 0.3)
        // It is taken up a part earlier, so that its decoder is right where the sound goes over to it.
        #expect(names(next) == ["6.1", "6.2", "6.3"] && next[0].joint == .switched && next[0].level == 0)
    }

    @Test("Where nothing overlaps, another rendition is taken up a segment before its part that begins there")
    func joint() throws {
        for overlaps in [true, false] {
            var scheduler = try adaptive()
            _ = scheduler.loaded(try playlist(0..<6, open: 4, areIndependent: false), level: 1, began: 0)
            let first = plans(&scheduler)
            #expect(first.last?.entry.end == 14)
            scheduler.arrived(bytes: 40_000, seconds: 10)
            _ = scheduler.next(at: 0.2, hasRoom: true, ahead: 0)
            _ = scheduler.next(at: 0.2, hasRoom: true, ahead: 0)
            let later = try playlist(0..<7, open: 1, areIndependent: false)
            if overlaps { _ = scheduler.loaded(later, level: 1, began: 0.2) }
            _ = scheduler.loaded(later, level: 0, began: 0.2)
            let next = plans(&scheduler, at: 0.3)
            #expect(names(next) == (overlaps ? ["7.0"] : ["6", "7.0"]))
            #expect(next.first?.joint == .switched && next.first?.level == 0)
        }
    }
}
