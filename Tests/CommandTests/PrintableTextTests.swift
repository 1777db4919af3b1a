import Foundation
import TestSupport
import Testing

@testable import syrinx

/// Text of strangers on a terminal.
@Suite("Printed text") struct PrintableTextTests {
    /// An escape sequence that sets a terminal's title, one of C1, and an override of the direction.
    private static let evil = "a\u{1B}]0;owned\u{07}\u{9B}31m\u{202E}b\u{200B}\u{2028}c\u{7F}"

    private func isClean(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            if scalar == "\n" || scalar == "\t" { return true }
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: return false
            case .format: return scalar == "\u{200C}" || scalar == "\u{200D}"
            default: return true
            }
        }
    }

    @Test("Control characters become spaces, and invisible ones leave")
    func characters() {
        #expect(PrintableText.line(Self.evil) == "a ]0;owned  31mb c ")
        #expect(PrintableText.line("x\ny") == "x y" && PrintableText.lines("x\ny") == "x\ny")
        for text in ["Žluťoučký kůň", "日本語", "👩‍👩‍👧", "نمی‌خواهم", "plain"] { #expect(PrintableText.line(text) == text) }
    }

    @Test("JSON keeps every character, as an escape where it cannot be shown")
    func json() throws {
        let line = PrintableText.escaped(json: String(decoding: try JSONEncoder().encode([Self.evil]), as: UTF8.self))
        #expect(isClean(line))
        #expect(try JSONDecoder().decode([String].self, from: Data(line.utf8)) == [Self.evil])
    }

    @Test("A password does not hide behind an invisible character", arguments: ["", "\u{200B}", "\u{1B}", "\u{202E}"])
    func passwords(character: String) {
        let failure = Failure(
            code: "file.notFound",
            message: "it is gone",
            name: "http://us\(character)er:pw\(character)@h/a"
        )
        #expect(!failure.line.contains("pw") && isClean(failure.line), "\(failure.line)")
    }

    @Test("Tags, their names and names of files are printed clean by every command")
    func commands() throws {
        let scratch = try ScratchDirectory()
        let name = "x\u{1B}]0;owned\u{07}\u{9B}\u{202E}.flac"
        try Fixture.make(scratch.file("a.flac"), seconds: 0.5)
        // The name of a comment is the evil one, and as long as the usual one.
        var bytes = try Data(contentsOf: scratch.url("a.flac"))
        let marker = Data("encoder=".utf8)
        let place = try #require(bytes.range(of: marker))
        bytes.replaceSubrange(place, with: Data("e\u{1B}]0;o\u{07}=".utf8))
        try bytes.write(to: scratch.url(name))
        let outputs = [
            ["info", scratch.file(name)], ["meter", scratch.file(name)], ["info", scratch.file("missing" + name)],
            ["play", "--output", "file:/dev/null", scratch.file(name)],
            ["render", scratch.file(name), scratch.file("missing/out.wav")],
        ]
        for arguments in outputs {
            let result = try runProcess(Syrinx.path, arguments, environment: Syrinx.environment)
            #expect(
                isClean(result.output) && isClean(result.errors),
                "\(arguments[0]): \(result.output.debugDescription)"
            )
        }
        let told = try Syrinx.run("info", "--json", scratch.file(name))
        #expect(told.status == 0 && isClean(told.output))
        let tags = try #require(told.objects.first?["tags"] as? [String: String])
        #expect(tags.keys.contains { $0.contains("\u{1B}]0;o\u{07}") }, "\(tags)")
    }
}
