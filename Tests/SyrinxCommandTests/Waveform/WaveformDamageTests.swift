import Foundation
import SyrinxAnalysis
import SyrinxTestSupport
import Testing

@Suite("waveform: damage")
struct WaveformDamageTests {
    @Test("A recording that is cut off gives the picture of what is there, and says so")
    func damage() throws {
        let scratch = try ScratchDirectory()
        try Fixture.make(scratch.file("a.flac"))
        let data = try #require(FileManager.default.contents(atPath: scratch.file("a.flac")))
        try data.prefix(data.count / 2).write(to: scratch.url("cut.flac"))
        let result = try Syrinx.run("waveform", "-o", scratch.file("cut.dat"), scratch.file("cut.flac"))
        #expect(result.status == 0)
        #expect(result.errorLines.count == 1 && result.errors.contains("the rest is missing"))
        #expect(result.errors.hasPrefix("syrinx: \(scratch.file("cut.flac")): warning: "))
        let part = try PeakWaveform(datFile: try Data(contentsOf: scratch.url("cut.dat")))
        let whole = try Syrinx.run("waveform", "-o", scratch.file("whole.dat"), scratch.file("a.flac"))
        #expect(whole.status == 0)
        let all = try PeakWaveform(datFile: try Data(contentsOf: scratch.url("whole.dat")))
        #expect(part.count > 100 && part.count < all.count)
        #expect(part.blocks(0..<part.count - 1) == all.blocks(0..<part.count - 1))
        let measured = try Syrinx.run("meter", "--json", scratch.file("cut.flac"))
        #expect(measured.status == 0)
        #expect(measured.objects.first?["code"] as? String == "media.truncated")
        #expect(measured.objects.last?["integrated"] as? Double != nil)
        for command in [["waveform", "-o", scratch.file("strict.dat")], ["meter"]] {
            let strict = try runProcess(Syrinx.path, command + ["--strict", scratch.file("cut.flac")])
            #expect(strict.status == 74 && strict.output.isEmpty && strict.errorLines.count == 1, "\(strict.errors)")
        }
        #expect(!FileManager.default.fileExists(atPath: scratch.file("strict.dat")))
    }

    /// Recordings at a constant rate, so that a tenth of the bytes is a tenth of the time.
    private static let recordings = [
        "a.mp3": ["-c:a", "libmp3lame", "-b:a", "64k"], "a.flac": ["-c:a", "flac", "-frame_size", "576"],
        "a.m4a": ["-c:a", "aac", "-b:a", "64k", "-movflags", "+faststart"],
    ]

    /// Makes a recording, and the same with zeros in the place of a tenth of its bytes, in the middle.
    private func make(_ name: String, in scratch: ScratchDirectory) throws -> (whole: String, damaged: String) {
        let paths = (scratch.file(name), scratch.file("damaged-\(name)"))
        // As loud everywhere, so that each packet takes as many bytes as any other.
        let source = "aevalsrc=exprs=0.4*sin(2*PI*(200*t+80*t*t))+0.2*(random(0)-0.5):s=22050:d=10"
        try FFmpeg.run(["-f", "lavfi", "-i", source] + (Self.recordings[name] ?? []) + [paths.0])
        var bytes = try Data(contentsOf: URL(fileURLWithPath: paths.0))
        let tenth = bytes.count / 10
        bytes.replaceSubrange(bytes.count * 45 / 100..<bytes.count * 45 / 100 + tenth, with: Data(count: tenth))
        try bytes.write(to: URL(fileURLWithPath: paths.1))
        return paths
    }

    /// Runs the command on what is damaged: it ends well, and says in one line what it could not read.
    private func run(_ arguments: [String], of damaged: String) throws -> ProcessResult {
        let result = try runProcess(Syrinx.path, arguments + [damaged], environment: Syrinx.environment)
        try #require(result.status == 0, "\(result.errors)")
        #expect(result.errorLines.count == 1)
        #expect(result.errors.hasPrefix("syrinx: \(damaged): warning: "), "\(result.errors)")
        #expect(result.errors.contains(" could not be decoded"), "\(result.errors)")
        return result
    }

