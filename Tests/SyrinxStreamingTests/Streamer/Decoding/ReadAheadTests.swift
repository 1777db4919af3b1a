import Foundation
import SyrinxDevice
import SyrinxHTTPStream
import SyrinxMediaCodec
import SyrinxTestSupport
import Testing

@testable import SyrinxStreaming

/// The number of bytes that are fetched before anything is heard, and after.
@Suite("Reading ahead") struct ReadAheadTests {
    private static let size = 6 << 20

    /// A streamer of a WAV of 34 s, from a server as fast as can be, on an output that is not driven.
    private func opened(andPlay: Bool) throws -> (Rig, ScriptedHTTPServer, HTTPByteStream) {
        let scratch = try ScratchDirectory()
        let path = try Inputs.make("in.wav", in: scratch, seconds: Double(Self.size) / 176_400)
        return try opened(.file(try Inputs.bytes(path)), andPlay: andPlay)
    }

    private func opened(_ file: ScriptedResponse, andPlay: Bool) throws -> (Rig, ScriptedHTTPServer, HTTPByteStream) {
        let server = try ScriptedHTTPServer()
        server.route("/in", file)
        let rig = Rig()
        rig.streamer.network = quickNetwork
        // What is being decoded has been read, and is not counted yet.
        rig.streamer.readBufferSize = 4096
        rig.streamer.open(.url(try #require(URL(string: server.url("/in")))), andPlay: andPlay)
        #expect(waitUntil { rig.streamer.info != nil })
        let stream = rig.streamer.withController { $0.tracks.current.pump?.networkStream }
        return (rig, server, try #require(stream))
    }

    private func hasAll(_ stream: HTTPByteStream) -> Bool { stream.heldRanges == [0..<(stream.length ?? 0)] }

    /// Until then, the bytes that decoding takes are fetched, and a few more.
    @Test("Little is fetched before the first sound")
    func untilItIsHeardLittleIsFetched() throws {
        let (rig, server, stream) = try opened(andPlay: true)
        let decoded = { rig.streamer.withController { $0.progress.timeline.decodedFrames } }
        // All that the pump wants: nothing moves any more but by what is heard.
        #expect(waitUntil { decoded() >= 4 * 44_100 })
        #expect(stream.receivedByteCount < 4 * decoded() + 192 << 10, "\(stream.receivedByteCount)")
        #expect(rig.crank { rig.streamer.status == .playing })
        #expect(rig.crank { hasAll(stream) })
        #expect(server.requests.count == 1)
    }

    @Test("An input that is ready to play is fetched ahead")
    func whatWaitsToBePlayedIsFetched() throws {
        let (rig, server, stream) = try opened(andPlay: false)
        #expect(waitUntil { hasAll(stream) })
        #expect(rig.streamer.status == .paused && server.requests.count == 1)
    }

    /// The duration of a byte is not known then; it is at least that of samples.
    @Test("An input without a bit rate is fetched ahead, too")
    func whatHasNoBitRateIsFetchedAheadToo() throws {
        let scratch = try ScratchDirectory()
        let bytes = try Inputs.bytes(
            Inputs.make("in.flac", in: scratch, seconds: 100, arguments: ["-af", "aeval=val(0)+random(0)*0.3|val(1)"])
        )
        #expect(bytes.count > 12 << 20, "\(bytes.count)")
        let (rig, server, stream) = try opened(.file(bytes).withoutRanges().withoutLength(), andPlay: false)
        #expect(rig.streamer.info?.bitRate == nil)
        #expect(waitUntil(timeout: 20) { stream.receivedByteCount >= 8 << 20 }, "\(stream.heldRanges)")
        #expect(server.requests.count == 1)
    }
}
