import AVFoundation

// snippet: sequence
/// Files one after the other, without a gap.
func playInSequence(_ inputs: [URL], to output: URL) throws {
    let files = try inputs.map { try AVAudioFile(forReading: $0) }
    guard let format = files.first?.processingFormat else { return }
    let engine = AVAudioEngine()
    let player = AVAudioPlayerNode()
    engine.attach(player)
    engine.connect(player, to: engine.mainMixerNode, format: format)

    for file in files {
        player.scheduleFile(file, at: nil, completionCallbackType: .dataPlayedBack) { _ in
            print("played \(file.url.lastPathComponent)")
        }
    }
    let frames = files.reduce(0) { $0 + $1.length }
    try render(engine, in: format, frames: frames, to: output) {
        player.play()
    }
}
// end
