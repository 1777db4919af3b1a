import Foundation
import SyrinxTestSupport
import Testing

@Suite("meter")
struct MeterCommandTests {
    private func tone(_ scratch: ScratchDirectory, _ name: String, decibels: Double, seconds: Double = 4) throws {
        let amplitude = pow(10, decibels / 20)
        let source = "aevalsrc=\(amplitude)*sin(2*PI*1000*t)|\(amplitude)*sin(2*PI*1000*t):s=48000:d=\(seconds)"
        try FFmpeg.run(["-f", "lavfi", "-i", source, "-c:a", "pcm_f32le", scratch.file(name)])
    }

    @Test("JSON has every value; an album is more than its parts")
    func values() throws {
        let scratch = try ScratchDirectory()
        try tone(scratch, "a.wav", decibels: -23)
        try tone(scratch, "b.wav", decibels: -13)
        let result = try Syrinx.run("meter", "--json", "--album", scratch.file("a.wav"), scratch.file("b.wav"))
        #expect(result.status == 0)
        let objects = result.objects
        try #require(objects.count == 3)
        func near(_ index: Int, _ key: String, _ wanted: Double, _ tolerance: Double = 0.1) {
            let value = objects[index][key] as? Double ?? .nan
            #expect(abs(value - wanted) <= tolerance, "\(key) is \(value)")
        }
        for (index, level) in [-23.0, -13].enumerated() {
            for key in ["integrated", "momentaryMax", "shortTermMax"] { near(index, key, level) }
            near(index, "range", 0)
            near(index, "truePeak", level, 0.2)
            near(index, "samplePeak", level, 0.01)
            near(index, "rms", level - 3.01, 0.01)
            near(index, "replayGain", -18 - level)
            near(index, "replayPeak", pow(10, level / 20), 0.001)
        }
        #expect(objects[0]["url"] as? String == scratch.file("a.wav"))
        // Of energies 1 and 10 in equal parts.
        near(2, "integrated", -13 + 10 * log10(0.55), 0.15)
    }

    @Test("Silences, text, and nothing to measure")
    func text() throws {
        let scratch = try ScratchDirectory()
        let source = "aevalsrc=if(between(t\\,1\\,2.5)\\,0\\,0.5*sin(2*PI*1000*t+1)):s=8000:d=4"
        try FFmpeg.run(["-f", "lavfi", "-i", source, scratch.file("a.wav")])
        let result = try Syrinx.run("meter", "--silence", "-60", scratch.file("a.wav"))
        #expect(result.status == 0)
        #expect(result.output.contains("silences        1.000 – 2.500 s"), "\(result.output)")
        let json = try Syrinx.run("meter", "--json", "--silence", "-60", scratch.file("a.wav"))
        let silences = try #require(json.objects.first?["silences"] as? [[Double]])
        #expect(silences.count == 1 && abs(silences[0][0] - 1) < 0.001 && abs(silences[0][1] - 2.5) < 0.001)
        try FFmpeg.run(["-f", "lavfi", "-i", "anullsrc=r=8000:cl=mono", "-t", "1", scratch.file("s.wav")])
        let silent = try #require(try Syrinx.run("meter", "--json", scratch.file("s.wav")).objects.first)
        for key in ["integrated", "range", "truePeak", "samplePeak", "rms"] { #expect(silent[key] is NSNull) }
        #expect(try Syrinx.run("meter", scratch.file("missing.wav")).status == 66)
    }
}
