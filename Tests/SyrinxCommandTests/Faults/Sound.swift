import Foundation
import SyrinxTestSupport
import Testing

/// The recording of the faults, and the command's output without a fault.
struct Sound: Sendable {
    /// A second of 16-bit stereo in 176,444 bytes, of which 44 are the head.
    static let wave = Sound("a.wav", seconds: 1)
    /// Two seconds at 128 kbit/s: nothing but frames.
    static let mp3 = Sound("a.mp3", seconds: 2, ["-b:a", "128k"] + framesOnly)
    /// Half a second at 32 kbit/s.
    static let shortMP3 = Sound("a.mp3", seconds: 0.5, ["-b:a", "32k"] + framesOnly)

    private static let framesOnly = ["-write_xing", "0", "-id3v2_version", "0"]

    /// The bytes, the command's own samples, and the memory it took.
    struct Clean: Sendable {
        let bytes: [UInt8]
        let samples: [[Float]]
        let peak: Int
    }

    private let making: Task<Clean, any Error>

    /// The same for all who ask.
    var clean: Clean { get async throws { try await making.value } }

    /// No tags: no event for them then.
    private init(_ name: String, seconds: Double, _ options: [String] = []) {
        making = Task {
            let scratch = try ScratchDirectory()
            try Fixture.make(scratch.file(name), seconds: seconds, options + ["-map_metadata", "-1", "-bitexact"])
            let bytes = Array(try #require(FileManager.default.contents(atPath: scratch.file(name))))
            let server = try ScriptedHTTPServer()
            server.route("/a", .file(bytes))
            let run = try await PlayedRun(server.url("/a"), [])
            try #require(run.status == 0, "\(run.errors)")
            return Clean(bytes: bytes, samples: run.samples, peak: try Self.peak(server))
        }
    }

    /// The most memory that `/a` takes, read when something that never comes is waited for after it.
    private static func peak(_ server: ScriptedHTTPServer) throws -> Int {
        server.route("/hang", .hang)
        let running = try RunningSyrinx("play", "--output", "file:/dev/null", server.url("/a"), server.url("/hang"))
        let isPlayed = server.wait { $0.last?.path == "/hang" }
        try #require(isPlayed)
        let peak = running.process.residentPeak
        running.process.signal(SIGINT)
        try #require(running.process.wait() == 130)
        return peak
    }
}
