import Foundation
import SyrinxByteStream
import SyrinxHTTPStream
import SyrinxTestSupport
import Testing

@testable import SyrinxStreaming

/// Parts that are no longer listed, and servers that begin anew.
@Suite("HLS parts that go")
struct HLSPartsRestartTests {
    private let base = HLSPartsTests()

    @Test(
        "A segment that was played in parts is not played again when its parts are no longer listed",
        arguments: [true, false]
    )
    func completed(isSeen: Bool) throws {
        var scheduler = try base.opened(try base.playlist(0..<6, open: 4))
        #expect(base.names(base.plans(&scheduler)).last == "6.3")
        // It is complete, and has been seen with all its parts or not.
        if isSeen { _ = scheduler.loaded(try base.playlist(1..<7, open: 0), level: 0, began: 1) }
        _ = scheduler.loaded(try base.playlist(3..<10, open: 1), level: 0, began: 2)
        let next = base.plans(&scheduler, at: 2)
        #expect(base.names(next).first == "7" && next.first?.joint == .continuous)
    }

    @Test("A segment of which a part is left is played when its parts are no longer listed")
    func incomplete() throws {
        var scheduler = try base.opened(try base.playlist(0..<6, open: 3))
        #expect(base.names(base.plans(&scheduler)).last == "6.2")
        _ = scheduler.loaded(try base.playlist(3..<10, open: 1), level: 0, began: 2)
        let next = base.plans(&scheduler, at: 2)
        #expect(base.names(next).first == "6" && next.first?.joint == .resumed)
    }

    @Test(
        "A delta update that ends before what is known leads to a request for the whole playlist, which may have begun anew"
    )
    func delta() throws {
        let control = ",CAN-SKIP-UNTIL=12"
        var scheduler = try base.opened(try base.playlist(0..<6, open: 2, control: control))
        _ = base.plans(&scheduler)
        #expect(scheduler.levels[0].query(at: 1).skips)
        var whole = try base.playlist(0..<3, open: 1, control: control)
        for index in whole.segments.indices { whole.segments[index].resource.url.append(path: "new") }
        var update = whole
        update.skippedCount = 1
        update.segments.removeFirst()
        #expect(scheduler.loaded(update, level: 0, began: 1) == .none)
        #expect(!scheduler.levels[0].query(at: 1).skips)
        #expect(scheduler.loaded(whole, level: 0, began: 2) == .restarted)
        #expect(base.plans(&scheduler, at: 2).first?.joint == .jump)
    }

    @Test("A part of a server that has begun anew is not taken for one of the same name before")
    func epochs() throws {
        let entry = try #require(try base.opened(try base.playlist(0..<6, open: 2)).window?.parts(of: 6).first)
        let again = HLSWindow.Entry(segment: entry.segment, start: 0, epoch: 1)
        #expect(HLSStore.Key(entry) != HLSStore.Key(again))
        let hint = HLSMediaPlaylist.Hint(url: entry.segment.resource.url)
        #expect(
            HLSStore.Key(hint, epoch: 0) == HLSStore.Key(entry) && HLSStore.Key(hint, epoch: 1) == HLSStore.Key(again)
        )
    }

    @Test("Of the parts of a long playlist the last ones are taken")
    func manyParts() throws {
        let part = "#EXT-X-PART:DURATION=0.5,URI=\"a\"\n"
        let segment = String(repeating: part, count: 4) + "#EXTINF:2,\na.ts\n"
        let head = "#EXTM3U\n#EXT-X-TARGETDURATION:2\n"
        let list = try base.media(head + String(repeating: segment, count: 2_000) + part)
        #expect(list.segments[0].parts.isEmpty && list.segments[1_999].parts.count == 4 && list.openParts.count == 1)
        #expect((4_990...HLSMediaPlaylist.maximumParts).contains(list.segments.reduce(0) { $0 + $1.parts.count }))
    }

    private final class Weak {
        weak var value: AnyObject?
    }

    @Test("The bytes of a playlist are let go when it has been read, and not when its time would be over")
    func release() throws {
        let server = try ScriptedHTTPServer()
        defer { server.stop() }
        let text = "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\na.ts\n"
        server.route("/live.m3u8", .file(Array(text.utf8)).delayed(seconds: 0.2))
        let url = try #require(URL(string: server.url("/live.m3u8")))
        let loader = HLSLoader(
            HLSScheduler(HLSSelection(only: HLSMediaPlaylist.Resource(url: url))),
            variables: [:],
            transport: HLSNetwork(origin: url, options: quickNetwork),
            name: "x"
        )
        defer { loader.cancel() }
        loader.advance()
        let stream = Weak()
        stream.value = loader.state.read { $0.playlists[0]?.stream }
        #expect(stream.value != nil)
        #expect(waitUntil { loader.window != nil })
        #expect(waitUntil(timeout: 30) { stream.value == nil })
    }
}
