public import Foundation
import Synchronization
import SyrinxMediaCodec

/// Options for loading a MIDI file.
public struct AVMusicSequenceLoadOptions: OptionSet, Sendable {
    /// The bits of the options.
    public let rawValue: UInt

    /// Creates options from their bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Splits each track of the file into one track per MIDI channel.
    ///
    /// Without this option, tracks stay as they are in the file.
    public static let smfChannelsToTracks = AVMusicSequenceLoadOptions(rawValue: 1)
}

/// A function that receives the track, the contents and the beat of a user event.
///
/// Not called on the render thread.
public typealias AVAudioSequencerUserCallback =
    @Sendable (_ track: AVMusicTrack, _ userData: Data, _ timeStamp: AVMusicTimeStamp) -> Void

/// Plays tracks of MIDI events through the instruments of an engine.
///
/// Events are exact to the frame, in manual rendering too: the sequencer compiles a schedule when playback starts and
/// when a track changes. If the connection of an instrument has a different sample rate than the engine, its events
/// may be late by a few frames. An `AVAudioUnitSampler` starts notes of a sound bank on a grid of 64 frames. As on
/// Apple's systems, playback does not stop at the end of the tracks. Call it from any thread except the render thread.
///
/// ```swift
/// let engine = AVAudioEngine()
/// let piano = AVAudioUnitSampler()
/// engine.attach(piano)
/// engine.connect(piano, to: engine.mainMixerNode, format: nil)
/// let bank = URL(fileURLWithPath: "piano.sf2")
/// try piano.loadSoundBankInstrument(at: bank, program: 0, bankMSB: 0x79, bankLSB: 0)
/// let sequencer = AVAudioSequencer(audioEngine: engine)
/// try sequencer.load(from: URL(fileURLWithPath: "song.mid"))
/// try engine.start()
/// try sequencer.start()
/// ```
open class AVAudioSequencer: NSObject, @unchecked Sendable {
    // Unchecked: mutable state is guarded by the lock or belongs to the kernel, which synchronizes by its own rules.
    struct State {
        var tempoTrack: AVMusicTrack
        var tracks: [AVMusicTrack] = []
        var isPlaying = false
        /// The number of the last start, stop or seek.
        var command = 0
        /// The beat to which the last command led.
        var startBeat = 0.0
        var schedule: SequenceSchedule?
        var map = TempoMap()
        /// The schedules of late by their number, with their tracks, for user events.
        var schedules: [Int: (schedule: SequenceSchedule, tracks: [AVMusicTrack])] = [:]
        var scheduleNumber = 0
        var callback: AVAudioSequencerUserCallback?
        var observer: (@Sendable () -> Void)?
        /// The sequencer as a sequence of the procedural API.
        var sequence: MusicSequenceObject?
    }

    let state: Mutex<State>
    let kernel = SequenceKernel()
    weak var engine: AVAudioEngine?
    private let engineRun: EngineRun?

    /// The default resolution of files in ticks per beat.
    static let defaultResolution = 480

    // MARK: Creating

    /// Creates a sequencer without an engine.
    ///
    /// It can load, edit and write tracks, but not play them.
    public override init() {
        state = Mutex(State(tempoTrack: Self.emptyTempoTrack))
        engineRun = nil
        super.init()
        begin()
    }

    /// Creates a sequencer that plays through the instruments of `engine`, to which it keeps a weak reference.
    public init(audioEngine engine: AVAudioEngine) {
        state = Mutex(State(tempoTrack: Self.emptyTempoTrack))
        self.engine = engine
        engineRun = engine.run
        super.init()
        begin()
    }

    private static var emptyTempoTrack: AVMusicTrack {
        AVMusicTrack(EventList(), resolution: defaultResolution, isTempoTrack: true) {}
    }

    private func begin() {
        replaceTracks(with: SequenceContents(), resolution: Self.defaultResolution)
        kernel.service.withLock { $0 = { [weak self] in self?.serve() } }
        engineRun?.add(kernel)
    }

