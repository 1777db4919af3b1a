import Foundation
import SyrinxByteStream
import SyrinxTestSupport
import Testing

@testable import SyrinxStreaming

/// The bounds of time, memory, silence and requests for a presentation.
@Suite("Bounds of HLS")
struct HLSBoundsTests {
    private func parse(_ text: String, from base: String = "https://example.org/a/list.m3u8") throws -> HLSPlaylist {
        try HLSTexts.parse(text, from: base)
    }

    private func media(_ text: String, from base: String = "https://example.org/a/list.m3u8") throws -> HLSMediaPlaylist
    {
        try HLSTexts.media(text, from: base)
    }

    private func code(_ body: () throws -> some Any) -> String? { HLSTexts.code(body) }

    private let head = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n"

    // MARK: Silence

    @Test("A gap lasts no longer than the target duration, and ten minutes at most, whatever the playlist states")
    func gaps() throws {
        let gap = "#EXT-X-GAP\n#EXTINF:1000000000,\na.ts\n"
        #expect(try media(head + gap).segments[0].duration == 6.5)
        #expect(try media("#EXTM3U\n#EXT-X-TARGETDURATION:1000000000\n" + gap).segments[0].duration == 600)
        #expect(try media(head + "#EXTINF:8,\na.ts\n").segments[0].duration == 8)
        #expect(try media(head + "#EXTINF:1000000000,\na.ts\n").segments[0].duration == 86_400)
    }

    @Test("A segment that the server does not have is silent for no longer than the target duration")
    func missingSegment() throws {
        let text = head + "#EXTINF:6,\na\n#EXTINF:1000000000,\nb\n#EXTINF:6,\nc\n#EXT-X-ENDLIST\n"
        let resource = HLSMediaPlaylist.Resource(url: try #require(URL(string: "http://x/list.m3u8")))
        var scheduler = HLSScheduler(HLSSelection(only: resource))
        _ = scheduler.loaded(try media(text), level: 0, began: 0)
        guard case .fetch(let first) = scheduler.next(at: 0, hasRoom: true, ahead: 0),
            case .fetch(let second) = scheduler.next(at: 0, hasRoom: true, ahead: 0)
        else { throw SyrinxError(.unknown, "no segment was planned", name: "x") }
        scheduler.segmentFailed(second, after: first, SyrinxError(.httpStatus(404), "None.", name: "x"), at: 0)
        guard case .fetch(let third) = scheduler.next(at: 0, hasRoom: true, ahead: 0) else {
            throw SyrinxError(.unknown, "no segment was planned", name: "x")
        }
        #expect(third.segment.sequence == 2 && third.silence == 6.5)
    }

    @Test("A presentation is silent for no longer than its sound has lasted and ten minutes more")
    func silenceOfAPresentation() {
        var silence = HLSSilence(sampleRate: 10)
        #expect(silence.add(4_000) == 4_000 && silence.pending == 4_000)
        silence.take(4_000)
        #expect(silence.pending == 0)
        #expect(silence.add(.max) == 2_000 && silence.frameCount == 6_000)
        silence.take(2_000)
        #expect(silence.add(5) == 0)
        silence.noteSound(30)
        #expect(silence.add(50) == 30 && silence.frameCount == 6_030)
        // What a seek leaves out has not been heard.
        silence.drop()
        #expect(silence.pending == 0 && silence.frameCount == 6_000)
    }

    // MARK: Variables

    @Test("Variables of variables do not multiply: a playlist whose texts grow too large is refused")
    func variables() throws {
        var text = "#EXTM3U\n#EXT-X-DEFINE:NAME=\"v0\",VALUE=\"\(String(repeating: "a", count: 1_000))\"\n"
        for level in 1...40 {
            text += "#EXT-X-DEFINE:NAME=\"v\(level)\",VALUE=\"{$v\(level - 1)}{$v\(level - 1)}\"\n"
        }
        #expect(
            code { try parse(text + "#EXT-X-TARGETDURATION:6\n#EXTINF:6,\n{$v40}.ts\n") } == "media.playlistTooLarge"
        )
        // One long value in many places.
        let long = String(repeating: "a", count: 10_000)
        let uses = String(repeating: "#EXTINF:6,{$v}\nb.ts\n", count: 1_000)
        let repeated = "#EXTM3U\n#EXT-X-DEFINE:NAME=\"v\",VALUE=\"\(long)\"\n#EXT-X-TARGETDURATION:6\n" + uses
        #expect(code { try parse(repeated) } == "media.playlistTooLarge")
        let usual = "#EXTM3U\n#EXT-X-DEFINE:NAME=\"v\",VALUE=\"x\"\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\n{$v}{$y}-{$v\n"
        #expect(try media(usual).segments[0].resource.url.absoluteString == "https://example.org/a/x-%7B$v")
    }

