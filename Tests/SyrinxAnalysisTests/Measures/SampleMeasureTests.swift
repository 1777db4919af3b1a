import Foundation
import SyrinxAnalysis
import SyrinxTestSupport
import Testing

/// Gives `channels` to `body` in pieces of `size` frames.
private func inPieces(
    _ channels: [[Float]],
    of size: Int,
    _ body: (UnsafePointer<UnsafeMutablePointer<Float>>, Int) -> Void
) {
    let count = channels.first?.count ?? 0
    for start in stride(from: 0, to: count, by: size) {
        withChannels(channels.map { Array($0[start..<min(start + size, count)]) }, body)
    }
}

@Suite("Measures of samples")
struct SampleMeasureTests {
    @Test(
        "Three samples at full scale are clipped, two are not, however buffers are cut",
        arguments: [1, 2, 255, 5000]
    )
    func clipping(size: Int) {
        func clipped(_ channels: [[Float]]) -> Int64 {
            var detector = ClippingDetector(channelCount: channels.count)
            inPieces(channels, of: size) { detector.append($0, frameCount: $1) }
            return detector.clippedSampleCount
        }
        func wave(_ runs: (start: Int, samples: [Float])...) -> [Float] {
            var wave = [Float](repeating: 0.1, count: 1000)
            for run in runs { wave.replaceSubrange(run.start..<run.start + run.samples.count, with: run.samples) }
            return wave
        }
        let top: Float = 32767 / 32768
        #expect(clipped([wave((10, [1, 1]))]) == 0)
        #expect(clipped([wave((10, [1, 1, 1]))]) == 3)
        // Across the border of a block: the largest number of 16 bits, and samples above full scale.
        #expect(clipped([wave((254, [top, 1.5, top, .infinity]))]) == 4)
        #expect(clipped([wave((10, [-1, -1, -1, -1]), (20, [1, 1]))]) == 4)
        #expect(clipped([wave((10, [1, 1, -1, -1, 1, 1]))]) == 0)
        #expect(clipped([wave((10, [1, 1, top.nextDown, 1, 1]))]) == 0)
        #expect(clipped([wave((10, [1, 1, .nan, 1, 1]))]) == 0)
        // Runs belong to one channel.
        #expect(clipped([wave((10, [1, 1])), wave((12, [1, 1]))]) == 0)
        #expect(clipped([wave((10, [1, 1, 1])), wave((600, [-1, -1, -1]))]) == 6)
    }

    @Test("A sine of twice full scale is clipped where it was cut off")
    func clippedSine() {
        let sine = sineWave(frequency: 100, sampleRate: 8000, frameCount: 8000, amplitude: 2, phase: 0.1)
        let wave = sine.map { min(max($0, -1), 1) }
        var detector = ClippingDetector(channelCount: 1)
        withChannels([wave]) { detector.append($0, frameCount: $1) }
        #expect(detector.clippedSampleCount == Int64(sine.count { abs($0) >= ClippingDetector.level }))
    }

    @Test("Silent edges are exact to the frame, however buffers are cut", arguments: [1, 100, 256, 5000])
    func edges(size: Int) {
        func edges(_ channels: [[Float]]) -> [Int64] {
            var edges = SilentEdges()
            inPieces(channels, of: size) { edges.append($0, channelCount: channels.count, frameCount: $1) }
            return [edges.startFrameCount, edges.endFrameCount]
        }
        let silence = [Float](repeating: 0, count: 1000)
        func wave(_ sounds: [Int: Float]) -> [Float] {
            silence.indices.map { sounds[$0] ?? 0 }
        }
        #expect(edges([silence]) == [1000, 1000])
        #expect(edges([wave([0: 1, 999: -1])]) == [0, 0])
        #expect(edges([wave([300: -0.5, 700: 0.5])]) == [300, 299])
        #expect(edges([wave([300: 0.5]), wave([257: 0.5, 900: 0.5])]) == [257, 99])
        // One step of 16 bits sounds; a quarter of it does not.
        #expect(edges([wave([100: 1 / 131072, 300: 1 / 32768, 700: -1 / 32768, 800: -1 / 131072])]) == [300, 299])
        #expect(edges([wave([10: .nan, 300: 1])]) == [300, 699])
    }