    deinit {
        engineRun?.remove(kernel)
        guard state.withLock({ $0.isPlaying }) else { return }
        // Without this, no one ends the sounding notes after the sequencer is deallocated.
        for queue in state.withLock({ $0.schedule?.destinations ?? [] }) {
            for channel in 0..<16 {
                var event = UnitEvent(time: AUEventSampleTimeImmediate, address: 0, byteCount: 3)
                event.bytes = (0xB0 | UInt8(channel), 123, 0)
                queue.add(event)
            }
        }
    }

    // MARK: Files

    /// Replaces the tracks with those of a Standard MIDI File of format 0 or 1.
    ///
    /// Playback stops, and the position is set to 0.
    /// - Throws: `AVMIDIError`: `file.notFound`, `file.readFailed`, `media.notMIDI`, `media.truncated`,
    ///   `media.corrupt`, or `media.unsupported` for format 2 and for files of more than 64 MiB or 4,194,304 events.
    open func load(from fileURL: URL, options: AVMusicSequenceLoadOptions = []) throws {
        do {
            try load(StandardMIDIFileReader.read(try MIDIFileAccess.read(fileURL)), options)
        } catch {
            throw error.about(fileURL)
        }
    }

    /// Replaces the tracks with those of a Standard MIDI File in memory.
    /// - Throws: As `load(from:options:)` for a URL, without errors of the file system.
    open func load(from data: Data, options: AVMusicSequenceLoadOptions = []) throws {
        load(try StandardMIDIFileReader.read(data), options)
    }

    private func load(_ file: StandardMIDIFile, _ options: AVMusicSequenceLoadOptions) {
        stop()
        let (contents, resolution) = Self.contents(of: file, options)
        replaceTracks(with: contents, resolution: resolution)
        currentPositionInBeats = 0
    }

    private func replaceTracks(with contents: SequenceContents, resolution: Int) {
        let tempo = makeTrack(contents.tempo, resolution, isTempoTrack: true)
        let tracks = contents.tracks.map { makeTrack($0, resolution) }
        state.withLock { ($0.tempoTrack, $0.tracks) = (tempo, tracks) }
        tracksHaveChanged()
    }

    private func makeTrack(_ events: EventList, _ resolution: Int, isTempoTrack: Bool = false) -> AVMusicTrack {
        let track = AVMusicTrack(events, resolution: resolution, isTempoTrack: isTempoTrack) { [weak self] in
            self?.tracksHaveChanged()
        }
        track.tempoMapBox.withLock { $0 = { [weak self] in self?.map ?? TempoMap() } }
        return track
    }

    /// Writes the tracks to a Standard MIDI File of format 1.
    ///
    /// The format has no user events, parameter events or fractional keys, so these are omitted. The file appears only
    /// when it is complete.
    /// - Parameters:
    ///   - fileURL: A `file:` URL.
    ///   - resolution: Ticks per beat, 1…32,767; 0 selects 480. A negative value is a SMPTE resolution of 16 bits: the
    ///     upper byte is the negative frame rate (24, 25, 29 or 30), and the lower byte is the number of ticks per
    ///     frame.
    ///   - replace: Whether to replace an existing file.
    /// - Throws: `AVMIDIError`: `file.exists`, `file.writeFailed`, `media.unsupported`.
    open func write(to fileURL: URL, smpteResolution resolution: Int, replaceExisting replace: Bool) throws {
        do {
            try MIDIFileAccess.write(try data(resolution), to: fileURL, replaces: replace)
        } catch {
            throw error.about(fileURL)
        }
    }

    /// Returns the tracks as the bytes of a Standard MIDI File; empty data, with an error in `outError`, on failure.
    /// - Parameters:
    ///   - SMPTEResolution: As in `write(to:smpteResolution:replaceExisting:)`.
    ///   - outError: Receives the error.
    open func data(withSMPTEResolution SMPTEResolution: Int, error outError: NSErrorPointer) -> Data {
        do {
            return try data(SMPTEResolution)
        } catch {
            outError?.pointee = error as NSError
            return Data()
        }
    }

