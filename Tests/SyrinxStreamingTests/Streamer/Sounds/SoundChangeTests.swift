import Foundation
import SyrinxMediaCodec
import SyrinxTestSupport
import Testing

@testable import SyrinxStreaming

/// Going over to another language of what plays.
@Suite("Changes of sound")
struct SoundChangeTests {
    private static let rate = 44_100
    /// Frames of a change: 20 ms.
    private static let fade = 882

    /// Makes a film with a sound of 440 Hz in English and one of 1,000 Hz in German, and returns its path.
    private func film(_ scratch: ScratchDirectory, _ name: String, _ options: [String], seconds: Int = 30) throws
        -> String
    {
        let path = scratch.file(name)
        try FFmpeg.run(
            ["-f", "lavfi", "-i", "sine=440:r=\(Self.rate):d=\(seconds)"]
                + ["-f", "lavfi", "-i", "sine=1000:r=\(Self.rate):d=\(seconds)", "-map", "0", "-map", "1"] + options
                + ["-metadata:s:a:0", "language=eng", "-metadata:s:a:1", "language=ger", path]
        )
        return path
    }

    /// The samples of a track, as a reader of it alone gives them.
    private func samples(_ path: String, language: String) throws -> [Float] {
        let input = StreamingInput.url(URL(fileURLWithPath: path))
        let reader = try input.open(
            input.makeByteStream(),
            preference: SoundPreference(languages: [language])
        )
        return try Self.readAll(reader)
    }

    private static func readAll(_ reader: any SampleReader) throws -> [Float] {
        let frames = HLSFrames(channelCount: reader.info.channelCount, capacity: 4096)
        var samples: [Float] = []
        while true {
            let got = try reader.read(into: frames.channels, frameCount: 4096)
            if got == 0 { return samples }
            samples += UnsafeBufferPointer(start: frames.channels[0], count: got)
        }
    }

    private func url(_ path: String) throws -> StreamingItem {
        let url = path.hasPrefix("/") ? URL(fileURLWithPath: path) : try #require(URL(string: path))
        return StreamingItem(.url(url))
    }

    private func check(_ rig: SoundChangeRig, _ before: [Float], _ after: [Float], tolerance: Float) throws {
        #expect(rig.crank { rig.decoded.count > 2 * Self.rate && rig.streamer.language == "en" })
        rig.streamer.setPreferredLanguages(["de"])
        #expect(rig.crank { rig.streamer.language == "de" })
        let place = rig.decoded.count
        #expect(rig.crank { rig.decoded.count > place + 2 * Self.rate })
        // What is heard is what was decoded, without a stop.
        #expect(rig.crank { Int(rig.streamer.playerNode.playedFrames) > place + Self.rate })
        let states = rig.states
        #expect(states.drop { $0 != .playing } == [.playing])
        #expect(zip(rig.times, rig.times.dropFirst()).allSatisfy { $0 <= $1 })
        #expect(rig.gaps == 0)
        #expect(rig.codes.isEmpty)
        let change = try #require(rig.change(from: before, to: after, fade: Self.fade))
        #expect(change.worst < tolerance, "\(change)")
        let decoded = rig.decoded
        let start = try #require(rig.output.firstIndex { abs($0) > 0.01 })
        let first = try #require(decoded.firstIndex { abs($0) > 0.01 })
        // Behind the fade at the start of playing.
        let skipped = 4_096
        let count = place + Self.rate / 2
        let heard = rig.output[(start + skipped)..<(start + count)]
        let worst = zip(heard, decoded[(first + skipped)...]).reduce(Float(0)) { max($0, abs($1.0 - $1.1)) }
        #expect(worst < 1e-5)
    }

    @Test(
        "Another track of a file is gone over to in 20 ms, and nothing is lost",
        arguments: ["flac", "aac"],
        [false, true]
    )
    func files(codec: String, isRemote: Bool) throws {
        let scratch = try ScratchDirectory()
        let path = try film(scratch, "\(codec).mp4", ["-c:a", codec, "-strict", "-2"])
        let (before, after) = (try samples(path, language: "en"), try samples(path, language: "de"))
        let server = try ScriptedHTTPServer()
        defer { server.stop() }
        server.route("/film", .file(try Inputs.bytes(path)))
        let rig = SoundChangeRig()
        rig.play(try url(isRemote ? server.url("/film") : path))
        try check(rig, before, after, tolerance: codec == "flac" ? 1e-6 : 1e-3)
    }

