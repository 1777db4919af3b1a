import Foundation
import SyrinxTestSupport
import Testing

@Suite("render and play with effects") struct EffectRenderTests {
    private func render(_ arguments: String...) throws -> [[Float]] {
        let scratch = try ScratchDirectory()
        // A second of a tone of −20 dB at 1 kHz, and a second of silence.
        let source = "aevalsrc=0.1*sin(2*PI*1000*t)*lt(t\\,1):s=48000:d=2"
        try FFmpeg.run(["-f", "lavfi", "-i", source, scratch.file("a.wav")])
        let output = scratch.file("out.wav")
        let result = try runProcess(
            Syrinx.path,
            ["render"] + arguments + ["--sample-format", "f32", scratch.file("a.wav"), output],
            environment: Syrinx.environment
        )
        try #require(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
        return try readWAV(output).1
    }

    @Test("An equalizer changes the level by its gain, and the length stays")
    func equalizer() throws {
        let output = try render("--effect", "eq:frequency=1000,gain=6", "--effect", "eq:frequency=1000,gain=6")[0]
        #expect(abs(output.count - 96_000) < 4_800)
        #expect(abs(levelDecibels(Array(output[12_000..<36_000])) - (-23.01 + 12)) < 0.05)
    }

    @Test("The tail of an echo follows the input until −90 dB, unless it is not wanted")
    func tail() throws {
        let effect = "delay:time=0.5,feedback=50,lowPassCutoff=24000"
        let output = try render("--effect", effect)[0]
        // −20 dB falls by 6.02 dB each half second: below −90 dB after twelve rounds.
        let seconds = Double(output.count) / 48_000
        #expect(abs(seconds - 7) < 0.51, "\(seconds) s")
        #expect(abs(output[output.count - 1]) >= 0.000_031_6)
        let cut = try render("--effect", effect, "--no-tail")[0]
        #expect(cut.count == 96_000 && cut == Array(output[..<96_000]))
    }

    @Test("The latency of a limiter is taken off: what it need not limit stays where it was, bit for bit")
    func latency() throws {
        let dry = try render()[0]
        let limited = try render("--effect", "limiter")[0]
        #expect(limited == dry)
    }

    @Test(
        "A file that play writes begins and ends where that of render does",
        arguments: [
            "delay:time=0.5,feedback=50", "delay:time=2,feedback=10", "reverb:preset=cathedral", "limiter",
            "distortion",
            "lowpass",
        ]
    )
    func playedFile(effect: String) throws {
        let scratch = try ScratchDirectory()
        let source = "aevalsrc=0.1*sin(2*PI*1000*t):s=48000:d=1"
        try FFmpeg.run(["-f", "lavfi", "-i", source, scratch.file("a.wav")])
        let (rendered, played) = (scratch.file("rendered.wav"), scratch.file("played.wav"))
        let input = [scratch.file("a.wav"), "--effect", effect]
        func run(_ arguments: [String]) throws -> ProcessResult {
            try runProcess(Syrinx.path, arguments, environment: Syrinx.environment)
        }
        let first = try run(["render", "--sample-format", "f32"] + input + [rendered])
        let second = try run(["play", "--json", "--output", "file:\(played)"] + input)
        #expect(first.status == 0 && second.status == 0, "\(first.errors)\(second.errors)")
        let right = try readWAV(rendered).channels[0]
        let samples = try readWAV(played).channels[0]
        #expect(samples.count == right.count)
        #expect(zip(samples, right).allSatisfy { abs($0 - $1) < 1e-6 })
        let ended = second.objects.last { $0["event"] as? String == "ended" }
        #expect(ended?["frames"] as? Int == right.count)
        // The silence between two echoes is no lack of data.
        let states = second.objects.compactMap { $0["state"] as? String }
        #expect(states == ["opening", "buffering", "playing", "ended"])
    }

    @Test("play sends what it plays through the effects, and a wrong one is a wrong command line")
    func play() throws {
        let scratch = try ScratchDirectory()
        try FFmpeg.run(["-f", "lavfi", "-i", "sine=frequency=8000:sample_rate=48000:duration=1", scratch.file("a.wav")])
        let output = scratch.file("out.wav")
        let played = try Syrinx.run(
            "play",
            "--output",
            "file:\(output)",
            "--effect",
            "lowpass:frequency=1000",
            scratch.file("a.wav")
        )
        #expect(played.status == 0, "\(played.errors)")
        let change =
            levelDecibels(Array(try readWAV(output).1[0][12_000..<36_000]))
            - levelDecibels(Array(try readWAV(scratch.file("a.wav")).1[0][12_000..<36_000]))
        // Three octaves above the cutoff, and the bilinear transform's share.
        #expect(abs(change - -37.6) < 1, "\(change) dB")
        #expect(try Syrinx.run("play", "--effect", "chorus", scratch.file("a.wav")).status == 64)
        let list = try Syrinx.run("play", "--effect-list")
        #expect(list.status == 0 && list.output.contains("mediumHall3") && list.output.contains("−40 … 20 dB"))
        #expect(try Syrinx.run("play", "--effect-list", "--json").objects.count == 9)
    }
}
