import AVFoundation

// snippet: scale
/// A scale of eight notes that a recording is played at, without a MIDI file.
func renderScale(of recording: URL, to output: URL) throws {
    let engine = AVAudioEngine()
    guard let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2) else { return }
    let sampler = AVAudioUnitSampler()
    engine.attach(sampler)
    engine.connect(sampler, to: engine.mainMixerNode, format: format)
    try sampler.loadAudioFiles(at: [recording])

    let sequencer = AVAudioSequencer(audioEngine: engine)
    sequencer.tempoTrack.addEvent(AVExtendedTempoEvent(tempo: 120), at: 0)
    let track = sequencer.createAndAppendTrack()
    track.destinationAudioUnit = sampler
    for (beat, key) in [60, 62, 64, 65, 67, 69, 71, 72].enumerated() {
        let note = AVMIDINoteEvent(channel: 0, key: UInt32(key), velocity: 100, duration: 0.9)
        track.addEvent(note, at: AVMusicTimeStamp(beat))
    }
    var failure: (any Error)?
    try render(engine, in: format, frames: AVAudioFramePosition(4 * format.sampleRate), to: output) {
        do { try sequencer.start() } catch { failure = error }
    }
    if let failure { throw failure }
}
// end

// snippet: keys
/// Plays a chord by hand, as a keyboard does: keys go down, and up after a second.
func playChord(on instrument: AVAudioUnitMIDIInstrument) async throws {
    let keys: [UInt8] = [60, 64, 67]
    for key in keys { instrument.startNote(key, withVelocity: 90, onChannel: 0) }
    try await Task.sleep(for: .seconds(1))
    for key in keys { instrument.stopNote(key, onChannel: 0) }
}
// end

/// Plays the chord on the default output, with a recording as the instrument.
func playChord(with recording: URL) async throws {
    let engine = AVAudioEngine()
    let sampler = AVAudioUnitSampler()
    engine.attach(sampler)
    engine.connect(sampler, to: engine.mainMixerNode, format: nil)
    try sampler.loadAudioFiles(at: [recording])
    try engine.start()
    defer { engine.stop() }
    try await playChord(on: sampler)
    try await Task.sleep(for: .seconds(0.5))
}
