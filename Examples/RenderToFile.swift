import AVFoundation

// snippet: render
/// Renders what `engine` plays to a file, faster than real time.
///
/// The graph is connected, the engine not yet started; `play` is called when it has been.
func render(
    _ engine: AVAudioEngine,
    in format: AVAudioFormat,
    frames: AVAudioFramePosition,
    to url: URL,
    play: () -> Void
) throws {
    try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 4096)
    try engine.start()
    play()
    defer { engine.stop() }

    let renderFormat = engine.manualRenderingFormat
    let capacity = engine.manualRenderingMaximumFrameCount
    guard let buffer = AVAudioPCMBuffer(pcmFormat: renderFormat, frameCapacity: capacity) else { return }
    let file = try AVAudioFile(forWriting: url, settings: renderFormat.settings)
    while engine.manualRenderingSampleTime < frames {
        let left = frames - engine.manualRenderingSampleTime
        let count = min(AVAudioFrameCount(left), buffer.frameCapacity)
        switch try engine.renderOffline(count, to: buffer) {
        case .success:
            try file.write(from: buffer)
        case .error:
            throw CocoaError(.fileWriteUnknown)
        default:
            // Nothing to be had just now: try again.
            continue
        }
    }
}
// end
