import Foundation
import Glibc

/// Makes sound banks for tests: each instrument is a looped sine.
enum SoundFontBuilder {
    /// Whether FluidSynth is installed.
    static let hasSynthesizer: Bool = dlopen("libfluidsynth.so.3", RTLD_NOW | RTLD_LOCAL) != nil

    /// The frequency at key 69: 100 frames a period.
    static let frequency = 441.0

    /// Returns an SF2 file whose instruments sound `frequency` at key 69, at 44.1 kHz.
    static func data(programs: [(bank: Int, program: Int)]) -> Data {
        let frameCount = 44_100
        let samples = (0..<frameCount).map { Int16((sin(2 * .pi * Double($0) / 100) * 16_384).rounded()) }
        var pcm = Data()
        for sample in samples + [Int16](repeating: 0, count: 46) { pcm += bytes(UInt16(bitPattern: sample)) }

        let version = chunk("ifil", bytes(UInt16(2)) + bytes(UInt16(1)))
        let info = chunk(
            "LIST",
            Data("INFO".utf8) + version + chunk("isng", name("EMU8000", 8)) + chunk("INAM", name("Test", 6))
        )
        let sound = chunk("LIST", Data("sdta".utf8) + chunk("smpl", pcm))

        var presets = Data()
        for (index, preset) in programs.enumerated() {
            presets += name("Preset \(index)", 20) + bytes(UInt16(preset.program)) + bytes(UInt16(preset.bank))
            presets += bytes(UInt16(index)) + Data(count: 12)
        }
        presets +=
            name("EOP", 20) + bytes(UInt16(0)) + bytes(UInt16(0)) + bytes(UInt16(programs.count)) + Data(count: 12)
        var presetBags = Data()
        var presetGenerators = Data()
        for index in programs.indices {
            presetBags += bytes(UInt16(index)) + bytes(UInt16(0))
            presetGenerators += bytes(UInt16(41)) + bytes(UInt16(0))
        }
        presetBags += bytes(UInt16(programs.count)) + bytes(UInt16(0))
        presetGenerators += Data(count: 4)

        let instruments = name("Sine", 20) + bytes(UInt16(0)) + name("EOI", 20) + bytes(UInt16(1))
        // Loop on, root key 69, the sample.
        let generators =
            bytes(UInt16(54)) + bytes(UInt16(1)) + bytes(UInt16(58)) + bytes(UInt16(69)) + bytes(UInt16(53))
            + bytes(UInt16(0)) + Data(count: 4)
        let bags = bytes(UInt16(0)) + bytes(UInt16(0)) + bytes(UInt16(3)) + bytes(UInt16(0))
        var header = name("Sine", 20) + bytes(UInt32(0)) + bytes(UInt32(frameCount)) + bytes(UInt32(1_000))
        header += bytes(UInt32(41_000)) + bytes(UInt32(44_100)) + Data([69, 0]) + bytes(UInt16(0)) + bytes(UInt16(1))
        header += name("EOS", 20) + Data(count: 26)
        let articulation =
            chunk("phdr", presets) + chunk("pbag", presetBags) + chunk("pmod", Data(count: 10))
            + chunk("pgen", presetGenerators) + chunk("inst", instruments) + chunk("ibag", bags)
            + chunk("imod", Data(count: 10)) + chunk("igen", generators) + chunk("shdr", header)
        let list = chunk("LIST", Data("pdta".utf8) + articulation)
        return chunk("RIFF", Data("sfbk".utf8) + info + sound + list)
    }

    /// Writes a bank to a temporary file, which the caller removes.
    static func file(_ programs: [(bank: Int, program: Int)] = [(0, 0)]) throws -> URL {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).sf2")
        try data(programs: programs).write(to: url)
        return url
    }

    private static func chunk(_ tag: String, _ data: Data) -> Data {
        Data(tag.utf8) + bytes(UInt32(data.count)) + data + Data(count: data.count % 2)
    }

    private static func name(_ text: String, _ count: Int) -> Data {
        var data = Data(text.utf8.prefix(count))
        data.append(Data(count: count - data.count))
        return data
    }

    private static func bytes<Number: FixedWidthInteger>(_ number: Number) -> Data {
        withUnsafeBytes(of: number.littleEndian) { Data($0) }
    }
}

/// The frequency of a sound near `guess`, by the turn of its phase between two windows.
func measuredFrequency(_ samples: ArraySlice<Float>, near guess: Double, sampleRate: Double) -> Double {
    let length = samples.count / 2
    func phase(_ start: Int) -> Double {
        var (real, imaginary) = (0.0, 0.0)
        for index in 0..<length {
            let window = 0.5 - 0.5 * cos(2 * .pi * Double(index) / Double(length))
            let angle = 2 * .pi * guess * Double(start + index) / sampleRate
            real += Double(samples[samples.startIndex + start + index]) * cos(angle) * window
            imaginary -= Double(samples[samples.startIndex + start + index]) * sin(angle) * window
        }
        return atan2(imaginary, real)
    }
    let turn = (phase(length) - phase(0)).remainder(dividingBy: 2 * .pi)
    return guess + turn / (2 * .pi) * sampleRate / Double(length)
}

/// The distance of two frequencies in cents.
func cents(_ frequency: Double, from reference: Double) -> Double { 1_200 * log2(frequency / reference) }
