import AudioAnalysis
import Foundation
import TestSupport
import Testing

@Suite("waveform: values")
struct WaveformValueTests {
    @Test("dat and json are what the plain rules give", arguments: WaveformSound.all, [1, 2, 6, 8])
    func values(sound: WaveformSound, channels: Int) throws {
        let scratch = try ScratchDirectory()
        let input = try sound.make(channels: channels, in: scratch)
        let samples = try sound.samples(of: input, channels: channels)
        let rows = [(2, 16, false), (64, 8, true), (300, 16, true), (65536, 8, false)]
        for (index, (zoom, bits, split)) in rows.enumerated() {
            let options = ["--zoom", "\(zoom)", "--bits", "\(bits)"] + (split ? ["--split-channels"] : [])
            let expected = WaveformSound.plain(samples, zoom: zoom, mixed: !split)
            // One format or the other, each row with both.
            let name = (index + channels / 2) % 2 == 0 ? "a.dat" : "a.json"
            let result = try runProcess(Syrinx.path, ["waveform", "-o", scratch.file(name), input] + options)
            try #require(result.status == 0 && result.errors.isEmpty && result.output.isEmpty, "\(result.errors)")
            let data = try #require(FileManager.default.contents(atPath: scratch.file(name)))
            let waveform = try name == "a.dat" ? PeakWaveform(datFile: data) : PeakWaveform(jsonFile: data)
            #expect(waveform.sampleRate == 22050 && waveform.samplesPerPixel == zoom)
            #expect(waveform.channelCount == (split ? channels : 1))
            let scale = bits == 8 ? 256 : 1
            #expect(waveform.values.map { Int($0) / scale } == expected.map { $0 / scale })
        }
    }

    @Test("Integers of 32 bits that a float would round up to the next step stay where they are", arguments: [1, 2])
    func roundedIntegers(channels: Int) throws {
        let scratch = try ScratchDirectory()
        // Just below a step, on it, and just above, all over the range: a float of 24 bits has no place for the first.
        var samples: [Int32] = [.min, .min + 1, .max, .max - 1, 0, -1, 1, 0xFFFF, -0xFFFF]
        for step in stride(from: Int32(-32_767), through: 32_767, by: 331) {
            for offset in [-1, 0, 1, -128, -129, 127] as [Int32] { samples.append(step << 16 &+ offset) }
        }
        samples.removeLast(samples.count % channels)
        try WaveformSound.wav(samples, channels: channels).write(to: scratch.url("a.wav"))
        let rows = (0..<channels).map { channel in
            stride(from: channel, to: samples.count, by: channels).map { WaveformSound.value(samples[$0]) }
        }
        for (zoom, split) in [(2, false), (2, true), (3, true)] {
            let options = ["-z", "\(zoom)", "-o", scratch.file("a.dat")] + (split ? ["--split-channels"] : [])
            let result = try runProcess(Syrinx.path, ["waveform", scratch.file("a.wav")] + options)
            try #require(result.status == 0, "\(result.errors)")
            let waveform = try PeakWaveform(datFile: try Data(contentsOf: scratch.url("a.dat")))
            #expect(waveform.values.map { Int($0) } == WaveformSound.plain(rows, zoom: zoom, mixed: !split))
        }
    }

    @Test("Floats, and a part of the input")
    func part() throws {
        let scratch = try ScratchDirectory()
        let sound = try #require(WaveformSound.all.first { $0.isFloat })
        let input = try sound.make(channels: 2, in: scratch)
        let samples = try sound.samples(of: input, channels: 2)
        let result = try Syrinx.run(
            "waveform",
            "-o",
            "-",
            "--output-format",
            "txt",
            "-z",
            "100",
            "--start",
            "0.1",
            "--end",
            "0:00.5",
            input
        )
        #expect(result.status == 0)
        let expected = WaveformSound.plain(samples.map { Array($0[2205..<11025]) }, zoom: 100, mixed: true)
        #expect(result.output.split { $0 == "," || $0 == "\n" }.compactMap { Int($0) } == expected)
        #expect(result.output.split(separator: "\n").count == 89)
    }

    /// The parts of an input that are requested.
    private static let parts: [(zoom: Int, bits: Int, split: Bool, start: Double?, end: Double?)] = [
        (2, 8, false, 0.1, 0.5), (7, 16, true, nil, 0.333), (64, 8, true, 0.777, nil),
        (65536, 16, false, 0.123, 0.877), (300, 16, true, 0.0001, 0.0005),
    ]

    @Test("So are those of a part, from one time to another", arguments: WaveformSound.all.indices)
    func parts(index: Int) throws {
        let sound = WaveformSound.all[index]
        let scratch = try ScratchDirectory()
        let frame = { (time: Double) in Int((time * Double(WaveformSound.sampleRate)).rounded()) }
        for (number, part) in Self.parts.enumerated() {
            // Every number of channels, with another part for each kind of sound, and both formats.
            let channels = [1, 2, 3, 6, 8][(number + index) % 5]
            let isText = (number + index) % 2 == 0
            let input = try sound.make(channels: channels, in: scratch)
            let samples = try sound.samples(of: input, channels: channels)
            var options = ["-z", "\(part.zoom)", "-b", "\(part.bits)"] + (part.split ? ["--split-channels"] : [])
            if let start = part.start { options += ["--start", "\(start)"] }
            if let end = part.end { options += ["--end", "\(end)"] }
            let range = frame(part.start ?? 0)..<min(frame(part.end ?? 1), samples[0].count)
            let rows = samples.map { Array($0[range]) }
            let expected = WaveformSound.plain(rows, zoom: part.zoom, mixed: !part.split)
            options += ["-o", "-", "--output-format", isText ? "json" : "dat", input]
            let result = try runProcess(Syrinx.path, ["waveform"] + options)
            try #require(result.status == 0 && result.errors.isEmpty, "\(options): \(result.errors)")
            let waveform =
                isText ? try PeakWaveform(jsonFile: result.stdout) : try PeakWaveform(datFile: result.stdout)
            #expect(waveform.samplesPerPixel == part.zoom && waveform.channelCount == (part.split ? channels : 1))
            let scale = part.bits == 8 ? 256 : 1
            #expect(waveform.values.map { Int($0) / scale } == expected.map { $0 / scale }, "\(options)")
        }
    }
}
