import AVFoundation

// snippet: synthesise
/// A sine from a source node: the block is asked for samples whenever the engine needs some.
func synthesise(frequency: Double, seconds: Double, to url: URL) throws {
    let engine = AVAudioEngine()
    guard let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2) else { return }
    let step = 2 * Double.pi * frequency / format.sampleRate
    var phase = 0.0

    let source = AVAudioSourceNode(format: format) { _, _, frameCount, audioBufferList in
        let buffers = UnsafeMutableAudioBufferListPointer(audioBufferList)
        for frame in 0..<Int(frameCount) {
            let value = Float(0.25 * sin(phase))
            phase += step
            if phase > 2 * Double.pi { phase -= 2 * Double.pi }
            for buffer in buffers {
                let samples = UnsafeMutableBufferPointer<Float>(buffer)
                samples[frame] = value
            }
        }
        return noErr
    }
    engine.attach(source)
    engine.connect(source, to: engine.mainMixerNode, format: format)
    engine.mainMixerNode.outputVolume = 0.5

    let frames = AVAudioFramePosition(seconds * format.sampleRate)
    try render(engine, in: format, frames: frames, to: url) {}
}
// end
