import Foundation
import SyrinxTestSupport
import Testing

/// Sound of one kind of sample in one container, and the plain rules of the waveforms that are made of it.
struct WaveformSound: Sendable, CustomTestStringConvertible {
    var name: String
    var codec: [String]
    var isFloat = false

    var testDescription: String { name }

    static let all = [
        WaveformSound(name: "8.wav", codec: ["-c:a", "pcm_u8"]),
        WaveformSound(name: "16.wav", codec: ["-c:a", "pcm_s16le"]),
        WaveformSound(name: "24.wav", codec: ["-c:a", "pcm_s24le"]),
        WaveformSound(name: "32.wav", codec: ["-c:a", "pcm_s32le"]),
        WaveformSound(name: "float.wav", codec: ["-c:a", "pcm_f32le"], isFloat: true),
        WaveformSound(name: "flac16.flac", codec: ["-c:a", "flac"]),
        WaveformSound(name: "flac24.flac", codec: ["-c:a", "flac", "-sample_fmt", "s32"]),
        WaveformSound(name: "wv32.wv", codec: ["-c:a", "wavpack", "-sample_fmt", "s32p"]),
    ]

    static let sampleRate = 22_050

    /// 0.9 s of noise and sines, as options of ffmpeg.
    private static func source(channels: Int) -> [String] {
        let noise = (0..<channels).map { "random(\($0))*0.9-0.45+0.5*sin(\($0 + 1)*700*t)" }.joined(separator: "|")
        let layouts = [1: "mono", 2: "stereo", 3: "2.1", 6: "5.1", 8: "7.1"]
        return ["-f", "lavfi", "-i", "aevalsrc=exprs=\(noise):s=\(sampleRate):d=0.9:c=\(layouts[channels] ?? "mono")"]
    }

    /// Makes 0.9 s of noise and sines.
    func make(channels: Int, in scratch: ScratchDirectory) throws -> String {
        let path = scratch.file(name)
        try FFmpeg.run(Self.source(channels: channels) + codec + [path])
        return path
    }

    /// A sound in a file, and its samples as whole numbers of 16 bit, one array a channel.
    struct Made: Sendable {
        let path: String
        let samples: [[Int]]
    }

    /// The sound in each kind of sample and container, with a name of its own without the ending.
    static func made(channels: Int) throws -> [Made] {
        try made.value(channels) { try makeAll(channels: channels, in: .ofProcess()) }
    }

    private static let made = MadeOnce<Int, [Made]>()

    /// Starts ffmpeg twice for all.
    private static func makeAll(channels: Int, in scratch: ScratchDirectory) throws -> [Made] {
        let paths = all.map { scratch.file($0.name) }
        let raw = all.map { scratch.file($0.name + ".raw") }
        try FFmpeg.run(source(channels: channels) + zip(all, paths).flatMap { $0.codec + [$1] })
        let decoded = all.indices.flatMap { ["-map", "\($0):a", "-f", all[$0].rawFormat, raw[$0]] }
        try FFmpeg.run(paths.flatMap { ["-i", $0] } + decoded)
        return try all.indices.map { index in
            let data = try Data(contentsOf: URL(fileURLWithPath: raw[index]))
            return Made(path: paths[index], samples: all[index].samples(raw: data, channels: channels))
        }
    }

    /// The samples as whole numbers of 16 bit, one array a channel.
    func samples(of path: String, channels: Int) throws -> [[Int]] { try samples(["-i", path], channels: channels) }

    /// The same of an input that options of ffmpeg describe.
    func samples(_ input: [String], channels: Int) throws -> [[Int]] {
        samples(raw: try FFmpeg.run(input + ["-f", rawFormat, "-"]), channels: channels)
    }

    private var rawFormat: String { isFloat ? "f32le" : "s32le" }

    private func samples(raw data: Data, channels: Int) -> [[Int]] {
        func each<Sample>(_ samples: [Sample], _ value: (Sample) -> Int) -> [[Int]] {
            (0..<channels).map { channel in
                stride(from: channel, to: samples.count, by: channels).map { value(samples[$0]) }
            }
        }
        if isFloat {
            return each(data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }) { Self.value($0) }
        }
        return each(data.withUnsafeBytes { Array($0.bindMemory(to: Int32.self)) }) { Self.value($0) }
    }

    /// Returns a sample of 32 bits as one of 16: its upper half.
    static func value(_ sample: Int32) -> Int { Int(sample >> 16) }

    /// A float is multiplied by 32 767, and what is left of a step dropped.
    static func value(_ sample: Float) -> Int { max(min(Int((sample * 32767).rounded(.towardZero)), 32767), -32768) }

    /// For each block the least and greatest of each channel, or of the mean of all, what is left of a step dropped.
    static func plain(_ channels: [[Int]], zoom: Int, mixed: Bool) -> [Int] {
        let rows =
            mixed
            ? [channels[0].indices.map { frame in channels.reduce(0) { $0 + $1[frame] } / channels.count }] : channels
        var values: [Int] = []
        for start in stride(from: 0, to: rows[0].count, by: zoom) {
            for row in rows {
                let block = row[start..<min(start + zoom, row.count)]
                values += [block.min() ?? 0, block.max() ?? 0]
            }
        }
        return values
    }

    /// A WAV file of 32-bit integers.
    static func wav(_ samples: [Int32], channels: Int) -> Data {
        var data = Data()
        func put(_ text: String) { data.append(contentsOf: text.utf8) }
        func put(_ numbers: [Int32]) {
            for number in numbers { withUnsafeBytes(of: number.littleEndian) { data.append(contentsOf: $0) } }
        }
        let size = Int32(samples.count * 4)
        put("RIFF")
        put([36 + size])
        put("WAVEfmt ")
        put([16, 1 | Int32(channels) << 16, 8000, 32_000 * Int32(channels), Int32(channels) * 4 | 32 << 16])
        put("data")
        put([size])
        put(samples)
        return data
    }
}
