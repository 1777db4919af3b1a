import AVFAudio
import Foundation
import Synchronization
import SyrinxDevice
import SyrinxMediaCodec
import SyrinxStreaming
import SyrinxTestSupport
import Testing

/// The streamer on a device that the test does not have to wait for: everything is decoded as fast as it comes.
@Suite struct StreamerTests {
    /// Plays `url` to a file, up to the last state, and returns the events and the samples.
    private func play(
        _ url: URL,
        to path: String,
        _ change: (PlainStreamer) throws -> Void = { _ in }
    ) async throws -> (events: [StreamingEvent], channels: [[Float]]) {
        let streamer = PlainStreamer(device: WAVFileOutput(path: path))
        let stream = streamer.events
        try change(streamer)
        streamer.open(.url(url), andPlay: true)
        var events: [StreamingEvent] = []
        for await event in stream {
            events.append(event)
            if case .status(let status, _) = event, [.ended, .failed, .stopped].contains(status) { break }
        }
        streamer.stop()
        return (events, try readWAV(path).channels)
    }

    private func statuses(_ events: [StreamingEvent]) -> [PlaybackStatus] {
        events.compactMap { if case .status(let status, _) = $0 { status } else { nil } }
    }

    @Test(
        "The output gets the decoder's samples",
        arguments: [
            ("cbr.mp3", ["-b:a", "128k"]), ("vbr.mp3", ["-q:a", "4"]), ("a.aac", []),
            ("front.m4a", ["-movflags", "faststart"]),
            ("end.m4a", []), ("a.flac", []), ("a.wav", []), ("a.ogg", ["-c:a", "libvorbis"]),
            ("a.opus", ["-ar", "48000"]),
        ]
    )
    func whatIsPlayedIsWhatTheDecoderGives(_ name: String, _ arguments: [String]) async throws {
        let scratch = try ScratchDirectory()
        let path = try Inputs.make(name, in: scratch, seconds: 4, arguments: arguments)
        let server = try ScriptedHTTPServer()
        server.route("/in", .file(try Inputs.bytes(path)))
        let fromFile = try await play(URL(fileURLWithPath: path), to: scratch.file("file.wav"))
        let fromServer = try await play(URL(string: server.url("/in"))!, to: scratch.file("http.wav"))
        #expect(statuses(fromFile.events) == [.opening, .buffering, .playing, .ended])
        let expected = try Inputs.decoded(path)
        // FFmpeg keeps the padding at the end of AAC in M4A; the container says where the sound ends.
        let frames = name.hasSuffix("m4a") ? 4 * 44_100 : expected[0].count
        #expect(fromFile.channels[0].count == frames)
        for channel in 0..<2 {
            #expect(fromFile.channels[channel] == fromServer.channels[channel])
            let worst = zip(fromFile.channels[channel], expected[channel]).map { abs($0 - $1) }.max()!
            #expect(worst <= (name.hasSuffix("flac") || name.hasSuffix("wav") ? 0 : 1.0 / 32_768))
        }
        guard case .ended(let count, _, let received) = fromServer.events.dropLast().last else {
            Issue.record("the last event but the status is `ended`")
            return
        }
        #expect(count == Int64(frames))
        #expect(received > 0)
    }

    @Test("Rate and pitch change the length and the tones as set")
    func rateAndPitchChangeLengthAndTones() async throws {
        let scratch = try ScratchDirectory()
        let path = scratch.file("tone.wav")
        try FFmpeg.make(path, from: "sine=1000:r=44100:d=4", ["-ac", "2"])
        let fast = try await play(URL(fileURLWithPath: path), to: scratch.file("fast.wav")) { $0.rate = 2 }
        #expect(abs(fast.channels[0].count - 88_200) <= 1)
        #expect(abs(cents(from: 1_000, to: tone(fast.channels[0]))) < 2)
        let high = try await play(URL(fileURLWithPath: path), to: scratch.file("high.wav")) { $0.pitch = 1_200 }
        #expect(abs(high.channels[0].count - 176_400) <= 1)
        #expect(abs(cents(from: 2_000, to: tone(high.channels[0]))) < 2)
    }

