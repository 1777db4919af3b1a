import AVFAudio
import CoreAudioTypes

/// A graph that is rendered for long enough that its cost differs clearly from that of the clock.
struct Workload: Sendable {
    let name: String
    /// The number of items that the name says.
    let count: Int
    /// Seconds of sound.
    let seconds: Int
    /// Builds the graph, and returns what is done before each block.
    let build: @Sendable (AVAudioEngine) throws -> (_ block: Int) -> Void

    static let all: [Workload] = graphs + effects

    private static let graphs: [Workload] =
        [1, 16, 256, 1024].map { voices($0, "voices") }
        + [
            voices(64, "mono to stereo", channels: 1), voices(64, "stereo"),
            voices(64, "5.1 to stereo", channels: 6), voices(16, "44.1 to 48 kHz", sampleRate: 44_100), biquads(64),
        ]

    /// Looping players, all of the same second of noise, into the main mixer.
    private static func voices(
        _ count: Int,
        _ name: String,
        channels: AVAudioChannelCount = 2,
        sampleRate: Double = 48_000
    ) -> Workload {
        Workload(name: name, count: count, seconds: max(4, min(60, 6_000 / count))) { engine in
            let layout = channels == 6 ? AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_MPEG_5_1_A) : nil
            let format =
                layout.map { AVAudioFormat(standardFormatWithSampleRate: sampleRate, channelLayout: $0) }
                ?? AVAudioFormat(standardFormatWithSampleRate: sampleRate, channels: channels)
            guard let format, let noise = noise(format) else { throw Unbuildable() }
            for _ in 0..<count {
                let player = AVAudioPlayerNode()
                engine.attach(player)
                engine.connect(player, to: engine.mainMixerNode, format: format)
                player.scheduleBuffer(noise, at: nil, options: .loops)
                player.play()
            }
            return { _ in }
        }
    }

    /// One looping player through that many low passes, one behind the other.
    private static func biquads(_ count: Int) -> Workload {
        Workload(name: "biquads", count: count, seconds: 60) { engine in
            guard let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2),
                let noise = noise(format)
            else { throw Unbuildable() }
            let player = AVAudioPlayerNode()
            engine.attach(player)
            var last: AVAudioNode = player
            for _ in 0..<count {
                let unit = BiquadUnit()
                engine.attach(unit)
                engine.connect(last, to: unit, format: format)
                last = unit
            }
            engine.connect(last, to: engine.mainMixerNode, format: format)
            player.scheduleBuffer(noise, at: nil, options: .loops)
            player.play()
            return { _ in }
        }
    }

    struct Unbuildable: Error {}

    /// Returns a second of noise, so quiet that a thousand of it are no louder than one at full scale.
    /// - Parameter gain: How much louder it is.
    static func noise(_ format: AVAudioFormat, gain: Float = 1) -> AVAudioPCMBuffer? {
        let frames = Int(format.sampleRate)
        guard let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(frames)),
            let channels = buffer.floatChannelData
        else { return nil }
        buffer.frameLength = buffer.frameCapacity
        var state: UInt32 = 1
        for channel in 0..<Int(format.channelCount) {
            for frame in 0..<frames {
                state = state &* 1_664_525 &+ 1_013_904_223
                channels[channel][frame] = Float(Int32(bitPattern: state)) / 4_294_967_296 / 1024 * gain
            }
        }
        return buffer
    }
}
