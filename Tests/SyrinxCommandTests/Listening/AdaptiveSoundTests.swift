import Foundation
import SyrinxTestSupport
import Testing

@testable import syrinx

@Suite("Sound that adapts")
struct AdaptiveSoundTests {
    /// Bursts of a voice with consonants, 1.5 s each, and pauses as long, with a quiet noise in them.
    private func makeSpeech(_ path: String) throws {
        let voice = "0.3*sin(2*PI*(140+20*sin(2*PI*3*t))*t)*(0.6+0.4*sin(2*PI*4*t))+0.1*(random(0)-0.5)"
        let source = "aevalsrc='if(lt(mod(t,3),1.5),\(voice),0.001*(random(1)-0.5))':s=44100:d=30"
        try FFmpeg.run(["-f", "lavfi", "-i", source, path])
    }

    private func ended(_ result: ProcessResult) throws -> [String: Any] {
        try #require(result.objects.first { $0["event"] as? String == "ended" })
    }

    @Test("Smart speed tells exactly the time that it saves")
    func smartSpeed() throws {
        let scratch = try ScratchDirectory()
        try makeSpeech(scratch.file("a.wav"))
        let output = "file:" + scratch.file("o.wav")
        let plain = try ended(Syrinx.run("play", "--json", "--output", output, scratch.file("a.wav")))
        #expect(plain["timeSaved"] == nil && plain["frames"] as? Int == 30 * 44_100)
        var before = 0.0
        for strength in ["mild", "medium", "strong"] {
            let arguments = ["play", "--json", "--smart-speed", strength, "--output", output, scratch.file("a.wav")]
            let event = try ended(runProcess(Syrinx.path, arguments, environment: Syrinx.environment))
            let saved = try #require(event["timeSaved"] as? Double)
            let frames = try #require(event["frames"] as? Int)
            #expect(abs(Double(30 * 44_100 - frames) / 44_100 - saved) < 1e-4)
            #expect(saved > before + 1)
            before = saved
        }
    }

    @Test("--normalize stands alone or has a number, and a boosted voice is as loud as the target")
    func loudness() throws {
        let scratch = try ScratchDirectory()
        try makeSpeech(scratch.file("loud.wav"))
        try FFmpeg.run(["-i", scratch.file("loud.wav"), "-af", "volume=-20dB", scratch.file("a.wav")])
        let output = scratch.file("o.wav")
        func measure(_ options: [String]) throws -> Double {
            let arguments = ["play"] + options + ["--output", "file:" + output, scratch.file("a.wav")]
            #expect(try runProcess(Syrinx.path, arguments, environment: Syrinx.environment).status == 0)
            // From the tenth second on, when both have settled.
            let part = scratch.file("part.wav")
            try FFmpeg.run(["-y", "-ss", "10", "-i", output, part])
            let report = try Syrinx.run("meter", "--json", part).objects.first
            return try #require(report?["integrated"] as? Double)
        }
        #expect(try abs(measure([]) + 34.6) < 1)
        #expect(try abs(measure(["--normalize"]) + 16) < 1.5)
        #expect(try abs(measure(["--normalize", "-23"]) + 23) < 1.5)
        #expect(try abs(measure(["--voice-boost"]) + 16) < 2)
    }

    @Test("A number is put behind --normalize only where there is none")
    func completion() {
        #expect(AdaptiveOptions.completed(["play", "--normalize", "a.wav"]) == ["play", "--normalize=-16.0", "a.wav"])
        #expect(AdaptiveOptions.completed(["--normalize", "-20", "a"]) == ["--normalize", "-20", "a"])
        #expect(AdaptiveOptions.completed(["a", "--normalize"]) == ["a", "--normalize=-16.0"])
        #expect(AdaptiveOptions.completed(["play", "--", "--normalize"]) == ["play", "--", "--normalize"])
    }
}
