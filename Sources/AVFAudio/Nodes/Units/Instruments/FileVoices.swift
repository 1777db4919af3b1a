import Foundation

/// A recording that a sampler plays at a key's pitch.
final class SampledSound: Sendable {
    let left: PaddedSamples
    let right: PaddedSamples
    let sampleRate: Double

    /// The most bytes of all recordings of a sampler, decoded.
    static let maximumByteCount = 512 << 20

    /// Decodes a file.
    /// - Throws: `AVAudioFileError`, or `AVMIDIError` with `.instrumentUnsupported` if the recording is too long.
    init(_ url: URL, maximumByteCount: Int) throws {
        let file = try AVAudioFile(forReading: url)
        let frameCount = Int(clamping: file.length)
        guard frameCount <= maximumByteCount / 8,
            let buffer = AVAudioPCMBuffer(
                pcmFormat: file.processingFormat,
                frameCapacity: AVAudioFrameCount(max(frameCount, 1))
            )
        else {
            let limit = Self.maximumByteCount >> 20
            throw AVMIDIError(.instrumentUnsupported, "The recordings take more than \(limit) MiB decoded.", url: url)
        }
        try file.read(into: buffer)
        sampleRate = file.processingFormat.sampleRate
        let channels = buffer.floatChannelData
        let last = Int(file.processingFormat.channelCount) - 1
        left = PaddedSamples(channels?[0], count: Int(buffer.frameLength))
        right = PaddedSamples(channels?[min(1, last)], count: Int(buffer.frameLength))
    }

    var byteCount: Int { left.count * 8 }
}

/// Samples in memory that is never changed, with three of silence on either side for the interpolation.
final class PaddedSamples: @unchecked Sendable {
    // Unchecked: constant after `init`.
    private let memory: UnsafeMutablePointer<Float>
    let samples: UnsafePointer<Float>
    let count: Int

    init(_ source: UnsafePointer<Float>?, count: Int) {
        memory = .allocate(capacity: count + 6)
        memory.initialize(repeating: 0, count: count + 6)
        if let source { (memory + 3).update(from: source, count: count) }
        samples = UnsafePointer(memory + 3)
        self.count = count
    }

    deinit { memory.deallocate() }
}

/// Plays transposed recordings with cubic interpolation.
///
/// Notes start at the exact frame. The first recording plays at its original pitch at key 60, and each further
/// recording at the next key. Lower and higher keys play the first and the last recording.
final class FileVoices: SamplerVoices, @unchecked Sendable {
    // Unchecked: as `RenderOwned`.
    private struct Voice: BitwiseCopyable {
        var isOn = false
        var isReleased = false
        var channel: UInt8 = 0
        var key: UInt8 = 0
        var sound = 0
        var position = 0.0
        var gain: Float = 0
        /// Frames left of the release.
        var release = 0
        /// A number by which the oldest voice is found.
        var number = 0
    }

    private let sounds: [SampledSound]
    private let left: UnsafeMutablePointer<UnsafePointer<Float>>
    private let right: UnsafeMutablePointer<UnsafePointer<Float>>
    private let lengths: UnsafeMutablePointer<Double>
    private let ratios: UnsafeMutablePointer<Double>
    private let soundCount: Int
    private let voices: UnsafeMutablePointer<Voice>
    private let bends: UnsafeMutablePointer<Double>
    private let gains: UnsafeMutablePointer<Float>
    private let pedals: UnsafeMutablePointer<Bool>
    private let releaseFrames: Int
    @exclusivity(unchecked) private var tuning = 0.0
    @exclusivity(unchecked) private var noteCount = 0

    /// The key at which the first recording plays at its original pitch.
    private let rootKey = 60
    private let voiceCount = 64

    init(_ sounds: [SampledSound], sampleRate: Double) {
        self.sounds = sounds
        soundCount = sounds.count
        let capacity = max(sounds.count, 1)
        left = .allocate(capacity: capacity)
        right = .allocate(capacity: capacity)
        lengths = .allocate(capacity: capacity)
        ratios = .allocate(capacity: capacity)
        for (index, sound) in sounds.enumerated() {
            (left + index).initialize(to: sound.left.samples)
            (right + index).initialize(to: sound.right.samples)
            (lengths + index).initialize(to: Double(sound.left.count))
            (ratios + index).initialize(to: sound.sampleRate / sampleRate)
        }
        voices = .allocate(capacity: 64)
        voices.initialize(repeating: Voice(), count: 64)
        bends = .allocate(capacity: 16)
        bends.initialize(repeating: 0, count: 16)
        gains = .allocate(capacity: 16)
        gains.initialize(repeating: 1, count: 16)
        pedals = .allocate(capacity: 16)
        pedals.initialize(repeating: false, count: 16)
        releaseFrames = max(1, Int(min(sampleRate, 1e6) * 0.05))
        super.init(grid: 1)
    }

