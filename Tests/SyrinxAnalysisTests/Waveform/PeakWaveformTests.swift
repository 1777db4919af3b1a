import Foundation
import SyrinxAnalysis
import SyrinxTestSupport
import Testing

@Suite("Peak waveform")
struct PeakWaveformTests {
    /// Samples of 16 bit that reach both ends of the range.
    private static func integers(_ channelCount: Int, _ frameCount: Int) -> [[Int]] {
        var numbers = TestNumbers(state: UInt64(channelCount * 77 + 5))
        return (0..<channelCount).map { _ in
            (0..<frameCount).map { frame in
                let limit = 1 + (frame * 37) % 32768
                return max(min(Int.random(in: -limit...limit, using: &numbers), 32767), -32768)
            }
        }
    }

    private static func floats(_ channels: [[Int]]) -> [[Float]] { channels.map { $0.map { Float($0) / 32768 } } }

    @Test("Every byte of .dat and .json is what the plain rules give", arguments: [1, 2, 3, 8], [2, 7, 64, 65536])
    func files(channelCount: Int, samplesPerPixel: Int) throws {
        let channels = Self.integers(channelCount, samplesPerPixel > 1000 ? 70000 : 3001)
        for mixes in [true, false] {
            let plain = mixes ? PlainWaveform.mixed(channels) : channels
            let waveform = PeakBuilder.waveform(
                .init(
                    sampleRate: 44100,
                    channelCount: channelCount,
                    samplesPerPixel: samplesPerPixel,
                    mixesChannels: mixes,
                    rounding: .integer
                ),
                Self.floats(channels),
                pieces: [1, 7, 4999, 13]
            )
            for bits in WaveformBits.allCases {
                let dat = waveform.datFile(bits: bits)
                let expected = PlainWaveform.dat(
                    plain,
                    sampleRate: 44100,
                    samplesPerPixel: samplesPerPixel,
                    bits: bits.rawValue
                )
                #expect(dat == expected)
                let text = String(decoding: waveform.jsonFile(bits: bits), as: UTF8.self)
                let json = PlainWaveform.json(
                    plain,
                    sampleRate: 44100,
                    samplesPerPixel: samplesPerPixel,
                    bits: bits.rawValue
                )
                #expect(text == json)
                var back = bits == .eight ? waveform.reducedTo8Bit() : waveform
                back = PeakWaveform(
                    sampleRate: 44100,
                    samplesPerPixel: samplesPerPixel,
                    channelCount: back.channelCount,
                    values: back.values
                )
                #expect(try PeakWaveform(datFile: dat) == back)
                #expect(try PeakWaveform(jsonFile: Data(text.utf8)) == back)
            }
        }
    }

    @Test("Floats are cut towards zero, integers downwards, decoded samples to the nearest")
    func rounding() {
        let samples: [Float] = [
            0.99999, -0.99999, 1.5, -1.5, 0.5 / 32768, -0.5 / 32768, 1.6 / 32768, -1.6 / 32768, .nan,
        ]
        let plain: [(SampleRounding, (Double) -> Double)] = [
            (.float, { ($0 * 32767).rounded(.towardZero) }), (.integer, { ($0 * 32768).rounded(.down) }),
            (.nearest, { ($0 * 32768).rounded(.toNearestOrEven) }),
        ]
        for (rounding, rule) in plain {
            let expected = samples.map { $0.isNaN ? 0 : Int(min(max(rule(Double($0)), -32768), 32767)) }
            for channelCount in [1, 2] {
                // One frame a block, and two equal channels, show each sample by itself.
                let settings = PeakBuilder.Settings(
                    sampleRate: 8000,
                    channelCount: channelCount,
                    samplesPerPixel: 1,
                    rounding: rounding
                )
                let waveform = PeakBuilder.waveform(settings, Array(repeating: samples, count: channelCount))
                #expect(waveform.values.map(Int.init) == expected.flatMap { [$0, $0] })
            }
        }
    }

