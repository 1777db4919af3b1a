import Foundation
import SyrinxTestSupport
import Testing

/// Case 40 of the faults, with processes: what one writes that is killed, or two at once, another plays.
@Suite("Cache after a crash") struct CacheCrashTests {
    private let scratch: ScratchDirectory
    private let server: ScriptedHTTPServer
    private let bytes: [UInt8]

    init() throws {
        scratch = try ScratchDirectory()
        server = try ScriptedHTTPServer()
        try Fixture.make(scratch.file("in.wav"), seconds: 8)
        bytes = [UInt8](try #require(FileManager.default.contents(atPath: scratch.file("in.wav"))))
    }

    private var environment: [String: String] { ["XDG_CACHE_HOME": scratch.path] }

    /// Every piece that lies in the cache, in the midst of whatever.
    private var pieces: [String] {
        let files = FileManager.default.enumerator(atPath: scratch.file("syrinx"))?.compactMap { $0 as? String } ?? []
        return files.filter { Int64(($0 as NSString).lastPathComponent, radix: 16) != nil && $0.contains("/") }
    }

    private func play(_ output: String) throws -> ProcessResult {
        try runProcess(
            Syrinx.path,
            ["play", "--json", "--output", "file:\(scratch.file(output))", server.url("/in.wav")],
            environment: Syrinx.environment.merging(environment) { $1 }
        )
    }

    private func check(_ output: String) throws {
        #expect(try readWAV(scratch.file(output)).channels == Fixture.decode(scratch.file("in.wav")))
    }

    @Test("Killed while it writes, again and again: the next one plays no wrong sample, and fetches only the rest")
    func killed() throws {
        for round in 1...3 {
            // Each comes a good part further, however quick the machine is, and then gets no more.
            let reach = Int64(round) * Int64(bytes.count) / 4
            let bytes = bytes
            server.route("/in.wav") { request, _ in
                let start = request.range.flatMap { Int64($0.dropFirst(6).prefix { $0 != "-" }) } ?? 0
                return .file(bytes).cut(after: max(0, reach - start), .hang)
            }
            let kept = pieces.count
            let process = try ChildProcess(
                Syrinx.path,
                ["play", "--output", "null", server.url("/in.wav")],
                environment: Syrinx.environment.merging(environment) { $1 }
            )
            #expect(waitUntil { pieces.count > kept + 1 })
            process.signal(SIGKILL)
            #expect(process.wait() == 128 + SIGKILL)
        }
        // What was cut off in the middle of a write is there whole or not at all; what is damaged otherwise is seen.
        let victim = try #require(pieces.sorted().first { $0.hasSuffix("/2") })
        let file = scratch.url("syrinx/" + victim)
        try Data(contentsOf: file).dropLast(100).write(to: file)
        server.route("/in.wav", .file(bytes))
        let before = server.requests.count
        #expect(try play("out.wav").status == 0)
        try check("out.wav")
        let ranges = server.requests.dropFirst(before).compactMap(\.range)
        #expect(ranges.contains("bytes=131072-") && !ranges.contains("bytes=0-"))
        // And then all of it is there, but for a piece that was left in its middle for the damaged one.
        let asked = server.requests.count
        #expect(try play("again.wav").status == 0)
        try check("again.wav")
        #expect(server.requests.count <= asked + 1)
    }

    @Test("Two at once: both play every sample, and so does who comes after them")
    func two() throws {
        server.route("/in.wav", .file(bytes))
        let processes = try (0..<2).map { index in
            try ChildProcess(
                Syrinx.path,
                ["play", "--output", "file:\(scratch.file("\(index).wav"))", server.url("/in.wav")],
                environment: Syrinx.environment.merging(environment) { $1 }
            )
        }
        for process in processes { #expect(process.wait() == 0) }
        for index in 0..<2 { try check("\(index).wav") }
        #expect(try play("after.wav").status == 0)
        try check("after.wav")
        // The user's alone.
        for piece in pieces {
            let attributes = try FileManager.default.attributesOfItem(atPath: scratch.file("syrinx/" + piece))
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }
}
