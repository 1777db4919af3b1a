import AVFAudio
import Foundation
import SyrinxByteStream
import SyrinxDevice
import SyrinxHTTPStream
import SyrinxMediaCodec
import SyrinxTestSupport
import Testing

@testable import SyrinxStreaming

/// Play, pause, seek and stop on a device that keeps time and is cranked by the test.
@Suite struct TransportTests {
    private func flac(_ scratch: ScratchDirectory, seconds: Double = 20) throws -> (path: String, left: [Float]) {
        let path = try Inputs.make("in.flac", in: scratch, seconds: seconds)
        return (path, try Inputs.decoded(path)[0])
    }

    @Test("A seek lands on the exact frame without stale samples")
    func aSeekLandsOnTheFrameAndLetsNothingStaleThrough() throws {
        let scratch = try ScratchDirectory()
        let (path, left) = try flac(scratch)
        let rig = Rig()
        rig.streamer.url = URL(fileURLWithPath: path)
        rig.streamer.play()
        #expect(rig.crank { rig.output.count > 40_000 && rig.streamer.status == .playing })
        try rig.streamer.seek(to: 12.5)
        let mark = rig.output.count
        #expect(rig.crank { rig.streamer.status == .playing })
        rig.crank(frames: 20_480)
        let after = Array(rig.output[mark...])
        // The fade out, silence while it decodes, the fade in; then the input from 12.5 s on, to the sample.
        let target = Int(12.5 * 44_100)
        let begin = after.indices.dropFirst(221).first { after[$0] != 0 }!
        let fade = 230
        let heard = after[(begin + fade)..<(begin + 15_000)]
        let shift = (0...2).first { shift in Array(heard) == Array(left[(target + fade + shift)...].prefix(heard.count))
        }
        #expect(shift != nil)
        #expect(abs(rig.streamer.currentTime! - 12.5 - Double(after.count - begin) / 44_100) < 0.02)
    }

    @Test("A pause resumes with the very next sample")
    func pauseStandsStillToTheSample() throws {
        let scratch = try ScratchDirectory()
        let (path, _) = try flac(scratch)
        let rig = Rig()
        rig.streamer.url = URL(fileURLWithPath: path)
        rig.streamer.play()
        #expect(rig.crank { rig.streamer.status == .playing && rig.output.count > 20_000 })
        #expect(rig.streamer.controller.isTicking)
        rig.streamer.pause()
        #expect(rig.streamer.status == .paused)
        // Nor does anything wake that is not needed.
        #expect(!rig.streamer.controller.isTicking)
        rig.crank(frames: 5_120)
        let time = rig.streamer.currentTime!
        rig.crank(frames: 5_120)
        #expect(rig.streamer.currentTime == time)
        rig.streamer.play()
        // The decoded frames are enough, and no tick is needed to find that out.
        #expect(rig.streamer.engine.isRunning)
        #expect(rig.crank { rig.streamer.status == .playing })
        #expect(rig.streamer.controller.isTicking)
    }

    @Test("After the end the streamer stands at the start")
    func afterTheEndItStandsAtTheStart() throws {
        let scratch = try ScratchDirectory()
        let (path, left) = try flac(scratch, seconds: 1)
        let rig = Rig()
        rig.streamer.url = URL(fileURLWithPath: path)
        rig.streamer.play()
        #expect(rig.crank { rig.streamer.status == .ended })
        let first = rig.output.firstIndex { $0 != 0 }!
        let lead = left.firstIndex { $0 != 0 }!
        #expect(Array(rig.output[(first - lead)...].prefix(left.count)) == left)
        #expect(rig.streamer.currentTime == 0)
        #expect(rig.streamer.state == .stopped)
        rig.streamer.play()
        #expect(rig.crank { rig.streamer.status == .playing })
        #expect(rig.crank { rig.streamer.status == .ended })
    }