    private func tone(_ samples: [Float]) -> Double {
        toneFrequency(Array(samples[20_000..<60_000]), sampleRate: 44_100)
    }

    @Test("Start and end times play exactly that part")
    func aPartOfTheInputIsThatPartExactly() async throws {
        let scratch = try ScratchDirectory()
        let path = try Inputs.make("in.flac", in: scratch)
        let part = try await play(URL(fileURLWithPath: path), to: scratch.file("part.wav")) {
            $0.startTime = 2.5
            $0.endTime = 4
        }
        let expected = try Inputs.decoded(path)
        #expect(part.channels[0] == Array(expected[0][110_250..<176_400]))
    }

    @Test("An input of another sample rate is converted")
    func anotherRateIsConverted() async throws {
        let scratch = try ScratchDirectory()
        let path = try Inputs.make("in.flac", in: scratch, seconds: 3)
        final class Converting: Streamer, @unchecked Sendable {
            override func readFormat(for source: MediaInfo) -> AVAudioFormat {
                AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2)!
            }
        }
        let streamer = Converting(device: WAVFileOutput(path: scratch.file("out.wav")))
        let events = streamer.events
        streamer.open(.url(URL(fileURLWithPath: path)), andPlay: true)
        for await event in events { if case .ended = event { break } }
        streamer.stop()
        let output = try readWAV(scratch.file("out.wav"))
        #expect(output.sampleRate == 48_000)
        #expect(output.channels[0].count == 144_000)
    }

    @Test("Failures are typed, and the last status is failed")
    func failuresAreTypedAndTheLastStateIsFailed() async throws {
        let scratch = try ScratchDirectory()
        let server = try ScriptedHTTPServer()
        server.route("/page", .file(Array("<!DOCTYPE html><html></html>".utf8), type: "text/html"))
        server.route("/empty", .file([]))
        let cases: [(String, String)] = [
            (server.url("/nothing"), "http.404"), (server.url("/page"), "media.notAudio"),
            (server.url("/empty"), "http.emptyBody"), (try ScriptedHTTPServer.refusedURL(), "network.refused"),
            ("file:///nowhere/at/all.mp3", "file.notFound"), ("file://\(scratch.path)", "file.isDirectory"),
            ("gopher://example.com/a", "usage.badURL"),
        ]
        for (url, code) in cases {
            let streamer = PlainStreamer(device: WAVFileOutput(path: scratch.file("out.wav")))
            let stream = streamer.events
            streamer.open(.url(URL(string: url)!), andPlay: true)
            var codes: [String] = []
            var last: PlaybackStatus?
            for await event in stream {
                if case .failed(let error) = event { codes.append(error.code.rawValue) }
                if case .status(let status, _) = event { last = status }
                if last == .failed { break }
            }
            #expect(codes == [code], "\(url)")
        }
    }

    @Test("A truncated input plays to its break")
    func aTruncatedInputIsPlayedAsFarAsItGoes() async throws {
        let scratch = try ScratchDirectory()
        let path = try Inputs.make("in.flac", in: scratch)
        let bytes = try Inputs.bytes(path)
        let cut = scratch.file("cut.flac")
        try Data(bytes[..<(bytes.count / 2)]).write(to: URL(fileURLWithPath: cut))
        let result = try await play(URL(fileURLWithPath: cut), to: scratch.file("out.wav"))
        #expect(statuses(result.events) == [.opening, .buffering, .playing, .failed])
        let expected = try Inputs.decoded(path)[0]
        let played = result.channels[0]
        #expect(played.count > expected.count / 3)
        #expect(played == Array(expected[..<played.count]))
    }
}
