public import Foundation
import Synchronization
import SyrinxDevice

/// Plays one file, or one recording in memory.
///
/// All players of a program share one engine and one stream to the device, so many short sounds are cheap. Two players
/// that `play(atTime:)` starts at the same time begin at the same frame. Call the methods from any thread except the
/// render thread. Deallocating the player ends its sound.
///
/// ```swift
/// let player = try AVAudioPlayer(contentsOf: URL(fileURLWithPath: "chime.wav"))
/// player.volume = 0.5
/// player.numberOfLoops = 2  // plays three times
/// player.play()
/// ```
open class AVAudioPlayer: NSObject, @unchecked Sendable {
    // Unchecked: state is guarded by `lock`, is atomic, or belongs to nodes, which have their own locks.

    /// The engine of all players without an engine of their own, on the system's default output.
    ///
    /// Its device pauses when no player has played for five seconds.
    private static let sharedEngine: AVAudioEngine = {
        let engine = AVAudioEngine()
        engine.isAutoShutdownEnabled = true
        return engine
    }()

    /// The file; `nil` for a recording in memory.
    public let url: URL?
    /// The recording in memory; `nil` for a file.
    public let data: Data?
    /// The format of the decoded audio.
    public let format: AVAudioFormat
    /// The number of channels.
    public let numberOfChannels: Int
    /// The duration in seconds.
    public let duration: TimeInterval

    private let file: AVAudioFile
    private let frameCount: Int64
    private let graph: PlayerGraph
    private let meter: PowerMeter
    private let repeats = FileRepeats(0)
    private let hasFailed = Atomic<Bool>(false)

    private let lock = NSLock()
    private weak var listener: (any AVAudioPlayerDelegate)?
    private var phase = Phase.idle
    /// The frame of the file that is played first.
    private var firstFrame: Int64 = 0
    /// The number of the current schedule, by which the end of an earlier schedule is recognized and ignored.
    private var generation = 0
    private var isMetering = false
    private var failure: (any Error)?

    private enum Phase {
        /// The schedule is empty, and `firstFrame` is the position.
        case idle
        /// The file is scheduled from `firstFrame` on.
        case prepared
        case playing
        /// The file is scheduled, and has been played up to the frame.
        case paused(Int64)
    }

    private var engine: AVAudioEngine { graph.engine }
    private var node: AVAudioPlayerNode { graph.node }

    // MARK: Creating

    /// Opens a file of any kind that can be decoded.
    /// - Throws: `AVAudioRecordingError`: `file.notFound`, `media.notAudio` and so on.
    public convenience init(contentsOf url: URL) throws {
        try self.init(contentsOf: url, engine: Self.sharedEngine)
    }

    /// Opens a file in any format that can be decoded.
    /// - Parameters:
    ///   - url: A `file:` URL.
    ///   - utiString: Ignored: the format is detected from the contents.
    /// - Throws: As `init(contentsOf:)`.
    public convenience init(contentsOf url: URL, fileTypeHint utiString: String?) throws {
        try self.init(contentsOf: url)
    }

    /// Opens a recording in memory.
    /// - Throws: `AVAudioRecordingError`: `media.notAudio` and so on.
    public convenience init(data: Data) throws {
        let file = try AVAudioRecordingError.describing { try AVAudioFile(reading: data) }
        self.init(file, url: nil, data: data, engine: Self.sharedEngine)
    }

    /// Opens a recording in memory.
    /// - Parameters:
    ///   - data: The bytes of an audio file.
    ///   - utiString: Ignored: the format is detected from the contents.
    /// - Throws: As `init(data:)`.
    public convenience init(data: Data, fileTypeHint utiString: String?) throws {
        try self.init(data: data)
    }

    /// Opens a file for playback through `engine`, for instance an engine that renders without a device.
    ///
    /// The player attaches a node to the engine, connects it to the main mixer, and starts the engine in `play()`. If
    /// another node is connected to the engine's output, connect the main mixer to that node. An addition to Apple's
    /// interface.
    /// - Throws: As `init(contentsOf:)`.
    public convenience init(contentsOf url: URL, engine: AVAudioEngine) throws {
        let file = try AVAudioRecordingError.describing { try AVAudioFile(forReading: url) }
        self.init(file, url: url, data: nil, engine: engine)
    }

    private init(_ file: AVAudioFile, url: URL?, data: Data?, engine: AVAudioEngine) {
        self.file = file
        (self.url, self.data) = (url, data)
        format = file.processingFormat
        numberOfChannels = Int(format.channelCount)
        frameCount = file.length
        duration = Double(frameCount) / format.sampleRate
        meter = PowerMeter(channelCount: numberOfChannels)
        graph = PlayerGraph(engine, format: format)
        super.init()
        node.fileFailureHandler = { [weak self] _, error in self?.decodingFailed(error) }
    }