    @Test("A start behind the end is a failure, before the input is opened and without a sound")
    func aStartBehindTheEndFails() async throws {
        let scratch = try ScratchDirectory()
        let (path, _) = try flac(scratch, seconds: 2)
        let rig = Rig()
        let events = rig.streamer.events
        rig.streamer.startTime = 2
        rig.streamer.open(.url(URL(fileURLWithPath: path)), andPlay: true)
        #expect(rig.crank { rig.streamer.status == .failed })
        var told: [String] = []
        for await event in events {
            if case .failed(let error) = event { told.append("\(error.code)") }
            if case .status(let status, _) = event { told.append("\(status)") }
            if told.last == "failed" { break }
        }
        #expect(told == ["opening", "usage.startBeyondEnd", "failed"])
        #expect(rig.output.allSatisfy { $0 == 0 })
    }

    @Test("A seek beyond the end ends the playback")
    func beyondTheEndNothingPlays() async throws {
        let scratch = try ScratchDirectory()
        let (path, _) = try flac(scratch, seconds: 20)
        let rig = Rig()
        let events = rig.streamer.events
        // In one step: a file may be open before the next call, and is paused then.
        rig.streamer.open(.url(URL(fileURLWithPath: path)), andPlay: true)
        #expect(rig.crank { rig.streamer.status == .playing && rig.output.count > 20_000 })
        try rig.streamer.seek(to: 25)
        #expect(rig.crank { rig.streamer.status == .ended })
        var told: [PlaybackStatus] = []
        var last = 0.0
        for await case .status(let status, let time) in events {
            told.append(status)
            last = time
            if status == .ended { break }
        }
        #expect(told == [.opening, .buffering, .playing, .buffering, .ended])
        #expect(abs(last - 20) < 0.001)
    }

    @Test("A new URL drops the sound of the old one")
    func anotherURLLeavesNothingOfTheOldOne() throws {
        let scratch = try ScratchDirectory()
        let (path, _) = try flac(scratch)
        let silent = scratch.file("silent.wav")
        try FFmpeg.make(silent, from: "anullsrc=r=44100:cl=stereo:d=3")
        let rig = Rig()
        rig.streamer.url = URL(fileURLWithPath: path)
        rig.streamer.play()
        #expect(rig.crank { rig.streamer.status == .playing && rig.output.count > 10_000 })
        rig.streamer.url = URL(fileURLWithPath: silent)
        let mark = rig.output.count
        rig.streamer.play()
        #expect(rig.crank { rig.streamer.status == .playing })
        rig.crank(frames: 20_480)
        #expect(rig.output[(mark + 512)...].allSatisfy { $0 == 0 })
        #expect(abs(rig.streamer.duration! - 3) < 0.001)
    }

    @Test("A seek to bytes that have not arrived sends a range request")
    func aSeekToWhatHasNotArrivedIsARangeRequest() throws {
        let scratch = try ScratchDirectory()
        let path = try Inputs.make("in.wav", in: scratch, seconds: 60)
        let left = try Inputs.decoded(path)[0]
        let server = try ScriptedHTTPServer()
        server.route("/in.wav", .file(try Inputs.bytes(path)).paced(bytesPerSecond: 2_000_000))
        let rig = Rig()
        rig.streamer.url = URL(string: server.url("/in.wav"))
        rig.streamer.play()
        #expect(rig.crank { rig.streamer.status == .playing && rig.output.count > 10_000 })
        try rig.streamer.seek(to: 50)
        let mark = rig.output.count
        #expect(rig.crank { rig.streamer.status == .playing })
        rig.crank(frames: 10_240)
        let after = Array(rig.output[mark...])
        let begin = after.indices.dropFirst(221).first { after[$0] != 0 }!
        let heard = Array(after[(begin + 230)..<(begin + 8_000)])
        let target = 50 * 44_100
        #expect((0...2).contains { Array(left[(target + 230 + $0)...].prefix(heard.count)) == heard })
        let ranges = server.requests("/in.wav").compactMap(\.range)
        #expect(ranges.count <= 3)
        #expect(ranges.last != "bytes=0-")
    }

