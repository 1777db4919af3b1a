import AVFoundation

// snippet: effects
/// A recorded voice without rumble, evenly loud, in a small room.
func treatVoice(_ input: URL, to output: URL) throws {
    let file = try AVAudioFile(forReading: input)
    let engine = AVAudioEngine()
    let player = AVAudioPlayerNode()

    let equalizer = AVAudioUnitEQ(numberOfBands: 2)
    equalizer.bands[0].filterType = .highPass
    equalizer.bands[0].frequency = 80
    equalizer.bands[0].bypass = false
    equalizer.bands[1].filterType = .highShelf
    equalizer.bands[1].frequency = 6_000
    equalizer.bands[1].gain = 3
    equalizer.bands[1].bypass = false

    let compressor = AVAudioUnitEffect(
        audioComponentDescription: AudioComponentDescription(
            componentType: kAudioUnitType_Effect,
            componentSubType: kAudioUnitSubType_DynamicsProcessor,
            componentManufacturer: kAudioUnitManufacturer_Apple,
            componentFlags: 0,
            componentFlagsMask: 0
        )
    )
    // 0 is the threshold and 1 the head room, both in dB.
    AudioUnitSetParameter(compressor.audioUnit, 0, kAudioUnitScope_Global, 0, -30, 0)
    AudioUnitSetParameter(compressor.audioUnit, 1, kAudioUnitScope_Global, 0, 10, 0)

    let reverb = AVAudioUnitReverb()
    reverb.loadFactoryPreset(.smallRoom)
    reverb.wetDryMix = 15

    engine.attach(player)
    var last: AVAudioNode = player
    for unit in [equalizer, compressor, reverb] {
        engine.attach(unit)
        engine.connect(last, to: unit, format: file.processingFormat)
        last = unit
    }
    engine.connect(last, to: engine.mainMixerNode, format: file.processingFormat)

    player.scheduleFile(file, at: nil)
    try render(engine, in: file.processingFormat, frames: file.length, to: output) {
        player.play()
    }
}
// end
