import Foundation
import Synchronization
import SyrinxTestSupport
import Testing

/// Case 40 of the faults, with a disk that fills up in the middle of the playing.
@Suite("Cache on a full disk") struct CacheFullTests {
    private static let piece = 65_536

    private let scratch: ScratchDirectory
    private let server: ScriptedHTTPServer
    private let bytes: [UInt8]
    private let clean: [[Float]]

    init() throws {
        scratch = try ScratchDirectory()
        server = try ScriptedHTTPServer()
        try Fixture.make(scratch.file("in.wav"), seconds: 8)
        bytes = [UInt8](try #require(FileManager.default.contents(atPath: scratch.file("in.wav"))))
        clean = try Fixture.decode(scratch.file("in.wav"))
    }

    /// Files in the cache, by the last part of their names.
    private var names: [String] {
        let paths = FileManager.default.enumerator(atPath: scratch.file("syrinx"))?.compactMap { $0 as? String } ?? []
        return paths.filter { $0.contains("/") }.map { ($0 as NSString).lastPathComponent }
    }

    private var pieceCount: Int { names.count { Int64($0, radix: 16) != nil } }

    /// Gives the first pieces, then some more once `mayGoOn`, and the rest once it has been told that the disk is full.
    private func serve(_ first: Int, _ second: Int, mayGoOn: Flag, isTold: Flag) {
        let bytes = bytes
        let stops = [first, second].map { Int64($0 * Self.piece + 1_000) }
        server.route("/in.wav") { request, index in
            // Less than what a silent server gets.
            if index > 0 { waitUntil(timeout: 8) { (index == 1 ? mayGoOn : isTold).isSet } }
            let start = request.range.flatMap { Int64($0.dropFirst(6).prefix { $0 != "-" }) } ?? 0
            guard index < stops.count, start < stops[index] else { return .file(bytes) }
            // Not by a reset, which discards what the client has not read yet.
            return .file(bytes).cut(after: stops[index] - start)
        }
    }

    private func isWarning(_ event: [String: Any]) -> Bool { event["event"] as? String == "warning" }

    /// The failure has been reported once, and nowhere else.
    private func check(_ events: [[String: Any]], _ output: String) throws {
        let warnings = events.filter(isWarning)
        #expect(warnings.compactMap { $0["code"] as? String } == ["file.cacheFailed"])
        #expect(events.last { $0["event"] as? String == "ended" }?["frames"] as? Int == clean[0].count)
        try check(output)
    }

    private func check(_ output: String) throws {
        let isSame = try readWAV(scratch.file(output)).channels == clean
        #expect(isSame)
    }

    /// A limit on the size of files stands for the disk, as anybody may set one: what is written comes to a part of a piece.
    @Test("No room for a whole piece, from some moment on: every sample is played, now and the next time")
    func limited() throws {
        let mayGoOn = Flag()
        let isTold = Flag()
        serve(6, 12, mayGoOn: mayGoOn, isTold: isTold)
        // What goes through a pipe has no size.
        try #require(mkfifo(scratch.file("pipe.wav"), 0o600) == 0)
        let copy = try ChildProcess(
            "/bin/cat",
            [scratch.file("pipe.wav")],
            stdout: .file(scratch.file("out.wav"))
        )
        let running = try RunningSyrinx(
            arguments: ["play", "--json", "--output", "file:\(scratch.file("pipe.wav"))", server.url("/in.wav")],
            environment: ["XDG_CACHE_HOME": scratch.path]
        )
        #expect(waitUntil { pieceCount == 6 })
        try #require(runProcess("prlimit", ["--pid=\(running.process.pid)", "--fsize=60000"]).status == 0)
        mayGoOn.set()
        #expect(waitUntil { running.events.contains(where: isWarning) || running.process.exitStatus != nil })
        isTold.set()
        #expect(running.process.wait() == 0, "\(running.errors)")
        #expect(copy.wait() == 0)
        try check(running.events, "out.wav")
        #expect(pieceCount == 6)
        #expect(!names.contains { $0.hasSuffix(".part") })

        let asked = server.requests.count
        let again = try runProcess(
            Syrinx.path,
            ["play", "--json", "--output", "file:\(scratch.file("again.wav"))", server.url("/in.wav")],
            environment: Syrinx.environment.merging(["XDG_CACHE_HOME": scratch.path]) { $1 }
        )
        #expect(again.status == 0)
        try check("again.wav")
        #expect(!again.objects.contains(where: isWarning))
        #expect(server.requests.dropFirst(asked).map(\.range) == ["bytes=\(6 * Self.piece)-"])
    }

    /// An output is not done without: it is said which, and no signal ends the command before that can be.
    @Test("An output beyond the limit on the size of files is an error", arguments: [true, false])
    func output(isPlayed: Bool) throws {
        let (input, output) = (scratch.file("in.wav"), scratch.file("out.wav"))
        let arguments = isPlayed ? ["play", "--output", "file:\(output)", input] : ["render", input, output]
        let script = "ulimit -f 200; exec \"$0\" \"$@\""
        let result = try runProcess(
            "/bin/sh",
            ["-c", script, Syrinx.path] + arguments,
            environment: Syrinx.environment
        )
        #expect(result.status == 74, "\(result.errors)")
        #expect(result.errorLines.count == 1 && result.errors.contains("out.wav"), "\(result.errors)")
    }

    /// In namespaces of its own anybody may mount a file system, on most machines.
    private static let canMount =
        (try? runProcess("unshare", ["-rm", "mount", "-t", "tmpfs", "-o", "size=512k", "none", "/mnt"]))?.status == 0

    @Test(
        "A file system of 512 KiB that is full: every sample is played, now and the next time",
        .enabled(if: canMount, "unshare -rm does not let us mount a tmpfs here")
    )
    func full() throws {
        let mayGoOn = Flag()
        let isTold = Flag()
        serve(6, 12, mayGoOn: mayGoOn, isTold: isTold)
        mayGoOn.set()
        let script = """
            mount -t tmpfs -o size=512k none "$1/cache" || exit 99
            export XDG_CACHE_HOME="$1/cache"
            "$2" play --json --output "file:$1/out.wav" "$3" || exit
            find "$1/cache" -name '*.part' >"$1/left"
            find "$1/cache" -type f >"$1/kept"
            echo '{"event":"again"}'
            "$2" play --json --output "file:$1/again.wav" "$3" || exit
            find "$1/cache" -name '*.part' >>"$1/left"
            """
        try FileManager.default.createDirectory(atPath: scratch.file("cache"), withIntermediateDirectories: true)
        let running = try RunningSyrinx(
            program: "unshare",
            arguments: ["-rm", "/bin/sh", "-c", script, "sh", scratch.path, Syrinx.path, server.url("/in.wav")]
        )
        #expect(waitUntil { running.events.contains(where: isWarning) || running.process.exitStatus != nil })
        isTold.set()
        #expect(running.process.wait() == 0, "\(running.errors)")
        let runs = running.events.split { $0["event"] as? String == "again" }
        try #require(runs.count == 2)
        try check(Array(runs[0]), "out.wav")
        // The disk is full still.
        try check("again.wav")
        #expect(FileManager.default.contents(atPath: scratch.file("left")) == Data())
        let kept = try String(contentsOfFile: scratch.file("kept"), encoding: .utf8).split(separator: "\n")
        // What is known of it, the lock of the cache, and up to seven pieces of 17 pages each.
        #expect((6...9).contains(kept.count), "\(kept)")
        let ranges = server.requests.compactMap(\.range)
        #expect(ranges.count { $0 == "bytes=0-" } == 1)
    }
}

/// Something that has happened, for threads that wait for it.
private final class Flag: Sendable {
    private let state = Mutex(false)
    var isSet: Bool { state.withLock { $0 } }
    func set() { state.withLock { $0 = true } }
}