    /// A server may lose its ranges while it is played from: a seek backwards succeeds all the same.
    @Test("A seek back succeeds on a server that has lost its ranges")
    func aSeekBackToAServerThatHasLostItsRangesReadsItAnew() async throws {
        let scratch = try ScratchDirectory()
        let path = try Inputs.make("in.wav", in: scratch, seconds: 120)
        let bytes = try Inputs.bytes(path)
        let server = try ScriptedHTTPServer()
        let rig = Rig()
        server.route("/in.wav") { _, index in
            // It still has them when it is opened.
            index == 0 ? .file(bytes).cut(after: 400_000, .hang) : .file(bytes).withoutRanges()
        }
        rig.streamer.network = quickNetwork
        rig.streamer.network.windowBehind = 0
        rig.streamer.network.pinnedHead = 0
        let check = SampleCheck(try Inputs.decoded(path))
        check.watch(rig.streamer)
        let events = rig.streamer.events
        rig.streamer.url = URL(string: server.url("/in.wav"))
        rig.streamer.play()
        #expect(rig.crank { rig.streamer.status == .playing })
        server.dropConnections()
        // Its start is no more at hand then.
        let hasPassedTheStart = {
            rig.streamer.status == .playing && (rig.streamer.currentTime ?? 0) > 30
                && server.requests.last.map { $0.bytesSent > 18_000_000 } ?? false
        }
        #expect(rig.crank(until: hasPassedTheStart))
        #expect(server.requests.count == 2)
        try rig.streamer.seek(to: 3.5)
        #expect(rig.crank { rig.streamer.status == .playing })
        #expect(abs((rig.streamer.currentTime ?? 0) - 3.5) < 1)
        #expect(rig.crank { rig.streamer.status == .ended })
        #expect(check.wrongCount == 0)
        #expect(server.requests.count == 3)
        var warnings: [String] = []
        for await event in events {
            if case .warning(let error) = event { warnings.append(error.code.rawValue) }
            if case .status(.ended, _) = event { break }
        }
        #expect(warnings == ["usage.notSeekable"])
        // Now it is known beforehand, and disturbs nothing; from the start it can always be played.
        rig.streamer.play()
        #expect(rig.crank(until: hasPassedTheStart))
        #expect(throws: SyrinxError.self) { try rig.streamer.seek(to: 1) }
        #expect(rig.streamer.status == .playing)
    }

    @Test("A time beyond any recording counts as the end")
    func aTimeBeyondAllRecordingsIsTheEnd() throws {
        let scratch = try ScratchDirectory()
        let (path, _) = try flac(scratch, seconds: 2)
        let rig = Rig()
        (rig.streamer.startTime, rig.streamer.endTime) = (1e300, 1e300)
        rig.streamer.open(.url(URL(fileURLWithPath: path)), andPlay: true)
        try rig.streamer.seek(to: 1e300)
        #expect(rig.crank { rig.streamer.status == .ended })
    }