    /// The settings of the file's format, as in `AVAudioFormat.settings`.
    open var settings: [String: Any] { file.fileFormat.settings }

    /// The delegate, which is called on the main queue at the end and on errors.
    open var delegate: (any AVAudioPlayerDelegate)? {
        get { lock.withLock { listener } }
        set { lock.withLock { listener = newValue } }
    }

    // MARK: Transport

    /// Whether the player plays: `play()` was called, and since then neither the end was reached nor `pause()` or
    /// `stop()` called.
    open var isPlaying: Bool {
        lock.withLock { if case .playing = phase { engine.isRunning } else { false } }
    }

    /// Reads the start of the file and opens the device, so that `play()` starts immediately.
    /// - Returns: False if the device cannot be started; `playError` has the reason.
    @discardableResult
    open func prepareToPlay() -> Bool {
        lock.withLock {
            prepare()
            node.prepare(withFrameCount: 4096)
            return startEngine()
        }
    }

    /// Plays from `currentTime`, and returns immediately.
    ///
    /// Has no effect on a player that is playing, and returns true.
    /// - Returns: False if the device cannot be started; `playError` has the reason.
    @discardableResult
    open func play() -> Bool { play(at: nil) }

    /// Plays from `currentTime`, starting at a time of `deviceCurrentTime`.
    ///
    /// If the time is in the past, playback starts immediately. Has no effect on a player that is playing, and returns
    /// true.
    /// - Returns: False if the device cannot be started; `playError` has the reason.
    @discardableResult
    open func play(atTime time: TimeInterval) -> Bool {
        play(at: AVAudioTime(hostTime: AVAudioTime.hostTime(forSeconds: time)))
    }

    private func play(at time: AVAudioTime?) -> Bool {
        lock.withLock {
            if case .playing = phase, engine.isRunning { return true }
            prepare()
            guard startEngine() else { return false }
            if time != nil { node.prepare(withFrameCount: 4096) }
            phase = .playing
            node.play(at: time)
            return true
        }
    }

    /// Pauses with a fade-out of 5 ms.
    ///
    /// `play()` resumes with the next frame.
    open func pause() {
        lock.withLock {
            guard case .playing = phase else { return }
            phase = .paused(position)
            node.pause()
        }
    }

    /// Stops, and drops the frames that were read ahead.
    ///
    /// `currentTime` does not change.
    open func stop() {
        lock.withLock {
            firstFrame = position
            phase = .idle
            node.stop()
        }
    }

    /// The error for which `play()` or `prepareToPlay()` last returned false: a `DeviceError` in most cases.
    ///
    /// An addition to Apple's interface.
    public var playError: (any Error)? { lock.withLock { failure } }

    // MARK: Time

    /// The playback position in seconds from the start of the recording.
    ///
    /// You may set it during playback, within 0…`duration`. It is 0 after the end.
    open var currentTime: TimeInterval {
        get { lock.withLock { Double(position) / format.sampleRate } }
        set {
            lock.withLock {
                guard newValue.isFinite else { return }
                let frame = Int64(clamped: (max(newValue, 0) * format.sampleRate).rounded())
                firstFrame = min(frame, frameCount)
                switch phase {
                case .idle: break
                case .prepared, .paused:
                    schedule()
                    phase = .prepared
                case .playing:
                    schedule()
                    node.play()
                }
            }
        }
    }

    /// The current time in seconds of the clock for `play(atTime:)`, which runs even while the device is stopped.
    open var deviceCurrentTime: TimeInterval { AVAudioTime.seconds(forHostTime: monotonicNanoseconds()) }

    /// The number of repeats: 0 (default) plays once, and a negative number repeats forever.
    ///
    /// Repeats follow without a gap. A change during playback applies to audio that is not yet read, that is 32,768
    /// frames ahead.
    open var numberOfLoops: Int {
        get { repeats.count }
        set { repeats.count = newValue }
    }

    // MARK: Sound

    /// Linear gain, from 0 to 1, default 1; greater values amplify.
    ///
    /// A change is ramped over 10 ms.
    open var volume: Float {
        get { node.volume }
        set { node.volume = newValue }
    }

    /// Ramps the volume linearly to a value.
    /// - Parameters:
    ///   - volume: The linear gain, from 0 to 1.
    ///   - duration: The duration of the ramp in seconds; 0 or less sets the volume immediately.
    open func setVolume(_ volume: Float, fadeDuration duration: TimeInterval) {
        let frames = Double(max(duration, 0)) * engine.mainMixerNode.outputFormat(forBus: 0).sampleRate
        node.rampVolume(to: volume, over: AVAudioFrameCount(clamping: Int64(clamped: frames)))
    }