    @Test("The query of a playlist's address is parsed once, however many variables are taken from it")
    func queryParameters() throws {
        let growth = try Growth(from: 1_000) { count in
            let query = (0..<count).map { "p\($0)=\($0)" }.joined(separator: "&")
            let lines = (0..<count).map { "#EXT-X-DEFINE:QUERYPARAM=\"p\($0 % 50)\"\n" }.joined()
            let playlist = try media(
                "#EXTM3U\n\(lines)#EXT-X-TARGETDURATION:6\n#EXTINF:6,\n{$p7}.ts\n",
                from: "https://example.org/a/list.m3u8?\(query)"
            )
            #expect(playlist.segments[0].resource.url.absoluteString == "https://example.org/a/7.ts")
        }
        #expect(growth.isLinear, "\(growth)")
    }

    // MARK: URLs

    @Test("A URL of more than 16 KiB is refused, and so are short ones below an address as long")
    func longURLs() throws {
        let long = String(repeating: "a", count: 16 << 10)
        #expect(code { try media(head + "#EXTINF:6,\n\(long)\n") } == "media.playlistEntry")
        let segments = head + "#EXTINF:6,\na.ts\n"
        #expect(code { try media(segments, from: "https://example.org/\(long)/list.m3u8") } == "media.playlistEntry")
        // References do not take the query over.
        let signed = try media(segments, from: "https://example.org/a/list.m3u8?\(long)")
        #expect(signed.segments[0].resource.url.absoluteString == "https://example.org/a/a.ts")
    }

    @Test("The URLs of a playlist, each with the playlist's own address, take no more than 64 MiB")
    func manyLongURLs() throws {
        let folder = String(repeating: "a", count: 8 << 10)
        let segments = String(repeating: "#EXTINF:6,\na.ts\n", count: 9_000)
        let base = "https://example.org/\(folder)/list.m3u8"
        #expect(code { try media(head + segments, from: base) } == "media.playlistTooLarge")
        #expect(try media(head + segments).segments.count == 9_000)
    }

    // MARK: Requests

