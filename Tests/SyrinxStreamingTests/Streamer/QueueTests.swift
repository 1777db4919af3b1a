import AVFAudio
import Foundation
import SyrinxDevice
import SyrinxStreaming
import SyrinxTestSupport
import Testing

/// Inputs that follow each other into a file.
@Suite("Queue") struct QueueTests {
    /// Plays items to a file, up to the last of them.
    private func play(_ streamer: Streamer, _ items: [StreamingItem], _ path: String) async throws -> QueueRun {
        let events = streamer.events
        streamer.open(items[0], andPlay: true, followedBy: Array(items.dropFirst()))
        let run = await QueueRun.listen(events, for: items.count)
        streamer.stop()
        return QueueRun(events: run.events, channels: try readWAV(path).channels)
    }

    @Test("A sound that was cut in two is one sound, frame by frame", arguments: ["wav", "flac"])
    func isOneSound(ending: String) async throws {
        let cut = try Cut(ending)
        let path = cut.scratch.file("out.wav")
        let run = try await play(PlainStreamer(device: WAVFileOutput(path: path)), cut.items(cut.parts), path)
        #expect(run.channels == (try Inputs.decoded(cut.whole)))
        #expect(run.frames == cut.counts.map(Int64.init))
        #expect(run.told == QueueRun.joined(ending))
    }

