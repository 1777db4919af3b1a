import Foundation
import SyrinxHTTPStream
import SyrinxTestSupport
import Testing

@testable import SyrinxStreaming

/// The titles of a chain's recordings, in Vorbis, Opus and FLAC.
@Suite("Titles of chains") struct ChainTitleTests {
    private static let rate = 48_000
    private static let seconds = 6.0
    private static let titles = ["One", "Zwölf", "Three"]

    private func chain(_ codec: String) throws -> [UInt8] {
        let scratch = try ScratchDirectory()
        return try Self.titles.enumerated().flatMap { index, title in
            let source = "anoisesrc=d=\(Self.seconds):seed=\(index):r=\(Self.rate):a=0.3"
            let options = ["-ac", "1", "-c:a", codec, "-metadata", "title=\(title)", "-serial_offset", "\(77 * index)"]
            let file = scratch.file("\(index).ogg")
            try FFmpeg.make(file, from: source, options)
            return try Inputs.bytes(file)
        }
    }

    private func rig(_ answer: ScriptedResponse) throws -> (Rig, ScriptedHTTPServer, AsyncStream<StreamingEvent>) {
        let server = try ScriptedHTTPServer()
        server.route("/a", answer)
        let rig = Rig()
        let events = rig.streamer.events
        rig.streamer.network = quickNetwork
        rig.streamer.open(.url(try #require(URL(string: server.url("/a")))), andPlay: true)
        return (rig, server, events)
    }

    /// The titles that have been told, once it has stopped.
    private func told(_ events: AsyncStream<StreamingEvent>) async -> [String] {
        var titles: [String] = []
        for await event in events {
            if case .metadata(let tags) = event { titles.append(tags["title"] ?? "") }
            if case .status(.stopped, _) = event { break }
        }
        return titles
    }

    @Test("A station reports the titles of its chain", arguments: ["libvorbis", "libopus", "flac"])
    func aStationTellsThem(_ codec: String) async throws {
        let bytes = try chain(codec)
        let answer = ScriptedResponse.file(bytes, type: "application/ogg").withoutRanges().withoutLength()
        let (rig, server, events) = try rig(
            answer.withoutHeader("ETag").header("icy-name", "A").cut(after: Int64(bytes.count), .hang)
        )
        defer { server.stop() }
        var times: [String: Double] = [:]
        let isOver = rig.crank {
            rig.streamer.withController { controller in
                for title in controller.progress.metadata.titles where title.isOfRecording {
                    times[title.fields["title"] ?? ""] = title.time
                }
            }
            return rig.streamer.currentTime ?? 0 > 2.5 * Self.seconds
        }
        #expect(isOver)
        rig.streamer.stop()
        // The station's own name comes first, or what the first recording tells.
        #expect(await told(events).filter { !$0.isEmpty } == Self.titles)
        // To within what is decoded at a time.
        let second = try #require(times["Zwölf"])
        let third = try #require(times["Three"])
        #expect((Self.seconds...Self.seconds + 0.2).contains(second), "\(second)")
        #expect((2 * Self.seconds...2 * Self.seconds + 0.2).contains(third), "\(third)")
    }

    /// Titles of sound that is decoded and not heard are not reported; those of sound that is heard again are reported again.
    @Test("A seek reports the title at its target")
    func aSeekTellsWhatIsHeardThen() async throws {
        let (rig, server, events) = try rig(.file(try chain("libvorbis"), type: "audio/ogg"))
        defer { server.stop() }
        for (place, title) in [
            (5.5, "One"), (7.0, "Zwölf"), (1.0, "One"), (13.0, "Three"), (14.0, "Three"), (5.0, "One"),
        ] {
            try rig.streamer.seek(to: place)
            #expect(rig.crank { rig.streamer.status == .playing && rig.streamer.currentTime ?? 0 > place + 0.1 })
            #expect(
                rig.crank { rig.streamer.withController { $0.progress.metadata.heardTags["title"] == title } }
            )
            let isNext: () -> Bool = { rig.streamer.withController { !$0.progress.metadata.titles.isEmpty } }
            if place == 5.5 { #expect(waitUntil { isNext() }) }
        }
        rig.streamer.stop()
        #expect(await told(events) == ["One", "Zwölf", "One", "Three", "One"])
    }
}
