import AVFAudio
import Foundation

/// The recording that goes through all effects: a file, or a piece of nine seconds.
enum Recording {
    /// The most that is taken of a file, in seconds.
    private static let longest = 12.0

    /// Returns the beginning of a file, at 48 kHz in stereo.
    static func read(_ url: URL) throws -> AVAudioPCMBuffer {
        let file = try AVAudioFile(forReading: url)
        let seconds = min(Double(file.length) / file.processingFormat.sampleRate, longest)
        return try Rendering.render(seconds: seconds) { engine, player in
            engine.connect(player, to: engine.mainMixerNode, format: file.processingFormat)
            player.scheduleFile(file, at: nil)
        }
    }

    /// Returns three seconds each of drums, of a voice without words, and of strings, with peaks of −3 dB.
    static func compose() throws -> AVAudioPCMBuffer {
        let sound = try Rendering.render(seconds: 9) { engine, _ in
            add(kicks(), to: engine, volume: 0.9)
            add(snares(), to: engine, volume: 0.5, pan: -0.1)
            add(hats(), to: engine, volume: 0.2, pan: 0.4)
            for (index, vowel) in vowels.enumerated() {
                add(syllables(index), to: engine, volume: 0.25, through: throat(vowel))
            }
            for (index, pan) in [Float(-0.6), 0, 0.6].enumerated() {
                add(strings(index), to: engine, volume: 0.45, pan: pan)
            }
        }
        guard let channels = sound.floatChannelData else { return sound }
        let count = Int(sound.frameLength)
        let peak = (0..<2).flatMap { channel in (0..<count).map { abs(channels[channel][$0]) } }.max() ?? 1
        for channel in 0..<2 {
            for frame in 0..<count { channels[channel][frame] *= 0.708 / max(peak, 1e-6) }
        }
        return sound
    }

    private static func add(
        _ sound: AVAudioPCMBuffer,
        to engine: AVAudioEngine,
        volume: Float,
        pan: Float = 0,
        through unit: AVAudioUnit? = nil
    ) {
        let player = AVAudioPlayerNode()
        (player.volume, player.pan) = (volume, pan)
        engine.attach(player)
        if let unit {
            engine.attach(unit)
            engine.connect(player, to: unit, format: Signal.format)
        }
        engine.connect(unit ?? player, to: engine.mainMixerNode, format: Signal.format)
        player.scheduleBuffer(sound, at: nil)
    }

    // MARK: Drums, 0…3 s

    /// Returns the seconds since the last of `beats`, or none before the first and after `length`.
    private static func since(_ beats: [Double], _ frame: Int, length: Double) -> Double? {
        let time = Double(frame) / Signal.sampleRate
        return beats.last { $0 <= time }.map { time - $0 }.flatMap { $0 < length ? $0 : nil }
    }

    /// Sines that fall from 160 to 50 Hz.
    private static func kicks() -> AVAudioPCMBuffer {
        Signal.buffer(seconds: 3) { frame in
            guard let time = since([0, 1, 1.75, 2], frame, length: 0.4) else { return 0 }
            return exp(-8 * time) * sin(2 * .pi * (50 * time + 110 / 30 * (1 - exp(-30 * time))))
        }
    }

    private static func snares() -> AVAudioPCMBuffer {
        var noise = Noise()
        return Signal.buffer(seconds: 3) { frame in
            guard let time = since([0.5, 1.5, 2.5], frame, length: 0.3) else { return 0 }
            return exp(-16 * time) * noise.next() + 0.4 * exp(-20 * time) * sin(2 * .pi * 190 * time)
        }
    }

    /// Noise whose neighbours are subtracted, which leaves the treble.
    private static func hats() -> AVAudioPCMBuffer {
        var noise = Noise()
        var last = 0.0
        let beats = (0..<12).map { Double($0) / 4 }
        return Signal.buffer(seconds: 3) { frame in
            let value = noise.next()
            defer { last = value }
            guard let time = since(beats, frame, length: 0.1) else { return 0 }
            return exp(-60 * time) * (value - last)
        }
    }

    // MARK: A voice, 3…6 s

    /// The first three formants of a man's a, i and o, in hertz (Peterson and Barney 1952).
    private static let vowels: [[Float]] = [[730, 1_090, 2_440], [270, 2_290, 3_010], [570, 840, 2_410]]

    /// A resonance for each formant, and less treble.
    private static func throat(_ formants: [Float]) -> AVAudioUnitEQ {
        let equaliser = AVAudioUnitEQ(numberOfBands: formants.count + 1)
        for (band, (frequency, gain)) in zip(equaliser.bands, zip(formants, [Float(20), 16, 14])) {
            (band.frequency, band.bandwidth, band.gain) = (frequency, 0.3, gain)
            band.bypass = false
        }
        let last = equaliser.bands[formants.count]
        (last.filterType, last.frequency, last.bypass) = (.lowPass, 4_500, false)
        return equaliser
    }

    /// Pulses of a voice that falls from 140 to 95 Hz, in every third of eleven syllables.
    private static func syllables(_ index: Int) -> AVAudioPCMBuffer {
        var phase = 0.0
        var level = 0.0
        return Signal.buffer(seconds: 6) { frame in
            let time = Double(frame) / Signal.sampleRate - 3
            guard time >= 0 else { return 0 }
            phase += (140 - 15 * time + 3 * sin(2 * .pi * 5 * time)) / Signal.sampleRate
            let begins = phase >= 1
            if begins { phase -= 1 }
            let syllable = Int(time / 0.27)
            let position = time / 0.27 - Double(syllable)
            if syllable % 3 == index, syllable < 11, begins { level = 0.9 * pow(sin(.pi * min(position / 0.8, 1)), 2) }
            // The flow of air closes within a millisecond.
            level *= 0.97
            return level
        }
    }

    // MARK: Strings, 6…9 s

    /// Plucked strings: noise that goes round a delay line and loses its treble (Karplus and Strong 1983).
    private static func strings(_ index: Int) -> AVAudioPCMBuffer {
        let chords: [[Double]] = [[146.83, 220, 369.99], [130.81, 196, 329.63], [98, 246.94, 392]]
        var noise = Noise()
        var line: [Double] = []
        var place = 0
        return Signal.buffer(seconds: 9) { frame in
            let time = frame - Int((6 + 0.06 * Double(index)) * Signal.sampleRate)
            guard time >= 0 else { return 0 }
            let chord = min(time / 46_000, chords.count - 1)
            if time == chord * 46_000 {
                line = (0..<Int(Signal.sampleRate / chords[chord][index])).map { _ in noise.next() }
                let mean = line.reduce(0, +) / Double(line.count)
                for place in line.indices { line[place] -= mean }
                place = 0
            }
            let next = (place + 1) % line.count
            let value = line[place]
            line[place] = 0.4985 * (value + line[next])
            place = next
            return value
        }
    }
}

/// White noise of ±1, always the same.
private struct Noise {
    private var state: UInt32 = 1

    mutating func next() -> Double {
        state = state &* 1_664_525 &+ 1_013_904_223
        return Double(Int32(bitPattern: state)) / 2_147_483_648
    }
}