    @Test("Two inputs are one sound at another sample rate, too", arguments: ["wav", "flac"])
    func isOneSoundConverted(ending: String) async throws {
        let cut = try Cut(ending)
        let path = cut.scratch.file("out.wav")
        let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2)!
        let make = { FixedStreamer(format, device: WAVFileOutput(path: path)) }
        let whole = try await play(make(), cut.items([cut.whole]), path)
        let run = try await play(make(), cut.items(cut.parts), path)
        #expect(run.channels == whole.channels)
        #expect(run.frames.reduce(0, +) == Int64(whole.channels[0].count))
        #expect(run.told == QueueRun.joined(ending))
    }

    @Test("At another rate it is one sound, and the lengths are those of the parts")
    func isOneSoundFaster() async throws {
        let cut = try Cut("flac")
        let path = cut.scratch.file("out.wav")
        let make = {
            let streamer = PlainStreamer(device: WAVFileOutput(path: path))
            streamer.rate = 1.5
            return streamer
        }
        let whole = try await play(make(), cut.items([cut.whole]), path)
        let run = try await play(make(), cut.items(cut.parts), path)
        #expect(run.channels == whole.channels)
        #expect(zip(run.frames, cut.counts).allSatisfy { abs(Double($0) - Double($1) / 1.5) <= 4_096 })
        #expect(run.frames.reduce(0, +) == Int64(whole.channels[0].count))
    }

    @Test("Inputs of other rates and channels follow on the next frame, in the format of the output")
    func followsInAnotherFormat() async throws {
        let scratch = try ScratchDirectory()
        let mono = scratch.file("mono.wav")
        try FFmpeg.make(mono, from: "sine=600:r=22050:d=1.5", ["-ac", "1"])
        let stereo = try Inputs.make("stereo.flac", in: scratch, seconds: 1)
        let path = scratch.file("out.wav")
        let format = AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2)!
        let items = [mono, stereo].map { StreamingItem(.url(URL(fileURLWithPath: $0))) }
        let run = try await play(FixedStreamer(format, device: WAVFileOutput(path: path)), items, path)
        #expect(run.frames == [66_150, 44_100])
        #expect(run.channels.map { Array($0[66_150...]) } == (try Inputs.decoded(stereo)))
        #expect(toneFrequency(Array(run.channels[1][..<66_150]), sampleRate: 44_100).rounded() == 600)
    }

    @Test("An input whose own format is another follows on the next frame, in the format of the first")
    func followsInTheFormatOfTheFirst() async throws {
        let scratch = try ScratchDirectory()
        let paths = try ["a.flac", "b.flac"].enumerated().map { index, name in
            try Inputs.make(name, in: scratch, seconds: 1, sampleRate: index == 0 ? 44_100 : 22_050)
        }
        let path = scratch.file("out.wav")
        let items = paths.map { StreamingItem(.url(URL(fileURLWithPath: $0))) }
        let run = try await play(PlainStreamer(device: WAVFileOutput(path: path)), items, path)
        #expect(
            run.told == [
                "opening", "opened", "buffering", "playing", "advancing b.flac", "totals", "ended", "opening", "opened",
                "playing", "totals", "ended",
            ]
        )
        #expect(run.frames == [44_100, 44_100])
        #expect(run.channels.map { Array($0[..<44_100]) } == (try Inputs.decoded(paths[0])))
    }

    @Test("An input that repeats begins again on the next sample")
    func repeats() async throws {
        let scratch = try ScratchDirectory()
        let input = try Inputs.make("a.flac", in: scratch, seconds: 1.3)
        let expected = try Inputs.decoded(input)
        let part = StreamingItem(.url(URL(fileURLWithPath: input)), startTime: 0.5, endTime: 0.75)
        let items = [part] + (0..<5).map { _ in StreamingItem(part.input, startTime: 0.5, endTime: 0.75) }
        let path = scratch.file("out.wav")
        let run = try await play(PlainStreamer(device: WAVFileOutput(path: path)), items, path)
        let once = expected.map { $0[22_050..<33_075] }
        #expect(run.channels == once.map { channel in (0..<6).flatMap { _ in channel } })
    }

    @Test("An input that fails between two others is reported in its turn, and they follow each other without a gap")
    func passesOverFailures() async throws {
        let cut = try Cut("flac")
        let path = cut.scratch.file("out.wav")
        let missing = ["missing.wav", "gone.flac"].map { cut.scratch.file($0) }
        let items = cut.items([cut.parts[0]] + missing + [cut.parts[1]])
        let run = try await play(PlainStreamer(device: WAVFileOutput(path: path)), items, path)
        #expect(run.channels == (try Inputs.decoded(cut.whole)))
        #expect(run.frames == cut.counts.map(Int64.init))
        #expect(
            run.told == [
                "opening", "opened", "buffering", "playing", "advancing missing.wav", "totals", "ended",
                "opening", "advancing gone.flac", "error file.notFound", "failed",
                "opening", "advancing 1.flac", "error file.notFound", "failed",
                "opening", "opened", "playing", "totals", "ended",
            ]
        )
    }

    @Test("Many short inputs follow each other, more of them than are decoded ahead at a time")
    func followsOften() async throws {
        let scratch = try ScratchDirectory()
        let whole = try Inputs.make("whole.wav", in: scratch, seconds: 3)
        let expected = try Inputs.decoded(whole)
        let lengths = (0..<30).map { 1 + $0 * 137 }
        var items: [StreamingItem] = []
        var start = 0
        for length in lengths {
            items.append(
                StreamingItem(
                    .url(URL(fileURLWithPath: whole)),
                    startTime: Double(start) / 44_100,
                    endTime: Double(start + length) / 44_100
                )
            )
            start += length
        }
        let path = scratch.file("out.wav")
        let run = try await play(PlainStreamer(device: WAVFileOutput(path: path)), items, path)
        #expect(run.frames == lengths.map(Int64.init))
        #expect(run.channels == expected.map { Array($0[..<start]) })
    }

    @Test("A failed input is reported in its turn, and nothing follows it")
    func failsInItsTurn() async throws {
        let cut = try Cut("wav")
        let path = cut.scratch.file("out.wav")
        let items = cut.items([cut.parts[0], cut.scratch.file("missing.wav")])
        let run = try await play(PlainStreamer(device: WAVFileOutput(path: path)), items, path)
        #expect(
            run.told == [
                "opening", "opened", "buffering", "playing", "advancing missing.wav", "totals", "ended", "opening",
                "error file.notFound", "failed",
            ]
        )
        #expect(run.channels[0].count == cut.counts[0])
    }

    @Test("An input that breaks off after the transition plays to its break and then fails")
    func failsAfterTheJoint() async throws {
        let cut = try Cut("flac")
        let bytes = try Inputs.bytes(cut.parts[1])
        try Data(bytes[..<(bytes.count / 2)]).write(to: URL(fileURLWithPath: cut.parts[1]))
        let path = cut.scratch.file("out.wav")
        let run = try await play(PlainStreamer(device: WAVFileOutput(path: path)), cut.items(cut.parts), path)
        #expect(run.told == QueueRun.joined("flac").dropLast(2) + ["error media.truncated", "failed"])
        let expected = try Inputs.decoded(cut.whole)
        let count = run.channels[0].count
        #expect(count > cut.counts[0] + 10_000 && count < expected[0].count)
        #expect(run.channels == expected.map { Array($0[..<count]) })
    }
}
