import AVFoundation

// snippet: tap
/// The level of a file, as a meter shows it: decibels of the root mean square, of pieces of 4800 frames, from a tap.
func levels(of input: URL) throws -> [Float] {
    let file = try AVAudioFile(forReading: input)
    let engine = AVAudioEngine()
    let player = AVAudioPlayerNode()
    engine.attach(player)
    engine.connect(player, to: engine.mainMixerNode, format: file.processingFormat)

    let meter = Meter()
    engine.mainMixerNode.installTap(onBus: 0, bufferSize: 4800, format: nil) { buffer, _ in
        meter.add(buffer)
    }
    player.scheduleFile(file, at: nil)
    let output = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).caf")
    defer { try? FileManager.default.removeItem(at: output) }
    try render(engine, in: file.processingFormat, frames: file.length, to: output) {
        player.play()
    }
    engine.mainMixerNode.removeTap(onBus: 0)
    return meter.levels
}

/// Takes what a tap gives, on whatever thread that is.
final class Meter: @unchecked Sendable {
    // Unchecked: the levels are touched under the lock only.
    private let lock = NSLock()
    private var measured: [Float] = []

    var levels: [Float] { lock.withLock { measured } }

    func add(_ buffer: AVAudioPCMBuffer) {
        guard let channels = buffer.floatChannelData, buffer.frameLength > 0 else { return }
        var sum: Float = 0
        for channel in 0..<Int(buffer.format.channelCount) {
            for frame in 0..<Int(buffer.frameLength) {
                let sample = channels[channel][frame]
                sum += sample * sample
            }
        }
        let mean = sum / Float(buffer.frameLength) / Float(buffer.format.channelCount)
        lock.withLock { measured.append(10 * log10(max(mean, 1e-12))) }
    }
}
// end
