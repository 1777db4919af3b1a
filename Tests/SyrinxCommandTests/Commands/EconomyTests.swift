import Foundation
import SyrinxTestSupport
import Testing

/// The economy of streaming: bytes before the first sound, memory over a long stream.
@Suite("play: memory and bytes before first sound", .serialized)
struct EconomyTests {
    @Test("From a slow server the first sound comes after at most 96 KB")
    func firstSound() throws {
        let scratch = try ScratchDirectory()
        let path = scratch.file("a.mp3")
        try FFmpeg.run(["-f", "lavfi", "-i", "anoisesrc=a=0.3:d=30:r=44100", "-ac", "2", "-b:a", "128k", path])
        let http = try ScriptedHTTPServer()
        defer { http.stop() }
        let bytes = Array(try #require(FileManager.default.contents(atPath: path)))
        http.route("/a.mp3", .file(bytes).paced(bytesPerSecond: 32_000))
        let running = try RunningSyrinx("play", "--json", "--output", "null", http.url("/a.mp3"))
        let playing = try running.event("state") { $0["state"] as? String == "playing" }
        #expect(http.requests.map(\.bytesSent).reduce(0, +) <= 96 * 1_024)
        // The contract is 2 s; that is at the server's rate 64 KB, which says it without a clock.
        #expect(http.requests.map(\.bytesSent).reduce(0, +) <= 64_000)
        #expect(playing["time"] as? Double ?? 1 < 0.5)
        running.process.signal(SIGINT)
        #expect(running.process.wait() == 130)
    }

    @Test("A queue of 100,000 entries takes less than 50 MB")
    func longQueue() throws {
        let scratch = try ScratchDirectory()
        let path = scratch.file("a.wav")
        try FFmpeg.run(["-f", "lavfi", "-i", "sine=300:r=8000:d=600", path])
        let short = try memory(ofQueue: 1, behind: path, in: scratch)
        let long = try memory(ofQueue: 100_000, behind: path, in: scratch)
        #expect(long - short < 50_000_000)
    }

    /// The memory that the command holds when it plays the first entry of a list of `count`, all others URLs with titles, in bytes.
    private func memory(ofQueue count: Int, behind path: String, in scratch: ScratchDirectory) throws -> Int {
        let list = scratch.file("\(count).m3u")
        let entries = (1..<count).map {
            "#EXTINF:200,An artist - A title of a usual length \($0)\nhttps://example.org/music/artist/track-\($0).flac\n"
        }
        try "#EXTM3U\n\(path)\n\(entries.joined())".write(toFile: list, atomically: true, encoding: .utf8)
        let running = try RunningSyrinx("play", "--json", "--no-mpris", "--output", "null", list)
        _ = try running.event("state") { $0["state"] as? String == "playing" }
        let held = running.process.resident
        running.process.signal(SIGINT)
        #expect(running.process.wait() == 130)
        return held
    }

    @Test("A stream of hours takes no more memory than one of minutes")
    func longStream() throws {
        let scratch = try ScratchDirectory()
        let path = scratch.file("a.mp3")
        try FFmpeg.run(
            ["-f", "lavfi", "-i", "sine=300:r=8000:d=60", "-ac", "1", "-b:a", "8k", "-write_xing", "0"]
                + ["-id3v2_version", "0", path]
        )
        let minute = Array(try #require(FileManager.default.contents(atPath: path)))
        let http = try ScriptedHTTPServer()
        defer { http.stop() }
        // Four hours are 14 MB and half a gigabyte of samples: more than the network's window and all buffers hold.
        let short = try peak(http, minute, minutes: 6)
        let long = try peak(http, minute, minutes: 240)
        #expect(long < 80 << 20)
        #expect(long - short < 12 << 20)
    }

    /// The most memory that the command has held while it played `minutes` of the same minute to nowhere, in bytes.
    private func peak(_ http: ScriptedHTTPServer, _ minute: [UInt8], minutes: Int) throws -> Int {
        let count = Int64(minute.count)
        http.route(
            "/\(minutes)",
            .generated(length: count * Int64(minutes), type: "audio/mpeg") { offset, buffer in
                for index in buffer.indices { buffer[index] = minute[Int((offset + Int64(index)) % count)] }
            }
        )
        let running = try RunningSyrinx("play", "--output", "file:/dev/null", http.url("/\(minutes)"))
        var peak = 0
        let ended = waitUntil(timeout: 240) {
            peak = max(peak, running.process.residentPeak)
            return running.process.exitStatus != nil
        }
        #expect(ended)
        #expect(running.process.exitStatus == 0, "\(running.errors)")
        return peak
    }
}
