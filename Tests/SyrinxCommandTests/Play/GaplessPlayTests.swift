import Foundation
import SyrinxTestSupport
import Testing

/// Inputs that follow each other without a gap.
@Suite("play: gapless transitions") struct GaplessPlayTests {
    /// A sine that goes on from one file to the next, each a number of frames that nothing else ends at.
    private struct Sine {
        let scratch: ScratchDirectory
        let paths: [String]
        let counts: [Int]
        let sampleRate: Int
        static let frequency = 441.0

        init(_ ending: String, _ options: [String] = [], sampleRate: Int = 44_100, counts: [Int] = [50_123, 40_321])
            throws
        {
            scratch = try ScratchDirectory()
            var paths: [String] = []
            var start = 0
            for (index, count) in counts.enumerated() {
                let path = scratch.file("\(index).\(ending)")
                let sine = "0.5*sin(2*PI*\(Self.frequency)*(n+\(start))/\(sampleRate))"
                let source = "aevalsrc=exprs=\(sine)|\(sine):s=\(sampleRate),atrim=end_sample=\(count)"
                try FFmpeg.run(["-f", "lavfi", "-i", source] + options + [path])
                paths.append(path)
                start += count
            }
            (self.paths, self.counts, self.sampleRate) = (paths, counts, sampleRate)
        }

        /// Returns both parts, one after the other.
        func ideal() -> [Float] {
            let count = counts.reduce(0, +)
            return sineWave(frequency: Self.frequency, sampleRate: Double(sampleRate), frameCount: count)
        }

        /// The largest distance from the sine within 2,000 frames of the joint.
        func errorAtTheJoint(_ samples: [Float]) -> Float {
            let near = (counts[0] - 2_000)..<(counts[0] + 2_000)
            let ideal = ideal()
            return near.map { abs(samples[$0] - ideal[$0]) }.max() ?? 0
        }
    }

    @Test(
        "A sine cut in two lossless files is one sine in a file, to the bit, with events for each",
        arguments: ["wav", "flac"]
    )
    func lossless(ending: String) throws {
        let sine = try Sine(ending, ending == "wav" ? ["-c:a", "pcm_f32le"] : ["-sample_fmt", "s32"])
        let output = sine.scratch.file("out.wav")
        let result = try Syrinx.run("play", "--json", "--output", "file:\(output)", sine.paths[0], sine.paths[1])
        #expect(result.status == 0, "\(result.errors)")
        let samples = try readWAV(output).channels
        let expected = zip(try Fixture.decode(sine.paths[0]), try Fixture.decode(sine.paths[1])).map { $0 + $1 }
        #expect(samples == expected)
        #expect(sine.errorAtTheJoint(samples[0]) < 1e-4)
        checkEvents(result.objects, sine)
    }

    private func checkEvents(_ objects: [[String: Any]], _ sine: Sine) {
        let told = objects.compactMap { event -> String? in
            switch event["event"] as? String {
            case "state": event["state"] as? String
            case "opened", "ended": event["event"] as? String
            default: nil
            }
        }
        let first = ["opening", "opened", "buffering", "playing", "ended", "ended"]
        #expect(told == first + ["opening", "opened", "playing", "ended", "ended"], "\(told)")
        #expect(objects.filter { $0["event"] as? String == "opened" }.map { $0["url"] as? String } == sine.paths)
        let totals = objects.filter { $0["event"] as? String == "ended" }
        #expect(totals.map { $0["frames"] as? Int } == sine.counts)
        #expect(totals.allSatisfy { $0["underruns"] as? Int == 0 })
        let starts = objects.filter { $0["state"] as? String == "opening" }
        #expect(starts.map { $0["time"] as? Double } == [0, 0])
        // A duration event is about its own input.
        let durations = objects.filter { $0["event"] as? String == "duration" }.compactMap { $0["duration"] as? Double }
        // Events tell times to the microsecond.
        let expected = sine.counts.map { (Double($0) / Double(sine.sampleRate) * 1e6).rounded() / 1e6 }
        #expect(durations == expected)
    }

    /// LAME tells how long the sound is; Opus does by its granule positions. What is left is what the codecs make of an edge.
    @Test(
        "A sine cut in two compressed files is as long as they are, and has no gap",
        arguments: [
            ("mp3", ["-c:a", "libmp3lame", "-b:a", "320k"], Float(0.1)),
            ("opus", ["-c:a", "libopus", "-b:a", "256k"], 0.25),
        ]
    )
    func compressed(ending: String, options: [String], tolerance: Float) throws {
        let sine = try Sine(ending, options, sampleRate: ending == "opus" ? 48_000 : 44_100)
        let output = sine.scratch.file("out.wav")
        let result = try Syrinx.run("play", "--output", "file:\(output)", sine.paths[0], sine.paths[1])
        #expect(result.status == 0, "\(result.errors)")
        let samples = try readWAV(output).channels
        let expected = zip(try Fixture.decode(sine.paths[0]), try Fixture.decode(sine.paths[1])).map { $0 + $1 }
        #expect(samples[0].count == expected[0].count)
        #expect(Fixture.largestDifference(samples, expected) <= 1 / 32_768)
        #expect(sine.errorAtTheJoint(samples[0]) < tolerance, "\(sine.errorAtTheJoint(samples[0]))")
    }

