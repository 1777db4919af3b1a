import AVFAudio
import Foundation
import SyrinxAnalysis
import SyrinxTestSupport
import Testing

@Suite("Meters")
struct MeterTests {
    @Test("Decibels become 0 … 1 as the tutorial has it")
    func scale() {
        let scale = MeterScale()
        let cases: [(Float, Float)] = [
            (-80, 0), (-100, 0), (-40, 0.5), (-20, 0.75), (0, 1), (0.5, 1), (6, 1), (-.infinity, 0), (.infinity, 0),
            (.nan, 0),
        ]
        for (decibels, position) in cases { #expect(scale.position(decibels) == position) }
        #expect(abs(MeterScale(minimum: -50).position(-10) - 0.8) < 1e-6)
    }

    private func append(_ samples: [Float], to meter: inout LevelMeter) {
        withChannels([samples, samples.map { $0 / 2 }]) { meter.append($0, frameCount: $1) }
    }

    @Test("RMS and peak of a sine, a channel each")
    func levels() {
        var meter = LevelMeter(sampleRate: 48_000, channelCount: 2)
        append(sineWave(frequency: 1000, sampleRate: 48_000, frameCount: 4800, amplitude: 0.5), to: &meter)
        #expect(abs(meter.levels[0].rms + 9.03) < 0.01)
        #expect(abs(meter.levels[0].peak + 6.02) < 0.01)
        #expect(abs(meter.levels[1].rms + 15.05) < 0.01)
        #expect(meter.loudest == meter.levels[0])
        append([Float](repeating: 0, count: 480), to: &meter)
        #expect(meter.levels[0].rms == -.infinity && meter.levels[0].peak == -.infinity)
    }

    @Test("A peak stays, then falls at its speed")
    func hold() {
        var meter = LevelMeter(sampleRate: 1000, channelCount: 2, ballistics: .init(peakHold: 1.5, peakFall: 20))
        append([1], to: &meter)
        for _ in 0..<150 { append([Float](repeating: 0, count: 10), to: &meter) }
        #expect(meter.levels[0].heldPeak == 0)
        for _ in 0..<50 { append([Float](repeating: 0, count: 10), to: &meter) }
        #expect(abs(meter.levels[0].heldPeak + 10) < 0.05)
        append([0.5], to: &meter)
        #expect(abs(meter.levels[0].heldPeak + 6.02) < 0.01)
    }

    @Test("The needle is at 99 % after 300 ms, and falls as fast, however buffers are cut", arguments: [1, 64, 4800])
    func needle(size: Int) {
        var meter = LevelMeter(sampleRate: 48_000, channelCount: 2)
        let sine = sineWave(frequency: 1000, sampleRate: 48_000, frameCount: 14_400, amplitude: 1)
        for start in stride(from: 0, to: sine.count, by: size) {
            append(Array(sine[start..<min(start + size, sine.count)]), to: &meter)
        }
        // 99 % is 0.09 dB below the root mean square of the sine.
        #expect(abs(meter.levels[0].vu - (-3.01 - 0.09)) < 0.05)
        append([Float](repeating: 0, count: 14_400), to: &meter)
        #expect(abs(meter.levels[0].vu - (-3.01 - 40.09)) < 0.2)
    }

    @Test("Buffers, interleaved ones too; one NaN is not for ever")
    func buffers() throws {
        for interleaved in [false, true] {
            let format = try #require(
                AVAudioFormat(
                    commonFormat: .pcmFormatFloat32,
                    sampleRate: 48_000,
                    channels: 2,
                    interleaved: interleaved
                )
            )
            let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 100))
            buffer.frameLength = 100
            let data = try #require(buffer.floatChannelData)
            for frame in 0..<100 {
                data[0][frame * buffer.stride] = 0.5
                data[1][frame * buffer.stride] = frame == 50 ? .nan : -0.25
            }
            var meter = LevelMeter(sampleRate: 48_000, channelCount: 2)
            meter.append(buffer)
            #expect(abs(meter.levels[0].rms + 6.02) < 0.01)
            #expect(abs(meter.levels[1].peak + 12.04) < 0.01)
            #expect(meter.levels[1].vu.isFinite)
        }
    }

    @Test("Silences, to the frame", arguments: [1, 100, 256, 1000, 9000])
    func silence(size: Int) {
        var left = [Float](repeating: 0.0005, count: 9000)
        var right = left
        left[1000] = 0.5
        right[1600] = -0.5
        left[3000] = 0.00101
        right[8600] = 0.002
        var detector = SilenceDetector(sampleRate: 1000, threshold: -60, minimumDuration: 0.5)
        for start in stride(from: 0, to: 9000, by: size) {
            let range = start..<min(start + size, 9000)
            withChannels([Array(left[range]), Array(right[range])]) {
                detector.append($0, channelCount: 2, frameCount: $1)
            }
        }
        #expect(detector.ranges == [0..<1000, 1001..<1600, 1601..<3000, 3001..<8600])
        #expect(detector.current == nil)
        withChannels([[0], [0]]) { for _ in 0..<200 { detector.append($0, channelCount: 2, frameCount: $1) } }
        #expect(detector.current == 8601..<9200)
        detector.finish()
        #expect(detector.ranges.last == 8601..<9200)
    }

    @Test("A full-scale sine reads 0 dB in its line", arguments: SpectrumAnalyzer.Window.allCases)
    func spectrum(window: SpectrumAnalyzer.Window) throws {
        let analyzer = try SpectrumAnalyzer(size: 1024, sampleRate: 48_000, window: window, smoothing: 0)
        let sine = sineWave(frequency: 3000, sampleRate: 48_000, frameCount: 3000, amplitude: 1)
        withChannels([sine, sine]) { analyzer.append($0, channelCount: 2, frameCount: $1) }
        let lines = analyzer.decibels()
        #expect(lines.count == 513)
        let loudest = try #require(lines.indices.max { lines[$0] < lines[$1] })
        #expect(analyzer.frequency(ofBin: loudest) == 3000)
        #expect(abs(lines[loudest]) < 0.01)
        #expect(lines[loudest + 40] < -75)
        let off = sineWave(frequency: 3023.4375, sampleRate: 48_000, frameCount: 3000, amplitude: 1)
        withChannels([off]) { analyzer.append($0, channelCount: 1, frameCount: $1) }
        let between = try #require(analyzer.decibels().max())
        if window == .flatTop { #expect(abs(between) < 0.02) } else { #expect(between < -1 && between > -4) }
    }

    @Test("Smoothing keeps a part of what was, and sizes are checked")
    func smoothing() throws {
        let analyzer = try SpectrumAnalyzer(size: 64, sampleRate: 64, window: .rectangular, smoothing: 0.75)
        let sine = sineWave(frequency: 8, sampleRate: 64, frameCount: 64, amplitude: 1)
        withChannels([sine]) { analyzer.append($0, channelCount: 1, frameCount: $1) }
        #expect(abs(analyzer.magnitudes()[8] - 0.25) < 1e-4)
        #expect(abs(analyzer.magnitudes()[8] - 0.4375) < 1e-4)
        for size in [0, 16, 1000, 131_072] {
            #expect(throws: AnalysisError.self) { _ = try SpectrumAnalyzer(size: size, sampleRate: 48_000) }
        }
    }
}