    deinit {
        left.deallocate()
        right.deallocate()
        lengths.deallocate()
        ratios.deallocate()
        voices.deallocate()
        bends.deallocate()
        gains.deallocate()
        pedals.deallocate()
    }

    // MARK: Render

    override func handle(_ status: UInt8, _ first: UInt8, _ second: UInt8) {
        let channel = status & 0x0F
        switch status & 0xF0 {
        case 0x90 where second > 0: begin(channel, first, second)
        case 0x80, 0x90: end(channel, first)
        case 0xB0: control(channel, first, second)
        case 0xE0: bends[Int(channel)] = (Double(Int(second) << 7 | Int(first)) - 8_192) / 8_192 * 200
        default: break
        }
    }

    private func begin(_ channel: UInt8, _ key: UInt8, _ velocity: UInt8) {
        guard soundCount > 0 else { return }
        var free = 0
        var index = 0
        while index < voiceCount {
            if !voices[index].isOn {
                free = index
                break
            }
            if voices[index].number < voices[free].number { free = index }
            index &+= 1
        }
        let level = Float(velocity) / 127
        noteCount &+= 1
        var voice = Voice()
        voice.isOn = true
        (voice.channel, voice.key, voice.gain, voice.number) = (channel, key, level * level, noteCount)
        voice.sound = min(max(Int(key) &- rootKey, 0), soundCount &- 1)
        voices[free] = voice
    }

    private func end(_ channel: UInt8, _ key: UInt8) {
        for index in 0..<voiceCount where voices[index].isOn {
            guard voices[index].channel == channel, voices[index].key == key, !voices[index].isReleased else {
                continue
            }
            voices[index].isReleased = true
            if !pedals[Int(channel)] { voices[index].release = releaseFrames }
        }
    }

    private func control(_ channel: UInt8, _ number: UInt8, _ value: UInt8) {
        switch number {
        case 7: gains[Int(channel)] = Float(value) / 127
        case 64:
            pedals[Int(channel)] = value >= 64
            guard value < 64 else { return }
            for index in 0..<voiceCount where voices[index].isOn {
                guard voices[index].channel == channel, voices[index].isReleased, voices[index].release == 0 else {
                    continue
                }
                voices[index].release = releaseFrames
            }
        case 120, 123:
            for index in 0..<voiceCount where voices[index].isOn {
                guard voices[index].channel == channel, voices[index].release == 0 else { continue }
                voices[index].isReleased = true
                voices[index].release = releaseFrames
            }
        default: break
        }
    }

    override func tune(_ cents: Float) { tuning = Double(cents) }

    override func reset() { for index in 0..<voiceCount { voices[index].isOn = false } }

    override func render(_ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frameCount: Int) {
        for frame in 0..<frameCount { (left[frame], right[frame]) = (0, 0) }
        for index in 0..<voiceCount where voices[index].isOn {
            render(voices + index, left, right, frameCount)
        }
    }

    private func render(
        _ voice: UnsafeMutablePointer<Voice>,
        _ left: UnsafeMutablePointer<Float>,
        _ right: UnsafeMutablePointer<Float>,
        _ frameCount: Int
    ) {
        let sound = voice.pointee.sound
        let channel = Int(voice.pointee.channel)
        let steps = Double(Int(voice.pointee.key) &- rootKey &- sound) * 100 + bends[channel] + tuning
        let step = exp2(steps / 1_200) * ratios[sound]
        let (lefts, rights, length) = (self.left[sound], self.right[sound], lengths[sound])
        let gain = voice.pointee.gain * gains[channel]
        var position = voice.pointee.position
        var release = voice.pointee.release
        let isEnding = release > 0
        for frame in 0..<frameCount {
            guard position < length, release > 0 || !isEnding else {
                voice.pointee.isOn = false
                return
            }
            var level = gain
            if isEnding {
                level *= Float(release) / Float(releaseFrames)
                release &-= 1
            }
            let whole = Int(position)
            let part = Float(position - Double(whole))
            left[frame] += level * Self.cubic(lefts + whole, part)
            right[frame] += level * Self.cubic(rights + whole, part)
            position += step
        }
        voice.pointee.position = position
        voice.pointee.release = release
        if isEnding, release == 0 { voice.pointee.isOn = false }
    }

    /// Returns the value at `part` after the first sample, on a curve through four (Catmull and Rom, 1974).
    @inline(__always)
    private static func cubic(_ samples: UnsafePointer<Float>, _ part: Float) -> Float {
        let (a, b, c, d) = (samples[-1], samples[0], samples[1], samples[2])
        let cubed = 0.5 * (d - a) + 1.5 * (b - c)
        let squared = a - 2.5 * b + 2 * c - 0.5 * d
        return ((cubed * part + squared) * part + 0.5 * (c - a)) * part + b
    }
}
