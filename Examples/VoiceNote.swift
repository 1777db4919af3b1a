import AVFoundation

// snippet: record
/// Records for some seconds from the default input, or another device, into a file of MPEG-4 audio.
func recordNote(_ url: URL, seconds: TimeInterval, from device: (any InputDevice)? = nil) async throws {
    let settings: [String: Any] = [
        AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 1,
    ]
    let recorder = try AVAudioRecorder(url: url, settings: settings)
    recorder.inputDevice = device
    guard recorder.record(forDuration: seconds) else { throw recorder.recordError ?? CocoaError(.featureUnsupported) }
    while recorder.isRecording { try await Task.sleep(for: .milliseconds(20)) }
}
// end

// snippet: play-twice
/// Plays a sound twice, and returns when it has been heard.
func playTwice(_ player: AVAudioPlayer) async throws {
    player.numberOfLoops = 1
    guard player.play() else { throw player.playError ?? CocoaError(.featureUnsupported) }
    while player.isPlaying { try await Task.sleep(for: .milliseconds(20)) }
}
// end

// snippet: together
/// Starts sounds at the same frame, and returns when all have been heard.
func playTogether(_ players: [AVAudioPlayer]) async throws {
    guard let first = players.first else { return }
    for player in players { player.prepareToPlay() }
    let start = first.deviceCurrentTime + 0.2
    for player in players where !player.play(atTime: start) {
        throw player.playError ?? CocoaError(.featureUnsupported)
    }
    while players.contains(where: \.isPlaying) { try await Task.sleep(for: .milliseconds(20)) }
}
// end

// snippet: player-meter
/// The levels of a player's channels in dB, since the last call: for a meter that is drawn 20 times a second.
func levels(of player: AVAudioPlayer) -> [Float] {
    player.isMeteringEnabled = true
    player.updateMeters()
    return (0..<player.numberOfChannels).map { player.averagePower(forChannel: $0) }
}
// end
