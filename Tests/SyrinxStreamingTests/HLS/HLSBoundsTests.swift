import Foundation
import SyrinxByteStream
import SyrinxTestSupport
import Testing

@testable import SyrinxStreaming

/// The bounds of time, memory, silence and requests for a presentation.
@Suite("Bounds of HLS")
struct HLSBoundsTests {
    private func parse(_ text: String, from base: String = "https://example.org/a/list.m3u8") throws -> HLSPlaylist {
        let url = try #require(URL(string: base))
        return try HLSPlaylistParser.parse(Array(text.utf8), locator: HLSLocator(base: url))
    }

    private func media(_ text: String, from base: String = "https://example.org/a/list.m3u8") throws -> HLSMediaPlaylist
    {
        guard case .media(let playlist) = try parse(text, from: base) else {
            throw StreamingError(.unknown, "not a media playlist", name: base)
        }
        return playlist
    }

    private func code(_ body: () throws -> some Any) -> String? {
        do {
            _ = try body()
            return nil
        } catch {
            return (error as? StreamingError)?.code.rawValue ?? "\(error)"
        }
    }

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
        else { throw StreamingError(.unknown, "no segment was planned", name: "x") }
        scheduler.segmentFailed(second, after: first, StreamingError(.httpStatus(404), "None.", name: "x"), at: 0)
        guard case .fetch(let third) = scheduler.next(at: 0, hasRoom: true, ahead: 0) else {
            throw StreamingError(.unknown, "no segment was planned", name: "x")
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
        let growth = try Growth.ofTime(from: 1_000) { count in
            let query = (0..<count).map { "p\($0)=\($0)" }.joined(separator: "&")
            let lines = (0..<count).map { "#EXT-X-DEFINE:QUERYPARAM=\"p\($0 % 50)\"\n" }.joined()
            let playlist = try media(
                "#EXTM3U\n\(lines)#EXT-X-TARGETDURATION:6\n#EXTINF:6,\n{$p7}.ts\n",
                from: "https://example.org/a/list.m3u8?\(query)"
            )
            #expect(playlist.segments[0].resource.url.absoluteString == "https://example.org/a/7.ts")
        }
        #expect(growth < Growth.linear)
    }

    // MARK: URLs

    @Test("A URL of more than 16 KiB is refused, and so are short ones below an address as long")
    func longURLs() throws {
        let long = String(repeating: "a", count: 16 << 10)
        #expect(code { try media(head + "#EXTINF:6,\n\(long)\n") } == "usage.badURL")
        let segments = head + "#EXTINF:6,\na.ts\n"
        #expect(code { try media(segments, from: "https://example.org/\(long)/list.m3u8") } == "usage.badURL")
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
}