    /// Returns the bytes of a file with a resolution.
    func data(_ resolution: Int) throws(AVMIDIError) -> Data {
        guard let division = StandardMIDIFile.Division(resolution: resolution) else {
            throw AVMIDIError(.unsupported, "The resolution \(resolution) is not possible in a MIDI file.")
        }
        let (tempo, tracks) = state.withLock { ($0.tempoTrack, $0.tracks) }
        var contents = SequenceContents()
        contents.tempo = tempo.snapshot.events
        contents.tracks = tracks.map { $0.snapshot.events }
        return try StandardMIDIFileWriter.data(contents.file(division))
    }

    // MARK: Tracks

    /// The tracks in order, without the tempo track.
    open var tracks: [AVMusicTrack] { state.withLock { $0.tracks } }

    /// The track with the tempos, and with meta events that apply to all tracks.
    open var tempoTrack: AVMusicTrack { state.withLock { $0.tempoTrack } }

    /// Appends an empty track and returns it.
    @discardableResult
    open func createAndAppendTrack() -> AVMusicTrack {
        let track = makeTrack(EventList(), Self.defaultResolution)
        state.withLock { $0.tracks.append(track) }
        tracksHaveChanged()
        return track
    }

    /// Appends the tracks of a file to the existing ones, and its tempos to the tempo track.
    func append(_ file: StandardMIDIFile, _ options: AVMusicSequenceLoadOptions) {
        let (contents, resolution) = Self.contents(of: file, options)
        let tracks = contents.tracks.map { makeTrack($0, resolution) }
        let tempoTrack = state.withLock { state in
            state.tracks += tracks
            return state.tempoTrack
        }
        tempoTrack.change { state in
            state.events.merge(contents.tempo.events)
            state.resolution = resolution
        }
    }

    private static func contents(
        of file: StandardMIDIFile,
        _ options: AVMusicSequenceLoadOptions
    ) -> (contents: SequenceContents, resolution: Int) {
        let resolution = if case .beats(let count) = file.division { count } else { defaultResolution }
        return (SequenceContents(file, splitsChannels: options.contains(.smfChannelsToTracks)), resolution)
    }

    /// Removes a track.
    ///
    /// Returns `false` if the track does not belong to the sequencer.
    @discardableResult
    open func removeTrack(_ track: AVMusicTrack) -> Bool {
        let isRemoved = state.withLock { state in
            let count = state.tracks.count
            state.tracks.removeAll { $0 === track }
            return state.tracks.count < count
        }
        if isRemoved { tracksHaveChanged() }
        return isRemoved
    }

    /// Sets the function that is called for each user event during playback; `nil` removes it.
    ///
    /// The function is called soon after the render that contains the event, one call at a time. At most 256 events
    /// are pending; further events are dropped.
    open func setUserCallback(_ userCallback: AVAudioSequencerUserCallback?) {
        state.withLock { $0.callback = userCallback }
    }

    // MARK: Playing

    /// Whether the sequencer is playing and its engine is running.
    open var isPlaying: Bool { state.withLock { $0.isPlaying } ? engine?.isRunning == true : false }

    /// Compiles the tracks in advance, which shortens `start()`.
    open func prepareToPlay() { state.withLock { compile(&$0) } }

    /// Plays from the current position on, with the next block that the engine renders.
    /// - Throws: `AVAudioEngineError` with `usage.engineIsNotRunning` if there is no engine, or it does not run.
    open func start() throws {
        guard let engine else {
            throw AVAudioEngineError(.notRunning, "The sequencer has no engine: make it with init(audioEngine:).")
        }
        guard engine.isRunning else { throw AVAudioEngineError(.notRunning, "Start the engine before the sequencer.") }
        state.withLock { state in
            guard !state.isPlaying else { return }
            // Instruments may have been added to the graph after the tracks.
            state.schedule = nil
            command(&state, isPlaying: true, at: state.startBeat)
        }
    }

