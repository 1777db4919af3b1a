public import Foundation
import Synchronization
import SyrinxMediaCodec

/// The ways to make tracks of a MIDI file.
public struct AVMusicSequenceLoadOptions: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt

    /// The options of these bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Each channel of a track becomes a track of its own; without it tracks stay as they are in the file.
    public static let smfChannelsToTracks = AVMusicSequenceLoadOptions(rawValue: 1)
}

/// Called with the track, the contents and the beat of a user event, not on the render thread.
public typealias AVAudioSequencerUserCallback =
    @Sendable (_ track: AVMusicTrack, _ userData: Data, _ timeStamp: AVMusicTimeStamp) -> Void

/// Plays tracks of events through the instruments of an engine.
///
/// Events come at their frame, in manual rendering as well: the render thread reads a schedule that is compiled when playing begins and
/// when a track changes. An instrument whose connection has another sample rate than the engine may get them some frames late. An
/// `AVAudioUnitSampler` begins notes of a sound bank on a grid of 64 frames. Playing does not stop at the end of the tracks, as Apple's
/// does not. May be used from any thread but the render thread.
open class AVAudioSequencer: NSObject, @unchecked Sendable {
    // Unchecked: what changes is behind the lock, or in the kernel, which has its own rules.
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
        /// The sequence that stands for the sequencer in the procedural API.
        var sequence: MusicSequenceObject?
    }

    let state: Mutex<State>
    let kernel = SequenceKernel()
    weak var engine: AVAudioEngine?
    private let engineRun: EngineRun?

    /// The ticks in a beat of files that are not said to have another number.
    static let defaultResolution = 480

    // MARK: Creating

    /// A sequencer without an engine: it reads, changes and writes tracks, and plays nothing.
    public override init() {
        state = Mutex(State(tempoTrack: Self.emptyTempoTrack))
        engineRun = nil
        super.init()
        begin()
    }

    /// A sequencer that plays through the instruments of `engine`, which it does not keep alive.
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
        // Without the sequencer nothing else would end the notes that sound.
        for queue in state.withLock({ $0.schedule?.destinations ?? [] }) {
            for channel in 0..<16 {
                var event = UnitEvent(time: AUEventSampleTimeImmediate, address: 0, byteCount: 3)
                event.bytes = (0xB0 | UInt8(channel), 123, 0)
                queue.add(event)
            }
        }
    }

    // MARK: Files

    /// Replaces the tracks by those of a Standard MIDI File of format 0 or 1.
    ///
    /// Playing stops, and the position goes to 0.
    /// - Throws: `AVMIDIError`: `file.notFound`, `file.readFailed`, `media.notMIDI`, `media.truncated`, `media.corrupt`, or
    ///   `media.unsupported` for format 2 and for files of more than 64 MiB or 4,194,304 events.
    open func load(from fileURL: URL, options: AVMusicSequenceLoadOptions = []) throws {
        do {
            try load(StandardMIDIFileReader.read(try MIDIFileAccess.read(fileURL)), options)
        } catch {
            throw error.about(fileURL)
        }
    }

    /// Replaces the tracks by those of the bytes of a Standard MIDI File.
    /// - Throws: As the other form, but errors of files.
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
    /// User events, parameters, and the fractions of keys are left out, which such files do not have. The file appears when it is complete.
    /// - Parameters:
    ///   - fileURL: A `file:` URL.
    ///   - resolution: Ticks in a beat, 1…32,767; 0 is 480. Below 0, a SMPTE time: the negative number of frames a second (24, 25, 29, 30)
    ///     in the upper byte of 16 bits, and the ticks in a frame in the lower.
    ///   - replace: Whether a file that is there is replaced.
    /// - Throws: `AVMIDIError`: `file.exists`, `file.writeFailed`, `media.unsupported`.
    open func write(to fileURL: URL, smpteResolution resolution: Int, replaceExisting replace: Bool) throws {
        do {
            try MIDIFileAccess.write(try data(resolution), to: fileURL, replaces: replace)
        } catch {
            throw error.about(fileURL)
        }
    }

    /// Returns the bytes of a Standard MIDI File; empty with an error in `outError` if there is none.
    /// - Parameters:
    ///   - SMPTEResolution: As in `write(to:smpteResolution:replaceExisting:)`.
    ///   - outError: Gets the reason.
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
            throw AVMIDIError(.unsupported, "A MIDI file cannot count time in a resolution of \(resolution).")
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

    /// The track of tempos and of meta events that hold for all tracks.
    open var tempoTrack: AVMusicTrack { state.withLock { $0.tempoTrack } }

    /// Adds an empty track at the end, and returns it.
    @discardableResult
    open func createAndAppendTrack() -> AVMusicTrack {
        let track = makeTrack(EventList(), Self.defaultResolution)
        state.withLock { $0.tracks.append(track) }
        tracksHaveChanged()
        return track
    }

    /// Adds the tracks of a file behind those that are there, and its tempos to the tempo track.
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

    /// Removes a track; returns whether it was one of the sequencer's.
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

    /// Has a function called for each user event that is played; `nil` for none.
    ///
    /// Called soon after the render in which the event lies, one call at a time. At most 256 events wait; further ones are left out.
    open func setUserCallback(_ userCallback: AVAudioSequencerUserCallback?) {
        state.withLock { $0.callback = userCallback }
    }

    // MARK: Playing

    /// Whether the sequencer plays, and its engine renders.
    open var isPlaying: Bool { state.withLock { $0.isPlaying } ? engine?.isRunning == true : false }

    /// Compiles the tracks, so that `start()` takes no longer than it must.
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
            // A new look at the units of the graph, which may have come after the tracks.
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

    /// Seconds of the sequence in a second of sound: 0 or more; default 1.
    ///
    /// Changes with the next block.
    open var rate: Float {
        get { Float(kernel.rate.load(ordering: .relaxed)) }
        set { kernel.rate.store(newValue.isFinite ? Double(max(newValue, 0)) : 1, ordering: .relaxed) }
    }

    /// The position in beats: of what has been rendered, while it plays.
    ///
    /// Setting it while it plays ends the notes that sound. The controllers, programs and pitch bends before it are sent as they were
    /// last; notes that began before it are not.
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

    /// The position in seconds at rate 1, as the tempo track has it.
    open var currentPositionInSeconds: TimeInterval {
        get { seconds(forBeats: currentPositionInBeats) }
        set { currentPositionInBeats = beats(forSeconds: newValue) }
    }

    // MARK: Time

    /// Returns the seconds from the start to a beat, at rate 1.
    open func seconds(forBeats beats: AVMusicTimeStamp) -> TimeInterval { map.seconds(forBeats: beats.asBeats) }

    /// Returns the beat at a number of seconds from the start, at rate 1.
    open func beats(forSeconds seconds: TimeInterval) -> AVMusicTimeStamp { map.beats(forSeconds: seconds.asBeats) }

    /// Returns the host time at which a beat is heard.
    ///
    /// It is known right after `start()` and after a change of the position. Until a render has taken those up it is reckoned from the
    /// next block of the device, and may change by a block. 0 with an error in `outError` if the sequencer does not play, or the engine renders without a clock.
    open func hostTime(forBeats inBeats: AVMusicTimeStamp, error outError: NSErrorPointer) -> UInt64 {
        guard let (seconds, host, rate) = clock else {
            outError?.pointee = Self.noClock as NSError
            return 0
        }
        let away = (map.seconds(forBeats: inBeats.asBeats) - seconds) / rate * 1e9
        return UInt64(clamped: Double(host) + away)
    }

    /// Returns the beat that is heard at a host time.
    ///
    /// 0 with an error in `outError` if the sequencer does not play, or the engine renders without a clock.
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

    /// The position that was rendered last and the host time at which it is heard; before the first block, those of that block.
    private var clock: (seconds: Double, hostTime: UInt64, rate: Double)? {
        let rate = kernel.rate.load(ordering: .relaxed)
        guard isPlaying, rate > 0 else { return nil }
        let (command, start) = state.withLock { ($0.command, $0.map.seconds(forBeats: $0.startBeat)) }
        let position = kernel.renderedPosition(of: command) ?? (start, engine?.nextHearingTime ?? 0)
        return position.hostTime > 0 ? (position.seconds, position.hostTime, rate) : nil
    }
}
