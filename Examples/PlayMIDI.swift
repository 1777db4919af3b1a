import AVFoundation

// snippet: midi
/// A MIDI file with the instruments of a sound bank, and a note of the program's own on its first beat.
func renderSong(_ song: URL, soundBank: URL, to output: URL) throws {
    let engine = AVAudioEngine()
    guard let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2) else { return }
    let sampler = AVAudioUnitSampler()
    engine.attach(sampler)
    engine.connect(sampler, to: engine.mainMixerNode, format: format)
    try sampler.loadSoundBank(at: soundBank)

    let sequencer = AVAudioSequencer(audioEngine: engine)
    try sequencer.load(from: song)
    let track = sequencer.createAndAppendTrack()
    track.addEvent(AVMIDINoteEvent(channel: 0, key: 60, velocity: 100, duration: 1), at: 0)
    for track in sequencer.tracks { track.destinationAudioUnit = sampler }
    let seconds = sequencer.tracks.map(\.lengthInSeconds).max() ?? 0

    var failure: (any Error)?
    try render(engine, in: format, frames: AVAudioFramePosition((seconds + 2) * format.sampleRate), to: output) {
        do { try sequencer.start() } catch { failure = error }
    }
    if let failure { throw failure }
}
// end
