import Foundation
import SyrinxTestSupport
import Testing

@Suite("render on a terminal") struct QuestionTests {
    /// Renders a recording into a file that exists, on a terminal that `script` makes.
    private func render(_ options: String, answer: String?, in scratch: ScratchDirectory) throws -> (
        Int32?, String, Data
    ) {
        let (input, output) = (scratch.file("a.wav"), scratch.file("out.wav"))
        try Fixture.make(input, seconds: 1)
        try Data("kept".utf8).write(to: URL(fileURLWithPath: output))
        let running = try RunningSyrinx(
            program: "script",
            arguments: [
                "-qfec", "'\(Syrinx.path)' render \(options) '\(input)' '\(output)'", scratch.file("typescript"),
            ],
            environment: ["TERM": "xterm", "SHELL": "/bin/sh"]
        )
        if let answer {
            waitUntil { running.output.contains("exists. Replace it?") || running.process.exitStatus != nil }
            running.type(answer)
        }
        let status = running.process.wait()
        return (status, running.output, try Data(contentsOf: URL(fileURLWithPath: output)))
    }

    @Test("A file that exists is replaced after a yes, or without a question by --force")
    func replaces() throws {
        let scratch = try ScratchDirectory()
        let (status, output, data) = try render("", answer: "y\n", in: scratch)
        #expect(status == 0 && output.contains("out.wav exists. Replace it? [y/N]") && data.count > 1_000)
        let (forced, silent, replaced) = try render("--force", answer: nil, in: scratch)
        #expect(forced == 0 && !silent.contains("Replace it?") && replaced.count > 1_000)
    }

    @Test("Any other answer keeps the file, and so does Ctrl-C", arguments: ["\n", "no\n", "\u{3}"])
    func keeps(answer: String) throws {
        let scratch = try ScratchDirectory()
        let (status, output, data) = try render("", answer: answer, in: scratch)
        #expect(data == Data("kept".utf8))
        #expect(status == (answer == "\u{3}" ? 130 : 74), "\(output)")
    }

    @Test("A script is not asked")
    func scripts() throws {
        let scratch = try ScratchDirectory()
        let (input, output) = (scratch.file("a.wav"), scratch.file("out.wav"))
        try Fixture.make(input, seconds: 1)
        try Data("kept".utf8).write(to: URL(fileURLWithPath: output))
        let run = try Syrinx.run("render", input, output)
        #expect(run.status == 0 && run.errors.isEmpty)
    }
}
