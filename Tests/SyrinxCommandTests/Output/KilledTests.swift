import Foundation
import SyrinxTestSupport
import Testing

@Suite("A command that is killed")
struct KilledTests {
    /// Whether the file system of temporary files has files without a name (`O_TMPFILE`).
    private static let hasUnnamedFiles: Bool = {
        guard let scratch = try? ScratchDirectory() else { return false }
        let probe = open(scratch.path, 0o20_000_000 | O_DIRECTORY | O_RDWR, 0o600)
        close(probe)
        return probe >= 0
    }()

    @Test("render leaves nothing beside its output", .enabled(if: hasUnnamedFiles, "no files without a name here"))
    func leavesNothing() throws {
        let scratch = try ScratchDirectory()
        let server = try ScriptedHTTPServer()
        defer { server.stop() }
        try Fixture.make(scratch.file("a.wav"), seconds: 20)
        let bytes = Array(try Data(contentsOf: scratch.url("a.wav")))
        // The end never comes.
        server.route("/a.wav", .file(bytes, type: "audio/wav").cut(after: Int64(bytes.count / 2), .hang))
        try FileManager.default.createDirectory(atPath: scratch.file("out"), withIntermediateDirectories: false)
        for name in ["x.flac", "x.m4a"] {
            let running = try RunningSyrinx("render", server.url("/a.wav"), scratch.file("out/\(name)"))
            waitUntil { self.opensOutput(running.process.pid, in: scratch) || running.process.exitStatus != nil }
            #expect(running.process.exitStatus == nil, "\(running.errors)")
            kill(running.process.pid, SIGKILL)
            #expect(running.process.wait(timeout: 10) == 128 + SIGKILL)
            #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.file("out")).isEmpty)
        }
    }

    /// Whether the process has a file in the folder open, which has no name.
    private func opensOutput(_ process: Int32, in scratch: ScratchDirectory) -> Bool {
        let folder = "/proc/\(process)/fd"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.contains { name in
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")
            return target?.hasPrefix(scratch.file("out/")) == true
        }
    }

    @Test("A recording is there up to shortly before the end")
    func recording() throws {
        let scratch = try ScratchDirectory()
        try Fixture.make(scratch.file("a.wav"), seconds: 30)
        let record = scratch.file("r.wav")
        let running = try RunningSyrinx("play", "--json", "--output", "null", "--record", record, scratch.file("a.wav"))
        let time = try #require(try running.event("position") { $0["time"] as? Double ?? 0 > 0.6 }["time"] as? Double)
        kill(running.process.pid, SIGKILL)
        _ = running.process.wait(timeout: 10)
        let frames = try readWAV(record).channels[0].count
        // It is brought up to date twenty times a second; the rest is for a busy machine.
        #expect(Double(frames) / 44_100 > time - 0.4, "\(frames) frames at \(time) s")
    }
}
