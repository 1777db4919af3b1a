import AVFoundation

// snippet: environment
/// A recording that goes around the listener once in four seconds, two meters away, for headphones.
func circle(_ input: URL, to output: URL) throws {
    let file = try AVAudioFile(forReading: input)
    let engine = AVAudioEngine()
    let environment = AVAudioEnvironmentNode()
    let player = AVAudioPlayerNode()
    engine.attach(environment)
    engine.attach(player)
    engine.connect(player, to: environment, format: file.processingFormat)
    engine.connect(environment, to: engine.mainMixerNode, format: nil)

    player.sourceMode = .pointSource
    player.renderingAlgorithm = .HRTF
    player.reverbBlend = 0.2
    environment.reverbParameters.enable = true
    environment.reverbParameters.loadFactoryReverbPreset(.smallRoom)

    let rate = file.processingFormat.sampleRate
    guard let format = AVAudioFormat(standardFormatWithSampleRate: rate, channels: 2) else { return }
    try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 512)
    guard let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 512) else { return }
    let result = try AVAudioFile(forWriting: output, settings: format.settings)
    try engine.start()
    defer { engine.stop() }
    player.scheduleFile(file, at: nil)
    player.play()
    while engine.manualRenderingSampleTime < file.length {
        let angle = Float(engine.manualRenderingSampleTime) / Float(rate) / 4 * 2 * Float.pi
        player.position = AVAudioMake3DPoint(2 * sin(angle), 0, -2 * cos(angle))
        if try engine.renderOffline(512, to: buffer) == .success { try result.write(from: buffer) }
    }
}
// end
