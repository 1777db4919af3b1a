import AVFAudio
import Foundation
import SyrinxDevice
import SyrinxTestSupport
import Testing

@testable import SyrinxStreaming

@Suite("Smart speed") struct SmartSpeedTests {
    private let scratch: ScratchDirectory

    init() throws { scratch = try ScratchDirectory() }

    /// Makes bursts of a voice, a second long, with a second of faint noise after each.
    private func speech(_ name: String = "speech.wav", seconds: Double = 20) throws -> StreamingItem {
        let voice = "(sin(2*PI*180*t)+0.5*sin(2*PI*360*t)+0.3*sin(2*PI*3100*t))*0.2*lt(mod(t\\,2)\\,1)"
        let path = scratch.file(name)
        try FFmpeg.make(path, from: "aevalsrc=\(voice)+0.0004*(random(0)-0.5):s=44100:d=\(seconds)", ["-ac", "2"])
        return StreamingItem(.url(URL(fileURLWithPath: path)))
    }

    /// The seconds that are saved in one pause of a second.
    private static let savedInPause = 1 - (0.08 + 0.1 * 0.92)

    private func play(
        _ items: [StreamingItem],
        _ strength: SmartSpeed,
        rate: Float = 1
    ) async throws -> (run: QueueRun, saved: [TimeInterval], total: TimeInterval) {
        let path = scratch.file("out.wav")
        let streamer = PlainStreamer(device: WAVFileOutput(path: path))
        streamer.smartSpeed = strength
        streamer.rate = rate
        let events = streamer.events
        streamer.open(items[0], andPlay: true, followedBy: Array(items.dropFirst()))
        let run = await QueueRun.listen(events, for: items.count)
        let saved = items.map { streamer.timeSaved(in: $0.id) }
        let total = streamer.totalTimeSaved
        streamer.stop()
        return (QueueRun(events: run.events, channels: try readWAV(path).channels), saved, total)
    }

    @Test("The output is shorter by the time that is told, to the frame, in each item of a queue")
    func savesTime() async throws {
        let items = [try speech("a.wav"), try speech("b.wav", seconds: 12)]
        let (run, saved, total) = try await play(items, .strong)
        let lengths = [20.0, 12]
        #expect(run.channels[0].count == Int((lengths.reduce(0, +) * 44_100 - total * 44_100).rounded()))
        for index in 0..<2 {
            #expect(Double(run.frames[index]) == (44_100 * (lengths[index] - saved[index])).rounded())
            let pauses = lengths[index] / 2
            #expect(abs(saved[index] - pauses * Self.savedInPause) < 0.12 * pauses)
        }
        // Both end at their own lengths.
        let ends = run.events.compactMap { event -> TimeInterval? in
            if case .status(.ended, let time) = event { time } else { nil }
        }
        #expect(zip(ends, lengths).allSatisfy { abs($0 - $1) < 0.001 })
    }

    @Test("At rate 2 a pause saves half of its length")
    func savesAtRate() async throws {
        let item = try speech()
        let normal = try await play([item], .medium)
        let fast = try await play([item], .medium, rate: 2)
        #expect(abs(fast.total - normal.total / 2) < 0.01)
        #expect(abs(Double(fast.run.channels[0].count) / 44_100 - (20 - normal.total) / 2) < 0.1)
    }

    @Test("Off, every sample is that of the input, and nothing is saved")
    func off() async throws {
        let item = try speech(seconds: 6)
        let (run, saved, _) = try await play([item], .off)
        #expect(run.channels == (try Inputs.decoded(scratch.file("speech.wav"))))
        #expect(saved == [0])
    }

    @Test("The time that is heard is that of the input, also after a seek")
    func timeIsTrue() throws {
        let rig = Rig()
        let item = try speech()
        rig.streamer.smartSpeed = .strong
        rig.streamer.open(item, andPlay: true)
        #expect(rig.crank { (rig.streamer.currentTime ?? 0) > 8 })
        // A burst begins at each even second: the output tells where it is.
        let saved = rig.streamer.timeSaved
        #expect(saved > 3 * Self.savedInPause)
        try rig.streamer.seek(to: 10.5)
        let before = rig.output.count
        let isThere = rig.crank { (rig.streamer.currentTime ?? 0) >= 12.5 && rig.streamer.status == .playing }
        #expect(isThere)
        let heard = Double(rig.output.count - before) / 44_100
        let savedSince = rig.streamer.timeSaved - saved
        #expect(abs(savedSince - Self.savedInPause) < 0.12)
        #expect(heard > 2 - savedSince - 0.1)
        #expect(rig.streamer.timeSaved < 8)
    }

    @Test("Turned on and off while it decodes, no frame is lost, and the cuts tell where each comes from")
    func toggles() throws {
        let item = try speech(seconds: 16)
        let samples = try Inputs.decoded(try #require(item.input.url).path)[0]
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 1))
        let filter = try #require(PauseFilter(format))
        var output: [Float] = []
        var cuts = PauseCuts()
        let take = { (next: PauseFilter.Output) in
            switch next {
            case .cut(let cut): cuts.add(frame: cut.frame, count: cut.count)
            case .buffer(let buffer):
                output += UnsafeBufferPointer(start: buffer.floatChannelData?[0], count: Int(buffer.frameLength))
            }
        }
        for (index, start) in stride(from: 0, to: samples.count, by: 1_000).enumerated() {
            let count = min(1_000, samples.count - start)
            let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 1_000))
            buffer.frameLength = AVAudioFrameCount(count)
            for frame in 0..<count { buffer.floatChannelData?[0][frame] = samples[start + frame] }
            filter.pass(buffer, index / 150 % 2 == 0 ? SmartSpeed.strong.pauseLengths : nil, to: take)
        }
        filter.end(to: take)
        #expect(cuts.frameCount > 44_100)
        #expect(output.count + Int(cuts.frameCount) == samples.count)
        let differing = output.indices.count { output[$0] != samples[Int(cuts.inputFrame(Double($0)))] }
        // Only the fades of 20 ms differ.
        #expect(differing <= 8 * 882)
    }

    @Test("Cuts map frames to the input, and stay counted once they have been heard")
    func cuts() {
        var cuts = PauseCuts()
        cuts.add(frame: 100, count: 50)
        cuts.add(frame: 200, count: 30)
        #expect([99, 100, 199, 200].map { cuts.inputFrame($0) } == [99, 150, 249, 280])
        #expect(cuts.pass(150) == 50)
        #expect(cuts.pass(150) == 0)
        #expect(cuts.inputFrame(250) == 330 && cuts.frameCount == 80)
        // Decoding starts anew at frame 180, and reports again what lies beyond.
        cuts.startAgain(at: 180)
        cuts.add(frame: 20, count: 30)
        #expect(cuts.frameCount == 80 && cuts.inputFrame(200) == 280)
    }
}