    @Test("From servers, with ranges and without", arguments: [true, false])
    func fromServers(ranges: Bool) throws {
        let sine = try Sine("flac")
        let server = try ScriptedHTTPServer()
        defer { server.stop() }
        for (index, path) in sine.paths.enumerated() {
            let file = ScriptedResponse.file(Array(try #require(FileManager.default.contents(atPath: path))))
            server.route("/\(index)", ranges ? file : file.withoutRanges())
        }
        let output = sine.scratch.file("out.wav")
        let record = sine.scratch.file("record.wav")
        let inputs = [server.url("/0"), server.url("/1")]
        let written = try Syrinx.run("play", "--output", "file:\(output)", inputs[0], inputs[1])
        #expect(written.status == 0, "\(written.errors)")
        let expected = zip(try Fixture.decode(sine.paths[0]), try Fixture.decode(sine.paths[1])).map { $0 + $1 }
        #expect(try readWAV(output).channels == expected)
        let options = ["--output", "null", "--sample-rate", "44100", "--record", record]
        let heard = try runProcess(Syrinx.path, ["play"] + options + inputs, environment: Syrinx.environment)
        #expect(heard.status == 0, "\(heard.errors)")
        try expectInOnePiece(expected, record)
    }

    @Test(
        "On a device that keeps time one follows on the next sample, at its own rate and at another",
        arguments: [48_000, 44_100]
    )
    func onADevice(sampleRate: Int) throws {
        let sine = try Sine("flac", sampleRate: sampleRate)
        let record = sine.scratch.file("record.wav")
        let result = try Syrinx.run(
            "play",
            "--json",
            "--output",
            "null",
            "--record",
            record,
            sine.paths[0],
            sine.paths[1]
        )
        #expect(result.status == 0, "\(result.errors)")
        guard sampleRate != 48_000 else {
            let expected = zip(try Fixture.decode(sine.paths[0]), try Fixture.decode(sine.paths[1])).map { $0 + $1 }
            try expectInOnePiece(expected, record)
            return checkEvents(result.objects, sine)
        }
        // At the rate of the device it is a sine of its own: the next sample follows from the two before it.
        let samples = try readWAV(record).channels[0]
        let first = try #require(samples.firstIndex { abs($0) > 0.01 })
        let count = sine.counts.reduce(0, +) * 48_000 / sampleRate
        let sound = Array(samples[first...].prefix(count - 200).dropFirst(200)).map(Double.init)
        let factor = 2 * cos(2 * .pi * Sine.frequency / 48_000)
        let errors = (2..<sound.count).map { index -> Double in
            let next = factor * sound[index - 1] - sound[index - 2]
            return abs(sound[index] - next)
        }
        let worst = errors.max() ?? 1
        #expect(sound.count == count - 400 && worst < 1e-3, "\(worst)")
    }

    /// Whether a recording has all of it, to the bit, and silence around it.
    private func expectInOnePiece(_ expected: [[Float]], _ path: String) throws {
        let recorded = try readWAV(path).channels
        for (channel, right) in expected.enumerated() {
            let lead = try #require(right.firstIndex { $0 != 0 })
            let first = try #require(recorded[channel].firstIndex { $0 != 0 }) - lead
            try #require(first >= 0)
            #expect(Array(recorded[channel][first...].prefix(right.count)) == right)
            #expect(recorded[channel][(first + right.count)...].allSatisfy { $0 == 0 })
        }
    }

    @Test("An input that fails to open is reported and skipped")
    func passesOver() throws {
        let sine = try Sine("flac")
        let output = sine.scratch.file("out.wav")
        let inputs = [sine.paths[0], sine.scratch.file("missing.flac"), sine.paths[1]]
        let result = try runProcess(
            Syrinx.path,
            ["play", "--json", "--output", "file:\(output)"] + inputs,
            environment: Syrinx.environment
        )
        #expect(result.status == 66)
        let last = result.states.filter { ["ended", "failed", "stopped"].contains($0) }
        #expect(last == ["ended", "failed", "ended"])
        let expected = zip(try Fixture.decode(sine.paths[0]), try Fixture.decode(sine.paths[1])).map { $0 + $1 }
        #expect(try readWAV(output).channels == expected)
    }

    @Test("A command after the transition applies to the input that is heard")
    func commandsAfterTheJoint() throws {
        let sine = try Sine("flac", counts: [30_001, 400_000])
        let running = try RunningSyrinx("play", "--json", "--control", "--output", "null", sine.paths[0], sine.paths[1])
        _ = try running.event("opened") { $0["url"] as? String == sine.paths[1] }
        running.send(#"{"command":"seek","time":5}"#)
        _ = try running.event("position") { ($0["time"] as? Double ?? 0) >= 5 }
        running.send(#"{"command":"next"}"#)
        #expect(running.process.wait() == 0)
        let totals = running.events.filter { $0["event"] as? String == "ended" }
        #expect(totals.count == 2)
        #expect(running.events.last?["state"] as? String == "stopped")
    }
}
