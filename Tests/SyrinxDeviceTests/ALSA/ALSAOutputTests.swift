import Foundation
import SyrinxDevice
import SyrinxTestSupport
import Testing

@Suite struct ALSAOutputTests {
    @Test("ALSA's null PCM keeps real time")
    func nullKeepsRealTime() throws {
        let device = ALSAOutput(pcm: "null")
        let format = try device.open(preferred: DeviceFormat(sampleRate: 44_100, channelCount: 2))
        #expect(format == DeviceFormat(sampleRate: 44_100, channelCount: 2))
        let source = SignalSource([[0.5], [0.5]], repeats: true)
        let begin = ContinuousClock.now
        try device.start(source.callback)
        #expect(waitUntil { source.renderedFrameCount >= 66_150 })
        let seconds = (ContinuousClock.now - begin) / .seconds(1)
        device.stop()
        // 1.5 seconds of sound, of which the first 160 ms may go into what a card would buffer.
        #expect(seconds > 1.2)
    }

    @Test("ALSA's file PCM gets every sample")
    func theFileHasTheSamples() throws {
        let directory = try ScratchDirectory()
        let path = directory.file("a.raw")
        let device = ALSAOutput(pcm: "file:FILE=\(path),FORMAT=raw")
        let signal = [whiteNoise(frameCount: 20_000, seed: 1), whiteNoise(frameCount: 20_000, seed: 2)]
        let source = SignalSource(signal)
        #expect(try device.open(preferred: DeviceFormat(sampleRate: 48_000, channelCount: 2)).channelCount == 2)
        try device.start(source.callback)
        #expect(waitUntil { source.renderedFrameCount > 4000 })
        device.pause()
        device.resume()
        #expect(waitUntil { source.renderedFrameCount == 20_000 })
        device.stop()
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        let samples = data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        let channels = deinterleave(samples, channelCount: 2)
        // What stop() drops are the last periods.
        #expect(channels[0].count > 15_000)
        let place = try #require(alignment(of: Array(signal[0].prefix(4096)), in: channels[0], excerptLength: 1024))
        for channel in 0..<2 {
            let part = channels[channel].dropFirst(place.offset)
            #expect(residualDecibels(signal[channel][...], part) < -100)
        }
    }

    @Test("An unknown PCM fails as not found")
    func anUnknownPCMIsNotFound() {
        let device = ALSAOutput(pcm: "nowhere")
        let error = #expect(throws: DeviceError.self) { try device.open(preferred: nil) }
        #expect(error?.code == .deviceNotFound)
    }

    @Test("A missing sound card fails with a typed error")
    func aMissingCardIsATypedError() {
        let device = ALSAOutput(pcm: "plughw:CARD=Nowhere,DEV=0")
        let error = #expect(throws: DeviceError.self) { try device.open(preferred: nil) }
        #expect([.deviceNotFound, .deviceUnavailable].contains(error?.code))
    }

    @Test("Conversion to integer samples clips and rounds")
    func conversionClipsAndRounds() {
        let samples: [Float] = [0, 1, -1, 2, -2, 0.5, .nan, 1 / 32_768, -1.4 / 32_768]
        #expect(convert(samples).sixteen == [0, 32_767, -32_768, 32_767, -32_768, 16_384, 0, 1, -1])
        let top = Int32.max
        #expect(convert(samples).thirtyTwo.prefix(7) == [0, top, .min, top, .min, 1_073_741_824, 0])
    }

    private func convert(_ samples: [Float]) -> (sixteen: [Int16], thirtyTwo: [Int32]) {
        var input = samples
        var sixteen = [Int16](repeating: 7, count: samples.count)
        var thirtyTwo = [Int32](repeating: 7, count: samples.count)
        var order = 0
        let count = samples.count
        input.withUnsafeMutableBufferPointer { input in
            guard var plane = input.baseAddress else { return }
            SampleConversion.signed16(&plane, &order, channelCount: 1, frameCount: count, into: &sixteen)
            SampleConversion.signed32(&plane, &order, channelCount: 1, frameCount: count, into: &thirtyTwo)
        }
        return (sixteen, thirtyTwo)
    }

    @Test("Channels are written in the order of their loudspeakers")
    func channelsGoWhereTheirSpeakersAre() {
        var left: [Float] = [1, 2]
        var right: [Float] = [10, 20]
        var output = [Float](repeating: 0, count: 4)
        left.withUnsafeMutableBufferPointer { left in
            right.withUnsafeMutableBufferPointer { right in
                SampleConversion.float32(
                    [left.baseAddress!, right.baseAddress!],
                    [1, 0],
                    channelCount: 2,
                    frameCount: 2,
                    into: &output
                )
            }
        }
        #expect(output == [10, 1, 20, 2])
    }
}
