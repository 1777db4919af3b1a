import AVFAudio

// Renders a tenth of a second of a sine at half of full scale, and prints the largest sample.
let engine = AVAudioEngine()
let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1)!
var phase = 0.0
let source = AVAudioSourceNode(format: format) { _, _, frameCount, buffers in
    let samples = UnsafeMutableAudioBufferListPointer(buffers)[0].mData!.assumingMemoryBound(to: Float.self)
    for frame in 0..<Int(frameCount) {
        samples[frame] = Float(0.5 * sin(phase))
        phase += 2 * .pi * 1_000 / 48_000
    }
    return noErr
}
engine.attach(source)
engine.connect(source, to: engine.mainMixerNode, format: format)
try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 4_800)
try engine.start()
let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 4_800)!
guard try engine.renderOffline(4_800, to: buffer) == .success else { fatalError("nothing was rendered") }
let peak = (0..<4_800).map { abs(buffer.floatChannelData![0][$0]) }.max()!
print(abs(peak - 0.5) < 0.001 ? "ok" : "peak \(peak)")
