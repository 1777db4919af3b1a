import Foundation
import SyrinxListening
import SyrinxTestSupport
import Testing

@testable import syrinx

/// `syrinx analyze` as catalogues use it: lists in, one answer for each entry out.
struct AnalyzeTests {
    /// A tone of `seconds`, silent from 0.5 s to 1.5 s.
    private func makeTone(_ path: String, seconds: Int = 2) throws {
        let source = "aevalsrc=if(between(t\\,0.5\\,1.5)\\,0\\,0.5*sin(2*PI*1000*t+1)):s=8000:d=\(seconds)"
        try FFmpeg.run(["-f", "lavfi", "-i", source, "-metadata", "title=Tone", path])
    }

    private func lines(_ path: String) throws -> [[String: Any]] {
        Events.parse(try String(contentsOfFile: path, encoding: .utf8))
    }

    private func text(_ object: Any?) throws -> Data {
        try JSONSerialization.data(withJSONObject: try #require(object), options: .sortedKeys)
    }

    @Test("A result contains the values of info, meter and waveform")
    func anAnswerAgreesWithInfoMeterAndWaveform() throws {
        let scratch = try ScratchDirectory()
        try makeTone(scratch.file("a.wav"))
        let folder = scratch.file("peaks")
        let result = try Syrinx.run("analyze", "--waveforms", folder, scratch.file("a.wav"))
        #expect(result.status == 0, "\(result.errors)")
        let answer = try #require(result.objects.first)
        #expect(result.objects.count == 1 && answer["input"] as? String == scratch.file("a.wav"))
        let info = try #require(try Syrinx.run("info", "--json", scratch.file("a.wav")).objects.first)
        #expect(try text(answer["info"]) == text(info))
        let meter = try #require(try Syrinx.run("meter", "--json", scratch.file("a.wav")).objects.first)
        #expect(try text(answer["meter"]) == text(meter))
        let silences = try #require(answer["silences"] as? [[Double]])
        #expect(silences.count == 1 && abs(silences[0][0] - 0.5) < 0.001 && abs(silences[0][1] - 1.5) < 0.001)
        let waveform = try #require(answer["waveform"] as? String)
        #expect(waveform.hasPrefix(folder + "/a-"))
        _ = try Syrinx.run("waveform", "-o", scratch.file("a.dat"), scratch.file("a.wav"))
        #expect(FileManager.default.contentsEqual(atPath: waveform, andPath: scratch.file("a.dat")))
    }

    @Test("Requested measures are fields of the result")
    func measuresAreFieldsOfTheAnswer() throws {
        let scratch = try ScratchDirectory()
        let source = "aevalsrc=if(lt(t\\,0.5)\\,0\\,min(2*sin(2*PI*500*t)\\,0.5)):s=8000:d=2"
        try FFmpeg.run(["-f", "lavfi", "-i", source, "-ac", "2", scratch.file("a.wav")])
        try FFmpeg.run(["-i", scratch.file("a.wav"), "-metadata", "title=Copy", scratch.file("b.flac")])
        let plain = try #require(try Syrinx.run("analyze", scratch.file("a.wav")).objects.first)
        #expect(Set(plain.keys) == ["input", "info", "meter", "silences"])

        let result = try Syrinx.run(
            "analyze",
            "--jobs",
            "1",
            "--speech",
            "--clipping",
            "--edges",
            "--statistics",
            "--hash",
            "--fingerprint",
            scratch.file("a.wav"),
            scratch.file("b.flac")
        )
        #expect(result.status == 0, "\(result.errors)")
        let (first, second) = (try #require(result.objects.first), try #require(result.objects.last))
        let added: Set = [
            "speech", "music", "clipped", "silenceAtStart", "silenceAtEnd", "dcOffset", "correlation", "centroid",
            "soundHash", "fingerprint",
        ]
        #expect(Set(first.keys) == added.union(plain.keys))
        for name in added { #expect("\(first[name] ?? "")" == "\(second[name] ?? "")", "\(name)") }
        let start = try #require(first["silenceAtStart"] as? Double)
        #expect(abs(start - 0.5) < 0.001)
        let clipped = try #require(first["clipped"] as? Int)
        #expect(clipped > 3000 && first["correlation"] as? Double == 1)
        #expect((first["soundHash"] as? String)?.count == 64)
        let offset = try #require(first["dcOffset"] as? Double)
        #expect(offset < -0.05)
    }

    @Test("Each line of standard input has one result")
    func eachLineOfStandardInputHasOneAnswer() throws {
        let scratch = try ScratchDirectory()
        try makeTone(scratch.file("a.wav"))
        let list = """
            \(scratch.file("a.wav"))
            {"input": "\(scratch.file("a.wav"))"}

            \(scratch.file("missing.wav"))
            {"inputs": 3}
            ftp://example.org/a.wav
            -
            \(String(repeating: "x", count: 20_000))
            \(scratch.file("a.wav"))
            """
        let result = try Syrinx.run("analyze", "--jobs", "3", "-", stdin: Data(list.utf8))
        #expect(result.status == 65)
        let answers = result.objects
        #expect(answers.count == 8, "\(result.output)")
        #expect(answers.count { $0["info"] != nil && $0["error"] == nil } == 3)
        let codes = answers.compactMap { ($0["error"] as? [String: Any])?["code"] as? String }
        #expect(codes.count == 5 && codes.count { $0 == "usage.badInput" } == 4 && codes.contains("file.notFound"))
    }

    @Test("Results are written while standard input is still open")
    func answersComeWhileStandardInputStaysOpen() throws {
        let scratch = try ScratchDirectory()
        try makeTone(scratch.file("a.wav"))
        let syrinx = try RunningSyrinx("analyze", "-")
        for count in 1...2 {
            syrinx.send(scratch.file("a.wav"))
            waitUntil { syrinx.events.count == count || syrinx.process.exitStatus != nil }
            #expect(syrinx.events.count == count)
        }
        syrinx.closeInput()
        #expect(syrinx.process.wait() == 0)
    }

    @Test("A run skips the inputs that an earlier run has analyzed")
    func aRunGoesOnWhereAnEarlierOneEnded() throws {
        let scratch = try ScratchDirectory()
        try makeTone(scratch.file("a.wav"))
        let results = scratch.file("r.jsonl")
        let inputs = [scratch.file("a.wav"), scratch.file("b.wav")]
        #expect(try Syrinx.run("analyze", "--results", results, inputs[0], inputs[1]).status == 65)
        #expect(try lines(results).count == 2)
        // As after a crash in the middle of a line.
        let file = try #require(FileHandle(forWritingAtPath: results))
        file.seekToEndOfFile()
        file.write(Data("{\"input\": \"\(inputs[1])\", \"info\": {".utf8))
        file.closeFile()
        try makeTone(inputs[1], seconds: 3)
        let again = try Syrinx.run("analyze", "--results", results, inputs[0], inputs[1])
        #expect(again.status == 0 && again.output.isEmpty, "\(again.errors)")
        let answers = try lines(results)
        #expect(answers.count == 3)
        #expect(answers.last?["input"] as? String == inputs[1] && answers.last?["info"] != nil)
    }

    @Test("A path may begin like a JSON object, and only a whole object is one")
    func pathsThatLookLikeJSON() throws {
        func input(_ line: String) -> InputLine? { InputLine(line: Array(line.utf8)) }
        for path in ["{a}.wav", "{\"input\": \"a.wav\"", "{}x", "{1: 2}"] {
            #expect(input(path) == .input(try #require(ListeningInput(argument: path))), "\(path)")
        }
        #expect(
            input(" {\"input\": \"a.wav\", \"more\": [{}]} ") == .input(try #require(ListeningInput(argument: "a.wav")))
        )
        for object in ["{}", "{\"input\": 3}", "{\"input\": null}", "{\"inputs\": \"a\"}"] {
            guard case .refused(let failure) = input(object) else {
                Issue.record("\(object)")
                continue
            }
            #expect(failure.code == .badInputLine)
        }
    }

    @Test("Standard input that cannot be read is an error, and no end")
    func unreadableStandardInput() throws {
        let scratch = try ScratchDirectory()
        try makeTone(scratch.file("a.wav"))
        // A directory is opened and cannot be read.
        let line = "'\(Syrinx.path)' analyze '\(scratch.file("a.wav"))' - < '\(scratch.path)'"
        let result = try runProcess("/bin/sh", ["-c", line], environment: Syrinx.environment)
        #expect(result.status == 74 && result.errors.contains("standard input"), "\(result.errors)")
        #expect(result.objects.count { $0["info"] != nil } == 1)
    }

    @Test("Lines are found in pieces that are cut at any byte")
    func linesAreCutAtAnyByte() {
        let text = Array("one\n\ntwo two\nthree".utf8)
        for cut in 0...text.count {
            var cutter = LineCutter(limit: 7)
            let lines = cutter.take(Array(text[..<cut])) + cutter.take(Array(text[cut...])) + cutter.finish()
            #expect(lines == ["one", "", "two two", "three"].map { .text(Array($0.utf8)) })
        }
        var short = LineCutter(limit: 6)
        #expect(
            short.take(text) + short.finish() == [
                .text(Array("one".utf8)), .text([]), .tooLong, .text(Array("three".utf8)),
            ]
        )
    }
}
