public import AVFAudio
public import AudioDevice
public import ByteStream
public import Foundation
public import HTTPStream
public import MediaCodec

/// Plays a URL while it is being fetched: a file, or anything on an HTTP server.
///
/// Open for subclassing: `attachNodes()` and `connectNodes()` put nodes between the player and the mixer. A subclass whose
/// nodes change the rate overrides `playedFrameCount` and `playbackRate` too, and one whose nodes hold sound `resetNodes()`.
/// All methods may be called from any thread but the render thread.
open class Streamer: Streaming, @unchecked Sendable {
    // Unchecked: everything that changes is touched under `lock` only. The lock may be taken while a method of the engine
    // is called, never the other way round.
    let lock = NSRecursiveLock()
    var machine = PlaybackMachine()
    let hub = EventHub<StreamingEvent>()
    var pump: Pump?
    var progress = StreamProgress()
    var ticker: (any DispatchSourceTimer)?
    private weak var weakDelegate: (any StreamingDelegate)?

    /// The engine that the sound goes through.
    public let engine = AVAudioEngine()
    /// The node that the sound enters the engine by.
    public let playerNode = AVAudioPlayerNode()

    /// Where the delegate is called.
    ///
    /// Default: the main queue.
    public var delegateQueue: DispatchQueue {
        get { lock.withLock { progress.delegateQueue } }
        set { lock.withLock { progress.delegateQueue = newValue } }
    }

    /// How many frames are decoded at a time, at the most.
    ///
    /// Default 8192; the first ones after opening and after a seek come in smaller pieces. Takes effect with the next input.
    public var readBufferSize: AVAudioFrameCount {
        get { lock.withLock { progress.readBufferSize } }
        set { lock.withLock { progress.readBufferSize = max(64, newValue) } }
    }

    /// Where what comes from a server is kept from one run to the next.
    ///
    /// The default, `nil`, keeps it in memory, as long as it plays. Takes effect with the next input.
    public var cache: DiskCache? {
        get { lock.withLock { progress.cache } }
        set { lock.withLock { progress.cache = newValue } }
    }

    /// Headers, time limits and what else the network is used with.
    ///
    /// Its own `cache` is not used: `cache` is. Takes effect with the next input.
    public var network: HTTPByteStream.Options {
        get { lock.withLock { progress.network } }
        set { lock.withLock { progress.network = newValue } }
    }

    /// What is done with each buffer that has been decoded.
    ///
    /// It gets the buffer, which it may read and must not change, and the frame of the input, counted at the buffer's rate,
    /// that the buffer begins at.
    public typealias DecodedBufferHandler = @Sendable (AVAudioPCMBuffer, AVAudioFramePosition) -> Void

    /// Called with all that is decoded for playing, ahead of what is heard: to draw the waveform of what has arrived.
    ///
    /// Buffers follow on each other but after a seek. It is called on the thread that decodes, which waits for it; the default
    /// is `nil`. After another input has been set, buffers of the old one may still come until it has been let go.
    public var decodedBufferHandler: DecodedBufferHandler? {
        get { lock.withLock { progress.decodedBufferHandler } }
        set { lock.withLock { progress.decodedBufferHandler = newValue } }
    }

    /// Where in the input playing starts, in seconds.
    ///
    /// Default 0. Takes effect with the next input; a broadcast is heard from where it is.
    public var startTime: TimeInterval {
        get { lock.withLock { progress.startTime } }
        set {
            lock.withLock { progress.startTime = newValue.isFinite ? min(max(0, newValue), StreamProgress.longest) : 0 }
        }
    }

    /// Where in the input playing ends, in seconds.
    ///
    /// The default, `nil`, is its end. Takes effect with the next input.
    public var endTime: TimeInterval? {
        get { lock.withLock { progress.endTime } }
        set {
            let end = newValue.flatMap { $0.isFinite ? min(max(0, $0), StreamProgress.longest) : nil }
            lock.withLock { progress.endTime = end }
        }
    }

    /// A streamer with nothing to play.
    /// - Parameter device: Where it plays; `nil` is the system's own output.
    public init(device: (any OutputDevice)? = nil) {
        engine.outputDevice = device
        attachNodes()
        engine.observeRenders { [weak self] in self?.afterRender() }
        engine.observeLoss { [weak self] error in self?.lostOutput(error) }
    }

    deinit {
        pump?.cancel()
        ticker?.cancel()
        engine.observeRenders(nil)
        engine.observeLoss(nil)
        engine.stop()
    }

    // MARK: For subclasses

    /// Puts the nodes into the engine.
    ///
    /// Called once, by `init`.
    open func attachNodes() { engine.attach(playerNode) }

    /// Connects the nodes, from `playerNode` to the engine's mixer, in `readFormat`.
    ///
    /// Called for each input.
    open func connectNodes() {
        engine.connect(playerNode, to: engine.mainMixerNode, fromBus: 0, toBus: 0, format: readFormat)
    }

    /// Drops all sound that the nodes hold.
    ///
    /// Called at a seek and at a new input, under a fade.
    open func resetNodes() { playerNode.stop() }

    /// Frames of `readFormat` that have gone into what has been rendered since the last `resetNodes()`.
    open var playedFrameCount: Double { Double(playerNode.playedFrames) }

    /// How many seconds of the input go by in one second at the output.
    open var playbackRate: Double { 1 }