    @Test(
        "A first playlist that is only a change of another is asked for once more, half a second later, and then fails"
    )
    func deltaWithoutBase() throws {
        let text = head + "#EXT-X-SKIP:SKIPPED-SEGMENTS=100\n#EXTINF:6,\na.ts\n"
        let update = try media(text)
        let resource = HLSMediaPlaylist.Resource(url: try #require(URL(string: "http://x/list.m3u8")))
        var scheduler = HLSScheduler(HLSSelection(only: resource))
        #expect(scheduler.next(at: 0, hasRoom: true, ahead: 0) == .load(level: 0))
        _ = scheduler.loaded(update, level: 0, began: 0)
        #expect(scheduler.next(at: 0, hasRoom: true, ahead: 0) == .wait(until: 0.5))
        #expect(scheduler.next(at: 0.5, hasRoom: true, ahead: 0) == .load(level: 0))
        _ = scheduler.loaded(update, level: 0, began: 0.5)
        #expect(scheduler.next(at: 0.5, hasRoom: true, ahead: 0) == .fail(.badResponse))
    }

    @Test("A rendition whose first playlist is only a change of another is not asked for again at once, nor for ever")
    func deltaOfAnotherRendition() throws {
        var master = HLSMasterPlaylist()
        for bandwidth in [64_000, 128_000] as [Int64] {
            let url = try #require(URL(string: "http://x/\(bandwidth).m3u8"))
            master.variants.append(
                HLSMasterPlaylist.Variant(url: url, bandwidth: bandwidth, codecs: ["mp4a.40.2"], statesPictures: false)
            )
        }
        var scheduler = HLSScheduler(HLSSelection(master))
        scheduler.arrived(bytes: 100_000, seconds: 8)
        guard case .load(let first, _) = scheduler.next(at: 0, hasRoom: true, ahead: 0) else { return unplanned() }
        let other = 1 - first
        let segments = (0..<100).map { "#EXTINF:6,\n\($0).ts\n" }.joined() + "#EXT-X-ENDLIST\n"
        _ = scheduler.loaded(try media(head + segments), level: first, began: 0)
        guard case .fetch = scheduler.next(at: 0, hasRoom: true, ahead: 0) else { return unplanned() }
        let update = try media(head + "#EXT-X-SKIP:SKIPPED-SEGMENTS=100\n#EXTINF:6,\na.ts\n")
        // The line affords the other rendition, or only the other.
        if other > first {
            scheduler.arrived(bytes: 5_000_000, seconds: 1)
        } else {
            scheduler.arrived(bytes: 100_000, seconds: 20)
        }
        var loads: [Double] = []
        for step in 0..<40 {
            let now = Double(step) / 10
            switch scheduler.next(at: now, hasRoom: true, ahead: 12) {
            case .load(let level, _):
                #expect(level == other)
                loads.append(now)
                _ = scheduler.loaded(update, level: level, began: now)
            case .fetch(let plan): #expect(plan.level == first)
            default: unplanned()
            }
        }
        #expect(loads == [0, 0.5])
    }

    private func unplanned() { Issue.record("The scheduler had another step to do.") }

    // MARK: Segments ahead

    @Test("No more than 256 segments are fetched ahead, however short and small they are")
    func segmentsAhead() throws {
        let scratch = try ScratchDirectory()
        let segments = (0..<1_000).map { "#EXTINF:0.01,\n#EXT-X-BYTERANGE:1@\($0)\nall.ts\n" }.joined()
        try Data((head + segments + "#EXT-X-ENDLIST\n").utf8).write(to: URL(fileURLWithPath: scratch.file("list.m3u8")))
        try Data(count: 1_000).write(to: URL(fileURLWithPath: scratch.file("all.ts")))
        let url = URL(fileURLWithPath: scratch.file("list.m3u8"))
        let loader = HLSLoader(
            HLSScheduler(HLSSelection(only: HLSMediaPlaylist.Resource(url: url))),
            variables: [:],
            transport: HLSNetwork(origin: url, options: quickNetwork),
            name: "list"
        )
        defer { loader.cancel() }
        func ahead() -> [Int64] { loader.state.read { $0.queue.map(\.segment.sequence) } }
        #expect(try loader.peek()?.segment.sequence == 0)
        #expect(ahead() == [0, 1])
        loader.readAhead()
        #expect(waitUntil { ahead() == Array(0..<256) })
        for sequence in 0..<500 as Range<Int64> {
            let plan = try #require(try loader.peek())
            #expect(plan.segment.sequence == sequence)
            loader.take(plan)
        }
        #expect(ahead() == Array(500..<756))
    }

    // MARK: Growth

    /// A playlist of so many segments or renditions.
    enum Kind: CaseIterable {
        case segments, parts, renditions, update

        func text(_ count: Int) -> String {
            let numbers = 0..<count
            let head = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n"
            return switch self {
            case .segments:
                head + "#EXT-X-MAP:URI=\"i.mp4\"\n#EXT-X-KEY:METHOD=AES-128,URI=\"k\"\n"
                    + numbers.map { "#EXT-X-DISCONTINUITY\n#EXTINF:6,\n#EXT-X-BYTERANGE:5\n\($0 / 10).mp4\n" }.joined()
            case .parts:
                head + "#EXT-X-PART-INF:PART-TARGET=1\n"
                    + numbers.map { "#EXT-X-PART:DURATION=1,URI=\"\($0)-0\"\n#EXTINF:6,\n\($0).mp4\n" }.joined()
            case .renditions:
                "#EXTM3U\n"
                    + numbers.map {
                        "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"g\($0)\",NAME=\"n\($0)\",URI=\"m\($0).m3u8\"\n"
                            + "#EXT-X-STREAM-INF:BANDWIDTH=\(64_000 + $0),CODECS=\"mp4a.40.2\",AUDIO=\"g\($0)\"\n\($0).m3u8\n"
                    }.joined()
            case .update: head + "#EXT-X-SKIP:SKIPPED-SEGMENTS=\(count)\n#EXTINF:6,\na.ts\n"
            }
        }
    }

    @Test("A playlist is read in time and memory proportional to its length", arguments: Kind.allCases)
    func growthOfParsing(kind: Kind) throws {
        let known = try media(head + "#EXTINF:6,\na.ts\n").segments[0]
        let growth = try Growth(from: 2_000) { count in
            let locator = HLSLocator(base: try #require(URL(string: "https://example.org/a/list.m3u8")))
            let parsed = try HLSPlaylistParser.parse(Array(kind.text(count).utf8), locator: locator) { _ in known }
            if case .master(let master) = parsed { _ = HLSSelection(master) }
        }
        #expect(growth.isLinear, "\(kind): \(growth)")
    }

    @Test("Segments are planned in time and memory proportional to their number", arguments: [Kind.segments, .parts])
    func growthOfPlanning(kind: Kind) throws {
        let resource = HLSMediaPlaylist.Resource(url: try #require(URL(string: "http://x/list.m3u8")))
        let growth = try Growth(from: 2_000) { count in
            var scheduler = HLSScheduler(HLSSelection(only: resource))
            let list = try media(kind.text(count) + "#EXT-X-ENDLIST\n")
            _ = scheduler.loaded(list, level: 0, began: 0)
            var planned = 0
            while case .fetch = scheduler.next(at: 0, hasRoom: true, ahead: 0) { planned += 1 }
            #expect(planned == count)
        }
        #expect(growth.isLinear, "\(kind): \(growth)")
    }
}
