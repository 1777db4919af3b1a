import Foundation
import SyrinxByteStream
import SyrinxMediaCodec
import Testing

@Suite struct ConverterTests {
    private func convert(
        _ input: [[Float]],
        from rate: Double,
        to target: (sampleRate: Double, channelCount: Int),
        block: Int = 1000,
        with converter: Resampler? = nil
    ) throws -> [[Float]] {
        let converter = try converter ?? Resampler(from: (rate, input.count), to: target)
        let frames = input[0].count
        let planes = Planes(count: input.count, capacity: block)
        let output = Planes(count: target.channelCount, capacity: 777)
        var result = [[Float]](repeating: [], count: target.channelCount)
        func pull() {
            while case let count = converter.pull(into: output.pointers, frameCount: 777), count > 0 {
                for channel in 0..<target.channelCount {
                    result[channel] += UnsafeBufferPointer(start: output.pointers[channel], count: count)
                }
            }
        }
        var done = 0
        while done < frames {
            let count = min(block, frames - done)
            for channel in input.indices {
                for index in 0..<count { planes.pointers[channel][index] = input[channel][done + index] }
            }
            try converter.push(planes.pointers, frameCount: count)
            pull()
            done += count
        }
        try converter.finish()
        pull()
        return result
    }

    private func sine(_ frequency: Double, _ rate: Double, _ frames: Int) -> [Float] {
        (0..<frames).map { Float(0.5 * sin(2 * .pi * frequency * Double($0) / rate)) }
    }

    @Test(
        "The resampler keeps times and tones",
        arguments: [
            (44100.0, 48000.0), (48000, 44100), (8000, 48000), (96000, 44100), (44100, 22050), (22050, 44100),
            (44100, 44101), (11025, 16000),
        ]
    )
    func keepsTimeAndTone(from: Double, to: Double) throws {
        let frames = Int(from) + 137
        let output = try convert([sine(997, from, frames)], from: from, to: (to, 1))[0]
        let total = Int((Double(frames) * to / from).rounded())
        #expect(output.count == total)
        // Frame 0 is frame 0: the same sine, sampled at the other rate, leaves nothing behind. At both ends the filter
        // has nothing to work on.
        let expected = sine(997, to, total)
        let edge = Int(200 * max(to / from, 1))
        var noise = 0.0
        var signal = 0.0
        for index in edge..<total - edge {
            noise += pow(Double(output[index] - expected[index]), 2)
            signal += pow(Double(expected[index]), 2)
        }
        let decibels = 10 * log10(noise / signal)
        #expect(decibels < -90, "\(decibels) dB")
    }

    @Test("The resampler does not alias")
    func nothingIsFoldedBack() throws {
        // 23 kHz cannot be in 44.1 kHz.
        let output = try convert([sine(23000, 96000, 96000)], from: 96000, to: (44100, 1))[0]
        let loudest = output[300..<output.count - 300].map(abs).max() ?? 1
        #expect(20 * log10(loudest / 0.5) < -90)
    }

    @Test("The result does not depend on the blocks")
    func blocksDoNotMatter() throws {
        let input = sine(440, 44100, 10_000)
        let whole = try convert([input], from: 44100, to: (48000, 1), block: 10_000)
        for block in [1, 7, 480, 5000] {
            #expect(try convert([input], from: 44100, to: (48000, 1), block: block) == whole)
        }
    }

    @Test("Equal rates convert bit for bit, and a reset clears the converter")
    func sameRateIsBitExactAndResetIsFresh() throws {
        let input = [sine(440, 44100, 5000), sine(550, 44100, 5000)]
        #expect(try convert(input, from: 44100, to: (44100, 2)) == input)
        let used = try Resampler(from: (44100, 2), to: (32000, 2))
        let first = try convert(input, from: 44100, to: (32000, 2), with: used)
        try used.reset()
        #expect(try convert(input, from: 44100, to: (32000, 2), with: used) == first)
    }

    @Test("The converter mixes mono and stereo into each other")
    func channelsAreMixed() throws {
        let mono: [Float] = (0..<100).map { Float($0) / 100 }
        #expect(try convert([mono], from: 8000, to: (8000, 2)) == [mono, mono])
        let same = try convert([mono, mono], from: 8000, to: (8000, 1))[0]
        #expect(zip(same, mono).allSatisfy { abs($0 - $1) < 1e-6 })
        let ones = [Float](repeating: 1, count: 100)
        let six = try convert([ones, ones, ones, ones, ones, ones], from: 8000, to: (8000, 2))
        #expect(six.joined().allSatisfy { abs($0) <= 1.000_01 && abs($0) > 0.9 })
        #expect(throws: SyrinxError.self) { try Resampler(from: (0, 1), to: (44100, 1)) }
        #expect(throws: SyrinxError.self) { try Resampler(from: (44100, 0), to: (44100, 1)) }
    }
}
