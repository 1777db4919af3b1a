import AVFAudio
import SyrinxAnalysis
import SyrinxTestSupport
import Testing

@Suite("Waveform pyramid")
struct PyramidTests {
    private static let settings = PeakBuilder.Settings(
        sampleRate: 8000,
        channelCount: 2,
        samplesPerPixel: 16,
        mixesChannels: false
    )
    private static let noise = [whiteNoise(frameCount: 20_011, seed: 3), whiteNoise(frameCount: 20_011, seed: 4)]

    private static func whole(_ sample: Float) -> Float { (sample * 32768).rounded(.toNearestOrEven) }

    private static func append(_ range: Range<Int>, to builder: inout PyramidBuilder) throws {
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 8000, channels: 2))
        let buffer = try #require(
            AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(range.count))
        )
        buffer.frameLength = AVAudioFrameCount(range.count)
        let data = try #require(buffer.floatChannelData)
        for channel in 0..<2 {
            for (index, frame) in range.enumerated() { data[channel][index] = noise[channel][frame] }
        }
        builder.append(buffer, at: Int64(range.lowerBound))
    }

    @Test("In whatever order the parts come, the pyramid is that of the whole")
    func order() throws {
        let whole = WaveformPyramid(PeakBuilder.waveform(Self.settings, Self.noise))
        var builder = PyramidBuilder(Self.settings)
        try Self.append(9600..<12_000, to: &builder)
        #expect(builder.pyramid.knownRanges == [9600..<12_000])
        #expect(builder.pyramid.columns(in: 0..<9216, width: 10).allSatisfy { $0.allSatisfy { !$0.isKnown } })
        try Self.append(0..<5, to: &builder)
        try Self.append(5..<9600, to: &builder)
        #expect(builder.pyramid.knownRanges == [0..<12_000])
        try Self.append(12_000..<20_011, to: &builder)
        builder.finish()
        #expect(builder.pyramid.knownRanges == [0..<20_011])
        #expect(builder.pyramid.frameCount == 20_011)
        for spp in [16, 64, 100, 256, 1024, 4096, 20_480] {
            #expect(
                try builder.pyramid.waveform(samplesPerPixel: spp).values
                    == whole.waveform(samplesPerPixel: spp).values
            )
        }
    }

    @Test("After a jump into the middle of a block, that block is not known")
    func middle() throws {
        var builder = PyramidBuilder(Self.settings)
        try Self.append(100..<300, to: &builder)
        #expect(builder.pyramid.knownRanges == [112..<288])
        try Self.append(301..<303, to: &builder)
        try Self.append(310..<330, to: &builder)
        #expect(builder.pyramid.knownRanges == [112..<288])
        try Self.append(330..<340, to: &builder)
        #expect(builder.pyramid.knownRanges == [112..<288, 320..<336])
    }

    @Test("Columns hold the extremes of their frames, and no sample from afar", arguments: [1, 7, 100, 1250, 5000])
    func columns(width: Int) throws {
        let pyramid = WaveformPyramid(PeakBuilder.waveform(Self.settings, Self.noise))
        let range = Int64(2000)..<12_000
        let columns = pyramid.columns(in: range, width: width)
        #expect(columns.map(\.count) == [width, width])
        for channel in 0..<2 {
            for (index, column) in columns[channel].enumerated() {
                let start = 2000 + index * 10_000 / width
                let end = 2000 + (index + 1) * 10_000 / width
                let inner = Self.noise[channel][start..<max(end, start + 1)].map(Self.whole)
                // At most a block of the level that suits on either side belongs to a neighbour.
                let margin = max(16, (end - start))
                let outer = Self.noise[channel][max(start - margin, 0)..<min(end + margin, 20_011)].map(Self.whole)
                #expect(column.isKnown)
                #expect(Float(column.minimum) <= (inner.min() ?? 0) && Float(column.maximum) >= (inner.max() ?? 0))
                #expect(Float(column.minimum) >= (outer.min() ?? 0) && Float(column.maximum) <= (outer.max() ?? 0))
                if width <= 100 { #expect(column.rms > 0.2 && column.rms < 0.4) }
            }
        }
        #expect(pyramid.columns(in: 30_000..<40_000, width: 3)[0].allSatisfy { !$0.isKnown })
    }

    @Test("A window of ten hours is drawn of a few points")
    func tenHours() {
        #if DEBUG
            let hours = 0.05
        #else
            let hours = 10.0
        #endif
        let count = Int(hours * 3600 * 44_100) / 256
        let values = (0..<2 * count).map { Int16(truncatingIfNeeded: ($0 * 7919) % 20_000 * ($0 % 2 == 0 ? -1 : 1)) }
        let pyramid = WaveformPyramid(
            PeakWaveform(sampleRate: 44_100, samplesPerPixel: 256, channelCount: 1, values: values)
        )
        // A thousand windows, each at another place and zoom: what one takes is a thousandth of what this test does.
        var known = 0
        for window in 0..<1000 {
            let length = max(pyramid.frameCount >> Int64(window % 12), 2000)
            let start = (pyramid.frameCount - length) * Int64(window) / 1000
            let columns = pyramid.columns(in: start..<start + length, width: 1000)
            known += columns[0].count { $0.isKnown && $0.minimum <= 0 && $0.maximum >= 0 }
        }
        #expect(known == 1_000_000)
    }

    @Test("Bars lie where their part of the recording is, and holes have none")
    func bars() throws {
        var pyramid = WaveformPyramid(sampleRate: 100, samplesPerPixel: 10, channelCount: 1)
        let blocks = PeakWaveform(sampleRate: 100, samplesPerPixel: 10, channelCount: 1, values: [-32768, 16384])
        pyramid.insert(blocks, at: 1)
        let bars = pyramid.bars(in: 0..<30, width: 9, height: 100, barWidth: 2, spacing: 1)
        #expect(bars == [[WaveformBar(x: 3, y: 25, width: 2, height: 75)]])
    }

    @Test("A pyramid of the longest blocks there can be ends at the greatest frame")
    func greatestBlocks() throws {
        let blocks = PeakWaveform(
            sampleRate: 1,
            samplesPerPixel: .max / 2,
            channelCount: 1,
            values: [Int16](repeating: 0, count: 2 * 40)
        )
        var pyramid = WaveformPyramid(blocks)
        #expect(pyramid.frameCount == .max)
        #expect(pyramid.knownRanges == [0..<Int64.max])
        pyramid.insert(blocks, at: .max - 39)
        pyramid.insert(blocks, at: 0, lastFrameCount: .max)
        pyramid.insert(blocks, at: 0, lastFrameCount: .min)
        #expect(pyramid.knownRanges == [0..<Int64.max])
        let scratch = try ScratchDirectory()
        let key = WaveformCache.Key(source: "a", validator: "b", settings: "c")
        try WaveformCache(directory: scratch.url("cache")).keep(blocks, for: key)
    }
}
