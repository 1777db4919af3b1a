import CoreAudioTypes
import Foundation
import Synchronization

/// The object behind a `MusicSequence` handle of the procedural API.
final class MusicSequenceObject: @unchecked Sendable {
    // Unchecked: the lock guards all mutable state.

    /// A sequencer of the sequence's own, with its engine.
    private struct Owned {
        let engine = AVAudioEngine()
        let sequencer: AVAudioSequencer

        init() { sequencer = AVAudioSequencer(audioEngine: engine) }
    }

    private struct State {
        var owned: Owned?
        var sampler: AVAudioUnitSampler?
        var tracks: [ObjectIdentifier: MusicTrackObject] = [:]
    }

    unowned let sequencer: AVAudioSequencer
    private let state: Mutex<State>

    /// Creates a sequence with a private sequencer.
    init() {
        let owned = Owned()
        sequencer = owned.sequencer
        state = Mutex(State(owned: owned))
    }

    /// The sequence of a program's sequencer, which keeps it alive.
    init(_ sequencer: AVAudioSequencer) {
        self.sequencer = sequencer
        state = Mutex(State())
    }

    deinit { state.withLock { $0.owned?.engine.stop() } }

    /// The handle for the program.
    var handle: MusicSequence { OpaquePointer(Unmanaged.passUnretained(self).toOpaque()) }

    /// Returns the sequence of a handle.
    static func of(_ handle: MusicSequence) -> MusicSequenceObject {
        Unmanaged<MusicSequenceObject>.fromOpaque(UnsafeRawPointer(handle)).takeUnretainedValue()
    }

    /// Whether `DisposeMusicSequence` is for it.
    var isOwned: Bool { state.withLock { $0.owned != nil } }

    // MARK: Tracks

    /// The tracks in order, without the tempo track.
    var tracks: [MusicTrackObject] { sequencer.tracks.map(object) }
    var tempoTrack: MusicTrackObject { object(sequencer.tempoTrack) }

    /// Returns the object of a track of the sequencer.
    func object(_ track: AVMusicTrack) -> MusicTrackObject {
        state.withLock { state in
            if let known = state.tracks[ObjectIdentifier(track)] { return known }
            let new = MusicTrackObject(track, in: self)
            state.tracks[ObjectIdentifier(track)] = new
            return new
        }
    }

    /// Removes a track and invalidates its handle.
    /// - Returns: `false` if the track belongs to another sequence.
    func remove(_ object: MusicTrackObject) -> Bool {
        guard sequencer.removeTrack(object.track) else { return false }
        let removed = state.withLock { $0.tracks.removeValue(forKey: ObjectIdentifier(object.track)) }
        return removed != nil
    }

    // MARK: Playing

    /// Adds an instrument to the private engine of the sequence if necessary, and compiles the tracks.
    func prepare() throws {
        for track in tracks { track.placeLoop() }
        tempoTrack.placeLoop()
        if let owned = state.withLock({ $0.sampler == nil ? $0.owned : nil }) {
            let sampler = AVAudioUnitSampler()
            try sampler.loadSoundBank(at: SoundBankSearch.find())
            sampler.attachAsInstrument(to: owned.engine)
            state.withLock { $0.sampler = sampler }
        }
        sequencer.engine?.prepare()
        sequencer.prepareToPlay()
    }

    func start() throws {
        try prepare()
        if let engine = sequencer.engine, !engine.isRunning { try engine.start() }
        try sequencer.start()
    }
}

extension AVAudioUnitSampler {
    /// Connects the sampler to the main mixer of an engine, at a rate that sound banks are played with.
    func attachAsInstrument(to engine: AVAudioEngine) {
        engine.attach(self)
        let rate = min(engine.mainMixerNode.outputFormat(forBus: 0).sampleRate, SoundFontVoices.sampleRates.upperBound)
        let format = AVAudioFormat(standardFormatWithSampleRate: rate, channels: 2)
        engine.connect(self, to: engine.mainMixerNode, format: format)
    }
}

extension AVAudioSequencer {
    /// The sequencer as a sequence of the procedural API, with the same tracks.
    ///
    /// The handle is valid as long as the sequencer exists; `DisposeMusicSequence` does not free it. A `MusicPlayer`
    /// with this sequence plays through the instruments of the sequencer's engine. An addition to Apple's interface.
    public final var musicSequence: MusicSequence {
        if let known = state.withLock({ $0.sequence }) { return known.handle }
        let new = MusicSequenceObject(self)
        let sequence = state.withLock { state in
            let sequence = state.sequence ?? new
            state.sequence = sequence
            return sequence
        }
        return sequence.handle
    }
}