    @Test("The RMS of a sine is 3 dB below its peak, mixed or not")
    func rms() {
        let sine = sineWave(frequency: 441, sampleRate: 44100, frameCount: 44100, amplitude: 0.5)
        for mixes in [true, false] {
            let settings = PeakBuilder.Settings(
                sampleRate: 44100,
                channelCount: 2,
                samplesPerPixel: 4410,
                mixesChannels: mixes
            )
            let waveform = PeakBuilder.waveform(settings, [sine, sine])
            #expect(waveform.rms.count == waveform.count * waveform.channelCount)
            for value in waveform.rms { #expect(abs(Double(value) - 0.5 / 2.0.squareRoot()) < 1e-3) }
        }
    }

    @Test("Coarser zooms follow the rule, whole ratios and others", arguments: [64, 65, 100, 128, 1000, 100_000])
    func rescaling(samplesPerPixel: Int) throws {
        let channels = Self.integers(1, 10_007)
        let settings = PeakBuilder.Settings(sampleRate: 8000, channelCount: 1, samplesPerPixel: 64, rounding: .integer)
        let waveform = PeakBuilder.waveform(settings, Self.floats(channels))
        let expected = PlainWaveform.rescaled(
            PlainWaveform.values(channels, samplesPerPixel: 64),
            from: 64,
            to: samplesPerPixel
        )
        #expect(try waveform.rescaled(to: samplesPerPixel).values.map(Int.init) == expected)
        #expect(throws: AnalysisError.self) { try waveform.rescaled(to: 63) }
    }

    @Test("Coarser zooms of pieces are those of the whole, with the root mean squares", arguments: [64, 65, 100, 1000])
    func rescalingInPieces(samplesPerPixel: Int) throws {
        let channels = Self.floats(Self.integers(2, 10_007))
        let settings = PeakBuilder.Settings(
            sampleRate: 8000,
            channelCount: 2,
            samplesPerPixel: 16,
            mixesChannels: false,
            rounding: .integer
        )
        let waveform = PeakBuilder.waveform(settings, channels)
        let whole = try waveform.rescaled(to: samplesPerPixel)
        for size in [1, 3, 64, 500] {
            var rescaler = try PeakRescaler(from: waveform, to: samplesPerPixel)
            var pieces = rescaler.append(waveform.blocks(0..<0))
            for start in stride(from: 0, to: waveform.count, by: size) {
                pieces.append(rescaler.append(waveform.blocks(start..<min(start + size, waveform.count))))
            }
            pieces.append(rescaler.finish())
            #expect(pieces == whole)
        }
        // Of whole blocks, the root mean square is that of the samples.
        guard samplesPerPixel % 16 == 0 else { return }
        for block in 0..<whole.count - 1 {
            for channel in 0..<2 {
                let samples = channels[channel][block * samplesPerPixel..<(block + 1) * samplesPerPixel]
                let energy = samples.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(samples.count)
                #expect(abs(Double(whole.rms[block * 2 + channel]) - energy.squareRoot()) < 1e-5)
            }
        }
    }

    @Test("Amplitude: a factor, and the one that just fits")
    func amplitude() {
        let waveform = PeakWaveform(
            sampleRate: 1,
            samplesPerPixel: 1,
            channelCount: 1,
            values: [-100, 50, -7, 16000, -16384, 3]
        )
        #expect(abs(waveform.automaticScale - 32767.0 / 16384) < 1e-12)
        #expect(waveform.scaled(by: waveform.automaticScale).values == [-199, 99, -13, 31999, -32767, 5])
        #expect(waveform.scaled(by: 3).values == [-300, 150, -21, 32767, -32768, 9])
        let silent = PeakWaveform(sampleRate: 1, samplesPerPixel: 1, channelCount: 1, values: [0, 0])
        #expect(silent.automaticScale == 1)
    }

    @Test("Malformed files are refused, each for its reason")
    func malformed() throws {
        func header(_ numbers: [Int], _ body: Int) -> Data {
            var data = Data()
            for number in numbers {
                withUnsafeBytes(of: Int32(truncatingIfNeeded: number).littleEndian) { data.append(contentsOf: $0) }
            }
            return data + Data(count: body)
        }
        let cases: [(Data, AnalysisError.Code)] = [
            (Data(), .badWaveform), (header([1, 0, 44100, 64], 0), .badWaveform),
            (header([3, 0, 44100, 64, 1], 4), .unsupportedWaveform), (header([1, 0, 0, 64, 1], 4), .badWaveform),
            (header([1, 0, 44100, 0, 1], 4), .badWaveform), (header([2, 0, 44100, 64, 1, 0], 4), .badWaveform),
            (header([2, 0, 44100, 64, 1, 65], 4 * 65), .badWaveform), (header([1, 0, 44100, 64, 2], 4), .badWaveform),
            (header([1, 0, 44100, 64, 1], 6), .badWaveform), (header([1, 0, 44100, 64, 0], 0), .badWaveform),
            (header([1, 0, 44100, 64, -1], 4), .badWaveform), (header([2, 1, 44100, 64, 1], 0), .badWaveform),
        ]
        for (data, code) in cases {
            let error = #expect(throws: AnalysisError.self) { try PeakWaveform(datFile: data) }
            #expect(error?.code == code)
        }
        let start = "{\"version\":2,\"channels\":1,\"sample_rate\":1,\"samples_per_pixel\":1,"
        let texts = [
            "", "[]", "{\"version\":2}", start + "\"bits\":8,\"length\":1,\"data\":[0,128]}",
            start + "\"bits\":9,\"length\":1,\"data\":[0,1]}", start + "\"bits\":8,\"length\":2,\"data\":[0,1]}",
        ]
        for text in texts {
            #expect(throws: AnalysisError.self) { try PeakWaveform(jsonFile: Data(text.utf8)) }
        }
        let first =
            "{\"version\":1,\"sample_rate\":8,\"samples_per_pixel\":4,\"bits\":8,\"length\":1,\"data\":[-3,4]}"
        #expect(try PeakWaveform(jsonFile: Data(first.utf8)).values == [-768, 1024])
    }

    @Test("wavesurfer's peaks keep the sign of what is furthest from zero")
    func wavesurfer() {
        let waveform = PeakWaveform(
            sampleRate: 10,
            samplesPerPixel: 5,
            channelCount: 1,
            values: [-16384, 8192, -1, 32767, 0, 0, -8192, 4096]
        )
        #expect(waveform.wavesurferPeaks() == [[-0.5, 1, 0, -0.25]])
        #expect(waveform.wavesurferPeaks(maxLength: 2) == [[1, -0.25]])
        let text = String(decoding: waveform.wavesurferFile(), as: UTF8.self)
        #expect(text == "{\"duration\":2.0,\"peaks\":[[-0.5,1.0,0,-0.25]]}\n")
    }
}
