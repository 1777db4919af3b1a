import Foundation
import SyrinxTestSupport
import Testing

@Suite("Files that commands write in the place of others") struct ReplacedFileTests {
    @Test(
        "A file keeps its permissions, a link stays one, and a pipe is written to",
        arguments: [["render"], ["waveform", "-o"]]
    )
    func asCopied(command: [String]) throws {
        let scratch = try ScratchDirectory()
        let isRender = command == ["render"]
        let (input, output) = (scratch.file("in.wav"), scratch.file(isRender ? "out.wav" : "out.json"))
        try Fixture.make(input, seconds: 0.5)
        func run(_ output: String) throws -> ProcessResult {
            let arguments =
                isRender ? ["render", input, output] : ["waveform", "-o", output, "--output-format", "json", input]
            return try runProcess(Syrinx.path, arguments, environment: Syrinx.environment)
        }
        try Data("old".utf8).write(to: URL(fileURLWithPath: output))
        #expect(chmod(output, 0o600) == 0 && symlink(output, scratch.file("link.wav")) == 0)
        #expect(try run(output).status == 0)
        let attributes = try FileManager.default.attributesOfItem(atPath: output)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let first = try Data(contentsOf: URL(fileURLWithPath: output))
        #expect(first.count > 100)
        try Data("old".utf8).write(to: URL(fileURLWithPath: output))
        #expect(try run(scratch.file("link.wav")).status == 0)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: scratch.file("link.wav")) == output)
        #expect(try Data(contentsOf: URL(fileURLWithPath: output)) == first)
        let pipe = scratch.file("pipe.wav")
        #expect(mkfifo(pipe, 0o600) == 0)
        let reader = try ChildProcess("/bin/cat", [pipe], stdout: .file(scratch.file("read")))
        #expect(try run(pipe).status == 0)
        #expect(reader.wait() == 0)
        #expect(try Data(contentsOf: scratch.url("read")).count > 100)
        #expect(try FileManager.default.attributesOfItem(atPath: pipe)[.type] as? FileAttributeType == .typeUnknown)
    }
}
