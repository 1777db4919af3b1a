import Foundation
import SyrinxTestSupport
import Testing

/// The programs of `Examples/Tutorial`, each in a process of its own, on a sound server of this test's own.
@Suite("The programs of the tutorial", .serialized)
struct TutorialTests {
    private let directory: ScratchDirectory
    private let server: ScriptedHTTPServer
    private let sound: PulseServer

    init() throws {
        directory = try ScratchDirectory()
        server = try ScriptedHTTPServer()
        sound = try PulseServer()
        let file = directory.file("episode.wav")
        try FFmpeg.run(["-f", "lavfi", "-i", "sine=d=9:r=8000", "-metadata", "title=The episode", file])
        let recording = try Data(contentsOf: URL(fileURLWithPath: file))
        server.route("/episode.wav", .file(Array(recording), type: "audio/wav"))
        let feed = """
            <rss version="2.0"><channel><title>The show</title><item><title>The episode</title><guid>1</guid>
            <enclosure url="\(server.url("/episode.wav"))" type="audio/wav" length="1"/></item></channel></rss>
            """
        server.route("/feed.xml", .file(Array(feed.utf8), type: "application/rss+xml"))
    }

    /// Returns the path of the program of a step, which lies beside the one that runs the tests.
    private func path(_ step: Int) throws -> String {
        let runner = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let folder = URL(fileURLWithPath: runner).deletingLastPathComponent()
        return folder.appendingPathComponent("syrinx-tutorial-\(step)").path
    }

    /// Runs the program of a step, which must succeed, and returns its output.
    /// - Parameters:
    ///   - step: The number of the step.
    ///   - commands: The lines of its standard input.
    private func run(_ step: Int, _ arguments: [String], commands: String = "") throws -> String {
        let result = try runProcess(
            path(step),
            arguments,
            environment: sound.environment,
            stdin: Data(commands.utf8)
        )
        #expect(result.status == 0, "\(result.errors)")
        return result.output
    }

    @Test("Step 1 prints the title and returns at the end of the recording")
    func playing() throws {
        #expect(try run(1, [server.url("/episode.wav")]) == "The episode\n")
    }

    @Test("Steps 2 to 4 seek to the second that a command names, and report an unknown command", arguments: 2...4)
    func commands(_ step: Int) throws {
        let output = try run(step, [server.url("/episode.wav")], commands: "8\nnothing\n")
        #expect(output.contains("0:08 / 0:09"))
        #expect(!output.contains("0:01 /"))
        #expect(output.contains("unknown command"))
        #expect(output.contains("###") == (step == 4))
    }

    @Test("Step 3 plays at the rate that a command sets")
    func rate() throws {
        let output = try run(3, [server.url("/episode.wav")], commands: "rate 32\npauses\nvoice\nrumble\npitch 100\n")
        #expect(!output.contains("unknown command"))
        // A position is shown every 0.1 s: about 90 times at the normal rate, at which the recording takes 9 s.
        #expect(output.filter { $0 == "\r" }.count < 40)
    }

    @Test("Step 5 lists episodes, and resumes at the position where the listener left")
    func podcasts() throws {
        let arguments = [directory.file("podcasts.sqlite"), server.url("/feed.xml")]
        #expect(try run(5, arguments) == "1. The episode (new)\n")
        let log = directory.file("output")
        let input = Pipe()
        let program = try ChildProcess(
            path(5),
            arguments + ["1"],
            environment: sound.environment,
            stdin: .descriptor(input.fileHandleForReading.fileDescriptor),
            stdout: .file(log)
        )
        input.fileHandleForWriting.write(Data("5\n".utf8))
        try #require(waitUntil { (try? String(contentsOfFile: log, encoding: .utf8))?.contains("0:05 /") == true })
        input.fileHandleForWriting.write(Data("q\n".utf8))
        try #require(waitUntil { program.exitStatus != nil })
        #expect(try run(5, arguments) == "1. The episode (at 0:05)\n")

        let output = try run(5, arguments + ["1"])
        #expect(output.contains("0:05 /"))
        #expect(!output.contains("0:01 /"))
        #expect(try run(5, arguments) == "1. The episode (played)\n")
    }

    @Test("Step 6 downloads an episode once, and plays the file")
    func downloads() throws {
        let arguments = [directory.file("podcasts.sqlite"), server.url("/feed.xml"), "1"]
        #expect(try run(6, arguments + ["download"], commands: "8\n").contains("downloading"))
        let requestCount = server.requests("/episode.wav").count
        #expect(try run(6, arguments, commands: "8\n").contains("0:08 / 0:09"))
        #expect(server.requests("/episode.wav").count == requestCount)
    }
}