    @Test("Between two tracks of the same sound the level stays")
    func sameSound() throws {
        let scratch = try ScratchDirectory()
        let path = scratch.file("same.mka")
        try FFmpeg.run(
            ["-f", "lavfi", "-i", "sine=1000:r=\(Self.rate):d=30", "-map", "0", "-map", "0", "-c:a", "flac"]
                + ["-metadata:s:a:0", "language=eng", "-metadata:s:a:1", "language=ger", path]
        )
        let rig = SoundChangeRig()
        rig.play(try url(path))
        #expect(rig.crank { rig.decoded.count > Self.rate && rig.streamer.language == "en" })
        rig.streamer.setPreferredLanguages(["de"])
        #expect(rig.crank { rig.streamer.language == "de" })
        let place = rig.decoded.count
        #expect(rig.crank { rig.decoded.count > place + Self.rate })
        let samples = rig.decoded
        // Blocks of whole periods.
        let levels = stride(from: 4_410, to: samples.count - 441, by: 441).map { start in
            10 * log10(samples[start..<start + 441].reduce(0) { $0 + Double($1) * Double($1) } / 441)
        }
        let (lowest, highest) = (levels.min() ?? 0, levels.max() ?? 0)
        #expect(highest - lowest < 0.05, "\(highest - lowest) dB")
    }

