import AVFAudio
import Foundation
import SyrinxDevice

/// An engine that a test has rendered, block by block.
protocol TestRig {
    var engine: AVAudioEngine { get }
    var format: AVAudioFormat { get }

    /// Renders `count` frames in blocks of `block`, one array a channel.
    func render(_ count: Int, block: Int) throws -> [[Float]]
}

extension TestRig {
    func render(_ count: Int) throws -> [[Float]] { try render(count, block: 512) }
}

/// An engine that plays to a device, which a test cranks: what is cut off fades.
final class DeviceRig: TestRig {
    let engine = AVAudioEngine()
    let format: AVAudioFormat
    private let device: ManualOutput

    init(sampleRate: Double = 44_100, channels: AVAudioChannelCount = 2) {
        format = AVAudioFormat(standardFormatWithSampleRate: sampleRate, channels: channels)!
        device = ManualOutput(format: DeviceFormat(sampleRate: sampleRate, channelCount: Int(channels)))
        engine.outputDevice = device
    }

    deinit { engine.stop() }

    func render(_ count: Int, block: Int) throws -> [[Float]] {
        var channels = [[Float]](repeating: [], count: Int(format.channelCount))
        var left = count
        while left > 0 {
            let frames = min(block, left)
            for (channel, samples) in device.render(frameCount: frames).enumerated() { channels[channel] += samples }
            left -= frames
        }
        return channels
    }
}

/// An engine that a test renders by hand: exactly what is asked for.
final class OfflineRig: TestRig {
    let engine = AVAudioEngine()
    let format: AVAudioFormat

    init(sampleRate: Double = 44_100, channels: AVAudioChannelCount = 2) throws {
        format = AVAudioFormat(standardFormatWithSampleRate: sampleRate, channels: channels)!
        try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 4096)
    }

    func render(_ count: Int, block: Int) throws -> [[Float]] {
        let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(block))!
        var channels = [[Float]](repeating: [], count: Int(format.channelCount))
        var left = count
        while left > 0 {
            let frames = min(block, left)
            _ = try engine.renderOffline(AVAudioFrameCount(frames), to: buffer)
            for channel in channels.indices {
                channels[channel] += UnsafeBufferPointer(start: buffer.floatChannelData![channel], count: frames)
            }
            left -= frames
        }
        return channels
    }
}

/// Samples that repeat nowhere soon, different in each channel, within ±0.5.
func noise(_ count: Int, channel: Int = 0) -> [Float] {
    var state = UInt32(12_345 + channel * 7_919)
    return (0..<count).map { _ in
        state = state &* 1_664_525 &+ 1_013_904_223
        return Float(Int32(bitPattern: state)) / Float(Int32.max) * 0.5
    }
}

func sine(_ frequency: Double, _ count: Int, sampleRate: Double = 44_100, amplitude: Float = 0.5) -> [Float] {
    (0..<count).map { Float(sin(2 * .pi * frequency * Double($0) / sampleRate)) * amplitude }
}

func buffer(_ channels: [[Float]], sampleRate: Double = 44_100) -> AVAudioPCMBuffer {
    let format = AVAudioFormat(
        standardFormatWithSampleRate: sampleRate,
        channels: AVAudioChannelCount(channels.count)
    )!
    let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(channels[0].count))!
    buffer.frameLength = buffer.frameCapacity
    for (index, samples) in channels.enumerated() {
        buffer.floatChannelData![index].update(from: samples, count: samples.count)
    }
    return buffer
}

/// Writes samples, one array a channel, to a file of floats.
func write(_ channels: [[Float]], to url: URL, sampleRate: Double = 44_100) throws {
    let sound = buffer(channels, sampleRate: sampleRate)
    var settings = sound.format.settings
    settings[AVLinearPCMIsNonInterleaved] = false
    let file = try AVAudioFile(forWriting: url, settings: settings)
    try file.write(from: sound)
    file.close()
}

/// The level of what `samples` has at `frequency`, as an amplitude, by a windowed sum.
func amplitude(of frequency: Double, in samples: ArraySlice<Float>, sampleRate: Double = 44_100) -> Double {
    var real = 0.0
    var imaginary = 0.0
    var weight = 0.0
    let count = Double(samples.count)
    for (index, sample) in samples.enumerated() {
        let window = 0.5 - 0.5 * cos(2 * .pi * Double(index) / count)
        let angle = 2 * .pi * frequency * Double(index) / sampleRate
        real += Double(sample) * cos(angle) * window
        imaginary += Double(sample) * sin(angle) * window
        weight += window
    }
    return 2 * (real * real + imaginary * imaginary).squareRoot() / weight
}
