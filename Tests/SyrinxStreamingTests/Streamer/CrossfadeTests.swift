import AVFAudio
import Foundation
import SyrinxDevice
import SyrinxMediaCodec
import SyrinxTestSupport
import Testing

@testable import SyrinxStreaming

@Suite("Crossfade") struct CrossfadeTests {
    private let scratch: ScratchDirectory

    init() throws { scratch = try ScratchDirectory() }

    /// Makes noise that differs by the seed.
    private func noise(_ name: String, seed: Int, seconds: Double, tags: [String: String] = [:]) throws -> String {
        let path = scratch.file(name)
        let source = "anoisesrc=c=white:a=0.4:r=44100:d=\(seconds):seed=\(seed),aformat=channel_layouts=stereo"
        let metadata = tags.flatMap { ["-metadata", "\($0)=\($1)"] }
        try FFmpeg.run(["-f", "lavfi", "-i", source] + metadata + [path])
        return path
    }

    private func items(_ paths: [String]) -> [StreamingItem] {
        paths.map { StreamingItem(.url(URL(fileURLWithPath: $0))) }
    }

    private func play(_ items: [StreamingItem], _ crossfade: Crossfade) async throws -> QueueRun {
        let path = scratch.file("out.wav")
        let streamer = PlainStreamer(device: WAVFileOutput(path: path))
        streamer.crossfade = crossfade
        let events = streamer.events
        streamer.open(items[0], andPlay: true, followedBy: Array(items.dropFirst()))
        let run = await QueueRun.listen(events, for: items.count)
        streamer.stop()
        return QueueRun(events: run.events, channels: try readWAV(path).channels)
    }

    /// Returns the second sound mixed into the end of the first, at equal power.
    private func mixed(_ first: [Float], _ second: [Float], overlap: Int) -> [Float] {
        let start = first.count - overlap
        var sound = first + Array(repeating: 0, count: second.count - overlap)
        for index in 0..<overlap {
            let angle = (Double(index) + 0.5) / Double(overlap) * .pi / 2
            sound[start + index] = first[start + index] * Float(cos(angle)) + second[index] * Float(sin(angle))
        }
        for index in overlap..<second.count { sound[start + index] = second[index] }
        return sound
    }

    private func decibels(_ samples: some Collection<Float>) -> Double {
        10 * log10(samples.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(samples.count))
    }

    @Test("Two inputs overlap at equal power, no sample of either is lost, and the power stays the same")
    func overlaps() async throws {
        let paths = [try noise("a.wav", seed: 1, seconds: 5), try noise("b.flac", seed: 2, seconds: 6)]
        let run = try await play(items(paths), Crossfade(duration: 2))
        let sounds = try paths.map { try Inputs.decoded($0) }
        let expected = zip(sounds[0], sounds[1]).map { mixed($0, $1, overlap: 88_200) }
        #expect(run.channels.map(\.count) == expected.map(\.count))
        for (channel, right) in zip(run.channels, expected) {
            let difference = zip(channel, right).map { abs($0 - $1) }.max() ?? 1
            #expect(difference < 1e-6)
        }
        #expect(run.frames == [3 * 44_100, 6 * 44_100])
        let whole = decibels(sounds[0][0])
        for start in stride(from: 3 * 44_100, to: 5 * 44_100, by: 8_820) {
            let difference: Double = decibels(run.channels[0][start..<start + 8_820]) - whole
            #expect(abs(difference) < 0.5)
        }
        #expect(run.told.suffix(6) == ["ended", "opening", "opened", "playing", "totals", "ended"])
    }

    @Test("Inputs of other rates overlap in the format of the first")
    func overlapsConverted() async throws {
        let first = try noise("a.wav", seed: 1, seconds: 3)
        let second = scratch.file("b.wav")
        try FFmpeg.make(second, from: "sine=600:r=22050:d=3", ["-ac", "1"])
        let run = try await play(items([first, second]), Crossfade(duration: 1))
        #expect(run.channels[0].count == 5 * 44_100)
        #expect(toneFrequency(Array(run.channels[0][(3 * 44_100)...]), sampleRate: 44_100).rounded() == 600)
    }

    @Test("An input overlaps for no more than half of its length, with many short ones in a row")
    func shortInputs() async throws {
        let paths = try (0..<6).map { try noise("\($0).wav", seed: $0, seconds: 0.5) }
        let run = try await play(items(paths), Crossfade(duration: 12))
        let count = 6 * 22_050 - 5 * 11_025
        #expect(run.channels[0].count == count)
        #expect(run.frames.reduce(0, +) == Int64(run.channels[0].count))
    }

    @Test("Consecutive tracks of an album follow without an overlap, unless that is asked for")
    func keepsAlbums() async throws {
        let album = ["album": "One", "artist": "Nobody"]
        let paths = try (1...2).map { number in
            try noise("\(number).flac", seed: number, seconds: 2, tags: album.merging(["track": "\(number)/9"]) { $1 })
        }
        let plain = try await play(items(paths), Crossfade(duration: 1))
        let sounds = try paths.map { try Inputs.decoded($0) }
        #expect(plain.channels[0] == sounds[0][0] + sounds[1][0])
        let overlapped = try await play(items(paths), Crossfade(duration: 1, appliesWithinAlbums: true))
        #expect(overlapped.channels[0].count == 3 * 44_100)
        let reversed = try await play(items(paths.reversed()), Crossfade(duration: 1))
        #expect(reversed.channels[0].count == 3 * 44_100)
    }

    @Test("A seek out of an overlap goes to the exact sample, and the overlap is heard again at the end")
    func seeksOut() throws {
        let paths = [try noise("a.wav", seed: 1, seconds: 12), try noise("b.wav", seed: 2, seconds: 6)]
        let sounds = try paths.map { try Inputs.decoded($0)[0] }
        let rig = Rig()
        rig.streamer.crossfade = Crossfade(duration: 2)
        let items = items(paths)
        rig.streamer.open(items[0], andPlay: true, followedBy: [items[1]])
        #expect(rig.crank { rig.streamer.status == .playing })
        try rig.streamer.seek(to: 8)
        #expect(rig.crank { rig.streamer.url?.lastPathComponent == "b.wav" })
        // The next one is heard from its own beginning, under the end of the one before.
        #expect(rig.streamer.currentTime.map { $0 < 0.5 } == true)
        try rig.streamer.seek(to: 3)
        let before = rig.output.count
        #expect(rig.crank { rig.output.count > before + 44_100 })
        let tail = Array(rig.output[(before + 22_050)...].prefix(4_096))
        #expect(offset(of: tail, in: sounds[1]) != nil, "it is the second sound alone")
    }

    /// Returns where `part` stands in `whole`.
    private func offset(of part: [Float], in whole: [Float]) -> Int? {
        (0...(whole.count - part.count)).first { start in
            abs(whole[start] - part[0]) < 1e-5 && zip(whole[start...], part).allSatisfy { abs($0 - $1) < 1e-5 }
        }
    }

    @Test("An overlap is at most 12 seconds long, and what is no number is none")
    func clampsDuration() {
        #expect(Crossfade(duration: 99).duration == 12)
        #expect(Crossfade(duration: -1).duration == 0)
        #expect(Crossfade(duration: .nan).duration == 0)
    }
}
