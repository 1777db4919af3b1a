import Foundation
import SyrinxTerminal
import SyrinxTestSupport
import Testing

@testable import syrinx

/// Control characters and bidirectional overrides in tags, names and titles.
@Suite("Printed text")
struct PrintableTextTests {
    /// Sets a terminal's title, ends a colour with a C1 control, turns text around, and hides.
    ///
    /// In lower case, as the names of tags are reported.
    private static let evil = "a\u{1B}]0;x\u{7}b\u{9B}0mc\u{202E}d\u{2066}e\u{85}f\u{2028}g\u{200B}h"
    /// The printed form of the text.
    private static let harmless = "a ]0;x b 0mcde f gh"

    /// The characters of `text` that may not be printed, but for line feeds and `others`.
    private func forbidden(_ text: String, butFor others: Set<Unicode.Scalar> = []) -> [String] {
        text.unicodeScalars.filter { scalar in
            guard scalar != "\n", !others.contains(scalar) else { return false }
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: return true
            case .format: return scalar != "\u{200C}" && scalar != "\u{200D}"
            default: return false
            }
        }.map { String($0.value, radix: 16) }
    }

    /// Two seconds of sound with such tags and chapters, under such a name.
    private func sound(in scratch: ScratchDirectory, _ ending: String = "flac") throws -> String {
        let plain = scratch.file("plain." + ending)
        var options = ["-metadata", "title=\(Self.evil)", "-metadata", "artist=\(Self.evil)"]
        if ending == "flac" { options += ["-metadata", "n\(Self.evil)=v"] }
        try Fixture.make(plain, seconds: 2, options)
        let path = scratch.file("f\(Self.evil).\(ending)")
        try FileManager.default.moveItem(atPath: plain, toPath: path)
        return path
    }

    @Test("A line of foreign text keeps its readable characters")
    func lines() {
        #expect(PrintableText.line(Self.evil) == Self.harmless)
        #expect(PrintableText.lines("a\n\(Self.evil)") == "a\n\(Self.harmless)")
        for text in ["Ärger – “naïve” 日本語 مرحبا", "👩\u{200D}👧", "می\u{200C}خواهم", ""] {
            #expect(PrintableText.line(text) == text)
        }
        // Every control and format character that Unicode has in its first planes.
        for value in Array(0...0xD7FF) + Array(0xE000...0x1FFFF) + Array(0xE0000...0xE01EF) {
            guard let scalar = Unicode.Scalar(UInt32(value)) else { continue }
            let text = String(scalar)
            if !forbidden(PrintableText.line(text)).isEmpty || !forbidden(PrintableText.escaped(json: text)).isEmpty {
                Issue.record("U+\(String(value, radix: 16))")
            }
        }
    }

    @Test("JSON with control characters decodes to the original text")
    func json() throws {
        let object = ["a\(Self.evil)": "\u{10FFFF}\u{E0001}\(Self.evil)\u{7F}\u{FEFF}\""]
        let text = String(decoding: try JSONEncoder().encode(object), as: UTF8.self)
        let escaped = PrintableText.escaped(json: text)
        #expect(forbidden(escaped).isEmpty)
        let read = try JSONDecoder().decode([String: String].self, from: Data(escaped.utf8))
        #expect(read.first?.key.unicodeScalars.elementsEqual("a\(Self.evil)".unicodeScalars) == true)
        #expect(
            read.first?.value.unicodeScalars.elementsEqual(
                object.first?.value.unicodeScalars ?? Self.evil.unicodeScalars
            ) == true
        )
    }

    @Test("info prints names and values of tags, and the name of the file, without control characters")
    func info() throws {
        let scratch = try ScratchDirectory()
        let path = try sound(in: scratch)
        let result = try Syrinx.run("info", path)
        #expect(result.status == 0)
        #expect(forbidden(result.output).isEmpty, "\(forbidden(result.output))")
        #expect(result.output.hasPrefix(PrintableText.line(path) + "\n"))
        #expect(result.output.contains("n\(Self.harmless)") && result.output.contains("title"))
        #expect(result.output.components(separatedBy: Self.harmless).count == 5, "\(result.output)")
    }

    @Test("JSON of info has exact tags and names, with control characters escaped")
    func exactInfo() throws {
        let scratch = try ScratchDirectory()
        let path = try sound(in: scratch)
        let result = try Syrinx.run("info", "--json", path)
        #expect(forbidden(result.output).isEmpty)
        let object = try #require(result.objects.first)
        #expect((object["url"] as? String)?.unicodeScalars.elementsEqual(path.unicodeScalars) == true)
        let tags = try #require(object["tags"] as? [String: String])
        #expect(tags["title"]?.unicodeScalars.elementsEqual(Self.evil.unicodeScalars) == true)
        #expect(tags.keys.contains { $0.unicodeScalars.elementsEqual("n\(Self.evil)".unicodeScalars) })
    }

    @Test("meter prints a clean file name, and its JSON the exact one")
    func meter() throws {
        let scratch = try ScratchDirectory()
        let path = try sound(in: scratch, "wav")
        let text = try Syrinx.run("meter", path)
        #expect(text.status == 0 && forbidden(text.output).isEmpty)
        #expect(text.output.hasPrefix(PrintableText.line(path) + "\n"))
        let json = try Syrinx.run("meter", "--json", path)
        #expect(forbidden(json.output).isEmpty)
        #expect((json.objects.first?["url"] as? String)?.unicodeScalars.elementsEqual(path.unicodeScalars) == true)
    }

    @Test("Events of play have exact titles and names, with control characters escaped")
    func events() throws {
        let scratch = try ScratchDirectory()
        let path = try sound(in: scratch)
        let result = try Syrinx.run("play", "--json", "--output", "file:/dev/null", path)
        #expect(result.status == 0 && forbidden(result.output).isEmpty)
        let titles = result.objects.compactMap { $0["title"] as? String }
        #expect(titles.contains { $0.unicodeScalars.elementsEqual(Self.evil.unicodeScalars) })
        let names = result.objects.compactMap { $0["url"] as? String }
        #expect(names.contains { $0.unicodeScalars.elementsEqual(path.unicodeScalars) })
    }

    @Test("A terminal shows titles and file names without control characters", arguments: ["xterm", "dumb"])
    func terminal(term: String) throws {
        let scratch = try ScratchDirectory()
        for ending in ["flac", "wav"] {
            // The WAV has the title; only its name is left without one.
            let path = try sound(in: scratch, ending)
            let script = scratch.file("play.sh")
            try Data("exec '\(Syrinx.path)' play --output null '\(path)' '\(path).none'\n".utf8)
                .write(to: URL(fileURLWithPath: script))
            let running = try RunningSyrinx(
                program: "script",
                arguments: ["-qfec", "stty cols 200 rows 24; sh '\(script)'", scratch.file("typescript")],
                environment: ["TERM": term, "SHELL": "/bin/sh"]
            )
            #expect(waitUntil { running.process.exitStatus != nil })
            // What the command itself tells a terminal begins with ESC [, but for the question for the background, and never sets a title.
            let question = String(decoding: GridPainter.backgroundQuestion, as: UTF8.self)
            let seen = running.output.replacingOccurrences(of: question, with: "")
            #expect(forbidden(seen, butFor: ["\r", "\u{1B}"]).isEmpty, "\(forbidden(seen))")
            #expect(!seen.contains("\u{1B}]") && seen.contains(Self.harmless), "\(seen.debugDescription)")
        }
    }

    @Test(
        "An error message has no control character",
        arguments: ["info", "meter", "play", "render", "waveform"]
    )
    func errors(command: String) throws {
        let scratch = try ScratchDirectory()
        let target =
            command == "render" ? [scratch.file("x.wav")] : command == "waveform" ? ["-o", scratch.file("x.dat")] : []
        for name in [scratch.file("none\(Self.evil)"), "http://127.0.0.1:1/\(Self.evil)", "nothing://\(Self.evil)"] {
            let result = try runProcess(Syrinx.path, [command, name] + target, environment: Syrinx.environment)
            #expect(result.status != 0)
            // PulseAudio's library complains by itself that there is no home.
            #expect(result.errorLines.count { $0.hasPrefix("syrinx: ") } == 1, "\(result.errors)")
            #expect(forbidden(result.errors).isEmpty, "\(forbidden(result.errors)): \(result.errors.debugDescription)")
        }
    }
}
