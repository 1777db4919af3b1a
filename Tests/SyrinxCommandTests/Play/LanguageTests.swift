import Foundation
import SyrinxTestSupport
import Testing

@Suite("Languages of play")
struct LanguageTests {
    /// Makes a film with an English tone of 440 Hz and a German one of 1,000 Hz.
    private func film(_ scratch: ScratchDirectory, seconds: Int) throws -> String {
        let path = scratch.file("film.mp4")
        try FFmpeg.run(
            ["-f", "lavfi", "-i", "sine=440:r=44100:d=\(seconds)"]
                + ["-f", "lavfi", "-i", "sine=1000:r=44100:d=\(seconds)", "-map", "0", "-map", "1"]
                + ["-c:a", "flac", "-strict", "-2", "-metadata:s:a:0", "language=eng"]
                + ["-metadata:s:a:1", "language=ger", path]
        )
        return path
    }

    @Test("--language chooses among the tracks of an input, and what none is in leaves the choice to the input")
    func option() throws {
        let scratch = try ScratchDirectory()
        let path = try film(scratch, seconds: 2)
        for (language, track) in [("de", 1), ("fr,deu", 1), ("en", 0), ("fr", 0)] {
            let output = scratch.file("\(track).wav")
            let result = try Syrinx.run("play", "--language", language, "--output", "file:\(output)", path)
            #expect(result.status == 0)
            #expect(try FFmpeg.decode(output) == FFmpeg.decode(path, ["-map", "0:a:\(track)"]))
        }
        #expect(try Syrinx.run("play", "--language", "d", "--output", "null", path).status == 64)
    }

    @Test("The command audio-track goes to the next track, and to that of a place")
    func track() throws {
        let scratch = try ScratchDirectory()
        let path = try film(scratch, seconds: 60)
        let record = scratch.file("heard.wav")
        let running = try RunningSyrinx("play", "--json", "--control", "--output", "null", "--record", record, path)
        _ = try running.state("playing")
        let mark = running.events.count
        running.send(#"{"command":"audio-track","index":9}"#)
        running.send(#"{"command":"audio-track"}"#)
        running.send(#"{"command":"audio-track"}"#)
        running.send(#"{"command":"audio-track","index":1}"#)
        running.send(#"{"command":"rate","value":8}"#)
        _ = try running.event("position", after: mark) { $0["time"] as? Double ?? 0 > 30 }
        running.send(#"{"command":"rate","value":1}"#)
        _ = try running.event("position", after: mark) { $0["time"] as? Double ?? 0 > 40 }
        usleep(500_000)
        running.send(#"{"command":"stop"}"#)
        _ = running.process.wait()
        let samples = try FFmpeg.decode(record, ["-ac", "1"])
        #expect(abs(toneFrequency(Array(samples.suffix(24_000).prefix(12_000)), sampleRate: 48_000) - 1000) < 60)
    }

    @Test("The command language changes the sound while it plays, and a language that is not there is a warning")
    func command() throws {
        let scratch = try ScratchDirectory()
        let path = try film(scratch, seconds: 60)
        let record = scratch.file("heard.wav")
        let running = try RunningSyrinx("play", "--json", "--control", "--output", "null", "--record", record, path)
        _ = try running.state("playing")
        var mark = running.events.count
        running.send(#"{"command":"language","value":"fr"}"#)
        let warning = try running.event("warning", after: mark)
        #expect(warning["code"] as? String == "media.soundUnavailable")
        #expect((warning["message"] as? String)?.contains("en, de") == true)
        mark = running.events.count
        running.send(#"{"command":"language","value":"de"}"#)
        let settings = try running.event("settings", after: mark)
        #expect(settings["language"] as? String == "de")
        running.send(#"{"command":"rate","value":8}"#)
        _ = try running.event("position", after: mark) { $0["time"] as? Double ?? 0 > 30 }
        running.send(#"{"command":"rate","value":1}"#)
        _ = try running.event("position", after: mark) { $0["time"] as? Double ?? 0 > 40 }
        usleep(500_000)
        running.send(#"{"command":"stop"}"#)
        _ = running.process.wait()
        #expect(running.events[mark...].allSatisfy { $0["event"] as? String != "warning" })
        let samples = try FFmpeg.decode(record, ["-ac", "1"])
        // The device without a sound has 48 kHz.
        #expect(abs(toneFrequency(Array(samples.suffix(24_000).prefix(12_000)), sampleRate: 48_000) - 1000) < 60)
    }
}
