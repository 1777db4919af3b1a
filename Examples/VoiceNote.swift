import AVFoundation

// snippet: voice-note
/// Records a note of five seconds, plays it twice, and returns when it has been heard.
func recordAndPlay(_ url: URL) async throws {
    let settings: [String: Any] = [
        AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 1,
    ]
    let recorder = try AVAudioRecorder(url: url, settings: settings)
    guard recorder.record() else { throw recorder.recordError ?? CocoaError(.featureUnsupported) }
    try await Task.sleep(for: .seconds(5))
    recorder.stop()

    let player = try AVAudioPlayer(contentsOf: url)
    player.numberOfLoops = 1
    guard player.play() else { throw player.playError ?? CocoaError(.featureUnsupported) }
    while player.isPlaying { try await Task.sleep(for: .milliseconds(50)) }
}
// end
