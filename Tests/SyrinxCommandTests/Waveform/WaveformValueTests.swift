import Foundation
import SyrinxAnalysis
import SyrinxTestSupport
import Testing

@Suite("waveform: values")
struct WaveformValueTests {
    /// Makes waveforms of several inputs, and returns each.
    private func waveforms(
        of inputs: [String],
        _ options: [String],
        isText: Bool
    ) throws -> [PeakWaveform] {
        let format = isText ? "json" : "dat"
        let folder = try ScratchDirectory()
        let arguments = ["waveform", "-o", folder.path + "/", "--output-format", format] + options + inputs
        let result = try runProcess(Syrinx.path, arguments)
        try #require(result.status == 0 && result.errors.isEmpty && result.output.isEmpty, "\(result.errors)")
        return try inputs.map { input in
            let stem = ((input as NSString).lastPathComponent as NSString).deletingPathExtension
            let data = try #require(FileManager.default.contents(atPath: folder.file("\(stem).\(format)")))
            return isText ? try PeakWaveform(jsonFile: data) : try PeakWaveform(datFile: data)
        }
    }

    @Test("dat and json are what the plain rules give", arguments: [1, 2, 6, 8])
    func values(channels: Int) throws {
        let sounds = try WaveformSound.made(channels: channels)
        let rows = [(2, 16, false), (64, 8, true), (300, 16, true), (65536, 8, false)]
        for (index, (zoom, bits, split)) in rows.enumerated() {
            let options = ["--zoom", "\(zoom)", "--bits", "\(bits)"] + (split ? ["--split-channels"] : [])
            // One format or the other, each row with both.
            let isText = (index + channels / 2) % 2 == 1
            let made = try waveforms(of: sounds.map(\.path), options, isText: isText)
            for (sound, waveform) in zip(sounds, made) {
                let expected = WaveformSound.plain(sound.samples, zoom: zoom, mixed: !split)
                #expect(waveform.sampleRate == 22050 && waveform.samplesPerPixel == zoom)
                #expect(waveform.channelCount == (split ? channels : 1))
                let scale = bits == 8 ? 256 : 1
                #expect(waveform.values.map { Int($0) / scale } == expected.map { $0 / scale }, "\(sound.path)")
            }
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
    private static let ranges: [(zoom: Int, bits: Int, split: Bool, start: Double?, end: Double?)] = [
        (2, 8, false, 0.1, 0.5), (7, 16, true, nil, 0.333), (64, 8, true, 0.777, nil),
        (65536, 16, false, 0.123, 0.877), (300, 16, true, 0.0001, 0.0005),
    ]

    @Test("So are those of a part, from one time to another", arguments: ranges.indices, [1, 2, 3, 6, 8])
    func parts(number: Int, channels: Int) throws {
        let part = Self.ranges[number]
        let sounds = try WaveformSound.made(channels: channels)
        let frame = { (time: Double) in Int((time * Double(WaveformSound.sampleRate)).rounded()) }
        var options = ["-z", "\(part.zoom)", "-b", "\(part.bits)"] + (part.split ? ["--split-channels"] : [])
        if let start = part.start { options += ["--start", "\(start)"] }
        if let end = part.end { options += ["--end", "\(end)"] }
        // Both formats for each part.
        let made = try waveforms(of: sounds.map(\.path), options, isText: (number + channels / 2) % 2 == 0)
        for (sound, waveform) in zip(sounds, made) {
            let range = frame(part.start ?? 0)..<min(frame(part.end ?? 1), sound.samples[0].count)
            let rows = sound.samples.map { Array($0[range]) }
            let expected = WaveformSound.plain(rows, zoom: part.zoom, mixed: !part.split)
            #expect(waveform.samplesPerPixel == part.zoom && waveform.channelCount == (part.split ? channels : 1))
            let scale = part.bits == 8 ? 256 : 1
            #expect(waveform.values.map { Int($0) / scale } == expected.map { $0 / scale }, "\(options)")
        }
    }
}
