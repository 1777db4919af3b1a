import Foundation
import SyrinxTestSupport
import Testing

@Suite("render: damaged inputs")
struct DamagedInputTests {
    private static let formats: [(name: String, options: [String])] = [
        ("a.mp3", ["-c:a", "libmp3lame"]), ("a.m4a", ["-c:a", "aac", "-movflags", "+faststart"]),
        ("b.m4a", ["-c:a", "alac", "-movflags", "+faststart"]), ("a.flac", []), ("a.wav", []), ("a.aiff", []),
        ("a.caf", []), ("a.ogg", ["-c:a", "libvorbis"]), ("a.opus", ["-c:a", "libopus"]), ("a.mkv", ["-c:a", "flac"]),
    ]

    private struct Rendering {
        var result: ProcessResult
        var frames: Int?
        var left: [String]
    }

    /// Renders a file that is made of a part of another's bytes.
    private func render(_ bytes: Data, _ name: String, _ options: [String] = []) throws -> Rendering {
        let scratch = try ScratchDirectory()
        try bytes.write(to: scratch.url(name))
        let arguments = ["render"] + options + [scratch.file(name), scratch.file("out.wav")]
        let result = try runProcess(Syrinx.path, arguments, environment: Syrinx.environment)
        let left = try FileManager.default.contentsOfDirectory(atPath: scratch.path).filter { $0 != name }
        let frames = left.isEmpty ? nil : try readWAV(scratch.file("out.wav")).channels[0].count
        return Rendering(result: result, frames: frames, left: left)
    }

    private func make(_ format: (name: String, options: [String])) throws -> Data {
        let scratch = try ScratchDirectory()
        try Fixture.make(scratch.file(format.name), format.options)
        return try Data(contentsOf: scratch.url(format.name))
    }

    @Test(
        "What there is of a file that is cut off is written, with a line that says what is missing",
        arguments: formats.indices
    )
    func cutOff(index: Int) throws {
        let format = Self.formats[index]
        let whole = try make(format)
        let cut = whole.prefix(whole.count * 9 / 10)
        let plain = try render(cut, format.name)
        #expect(plain.result.status == 0, "\(plain.result.errors)")
        #expect(plain.result.errorLines.count == 1)
        // The last page of an Ogg file holds a second.
        let isOgg = ["a.ogg", "a.opus"].contains(format.name)
        let end = try #require(plain.result.errors.firstMatch(of: /: warning: it ends at 0:0([12])\./))
        #expect(isOgg || end.1 == "2", "\(plain.result.errors)")
        #expect(plain.result.errors.contains("the rest is missing"))
        let all = try #require(try render(whole, format.name).frames)
        #expect(
            ((isOgg ? 0.6 : 0.7)...0.95).contains(Double(plain.frames ?? 0) / Double(all)),
            "\(plain.frames ?? 0) of \(all)"
        )
        let strict = try render(cut, format.name, ["--strict"])
        #expect(strict.result.status == 74 && strict.left.isEmpty && strict.result.errorLines.count == 1)
        // What stands between the decoder and the file gives all that it holds.
        let changed = try render(cut, format.name, ["--rate", "2", "--sample-rate", "32000"])
        let expected = Double(plain.frames ?? 0) / 2 * 32_000 / (format.name == "a.opus" ? 48_000 : 44_100)
        #expect(changed.result.status == 0 && abs(Double(changed.frames ?? 0) - expected) <= 2, "\(format.name)")
    }

    @Test("So it is with a file of which a part in the middle is missing", arguments: formats.indices)
    func holed(index: Int) throws {
        let format = Self.formats[index]
        let whole = try make(format)
        let holed = whole.prefix(whole.count * 45 / 100) + whole.suffix(whole.count / 2)
        let plain = try render(holed, format.name)
        #expect(plain.result.status == 0, "\(plain.result.errors)")
        #expect(
            plain.result.errorLines.count == 1 && plain.result.errors.contains(": warning: "),
            "\(plain.result.errors)"
        )
        // Behind the hole the tables of an MP4 lead astray, and Matroska goes on with its next cluster.
        let least = [".m4a", ".mkv"].contains { format.name.hasSuffix($0) } ? 0.4 : 0.9
        #expect(Double(plain.frames ?? 0) > least * Double(try #require(try render(whole, format.name).frames)))
        let strict = try render(holed, format.name, ["--strict"])
        #expect(strict.result.status == 74 && strict.left.isEmpty, "\(strict.result.errors)")
    }

    @Test("A whole input is rendered without a warning, also with --strict", arguments: formats.indices)
    func whole(index: Int) throws {
        let format = Self.formats[index]
        let result = try render(try make(format), format.name, ["--strict"]).result
        #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    }

    @Test("A file of which nothing but the header is left is refused")
    func headerOnly() throws {
        let whole = try make(("a.wav", []))
        let rendering = try render(whole.prefix(80), "a.wav")
        #expect(
            [65, 74].contains(rendering.result.status ?? 0) && rendering.left.isEmpty,
            "\(rendering.result.errors)"
        )
    }
}