    @Test("Known DC offsets and correlations, however buffers are cut", arguments: [1, 333, 50_000])
    func statistics(size: Int) throws {
        func measure(_ channels: [[Float]]) -> SampleStatistics {
            var statistics = SampleStatistics(channelCount: channels.count)
            inPieces(channels, of: size) { statistics.append($0, frameCount: $1) }
            return statistics
        }
        let sine = sineWave(frequency: 100, sampleRate: 8000, frameCount: 8000)
        let cosine = sineWave(frequency: 100, sampleRate: 8000, frameCount: 8000, phase: .pi / 2)
        func isNear(_ value: Double?, _ wanted: Double) -> Bool { value.map { abs($0 - wanted) < 1e-7 } ?? false }

        #expect(isNear(measure([sine, sine]).correlation, 1))
        #expect(isNear(measure([sine, sine.map { -$0 }]).correlation, -1))
        #expect(isNear(measure([sine, cosine]).correlation, 0))
        // Gains and offsets do not count; half of a signal in common is 1 / √2.
        #expect(isNear(measure([sine, sine.map { 0.25 * $0 + 0.25 }]).correlation, 1))
        #expect(isNear(measure([sine, zip(sine, cosine).map { ($0 + $1) / 2 }]).correlation, 0.5.squareRoot()))
        #expect(measure([sine]).correlation == nil)
        #expect(measure([sine, sine.map { _ in 0.25 }]).correlation == nil)
        #expect(measure([[], []]).correlation == nil && measure([[], []]).dcOffset == nil)

        #expect(isNear(measure([sine]).dcOffset, 0))
        let offset = measure([sine.map { $0 + 0.125 }, sine.map { $0 - 0.25 }, sine])
        #expect(isNear(offset.dcOffset, -0.25))
        #expect(zip(offset.dcOffsets, [0.125, -0.25, 0]).allSatisfy { isNear($0, $1) })
    }

    @Test("Blocks with samples that are not finite are left out of the means")
    func samplesThatAreNotFinite() {
        var statistics = SampleStatistics(channelCount: 1)
        withChannels([[Float](repeating: 0.5, count: 256) + [.nan, .infinity]]) {
            statistics.append($0, frameCount: $1)
        }
        #expect(statistics.dcOffset == 0.5)
    }

    @Test("The centroid of a sine is its frequency", arguments: [8000.0, 44_100, 48_000])
    func centroidOfSine(sampleRate: Double) throws {
        for frequency in [440.0, 1000, 3000] {
            let sine = sineWave(frequency: frequency, sampleRate: sampleRate, frameCount: Int(2 * sampleRate))
            let centroid = SpectralCentroid(sampleRate: sampleRate, channelCount: 2)
            // An offset and silence do not count.
            let silence = [Float](repeating: 0, count: sine.count)
            inPieces([sine.map { $0 + 0.25 }, silence], of: 777) { centroid.append($0, frameCount: $1) }
            let found = try #require(centroid.finish())
            // The window spreads the line over a few bins, and a low frequency has little room below.
            #expect(abs(found - frequency) < 0.03 * frequency, "\(frequency): \(found)")
        }
    }

    @Test("The centroid of white noise is half of the highest frequency, that of silence is none")
    func centroidOfNoise() throws {
        var random = SystemRandomNumberGenerator()
        let noise = (0..<48_000).map { _ in Float.random(in: -0.5...0.5, using: &random) }
        let centroid = SpectralCentroid(sampleRate: 48_000, channelCount: 1)
        withChannels([noise]) { centroid.append($0, frameCount: $1) }
        let found = try #require(centroid.finish())
        #expect(abs(found - 12_000) < 240, "\(found)")

        let none = SpectralCentroid(sampleRate: 48_000, channelCount: 1)
        withChannels([[Float](repeating: 0, count: 10_000)]) { none.append($0, frameCount: $1) }
        #expect(none.finish() == nil)
    }
}