    @Test("A track of Matroska is gone over to as exactly as its times tell, at its own rate")
    func matroska() throws {
        let scratch = try ScratchDirectory()
        let path = try film(scratch, "a.mka", ["-c:a:0", "flac", "-c:a:1", "libopus"])
        let rig = SoundChangeRig()
        rig.play(try url(path))
        #expect(rig.crank { rig.decoded.count > 2 * Self.rate })
        rig.streamer.setPreferredLanguages(["deu"])
        #expect(rig.crank { rig.streamer.language == "de" })
        let place = rig.decoded.count
        #expect(rig.crank { rig.decoded.count > place + Self.rate })
        #expect(rig.states.drop { $0 != .playing } == [.playing])
        // Opus is decoded at 48 kHz, and brought to the rate of what was heard first.
        let after = try FFmpeg.decode(path, ["-map", "0:a:1", "-ar", "44100"])
        let change = try #require(
            rig.change(from: try samples(path, language: "en"), to: after, fade: Self.fade, shift: 70)
        )
        #expect(change.worst < 0.02, "\(change)")
        #expect(rig.gaps == 0)
    }

    @Test("Another rendition of a presentation is gone over to in the same way")
    func renditions() throws {
        let scratch = try ScratchDirectory()
        let server = try ScriptedHTTPServer()
        defer { server.stop() }
        let (english, german) = try serveLanguages(scratch, server)
        let before = try HLSReading(path: english + "/index.m3u8").read()
        let after = try HLSReading(path: german + "/index.m3u8").read()
        let rig = SoundChangeRig()
        rig.play(try url(server.url("/film.m3u8")))
        try check(rig, before, after, tolerance: 1e-3)
    }

    /// Serves a presentation with two languages, and returns the folders of these.
    private func serveLanguages(_ scratch: ScratchDirectory, _ server: ScriptedHTTPServer) throws -> (String, String) {
        let english = try HLSFixtures.make(
            .fragmented,
            in: scratch,
            named: "en",
            source: HLSFixtures.sine(seconds: 30, frequency: 440)
        )
        let german = try HLSFixtures.make(
            .transport,
            in: scratch,
            named: "de",
            source: HLSFixtures.sine(seconds: 30, frequency: 1000)
        )
        try HLSFixtures.serve(english, on: server, under: "/en")
        try HLSFixtures.serve(german, on: server, under: "/de")
        let text = """
            #EXTM3U
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="E",LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES,URI="en/index.m3u8"
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="D",LANGUAGE="de",AUTOSELECT=YES,URI="de/index.m3u8"
            #EXT-X-STREAM-INF:BANDWIDTH=900000,CODECS="avc1.4d401f,mp4a.40.2",RESOLUTION=640x360,AUDIO="a"
            video/index.m3u8
            """
        server.route("/film.m3u8", .file(Array(text.utf8), type: "application/vnd.apple.mpegurl"))
        return (english, german)
    }

    @Test("If the other sound cannot be had, the one before goes on, and a warning tells it")
    func failure() throws {
        let scratch = try ScratchDirectory()
        let server = try ScriptedHTTPServer()
        defer { server.stop() }
        let (english, _) = try serveLanguages(scratch, server)
        server.route("/de/index.m3u8", .status(404))
        let before = try HLSReading(path: english + "/index.m3u8").read()
        let rig = SoundChangeRig()
        rig.play(try url(server.url("/film.m3u8")))
        #expect(rig.crank { rig.decoded.count > 2 * Self.rate })
        rig.streamer.setPreferredLanguages(["de"])
        #expect(rig.crank { !rig.codes.isEmpty })
        let place = rig.decoded.count
        #expect(rig.crank { rig.decoded.count > place + 2 * Self.rate })
        let states = rig.states
        #expect(rig.codes == ["http.404"])
        #expect(rig.streamer.language == "en")
        #expect(largestDifference(rig.decoded, before) < 1e-6)
        #expect(states.drop { $0 != .playing } == [.playing])
    }

    @Test("A language that an input does not have is told, and changes nothing")
    func missingLanguage() throws {
        let scratch = try ScratchDirectory()
        let path = try film(scratch, "a.mp4", ["-c:a", "flac", "-strict", "-2"])
        let before = try samples(path, language: "en")
        let rig = SoundChangeRig()
        rig.play(try url(path))
        #expect(rig.crank { rig.decoded.count > 2 * Self.rate })
        #expect(rig.streamer.languages == ["en", "de"])
        rig.streamer.setPreferredLanguages(["fr"])
        #expect(rig.crank { !rig.codes.isEmpty })
        #expect(rig.codes == ["media.soundUnavailable"])
        #expect(largestDifference(rig.decoded, before) == 0)
    }

    @Test("A seek during a change leads to the other sound all the same")
    func seeking() throws {
        let scratch = try ScratchDirectory()
        let path = try film(scratch, "a.mp4", ["-c:a", "flac", "-strict", "-2"], seconds: 60)
        let after = try samples(path, language: "de")
        let server = try ScriptedHTTPServer()
        defer { server.stop() }
        server.route("/film", .file(try Inputs.bytes(path)).delayed(seconds: 0.2))
        let rig = SoundChangeRig()
        rig.play(try url(server.url("/film")))
        #expect(rig.crank { rig.decoded.count > 2 * Self.rate })
        rig.streamer.setPreferredLanguages(["de"])
        try rig.streamer.seek(to: 40)
        #expect(rig.crank { rig.streamer.language == "de" && rig.decoded.count > 41 * Self.rate })
        let place = rig.decoded.count
        #expect(rig.crank { rig.decoded.count > place + 2 * Self.rate })
        var decoded = rig.decoded
        // Behind the fade, which may have just begun.
        let start = place + 2 * Self.fade
        #expect(largestDifference(decoded[start...], after[start...]) == 0)
        #expect(rig.codes.isEmpty)
        try rig.streamer.seek(to: 10)
        #expect(rig.crank { rig.gaps == 2 && rig.decoded.count > 12 * Self.rate })
        decoded = rig.decoded
        #expect(largestDifference(decoded[(10 * Self.rate)...], after[(10 * Self.rate)...]) == 0)
        #expect(rig.gaps == 2)
    }

    @Test("An item plays the language that it prefers from the start, by either code of a language")
    func fromTheStart() throws {
        let scratch = try ScratchDirectory()
        let path = try film(scratch, "a.mp4", ["-c:a", "flac", "-strict", "-2"], seconds: 5)
        for code in ["de", "ger", "deu", "de-AT"] {
            #expect(try samples(path, language: code) == samples(path, language: "de"))
        }
        #expect(try samples(path, language: "de") != samples(path, language: "en"))
        let rig = SoundChangeRig()
        var item = try url(path)
        item.preferredLanguages = ["fr", "de"]
        rig.play(item)
        #expect(rig.crank { rig.decoded.count > Self.rate })
        #expect(largestDifference(rig.decoded, try samples(path, language: "de")) == 0)
    }

    @Test("The times of live renditions agree by the timestamps of their segments, also where these begin anew")
    func timebases() throws {
        let wrap = SegmentContent.wrap
        let old = HLSTimebase(clocks: [
            .init(discontinuity: 4, stamp: 100, time: 0), .init(discontinuity: 5, stamp: wrap - 1, time: 50),
        ])
        // The same moment: 2 s after the clock of the old one was met.
        let new = HLSTimebase(clocks: [.init(discontinuity: 5, stamp: 1, time: 0.25)])
        #expect(abs(try #require(old.shift(of: new)) - 51.75) < 1e-9)
        #expect(old.shift(of: HLSTimebase(clocks: [.init(discontinuity: 6, stamp: 1, time: 0)])) == nil)
    }
}
