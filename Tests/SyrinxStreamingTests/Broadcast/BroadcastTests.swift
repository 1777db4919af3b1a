import AVFAudio
import Foundation
import Synchronization
import SyrinxByteStream
import SyrinxDevice
import SyrinxHTTPStream
import SyrinxMediaCodec
import SyrinxTestSupport
import Testing

@testable import SyrinxStreaming

/// A broadcast that is played: its pace goes all the way from what is held to what is decoded.
@Suite("Broadcasts") struct BroadcastTests {
    private static let rate = 8_000
    private static let block = 4_096

    /// The head of a WAV of one channel that does not say how long it is, and so many bytes of noise.
    private static func wave(byteCount: Int) -> [UInt8] {
        func number(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(value >> (8 * $0) & 0xFF) } }
        let endless = [UInt8](repeating: 0xFF, count: 4)
        let format = number(1, 2) + number(1, 2) + number(rate, 4) + number(2 * rate, 4) + number(2, 2) + number(16, 2)
        return Array("RIFF".utf8) + endless + Array("WAVEfmt ".utf8) + number(16, 4) + format + Array("data".utf8)
            + endless + patternedBytes(byteCount)
    }

    private static func broadcast(_ bytes: [UInt8]) -> ScriptedResponse {
        .file(bytes, type: "audio/wav").withoutRanges().withoutLength().withoutHeader("ETag").header("icy-br", "128")
    }

    // MARK: From what is held to the pump

    /// The paces of a minute that comes at once, and of which half is played: what is held falls by a second each second.
    private func paces(_ answer: ScriptedResponse, isBroadcast: Bool) throws -> [Double] {
        let server = try ScriptedHTTPServer()
        let count = Int64(60 * 2 * Self.rate)
        server.route("/a", answer.cut(after: count, .hang))
        let device = ManualOutput(format: DeviceFormat(sampleRate: Double(Self.rate), channelCount: 1))
        let streamer = TimePitchStreamer(device: device)
        defer { streamer.stop() }
        streamer.network = quickNetwork
        streamer.open(.url(try #require(URL(string: server.url("/a")))), andPlay: true)
        if isBroadcast { #expect(waitUntil { server.requests.first.map { $0.bytesSent >= count } ?? false }) }
        let hasCome = {
            streamer.withController { controller in
                controller.tracks.current.pump?.broadcastBytes.map { $0.read + $0.unread >= count }
            }
        }
        #expect(waitUntil { hasCome() ?? !isBroadcast })
        var paces: [Double] = []
        for _ in 0..<(40 * Self.rate / Self.block) {
            #expect(waitUntil { streamer.playerNode.framesAhead > Int64(2 * Self.block) })
            _ = device.render(frameCount: Self.block)
            #expect(
                waitUntil {
                    if streamer.status != .playing { _ = device.render(frameCount: 64) }
                    return streamer.status == .playing
                }
            )
            streamer.withController { controller in
                controller.keepPace()
                paces.append(controller.tracks.current.pump?.pace ?? 0)
            }
        }
        return paces
    }

    /// Nothing is done for as long as nothing is known, then all that may be; to nothing but a broadcast.
    @Test("The buffered amount decides the pace of a broadcast")
    func whatIsHeldDecidesHowFastABroadcastIsPlayed() throws {
        let bytes = Self.wave(byteCount: 61 * 2 * Self.rate)
        let broadcast = try paces(Self.broadcast(bytes), isBroadcast: true)
        #expect(broadcast[..<(25 * Self.rate / Self.block)].allSatisfy { $0 == 1 })
        #expect(broadcast.last == 0.9995)
        let file = ScriptedResponse.file(bytes).withoutRanges().withoutLength()
        #expect(try paces(file, isBroadcast: false).allSatisfy { $0 == 1 })
    }

    // MARK: From the pump to the samples

    private final class Host: DecodePumpHost {
        private let state = Mutex((frames: Int64(0), hasEnded: false))
        func pump(_ pump: DecodePump, made stream: any ByteStream) {}
        func pump(_ pump: DecodePump, opened info: MediaInfo) throws -> AVAudioFormat? {
            AVAudioFormat(standardFormatWithSampleRate: info.sampleRate, channels: 1)
        }
        func pump(_ pump: DecodePump, prepared info: MediaInfo) {}
        func pump(_ pump: DecodePump, reachedEnd frameCount: Int64, seek: Int) { pump.finish(isLast: true) }
        func pump(_ pump: DecodePump, finished seek: Int) {}
        func pump(_ pump: DecodePump, learned info: MediaInfo, tags: [String: String], seek: Int) {}
        func pump(_ pump: DecodePump, held buffer: AVAudioPCMBuffer, isLast: Bool, seek: Int) {}
        func pump(_ pump: DecodePump, read buffer: AVAudioPCMBuffer, isLast: Bool, seek: Int) {
            state.withLock {
                $0.frames += Int64(buffer.frameLength)
                $0.hasEnded = $0.hasEnded || isLast
            }
        }
        func pump(_ pump: DecodePump, failed error: any Error) { state.withLock { $0.hasEnded = true } }
        var frames: Int64? { state.withLock { $0.hasEnded ? $0.frames : nil } }
    }

    private func frames(_ answer: ScriptedResponse, pace: Double) throws -> Int64 {
        let server = try ScriptedHTTPServer()
        server.route("/a", answer, .drop)
        let host = Host()
        var network = quickNetwork
        network.maximumBroadcastOutage = 0.5
        let url = try #require(URL(string: server.url("/a")))
        let pump = DecodePump(
            DecodePump.Settings(input: .url(url), network: network, start: 0, readBufferSize: 8_192),
            host: host
        )
        pump.setPace(pace)
        pump.run()
        #expect(waitUntil { host.frames != nil })
        pump.cancel()
        pump.join(timeout: 10)
        return host.frames ?? 0
    }

    @Test("Only a broadcast is resampled to follow its sender")
    func onlyABroadcastIsPaced() throws {
        let bytes = Self.wave(byteCount: 20 * 2 * Self.rate)
        let count = Int64(20 * Self.rate)
        // It breaks off in the middle of a packet.
        #expect(try frames(Self.broadcast(bytes), pace: 1) > count - 4_096)
        let fast = try frames(Self.broadcast(bytes), pace: 1.0005)
        let slow = try frames(Self.broadcast(bytes), pace: 0.9995)
        // Come to gradually, by a millionth with each piece that is decoded, it is some 15 frames either way by the end.
        #expect((15...60).contains(slow - fast))
        let file = ScriptedResponse.file(bytes)
        for answer in [
            file, file.withoutRanges(), file.withoutRanges().withoutLength(), file.withoutRanges().chunked(),
        ] {
            #expect(try frames(answer, pace: 1.0005) == count)
        }
    }

    // MARK: Another broadcast

    /// A station that comes back in another codec, again and again, is played on, behind what had come of the one before.
    @Test("A station that returns in another codec plays on")
    func aBroadcastThatComesBackInAnotherCodecGoesOn() async throws {
        let scratch = try ScratchDirectory()
        let pieces = try (0..<6).map { index -> (bytes: [UInt8], type: String) in
            let (name, type) = index % 2 == 0 ? ("\(index).mp3", "audio/mpeg") : ("\(index).aac", "audio/aac")
            let source = "sine=\(Self.frequency(index)):r=44100:d=3"
            try FFmpeg.make(scratch.file(name), from: source)
            return (try Inputs.bytes(scratch.file(name)), type)
        }
        let server = try ScriptedHTTPServer()
        // Each change takes two answers: the first tells that it is another, the second is played.
        server.route("/a") { _, index in
            let piece = pieces[min((index + 1) / 2, pieces.count - 1)]
            let answer = ScriptedResponse.file(piece.bytes, type: piece.type).withoutRanges().withoutLength()
                .withoutHeader("ETag").header("icy-br", "128")
            return (index + 1) / 2 < pieces.count - 1 ? answer : answer.cut(after: Int64(piece.bytes.count), .hang)
        }
        let rig = Rig()
        rig.streamer.network = quickNetwork
        let events = rig.streamer.events
        rig.streamer.open(.url(try #require(URL(string: server.url("/a")))), andPlay: true)
        let block = 4_096
        for index in pieces.indices {
            #expect(
                rig.crank {
                    let last = Array(rig.output.suffix(block))
                    return last.count == block && last.contains { abs($0) > 0.05 }
                        && abs(toneFrequency(last, sampleRate: 44_100) - Double(Self.frequency(index))) < 5
                },
                "\(index)"
            )
        }
        #expect((rig.streamer.currentTime ?? 0) > 13)
        rig.streamer.stop()
        var warnings: [String] = []
        for await event in events {
            if case .warning(let error) = event { warnings.append(error.code.rawValue) }
            if case .failed(let error) = event { Issue.record(error) }
            if case .status(.stopped, _) = event { break }
        }
        #expect(warnings == Array(repeating: "http.resourceChanged", count: pieces.count - 1))
    }

    private static func frequency(_ index: Int) -> Int { 500 + 300 * index }
}
