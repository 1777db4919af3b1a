import SyrinxStreaming

// snippet: tutorial-sound
/// The settings of the sound, which the listener may change during playback.
struct Sound: Sendable {
    let streamer: TimePitchStreamer
    let equalizer = AVAudioUnitEQ(numberOfBands: 1)

    /// Inserts the equalizer, which is off at first, between the player and the mixer of a streamer.
    init(of streamer: TimePitchStreamer) {
        self.streamer = streamer
        let band = equalizer.bands[0]
        band.filterType = .highPass
        band.frequency = 120  // Hz
        band.bypass = true
        streamer.effects = [equalizer]
    }

    /// Carries out a command, and returns whether the command exists.
    func perform(_ command: String) -> Bool {
        let words = command.split(separator: " ")
        switch (words.first, words.last.flatMap { Float($0) }) {
        case ("rate", let rate?): streamer.rate = rate  // 1/32 to 32
        case ("pitch", let cents?): streamer.pitch = cents  // −2400 to 2400
        case ("pauses", _): streamer.smartSpeed = streamer.smartSpeed == .off ? .medium : .off
        case ("voice", _): streamer.voiceBoost = streamer.voiceBoost == nil ? VoiceBoostSettings() : nil
        case ("rumble", _): equalizer.bands[0].bypass.toggle()
        default: return false
        }
        return true
    }
}
// end