    /// Bytes that have arrived are still held, and need no request, also while no others arrive.
    @Test(
        "A seek back on a server without ranges uses the held bytes",
        arguments: ["in.wav", "in.mp3", "in.flac"],
        [false, true]
    )
    func aServerWithoutRangesIsGoneBackInByWhatIsHeld(_ name: String, waits: Bool) async throws {
        let scratch = try ScratchDirectory()
        let path = try Inputs.make(name, in: scratch, seconds: 30)
        let bytes = try Inputs.bytes(path)
        let server = try ScriptedHTTPServer()
        let answer = ScriptedResponse.file(bytes).withoutRanges()
        server.route("/in", waits ? answer.cut(after: Int64(bytes.count / 2), .hang) : answer)
        let rig = Rig()
        rig.streamer.network = quickNetwork
        let check = SampleCheck(try Inputs.decoded(path), tolerance: name == "in.mp3" ? 1e-4 : 0)
        check.watch(rig.streamer)
        rig.streamer.url = URL(string: server.url("/in"))
        rig.streamer.play()
        let wanted: PlaybackStatus = waits ? .buffering : .playing
        #expect(rig.crank { rig.streamer.status == wanted && (rig.streamer.currentTime ?? 0) > 10 })
        try rig.streamer.seek(to: 3.5)
        #expect(rig.crank { rig.streamer.status == .playing && rig.streamer.currentTime.map { 4..<10 ~= $0 } ?? false })
        if !waits { #expect(rig.crank { rig.streamer.status == .ended }) }
        #expect(check.wrongCount == 0)
        #expect(server.requests.count == 1)
    }

    @Test("A seek after the input broke off opens it again")
    func aSeekAfterTheInputBrokeOffOpensItAnew() throws {
        let scratch = try ScratchDirectory()
        let (path, left) = try flac(scratch, seconds: 4)
        let bytes = try Inputs.bytes(path)
        let cut = scratch.file("cut.flac")
        try Data(bytes[..<(bytes.count / 2)]).write(to: URL(fileURLWithPath: cut))
        let rig = Rig()
        rig.streamer.url = URL(fileURLWithPath: cut)
        rig.streamer.play()
        // All of the half has been decoded, and its end is known to be none, long before it is heard.
        #expect(rig.crank { rig.streamer.status == .playing && rig.output.count > 44_100 })
        try rig.streamer.seek(to: 0.5)
        rig.streamer.play()
        #expect(rig.crank { rig.streamer.status == .playing })
        let mark = rig.output.count
        rig.crank(frames: 10_240)
        #expect(rig.output[mark...].contains { $0 != 0 })
        #expect(rig.crank { rig.streamer.status == .failed })
        #expect(rig.streamer.currentTime! < Double(left.count) / 44_100)
    }

    @Test("A stop takes less than 100 ms in every state")
    func stopIsQuickInEveryState() throws {
        let scratch = try ScratchDirectory()
        let (path, _) = try flac(scratch)
        let server = try ScriptedHTTPServer()
        server.route("/hang", .hang)
        server.route("/slow", .file(try Inputs.bytes(path)).paced(bytesPerSecond: 20_000))
        for url in [server.url("/hang"), server.url("/slow"), "file://\(path)"] {
            let rig = Rig()
            rig.streamer.url = URL(string: url)
            rig.streamer.play()
            rig.crank(frames: 5_120)
            #expect(isPrompt { rig.streamer.stop() })
            #expect(rig.streamer.status == .stopped)
        }
        #expect(server.waitUntilAllClosed())
    }

    @Test("A slow network is reported as buffering without an underrun")
    func buffersTruthfullyWhenTheNetworkIsTooSlow() async throws {
        let scratch = try ScratchDirectory()
        let path = try Inputs.make("in.wav", in: scratch, seconds: 4)
        let server = try ScriptedHTTPServer()
        // 176 kB a second are needed; this is enough to go on now and then.
        server.route("/in.wav", .file(try Inputs.bytes(path)).paced(bytesPerSecond: 150_000))
        let rig = Rig()
        let events = rig.streamer.events
        rig.streamer.url = URL(string: server.url("/in.wav"))
        rig.streamer.play()
        #expect(rig.crank { rig.streamer.status == .playing })
        #expect(rig.crank { rig.streamer.status == .buffering })
        #expect(rig.crank { rig.streamer.status == .ended })
        var ended: (frames: Int64, underruns: Int)?
        for await event in events {
            if case .ended(let frames, let underruns, _) = event {
                ended = (frames, underruns)
                break
            }
        }
        // Held before it ran dry: nothing was lost, and no silence got in among the samples.
        #expect(ended?.frames == 176_400)
        #expect(ended?.underruns == 0)
    }
}