    /// The parts before and behind the damage, and the middle of it, of so many blocks.
    ///
    /// Headers take up to 3 % of a file, and packets lean on those before them.
    private func parts(of count: Int) -> (before: Range<Int>, inside: Range<Int>, behind: Range<Int>) {
        (0..<count * 41 / 100, count * 47 / 100..<count * 53 / 100, count * 59 / 100..<count)
    }

    @Test(
        "Values around damage keep their places, and the damage is reported",
        arguments: recordings.keys
    )
    func inside(name: String) throws {
        let scratch = try ScratchDirectory()
        let (whole, damaged) = try make(name, in: scratch)
        for format in ["dat", "json"] {
            let options = ["waveform", "-o", "-", "--output-format", format, "-z", "64"]
            func waveform(_ result: ProcessResult) throws -> PeakWaveform {
                format == "dat" ? try PeakWaveform(datFile: result.stdout) : try PeakWaveform(jsonFile: result.stdout)
            }
            let intact = try runProcess(Syrinx.path, options + [whole])
            try #require(intact.status == 0 && intact.errors.isEmpty, "\(intact.errors)")
            let expected = try waveform(intact)
            let actual = try waveform(try run(options, of: damaged))
            try #require(actual.count == expected.count)
            let parts = parts(of: actual.count)
            #expect(actual.blocks(parts.before) == expected.blocks(parts.before))
            #expect(actual.blocks(parts.inside).values.allSatisfy { $0 == 0 })
            #expect(actual.blocks(parts.behind) == expected.blocks(parts.behind))
        }
    }

    @Test("So are the columns of a picture", arguments: recordings.keys)
    func picture(name: String) throws {
        let scratch = try ScratchDirectory()
        let (whole, damaged) = try make(name, in: scratch)
        let width = 200
        let height = 41
        let options = ["waveform", "-z", "auto", "-w", "\(width)", "--height", "\(height)", "-o"]
        try #require(try runProcess(Syrinx.path, options + [scratch.file("whole.png"), whole]).status == 0)
        _ = try run(options + [scratch.file("damaged.png")], of: damaged)
        func columns(_ name: String) throws -> [[UInt8]] {
            let gray = ["-f", "rawvideo", "-pix_fmt", "gray", "-"]
            let pixels = try FFmpeg.run(["-i", scratch.file(name)] + gray)
            try #require(pixels.count == width * height)
            return (0..<width).map { x in (0..<height).map { pixels[$0 * width + x] } }
        }
        let expected = try columns("whole.png")
        let actual = try columns("damaged.png")
        let parts = parts(of: width)
        #expect(actual[parts.before] == expected[parts.before])
        #expect(actual[parts.behind] == expected[parts.behind])
        // A line of one pixel is silence.
        let background = actual[parts.inside.lowerBound][0]
        #expect(actual[parts.inside].allSatisfy { column in column.count { $0 != background } == 1 })
        #expect(expected[parts.inside].allSatisfy { column in column.count { $0 != background } > height / 3 })
    }

    @Test("The meter measures what is intact, and says the same to people and to scripts", arguments: recordings.keys)
    func measured(name: String) throws {
        let scratch = try ScratchDirectory()
        let (whole, damaged) = try make(name, in: scratch)
        let intact = try #require(try Syrinx.run("meter", "--json", whole).objects.first)
        let result = try run(["meter", "--json", "--silence", "-80"], of: damaged)
        let objects = result.objects
        try #require(objects.count == 2)
        #expect(objects[0]["event"] as? String == "warning" && objects[0]["code"] as? String == "media.corrupt")
        #expect(objects[0]["url"] as? String == damaged)
        #expect((objects[0]["message"] as? String).map { result.errors.contains($0) } == true)
        // Peaks may be higher: half a packet of MP3 may decode to a click.
        for key in ["integrated", "shortTermMax"] {
            let (value, wanted) = (objects[1][key] as? Double ?? .nan, intact[key] as? Double ?? .nan)
            #expect(abs(value - wanted) < 0.5, "\(key) is \(value), and \(wanted) of the whole")
        }
        let silences = try #require(objects[1]["silences"] as? [[Double]])
        try #require(silences.count == 1)
        #expect(abs(silences[0][0] - 4.5) < 0.35 && abs(silences[0][1] - 5.5) < 0.35, "\(silences)")
        _ = try run(["meter"], of: damaged)
    }
}
