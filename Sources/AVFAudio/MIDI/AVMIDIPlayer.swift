public import Foundation
import Synchronization

/// A function that is called when an `AVMIDIPlayer` reaches the end or is stopped.
public typealias AVMIDIPlayerCompletionHandler = @Sendable () -> Void

/// Plays a MIDI file with the instruments of a sound bank.
///
/// FluidSynth renders the bank and is loaded at run time: without it, creating a player throws an error. Call the
/// player from any thread except the render thread. Deallocating the player ends its sound.
///
/// ```swift
/// let player = try AVMIDIPlayer(contentsOf: URL(fileURLWithPath: "song.mid"), soundBankURL: nil)
/// player.prepareToPlay()
/// player.play { print("The song is over") }
/// ```
open class AVMIDIPlayer: NSObject, @unchecked Sendable {
    // Unchecked: the lock guards all mutable state.
    private struct State {
        var isPlaying = false
        var completion: AVMIDIPlayerCompletionHandler?
        /// A number that identifies each call of `play(_:)`.
        var number = 0
    }

    private let state = Mutex(State())
    private let engine: AVAudioEngine
    private let ownsEngine: Bool
    private let sequencer: AVAudioSequencer
    private let sampler: AVAudioUnitSampler

    /// The duration in seconds at rate 1.
    public let duration: TimeInterval

    // MARK: Creating

    /// Creates a player for a file.
    /// - Parameters:
    ///   - inURL: A Standard MIDI File of format 0 or 1.
    ///   - bankURL: An SF2 or SF3 file; `nil` selects a bank in `/usr/share/sounds/sf2` or `/usr/share/sounds/sf3`.
    /// - Throws: `AVMIDIError`: as `AVAudioSequencer.load(from:options:)` and `AVAudioUnitSampler.loadSoundBank(at:)`;
    ///   `file.soundBankMissing` if `bankURL` is `nil` and no bank is installed.
    public convenience init(contentsOf inURL: URL, soundBankURL bankURL: URL?) throws {
        try self.init(bankURL, engine: nil) { try $0.load(from: inURL) }
    }

    /// A player of the bytes of a file.
    /// - Throws: As `init(contentsOf:soundBankURL:)`.
    public convenience init(data: Data, soundBankURL bankURL: URL?) throws {
        try self.init(bankURL, engine: nil) { try $0.load(from: data) }
    }

    /// Creates a player that plays through `engine`, for instance an engine that renders without a device.
    ///
    /// The player attaches an instrument, connects it to the main mixer, and starts the engine in `play(_:)`. An
    /// addition to Apple's interface.
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

    /// Opens the device in advance, which shortens `play(_:)`.
    open func prepareToPlay() {
        attach()
        engine.prepare()
        sequencer.prepareToPlay()
    }

    private func attach() {
        guard sampler.engine == nil else { return }
        sampler.attachAsInstrument(to: engine)
    }

    /// Plays from the current position, or from the start if the position is the end.
    ///
    /// Without a device nothing plays: `isPlaying` stays `false`, and the handler is called.
    /// - Parameter completionHandler: Called once, on a private queue, at the end or after `stop()`.
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

    /// Stops playback.
    ///
    /// The position does not change.
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

    /// Whether the player is playing.
    open var isPlaying: Bool { state.withLock { $0.isPlaying } ? sequencer.isPlaying : false }

    /// The position in seconds at rate 1: 0…`duration`.
    open var currentPosition: TimeInterval {
        get { min(sequencer.currentPositionInSeconds, duration) }
        set { sequencer.currentPositionInSeconds = min(newValue, duration) }
    }

    /// The playback rate: 0 or more; default 1.
    open var rate: Float {
        get { sequencer.rate }
        set { sequencer.rate = newValue }
    }
}
