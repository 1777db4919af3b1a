import AVFoundation

// snippet: instrument-unit
/// An instrument of sines: as many notes at once as there are keys.
final class SineOrgan: AUAudioUnit, @unchecked Sendable {
    // Unchecked: the busses are set up by `init`; the notes are used by the render thread only.
    private struct Note {
        var phase: Float = 0
        var level: Float = 0
        var wantedLevel: Float = 0
    }

    private let notes = UnsafeMutablePointer<Note>.allocate(capacity: 128)
    private var outputs: AUAudioUnitBusArray!

    override init(
        componentDescription: AudioComponentDescription,
        options: AudioComponentInstantiationOptions = []
    ) throws {
        notes.initialize(repeating: Note(), count: 128)
        try super.init(componentDescription: componentDescription, options: options)
        guard let format = AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2) else { return }
        outputs = AUAudioUnitBusArray(audioUnit: self, busType: .output, busses: [try AUAudioUnitBus(format: format)])
    }

    deinit { notes.deallocate() }

    override var outputBusses: AUAudioUnitBusArray { outputs }

    /// The notes fade within 10 ms when their keys have gone up.
    override var tailTime: TimeInterval { 0.01 }

    override var internalRenderBlock: AUInternalRenderBlock {
        let sampleRate = Float(outputs[0].format.sampleRate)
        return { [unowned self] _, time, frameCount, _, output, firstEvent, _ in
            let channels = UnsafeMutableAudioBufferListPointer(output)
            let now = AUEventSampleTime(time.pointee.mSampleTime)
            var event = firstEvent
            for frame in 0..<Int(frameCount) {
                // The events of a block come in the order of their times.
                while let next = event, next.pointee.head.eventSampleTime <= now + Int64(frame) {
                    if next.pointee.head.eventType == .MIDI { handle(next.pointee.MIDI.data) }
                    event = UnsafePointer(next.pointee.head.next)
                }
                let sample = nextSample(sampleRate)
                for channel in 0..<channels.count {
                    channels[channel].mData?.assumingMemoryBound(to: Float.self)[frame] = sample
                }
            }
            return noErr
        }
    }

    /// A message of three bytes: 0x90 begins a note, and 0x80, or a velocity of 0, ends it.
    private func handle(_ message: (UInt8, UInt8, UInt8)) {
        let key = Int(message.1 & 127)
        switch message.0 & 0xF0 {
        case 0x90: notes[key].wantedLevel = 0.2 * Float(message.2) / 127
        case 0x80: notes[key].wantedLevel = 0
        default: break
        }
    }

    private func nextSample(_ sampleRate: Float) -> Float {
        var sum: Float = 0
        for key in 0..<128 where notes[key].level > 0 || notes[key].wantedLevel > 0 {
            let change = notes[key].wantedLevel - notes[key].level
            notes[key].level += min(max(change, -20 / sampleRate), 20 / sampleRate)
            notes[key].phase += 440 * exp2(Float(key - 69) / 12) / sampleRate
            if notes[key].phase >= 1 { notes[key].phase -= 1 }
            sum += notes[key].level * sin(2 * .pi * notes[key].phase)
        }
        return sum
    }
}

/// A node of the instrument, to play by messages or by an `AVAudioSequencer`.
func makeSineOrgan() async throws -> AVAudioUnitMIDIInstrument? {
    var description = AudioComponentDescription()
    description.componentType = kAudioUnitType_MusicDevice
    description.componentSubType = 0x6F72_676E
    description.componentManufacturer = 0x6465_6D6F
    AUAudioUnit.registerSubclass(SineOrgan.self, as: description, name: "Demo: Sine Organ", version: 1)
    return try await AVAudioUnit.instantiate(with: description) as? AVAudioUnitMIDIInstrument
}
// end

/// Renders a MIDI file with the instrument.
func renderOrgan(_ song: URL, to output: URL) async throws {
    let engine = AVAudioEngine()
    guard let organ = try await makeSineOrgan(),
        let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2)
    else { return }
    engine.attach(organ)
    engine.connect(organ, to: engine.mainMixerNode, format: format)
    let sequencer = AVAudioSequencer(audioEngine: engine)
    try sequencer.load(from: song)
    for track in sequencer.tracks { track.destinationAudioUnit = organ }
    let seconds = sequencer.tracks.map(\.lengthInSeconds).max() ?? 0
    var failure: (any Error)?
    try render(engine, in: format, frames: AVAudioFramePosition((seconds + 0.1) * format.sampleRate), to: output) {
        do { try sequencer.start() } catch { failure = error }
    }
    if let failure { throw failure }
}