    /// Stops, and ends the notes that sound.
    ///
    /// The position stays.
    open func stop() {
        state.withLock { state in
            guard state.isPlaying else { return }
            command(&state, isPlaying: false, at: beat(of: state))
        }
    }

    /// The playback rate, as a factor of the tempo: 0 or more; 1 by default.
    ///
    /// A change takes effect at the next block.
    open var rate: Float {
        get { Float(kernel.rate.load(ordering: .relaxed)) }
        set { kernel.rate.store(newValue.isFinite ? Double(max(newValue, 0)) : 1, ordering: .relaxed) }
    }

    /// The position in beats; during playback, the position of the last rendered frame.
    ///
    /// Setting it during playback ends the sounding notes. The latest controller, program and pitch bend messages
    /// before the new position are sent again; notes that started before it are not.
    open var currentPositionInBeats: TimeInterval {
        get { state.withLock { beat(of: $0) } }
        set {
            state.withLock { state in
                if state.isPlaying {
                    command(&state, isPlaying: true, at: newValue.asBeats)
                } else {
                    state.startBeat = newValue.asBeats
                }
            }
        }
    }

    /// The position in seconds at rate 1, according to the tempo track.
    open var currentPositionInSeconds: TimeInterval {
        get { seconds(forBeats: currentPositionInBeats) }
        set { currentPositionInBeats = beats(forSeconds: newValue) }
    }

    // MARK: Time

    /// Returns the seconds from the start to a beat, at rate 1.
    open func seconds(forBeats beats: AVMusicTimeStamp) -> TimeInterval { map.seconds(forBeats: beats.asBeats) }

    /// Returns the beat at a number of seconds from the start, at rate 1.
    open func beats(forSeconds seconds: TimeInterval) -> AVMusicTimeStamp { map.beats(forSeconds: seconds.asBeats) }

    /// Returns the host time at which a beat is audible.
    ///
    /// The value is available immediately after `start()` and after a change of the position. Until the next render it
    /// is an estimate from the next block of the device, and may change by one block. The result is 0, with an error
    /// in `outError`, if the sequencer is stopped or if the engine renders without a clock.
    open func hostTime(forBeats inBeats: AVMusicTimeStamp, error outError: NSErrorPointer) -> UInt64 {
        guard let (seconds, host, rate) = clock else {
            outError?.pointee = Self.noClock as NSError
            return 0
        }
        let away = (map.seconds(forBeats: inBeats.asBeats) - seconds) / rate * 1e9
        return UInt64(clamped: Double(host) + away)
    }

    /// Returns the beat that is audible at a host time.
    ///
    /// The result is 0, with an error in `outError`, if the sequencer is stopped or if the engine renders without a
    /// clock.
    open func beats(forHostTime inHostTime: UInt64, error outError: NSErrorPointer) -> AVMusicTimeStamp {
        guard let (seconds, host, rate) = clock else {
            outError?.pointee = Self.noClock as NSError
            return 0
        }
        let away = (Double(inHostTime) - Double(host)) / 1e9 * rate
        return map.beats(forSeconds: max(0, seconds + away))
    }

    private static let noClock = AVAudioEngineError(
        .notRunning,
        "Host times are known while the sequencer plays to a device: start the engine and the sequencer."
    )

    /// The last rendered position and the host time at which it is audible; before the first block, the values of that
    /// block.
    private var clock: (seconds: Double, hostTime: UInt64, rate: Double)? {
        let rate = kernel.rate.load(ordering: .relaxed)
        guard isPlaying, rate > 0 else { return nil }
        let (command, start) = state.withLock { ($0.command, $0.map.seconds(forBeats: $0.startBeat)) }
        let position = kernel.renderedPosition(of: command) ?? (start, engine?.nextHearingTime ?? 0)
        return position.hostTime > 0 ? (position.seconds, position.hostTime, rate) : nil
    }
}
