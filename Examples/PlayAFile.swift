import AVFoundation

// snippet: engine
/// Plays a file on the default output, and returns when it has been heard.
func play(_ url: URL, with engine: AVAudioEngine = AVAudioEngine()) async throws {
    let player = AVAudioPlayerNode()
    let file = try AVAudioFile(forReading: url)
    engine.attach(player)
    engine.connect(player, to: engine.mainMixerNode, format: file.processingFormat)
    try engine.start()
    player.play()
    await player.scheduleFile(file, at: nil, completionCallbackType: .dataPlayedBack)
    engine.stop()
}
// end
