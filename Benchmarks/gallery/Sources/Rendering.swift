import AVFAudio
import Foundation

/// The group of an entry: it says which signals are rendered, and what is drawn of them.
enum Kind: String, Encodable {
    case reverb, echo, filter, space, distortion, dynamics, time

    var signals: Set<String> {
        switch self {
        case .reverb, .echo, .filter, .space: ["recording", "impulse"]
        case .distortion, .dynamics: ["recording", "pulse", "tone", "steps"]
        case .time: ["recording", "impulse", "tone"]
        }
    }
}

/// An effect with its settings.
struct Entry {
    /// The description of an entry in the list of entries.
    struct Line: Encodable {
        let slug: String
        let family: String
        let name: String
        let settings: String
        let kind: Kind
        let rate: Double
    }

    let family: String
    let name: String
    /// The settings in words, beneath the picture.
    let settings: String
    let kind: Kind
    /// Seconds that are rendered when the input has ended.
    let tail: Double
    /// Seconds of input in a second of output.
    let rate: Double
    /// Connects the player to the main mixer by way of the effect; for the recording, not for a test signal, if `true`.
    let connect: (AVAudioEngine, AVAudioPlayerNode, Bool) throws -> Void

    init(
        _ family: String,
        _ name: String,
        _ settings: String,
        _ kind: Kind,
        tail: Double = 0.3,
        rate: Double = 1,
        connect: @escaping (AVAudioEngine, AVAudioPlayerNode, Bool) throws -> Void
    ) {
        (self.family, self.name, self.settings, self.kind) = (family, name, settings, kind)
        (self.tail, self.rate, self.connect) = (tail, rate, connect)
    }

    /// An entry of one unit between the player and the mixer.
    init(
        _ family: String,
        _ name: String,
        _ settings: String,
        _ kind: Kind,
        tail: Double = 0.3,
        rate: Double = 1,
        unit: @escaping (_ isRecording: Bool) throws -> AVAudioNode
    ) {
        self.init(family, name, settings, kind, tail: tail, rate: rate) { engine, player, isRecording in
            let unit = try unit(isRecording)
            engine.attach(unit)
            engine.connect(player, to: unit, format: Signal.format)
            engine.connect(unit, to: engine.mainMixerNode, format: Signal.format)
        }
    }

    /// The name of its files.
    var slug: String {
        "\(family) \(name)".lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? String($0) : "-" }
            .joined().split(separator: "-").joined(separator: "-")
    }

    var line: Line { Line(slug: slug, family: family, name: name, settings: settings, kind: kind, rate: rate) }

    /// Returns `input` through the effect, and its tail.
    func render(_ input: AVAudioPCMBuffer, isRecording: Bool) throws -> AVAudioPCMBuffer {
        let seconds = Double(input.frameLength) / Signal.sampleRate / rate + tail
        return try Rendering.render(seconds: seconds) { engine, player in
            try connect(engine, player, isRecording)
            player.scheduleBuffer(input, at: nil)
        }
    }
}

/// Offline rendering into memory.
enum Rendering {
    /// Returns what an engine plays that `connect` has connected, at 48 kHz in stereo; it starts all players.
    static func render(
        seconds: Double,
        connect: (AVAudioEngine, AVAudioPlayerNode) throws -> Void
    ) throws -> AVAudioPCMBuffer {
        let engine = AVAudioEngine()
        let player = AVAudioPlayerNode()
        engine.attach(player)
        try engine.enableManualRenderingMode(.offline, format: Signal.format, maximumFrameCount: 4_096)
        try connect(engine, player)
        try engine.start()
        defer { engine.stop() }
        for case let player as AVAudioPlayerNode in engine.attachedNodes { player.play() }

        let frames = Int((seconds * Signal.sampleRate).rounded())
        let sound = Signal.buffer(frameCount: frames)
        guard let block = AVAudioPCMBuffer(pcmFormat: Signal.format, frameCapacity: 4_096),
            let to = sound.floatChannelData, let from = block.floatChannelData
        else { throw CocoaError(.fileWriteUnknown) }
        var done = 0
        while done < frames {
            let count = min(frames - done, 4_096)
            guard try engine.renderOffline(AVAudioFrameCount(count), to: block) == .success else {
                throw CocoaError(.fileWriteUnknown)
            }
            for channel in 0..<2 { (to[channel] + done).update(from: from[channel], count: count) }
            done += count
        }
        return sound
    }
}
