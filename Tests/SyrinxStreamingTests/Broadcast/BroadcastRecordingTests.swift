import Foundation
import Synchronization
import SyrinxByteStream
import SyrinxHTTPStream
import SyrinxTestSupport
import Testing

@testable import SyrinxStreaming

@Suite("Recordings of a broadcast") struct BroadcastRecordingTests {
    /// A station that has sent `bytes`, and a recording of it.
    private final class Station {
        let rig = Rig()
        let scratch: ScratchDirectory
        private let server: ScriptedHTTPServer
        private let count: Int
        private let told = Told()

        private final class Told: Sendable {
            let progress = Mutex<[RecordingProgress]>([])
        }

        init(_ bytes: [UInt8], type: String, titles: [String] = []) throws {
            scratch = try ScratchDirectory()
            server = try ScriptedHTTPServer()
            var answer: ScriptedResponse
            if titles.isEmpty {
                count = bytes.count
                answer = .file(bytes, type: type)
            } else {
                let sent = woven(
                    bytes,
                    every: 16_000,
                    titles.map { $0.isEmpty ? [] : Array("StreamTitle='\($0)';".utf8) }
                )
                count = sent.count
                answer = .file(sent, type: type).header("icy-metaint", "16000")
            }
            answer = answer.withoutRanges().withoutLength().withoutHeader("ETag").header("icy-br", "128")
            server.route("/a", answer.cut(after: Int64(count), .hang))
            rig.streamer.network = quickNetwork
            rig.streamer.open(.url(try #require(URL(string: server.url("/a")))), andPlay: true)
            #expect(rig.crank { rig.streamer.status == .playing })
        }

        deinit { server.stop() }

        func begin(_ folder: String = "recordings", limit: Int64 = 1 << 30) throws {
            let options = RecordingOptions(
                folder: FilePath(scratch.file(folder)),
                station: "The Station",
                maximumByteCount: limit
            )
            try rig.streamer.startRecording(options) { [told] progress in
                told.progress.withLock { $0.append(progress) }
            }
        }

        /// Waits until everything was received.
        func receive() {
            #expect(waitUntil { server.requests.first.map { $0.bytesSent >= count } ?? false })
            let stream = rig.streamer.withController { $0.tracks.current.pump?.networkStream }
            var last = -1
            // The count is that of arrivals, which follow what was sent at once.
            #expect(
                waitUntil {
                    defer { last = stream?.arrivalCount ?? 0 }
                    usleep(20_000)
                    return last == stream?.arrivalCount
                }
            )
        }

        /// Waits for the end of the recording.
        func end() throws -> RecordingProgress {
            #expect(waitUntil { told.progress.withLock { $0.last?.isOver ?? false } })
            return try #require(told.progress.withLock { $0.last })
        }

        /// The bytes of the files in the order of their creation, and their names.
        func files(_ names: [String]) throws -> [UInt8] {
            let folder = scratch.file("recordings/The Station")
            let found = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(Set(found) == Set(names))
            return try names.flatMap { [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\($0)"))) }
        }
    }

    private func tone(_ name: String, _ options: String...) throws -> [UInt8] {
        let scratch = try ScratchDirectory()
        try FFmpeg.make(scratch.file(name), from: "sine=700:r=44100:d=12", ["-ac", "2"] + options)
        return try Inputs.bytes(scratch.file(name))
    }

    private func mp3() throws -> [UInt8] {
        try tone("a.mp3", "-b:a", "128k", "-write_xing", "0", "-id3v2_version", "0")
    }

    @Test("The files are split by title, and joined they are the frames of the source")
    func titles() throws {
        let bytes = try mp3()
        let station = try Station(bytes, type: "audio/mpeg", titles: ["A - One", "", "", "B/Two", "", "A - One"])
        try station.begin()
        #expect(station.rig.streamer.isRecording)
        station.receive()
        station.rig.streamer.stopRecording()
        let progress = try station.end()
        #expect(progress.failure == nil && progress.fileCount == 3 && progress.byteCount == Int64(bytes.count))
        let joined = try station.files(["A - One.mp3", "B Two.mp3", "A - One (2).mp3"])
        #expect(joined == bytes, "no frame is lost or doubled")
        // A second recording replaces no file.
        try station.begin()
        station.rig.streamer.stopRecording()
        #expect(try station.end().isOver)
        #expect(try Data(contentsOf: station.scratch.url("recordings/The Station/A - One.mp3")).count < bytes.count)
    }

    @Test("AAC frames, and the streams of an Ogg chain, are written as they are")
    func formats() throws {
        let aac = try tone("a.aac", "-b:a", "96k", "-f", "adts")
        let station = try Station(aac, type: "audio/aacp", titles: ["One", "", "Two"])
        try station.begin()
        station.receive()
        station.rig.streamer.stopRecording()
        #expect(try station.end().failure == nil)
        #expect(try station.files(["One.aac", "Two.aac"]) == aac)
        let first = try tone("a.opus", "-metadata", "title=One")
        let second = try tone("b.opus", "-metadata", "title=Two", "-metadata", "artist=B")
        let chain = try Station(first + second, type: "application/ogg")
        try chain.begin()
        chain.receive()
        chain.rig.streamer.stopRecording()
        #expect(try chain.end().failure == nil)
        #expect(try chain.files(["One.opus", "B - Two.opus"]) == first + second)
    }

    @Test("A damaged stretch stays in the recording, and does not end the sound")
    func damage() throws {
        let bytes = try mp3()
        let middle = 80_123
        let damaged = Array(bytes[..<middle]) + [UInt8](repeating: 0xFF, count: 5_000) + bytes[(middle + 3_000)...]
        let station = try Station(damaged, type: "audio/mpeg", titles: ["One"])
        try station.begin()
        #expect(station.rig.crank { station.rig.streamer.currentTime ?? 0 > 10 })
        station.receive()
        station.rig.streamer.stopRecording()
        #expect(try station.end().failure == nil)
        #expect(try station.files(["One.mp3"]) == damaged)
        #expect(station.rig.crank { station.rig.streamer.status == .playing })
    }

    @Test("A recording that cannot be written, or is too large, ends by itself, and the sound goes on")
    func failures() throws {
        let station = try Station(try mp3(), type: "audio/mpeg", titles: ["One"])
        try Data().write(to: station.scratch.url("file"))
        try station.begin("file/folder")
        #expect(try station.end().failure?.code == .fileWriteFailed)
        #expect(!station.rig.streamer.isRecording)
        let other = try Station(try mp3(), type: "audio/mpeg", titles: ["One"])
        try other.begin(limit: 50_000)
        let progress = try other.end()
        #expect(progress.failure?.code == .recordingLimit)
        #expect(progress.byteCount <= 50_000)
        #expect(other.rig.crank { other.rig.streamer.currentTime ?? 0 > 8 })
    }

    @Test("A file is not recorded")
    func recording() throws {
        let scratch = try ScratchDirectory()
        try FFmpeg.make(scratch.file("a.wav"), from: "sine=d=2", [])
        let rig = Rig()
        rig.streamer.open(.url(scratch.url("a.wav")), andPlay: true)
        #expect(rig.crank { rig.streamer.status == .playing })
        let options = RecordingOptions(folder: FilePath(scratch.path), station: "A")
        let error = #expect(throws: SyrinxError.self) { try rig.streamer.startRecording(options) { _ in } }
        #expect(error?.code == .unsupported)
    }
}
