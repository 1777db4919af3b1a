public import Foundation
import Synchronization

/// Called when an `AVMIDIPlayer` has come to the end, or was stopped.
public typealias AVMIDIPlayerCompletionHandler = @Sendable () -> Void

/// Plays a MIDI file with the instruments of a sound bank.
///
/// FluidSynth plays the bank, and is looked for at run time: where it is not installed, making a player throws. May be used from any
/// thread but the render thread. Letting the player go ends its sound.
open class AVMIDIPlayer: NSObject, @unchecked Sendable {
    // Unchecked: what changes is behind the lock.
    private struct State {
        var isPlaying = false
        var completion: AVMIDIPlayerCompletionHandler?
        /// Tells plays apart.
        var number = 0
    }

    private let state = Mutex(State())
    private let engine: AVAudioEngine
    private let ownsEngine: Bool
    private let sequencer: AVAudioSequencer
    private let sampler: AVAudioUnitSampler

    /// Seconds of the file at rate 1.
    public let duration: TimeInterval

    // MARK: Creating

    /// A player of a file.
    /// - Parameters:
    ///   - inURL: A Standard MIDI File of format 0 or 1.
    ///   - bankURL: An SF2 or SF3 file; `nil` for one that is installed in `/usr/share/sounds/sf2` or `/usr/share/sounds/sf3`.
    /// - Throws: `AVMIDIError`: as `AVAudioSequencer.load(from:options:)` and `AVAudioUnitSampler.loadSoundBank(at:)`, and
    ///   `file.soundBankMissing` if none was given and none is installed.
    public convenience init(contentsOf inURL: URL, soundBankURL bankURL: URL?) throws {
        try self.init(bankURL, engine: nil) { try $0.load(from: inURL) }
    }

    /// A player of the bytes of a file.
    /// - Throws: As `init(contentsOf:soundBankURL:)`.
    public convenience init(data: Data, soundBankURL bankURL: URL?) throws {
        try self.init(bankURL, engine: nil) { try $0.load(from: data) }
    }

    /// A player that plays through `engine`, for instance one that renders without a device.
    ///
    /// It attaches an instrument, connects it to the main mixer, and starts the engine by `play(_:)`. An addition to Apple's interface.
    /// - Throws: As `init(contentsOf:soundBankURL:)`.
    public convenience init(contentsOf inURL: URL, soundBankURL bankURL: URL?, engine: AVAudioEngine) throws {
        try self.init(bankURL, engine: engine) { try $0.load(from: inURL) }
    }

    private init(_ bankURL: URL?, engine: AVAudioEngine?, load: (AVAudioSequencer) throws -> Void) throws {
        self.engine = engine ?? AVAudioEngine()
        ownsEngine = engine == nil
        sequencer = AVAudioSequencer(audioEngine: self.engine)
        sampler = AVAudioUnitSampler()
        try load(sequencer)
        duration = sequencer.seconds(forBeats: sequencer.lengthInBeats)
        try sampler.loadSoundBank(at: bankURL ?? SoundBankSearch.find())
        super.init()
        for track in sequencer.tracks { track.destinationAudioUnit = sampler }
        sequencer.observeRenders { [weak self] in self?.endIfOver() }
    }

    deinit {
        sequencer.observeRenders(nil)
        if ownsEngine {
            engine.stop()
        } else if sampler.engine != nil {
            engine.detach(sampler)
        }
    }

    // MARK: Playing

    /// Finds the device, so that `play(_:)` begins at once.
    open func prepareToPlay() {
        attach()
        engine.prepare()
        sequencer.prepareToPlay()
    }

    private func attach() {
        guard sampler.engine == nil else { return }
        sampler.attachAsInstrument(to: engine)
    }

    /// Plays from the current position on, and from the start if that is the end.
    ///
    /// Without a device nothing is played, and the handler is called; `isPlaying` tells.
    /// - Parameter completionHandler: Called once, on a queue of the library's, at the end or after `stop()`.
    open func play(_ completionHandler: AVMIDIPlayerCompletionHandler? = nil) {
        let isFirst = state.withLock { state in
            guard !state.isPlaying else { return false }
            state.isPlaying = true
            state.completion = completionHandler
            state.number += 1
            return true
        }
        guard isFirst else { return }
        if currentPosition >= duration { currentPosition = 0 }
        do {
            attach()
            if !engine.isRunning { try engine.start() }
            try sequencer.start()
        } catch {
            end()
        }
    }

    /// Stops; the position stays.
    open func stop() { end() }

    private func endIfOver() {
        guard state.withLock({ $0.isPlaying }), sequencer.currentPositionInSeconds >= duration else { return }
        end()
        currentPosition = duration
    }

    private func end() {
        let completion = state.withLock { state in
            let completion = state.isPlaying ? state.completion : nil
            (state.isPlaying, state.completion) = (false, nil)
            return completion
        }
        sequencer.stop()
        guard let completion else { return }
        AVAudioEngine.callbackQueue.async { completion() }
    }

    /// Whether it plays.
    open var isPlaying: Bool { state.withLock { $0.isPlaying } ? sequencer.isPlaying : false }

    /// The position in seconds at rate 1: 0…`duration`.
    open var currentPosition: TimeInterval {
        get { min(sequencer.currentPositionInSeconds, duration) }
        set { sequencer.currentPositionInSeconds = min(newValue, duration) }
    }

    /// Seconds of the file in a second of sound: 0 or more; default 1.
    open var rate: Float {
        get { sequencer.rate }
        set { sequencer.rate = newValue }
    }
}