    /// The format to decode `source` to: by default the output's own.
    ///
    /// If it is another than the output's, the output is asked for it.
    open func readFormat(for source: MediaInfo) -> AVAudioFormat {
        (try? engine.openOutput()) ?? readFormat
    }

    // MARK: What is known

    /// Told of what happens, on `delegateQueue`.
    public var delegate: (any StreamingDelegate)? {
        get { lock.withLock { weakDelegate } }
        set { lock.withLock { weakDelegate = newValue } }
    }

    /// What happens from now on.
    ///
    /// Each access is a stream of its own; all of them end with the streamer.
    public var events: AsyncStream<StreamingEvent> { hub.makeStream() }

    /// What is played.
    ///
    /// Setting it starts afresh, with nothing left of the old one; `nil` only stops.
    public var url: URL? {
        get {
            lock.withLock { if case .url(let url) = progress.input { url } else { nil } }
        }
        set {
            if let newValue { open(.url(newValue)) } else { close() }
        }
    }

    /// What is known of the input, once it has been opened.
    public var info: MediaInfo? { lock.withLock { progress.info } }

    /// What the streamer is doing.
    public var status: PlaybackStatus { lock.withLock { machine.status } }

    /// Whether it plays.
    public var state: StreamingState { StreamingState(status) }

    /// The format that is decoded to, and that the nodes work in: 44.1 kHz stereo until there is an input.
    public var readFormat: AVAudioFormat { lock.withLock { progress.readFormat } }

    /// Seconds of the input: how long it is, as soon as that is known.
    public var duration: TimeInterval? { lock.withLock { progress.info?.duration } }

    /// The gain of everything, 0…1, default 1.
    ///
    /// A change is ramped over 10 ms.
    public var volume: Float {
        get { engine.mainMixerNode.outputVolume }
        set { engine.mainMixerNode.outputVolume = newValue.isFinite ? min(1, max(0, newValue)) : 0 }
    }

    /// Seconds of the input: what is being heard now.
    ///
    /// `nil` without an input.
    public var currentTime: TimeInterval? { lock.withLock { progress.input == nil ? nil : heardTime() } }

    // MARK: Transport

    /// Plays, as soon as there is enough to play.
    ///
    /// After the end, from the start.
    open func play() {
        lock.withLock {
            perform(machine.play())
            // What has been decoded may be enough: the device of a pause rests, and asks for nothing.
            feed()
        }
    }

    /// Stands still, after a fade of 5 ms, to go on with the very next sample.
    open func pause() { lock.withLock { perform(machine.pause()) } }

    /// Ends.
    ///
    /// When it returns nothing of the stream runs; `play()` starts from the beginning.
    open func stop() {
        let old = lock.withLock { () -> Pump? in
            let old = pump
            // What is still on its way will not be heard.
            _ = heardTime()
            dropPump()
            engine.stop()
            resetNodes()
            perform(machine.stop())
            progress.forgetPlaying()
            return old
        }
        // A pump that waits for bytes has been told; the little that is left keeps nobody waiting.
        old?.join(timeout: 0.05)
    }

    /// Goes to a time of the input, whether it has arrived or not.
    ///
    /// Clamped to the input.
    ///
    /// Many in a row end in the last one, and over a network no more than ten a second are carried out on the way. Before the
    /// input is open it is kept, and done then, unless it turns out to be a broadcast, which is heard from where it is. In what
    /// a server gives no ranges of, it goes back as long as all that has come is still held.
    /// - Throws: `StreamingError` for a time that is not a number (`usage.badTime`), without an input (`usage.noInput`),
    ///   or if the input cannot go back, or is a broadcast that has not come so far (`usage.notSeekable`).
    open func seek(to time: TimeInterval) throws {
        try lock.withLock {
            guard let input = progress.input else {
                throw StreamingError(.noInput, "There is nothing to seek in: set a URL first.", name: "seek")
            }
            guard time.isFinite else {
                throw StreamingError(.badTime, "A time to seek to has to be a number.", name: input.name)
            }
            let target = min(max(time, 0), progress.lastTime ?? StreamProgress.longest)
            if let info = progress.info, !info.isSeekable, target < heardTime(), !holdsFromStart {
                throw StreamingError(.notSeekable, "The input cannot go back.", name: input.name)
            }
            if let ahead = pump?.broadcastAhead, !progress.hasBeenSent(target, ahead: ahead) {
                let message = "What a broadcast has not sent yet cannot be heard."
                throw StreamingError(.notSeekable, message, name: input.name)
            }
            // After a failure the pump has ended, though what it decoded may still be heard.
            if [.ended, .stopped, .failed].contains(machine.status) || progress.failure != nil {
                reopen(andPlay: machine.wantsToPlay)
            }
            go(to: target)
        }
    }

    /// Starts afresh with `input`, with nothing left of the old one.
    ///
    /// It is opened at once, and played when told to.
    ///
    /// With `andPlay` it is told so in one step, so that an input that fails at once is not tried twice.
    public func open(_ input: StreamingInput, andPlay: Bool = false) {
        lock.withLock {
            progress.input = input
            reopen(andPlay: andPlay)
        }
    }

    private func close() {
        stop()
        lock.withLock { progress.input = nil }
    }
}

extension StreamingState {
    /// The status in three words.
    init(_ status: PlaybackStatus) {
        switch status {
        case .playing: self = .playing
        case .opening, .buffering, .paused: self = .paused
        case .stopped, .ended, .failed: self = .stopped
        }
    }
}
