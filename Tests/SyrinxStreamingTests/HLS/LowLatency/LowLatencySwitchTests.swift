import Foundation
import SyrinxByteStream
import SyrinxHTTPStream
import SyrinxTestSupport
import Testing

@testable import SyrinxStreaming

/// Going over from one rendition to another where parts are played.
@Suite("HLS of low latency, renditions")
struct LowLatencySwitchTests {
    @Test(
        "Where the line is too slow, or fast enough, another rendition goes on from a part of its own, without a gap or a repeat",
        arguments: LowLatencyKind.allCases,
        [true, false]
    )
    func switching(kind: LowLatencyKind, goesUp: Bool) throws {
        let scratch = try ScratchDirectory()
        let low = try kind.content(seconds: 12, bitRate: "64k", in: scratch)
        let high = try kind.content(seconds: 12, bitRate: "160k", in: scratch)
        let heard = try read(low, high, goesUp: goesUp)
        let begins = goesUp ? "" : "/high"
        let goesOn = goesUp ? "/high" : ""
        // Until the end the other one is played.
        #expect(
            heard.media.first?.hasPrefix(begins + "/") == true && heard.media.last?.hasPrefix(goesOn + "/") == true,
            "\(heard.media)"
        )
        // Where the line is too slow, the parts that were asked for first may be passed over before anything is heard.
        low.expectWhole(
            heard.samples,
            fromPart: try #require(heard.firstPart),
            // The noise of the codec where renditions meet.
            deviation: 0.02,
            tolerance: goesUp ? 12 * 1024 : 36 * 1024
        )
    }

    /// Reads two renditions of one sound from a server to their end.
    /// - Returns: The samples, the paths of segments and parts, and the number of the first part that was asked for.
    private func read(
        _ low: LowLatencyOrigin.Content,
        _ high: LowLatencyOrigin.Content,
        goesUp: Bool
    ) throws -> (samples: [Float], media: [String], firstPart: Int?) {
        var behaviour = LowLatencyOrigin.Behaviour()
        behaviour.others = ["/high/live.m3u8"]
        behaviour.pace = low.duration
        let origin = try LowLatencyOrigin(low, published: 21, behaviour)
        defer { origin.stop() }
        behaviour.others = ["/live.m3u8"]
        // A part of 255 ms takes half a second.
        if !goesUp { behaviour.pacedTo = 10_000 }
        let other = LowLatencyOrigin(high, beside: origin, under: "/high", behaviour)
        let rates = goesUp ? (low: 70_000, high: 300_000) : (low: 70_000, high: 200_000)
        let list = [(rates.low, "live.m3u8"), (rates.high, "high/live.m3u8")].reduce("#EXTM3U\n") {
            $0 + "#EXT-X-STREAM-INF:BANDWIDTH=\($1.0),CODECS=\"mp4a.40.2\"\n\($1.1)\n"
        }
        origin.server.route("/master.m3u8", .file(Array(list.utf8), type: "application/vnd.apple.mpegurl"))
        let samples = try HLSReading(origin.server.url("/master.m3u8")).read()
        withExtendedLifetime(other) {}
        let media = origin.server.requests.map(\.path).filter { !$0.contains("m3u8") && !$0.hasSuffix("mp4") }
        return (samples, media, origin.firstPart)
    }
}
