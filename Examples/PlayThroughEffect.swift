import AVFoundation

// snippet: pitch
/// A file through an effect into the mixer.
func changePitch(of input: URL, cents: Float, to output: URL) throws {
    let file = try AVAudioFile(forReading: input)
    let engine = AVAudioEngine()
    let player = AVAudioPlayerNode()
    let effect = AVAudioUnitTimePitch()
    effect.pitch = cents

    engine.attach(player)
    engine.attach(effect)
    engine.connect(player, to: effect, format: file.processingFormat)
    engine.connect(effect, to: engine.mainMixerNode, format: file.processingFormat)

    player.scheduleFile(file, at: nil)
    try render(engine, in: file.processingFormat, frames: file.length, to: output) {
        player.play()
    }
}
// end