    /// The stereo balance, from −1 (left) to 1 (right); default 0.
    open var pan: Float {
        get { node.pan }
        set { node.pan = newValue }
    }

    /// Whether `rate` is followed; default false.
    ///
    /// The sound is then delayed by the time-pitch processing. A change while the player plays interrupts it shortly.
    open var enableRate: Bool {
        get { lock.withLock { graph.followsRate } }
        set { lock.withLock { graph.followsRate = newValue } }
    }

    /// The playback rate, without a change of pitch: 1/32 to 32; 1 by default.
    ///
    /// Apple's range is 0.5…2. It has an effect only if `enableRate` is `true`.
    open var rate: Float {
        get { lock.withLock { graph.rate } }
        set {
            guard newValue.isFinite else { return }
            lock.withLock { graph.rate = min(max(newValue, 1 / 32), 32) }
        }
    }

    // MARK: Levels

    /// Whether levels are measured; default `false`.
    open var isMeteringEnabled: Bool {
        get { lock.withLock { isMetering } }
        set {
            lock.withLock {
                guard newValue != isMetering else { return }
                isMetering = newValue
                if newValue {
                    node.installTap(onBus: 0, bufferSize: 512, format: nil) { [meter] buffer, _ in meter.add(buffer) }
                } else {
                    node.removeTap(onBus: 0)
                    meter.reset()
                }
            }
        }
    }

    /// Updates the levels for `averagePower` and `peakPower` with the frames rendered since the last call.
    open func updateMeters() { meter.update() }

    /// Returns the root mean square of a channel at the last call of `updateMeters()`, before volume and pan.
    /// - Returns: −160…0 dBFS; −160 for silence, and for a channel that does not exist.
    open func averagePower(forChannel channelNumber: Int) -> Float { meter.average(channelNumber) }

    /// Returns the sample peak of a channel at the last call of `updateMeters()`, before volume and pan.
    /// - Returns: −160…0 dBFS, or more if decoded samples exceed full scale; −160 for silence, and for a channel that
    ///   does not exist.
    open func peakPower(forChannel channelNumber: Int) -> Float { meter.peak(channelNumber) }

    // MARK: With the lock

    /// The frame of the file that is currently audible.
    private var position: Int64 {
        switch phase {
        case .idle, .prepared: return firstFrame
        case .paused(let frame): return frame
        case .playing:
            guard let played = node.framesPlayed else { return firstFrame }
            let heard = max(played - graph.latencyFrames, 0)
            guard frameCount > 0 else { return 0 }
            // Bounded: a count of frames that were played, and a frame of the file.
            let frame = firstFrame + heard
            let passes = repeats.count
            if passes >= 0, frame / frameCount > Int64(passes) { return frameCount }
            return frame % frameCount
        }
    }

    /// Attaches and connects the nodes, and schedules the file, as far as that has not been done.
    private func prepare() {
        graph.attach()
        guard case .idle = phase else { return }
        if firstFrame >= frameCount { firstFrame = 0 }
        schedule()
        phase = .prepared
    }

    /// Replaces the schedule with the file from `firstFrame`.
    private func schedule() {
        node.stop()
        generation += 1
        hasFailed.store(false, ordering: .relaxed)
        let generation = generation
        node.scheduleFile(
            file,
            startingFrame: firstFrame,
            repeats: repeats,
            completionCallbackType: .dataPlayedBack
        ) { [weak self] _ in
            self?.ended(generation)
        }
    }

    private func startEngine() -> Bool {
        do {
            try graph.start()
            failure = nil
            return true
        } catch {
            failure = error
            return false
        }
    }

    // MARK: From other threads

    /// Handles the end of schedule `generation`, and notifies the delegate.
    private func ended(_ generation: Int) {
        let isEnd = lock.withLock {
            guard generation == self.generation, case .playing = phase else { return false }
            phase = .idle
            firstFrame = 0
            node.stop()
            return true
        }
        guard isEnd else { return }
        let isWhole = !hasFailed.load(ordering: .relaxed)
        DispatchQueue.main.deliver { self.delegate?.audioPlayerDidFinishPlaying(self, successfully: isWhole) }
    }

    // Called without the lock, because the lock's holder may be waiting for the reading thread.
    private func decodingFailed(_ error: any Error) {
        hasFailed.store(true, ordering: .relaxed)
        let error = AVAudioRecordingError.about(error)
        DispatchQueue.main.deliver { self.delegate?.audioPlayerDecodeErrorDidOccur(self, error: error) }
    }
}
