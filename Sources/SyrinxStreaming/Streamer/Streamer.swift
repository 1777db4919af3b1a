public import AVFAudio
public import Foundation
public import SyrinxByteStream
public import SyrinxDevice
public import SyrinxHTTPStream
public import SyrinxMediaCodec

/// Plays a URL while it is being fetched: a file, or anything on an HTTP server.
///
/// Open for subclassing: `attachNodes()` and `connectNodes()` put nodes between the player and the mixer. A subclass whose
/// nodes change the rate overrides `playedFrameCount` and `playbackRate` too, and one whose nodes hold sound `resetNodes()`.
/// All methods may be called from any thread but the render thread.
open class Streamer: Streaming, @unchecked Sendable {
    // Unchecked: everything that changes is under the controller's lock.
    let controller: PlaybackController

    /// The engine that the sound goes through.
    public let engine: AVAudioEngine
    /// The node that the sound enters the engine by.
    public let playerNode: AVAudioPlayerNode
    /// The boost of speech, behind the effects: its meters tell what `voiceBoost` does.
    public let voiceBoostNode = VoiceBoostUnit()
    var keepsLoudness = false

    /// The queue on which the delegate is called.
    ///
    /// Default: the main queue.
    public var delegateQueue: DispatchQueue {
        get { controller.lock.withLock { controller.reporter.delegateQueue } }
        set { controller.lock.withLock { controller.reporter.delegateQueue = newValue } }
    }

    /// The largest number of frames that are decoded at a time.
    ///
    /// Default 8192; the first ones after opening and after a seek come in smaller pieces. Takes effect with the next input.
    public var readBufferSize: AVAudioFrameCount {
        get { settings.readBufferSize }
        set { settings.readBufferSize = max(64, newValue) }
    }

    /// The disk cache for bytes of servers.
    ///
    /// The default, `nil`, keeps it in memory, as long as it plays. Takes effect with the next input.
    public var cache: DiskCache? {
        get { settings.cache }
        set { settings.cache = newValue }
    }

    /// Headers, time limits and what else the network is used with.
    ///
    /// Its own `cache` is not used: `cache` is. Takes effect with the next input.
    public var network: HTTPByteStream.Options {
        get { settings.network }
        set { settings.network = newValue }
    }

    /// A handler for each decoded buffer.
    ///
    /// It gets the buffer, which it may read and must not change, and the frame of the input, counted at the buffer's rate,
    /// that the buffer begins at.
    public typealias DecodedBufferHandler = @Sendable (AVAudioPCMBuffer, AVAudioFramePosition) -> Void

    /// Called with all that is decoded for playing, ahead of what is heard: to draw the waveform of what has arrived.
    ///
    /// Buffers follow on each other but after a seek. It is called on the thread that decodes, which waits for it; the default
    /// is `nil`. After another input has been set, buffers of the old one may still come until it has been let go. Those of an
    /// input that follows without a gap come before it is heard, counted from its own beginning.
    public var decodedBufferHandler: DecodedBufferHandler? {
        get { settings.decodedBufferHandler }
        set { settings.decodedBufferHandler = newValue }
    }

    /// Called with the part of the input, in seconds, that has just been decoded, on the thread that decodes.
    ///
    /// After the last part it is called with a range up to infinity.
    package var decodingObserver: (@Sendable (ClosedRange<TimeInterval>) -> Void)? {
        get { settings.decodingObserver }
        set { settings.decodingObserver = newValue }
    }

    /// The time in the input at which playing starts, in seconds.
    ///
    /// Default 0. Takes effect with the next input; a broadcast is heard from where it is. A start at or behind the end of the
    /// input is a failure (`usage.startBeyondEnd`).
    public var startTime: TimeInterval {
        get { settings.startTime }
        set { settings.startTime = newValue.isFinite ? min(max(0, newValue), PlaybackTimeline.longest) : 0 }
    }

    /// The time in the input at which playing ends, in seconds.
    ///
    /// The default, `nil`, is its end. Takes effect with the next input.
    public var endTime: TimeInterval? {
        get { settings.endTime }
        set {
            settings.endTime = newValue.flatMap { $0.isFinite ? min(max(0, $0), PlaybackTimeline.longest) : nil }
        }
    }

    /// Whether playing waits for an output when its own goes away and no other is left.
    ///
    /// By default it does: it stands where it was heard last, with the status `buffering`, and goes on there when an output
    /// appears, unless it was paused or stopped meanwhile. Otherwise a lost output is a failure (`device.lost`). The first output has to
    /// be there in any case, and what writes a file does not wait.
    public var waitsForOutput: Bool {
        get { settings.waitsForOutput }
        set { settings.waitsForOutput = newValue }
    }

    /// The overlap of inputs that follow each other; none by default.
    ///
    /// The next item is reported as the one that is heard when its start fades in. Takes effect with the next input.
    public var crossfade: Crossfade {
        get { settings.crossfade }
        set { settings.crossfade = newValue }
    }

    /// The effects that all sound goes through on its way to the mixer, in order.
    ///
    /// Empty by default. Their parameters may change while they play; which they are takes effect with the next input. An effect
    /// belongs to one streamer.
    public var effects: [AVAudioUnitEffect] {
        get { controller.lock.withLock { wantedEffects } }
        set { controller.lock.withLock { wantedEffects = newValue } }
    }

    private var wantedEffects: [AVAudioUnitEffect] = []
    private var attachedEffects: [AVAudioUnitEffect] = []

    private var settings: StreamerSettings {
        get { controller.lock.withLock { controller.tracks.settings } }
        set { controller.lock.withLock { controller.tracks.settings = newValue } }
    }

    /// A streamer with nothing to play.
    /// - Parameter device: Where it plays; `nil` is the system's own output.
    public init(device: (any OutputDevice)? = nil) {
        engine = AVAudioEngine()
        playerNode = AVAudioPlayerNode()
        controller = PlaybackController(engine: engine, player: playerNode)
        voiceBoostNode.isActive = false
        engine.outputDevice = device
        controller.output.nodes = self
        controller.reporter.streamer = self
        attachNodes()
    }

    deinit { controller.shutDown() }

    // MARK: For subclasses

    /// Puts the nodes into the engine.
    ///
    /// Called once, by `init`.
    open func attachNodes() { engine.attach(playerNode) }

    /// Connects the nodes, from `playerNode` to the engine's mixer, in `readFormat`.
    ///
    /// Called for each input.
    open func connectNodes() { connectToMixer(playerNode) }

    /// Connects `node` through the effects to the engine's mixer, in `readFormat`: the last step of `connectNodes()`.
    public final func connectToMixer(_ node: AVAudioNode) {
        engine.connect(node, through: takeUpEffects(), format: readFormat)
    }

    /// Brings the wanted effects into the engine, and takes others out of it.
    private func takeUpEffects() -> [AVAudioUnitEffect] {
        controller.lock.withLock {
            for effect in attachedEffects where !wantedEffects.contains(where: { $0 === effect }) {
                engine.detach(effect)
            }
            for effect in wantedEffects where effect.engine !== engine { engine.attach(effect) }
            attachedEffects = wantedEffects
            if voiceBoostNode.engine !== engine { engine.attach(voiceBoostNode) }
            return wantedEffects + [voiceBoostNode]
        }
    }

    /// Seconds by which the effects delay the sound; one that is bypassed does not.
    var effectLatency: Double {
        controller.lock.withLock {
            attachedEffects.reduce(Self.delay(by: voiceBoostNode)) { $0 + Self.delay(by: $1) }
        }
    }

    private static func delay(by effect: AVAudioUnitEffect) -> Double { effect.bypass ? 0 : max(0, effect.latency) }

    /// Drops all sound that the nodes hold.
    ///
    /// Called at a seek and at a new input, under a fade.
    open func resetNodes() {
        playerNode.stop()
        let (effects, keepsLoudness) = controller.lock.withLock { (attachedEffects, self.keepsLoudness) }
        for effect in effects { effect.reset() }
        voiceBoostNode.startingGain = keepsLoudness ? voiceBoostNode.currentGain : 0
        voiceBoostNode.reset()
    }

    /// Does what takes time in connecting the nodes, ahead of it.
    func prepareNodes(for format: AVAudioFormat) {}

    /// Whether `readFormat(for:)` gives the output's own format, so that the output may be started before an input is open; default
    /// true.
    package var takesFormatOfOutput: Bool {
        get { controller.lock.withLock { controller.output.mayStartEarly } }
        set { controller.lock.withLock { controller.output.mayStartEarly = newValue } }
    }

    /// Frames of `readFormat` that have gone into what has been rendered since the last `resetNodes()`.
    open var playedFrameCount: Double { Double(playerNode.playedFrames) }

    /// The seconds of the input in one second at the output.
    open var playbackRate: Double { 1 }

    /// Returns the format to decode `source` to: by default the output's own, for which the output device is opened.
    ///
    /// If it is another than the output's, the output is asked for it.
    open func readFormat(for source: MediaInfo) -> AVAudioFormat {
        (try? engine.openOutput()) ?? readFormat
    }

    // MARK: What is known

    /// Told of what happens, on `delegateQueue`.
    public var delegate: (any StreamingDelegate)? {
        get { controller.lock.withLock { controller.reporter.delegate } }
        set { controller.lock.withLock { controller.reporter.delegate = newValue } }
    }

    /// The events from now on.
    ///
    /// Each access is a stream of its own; all of them end with the streamer.
    public var events: AsyncStream<StreamingEvent> { controller.reporter.makeStream() }

    /// The URL that is played.
    ///
    /// Setting it starts afresh, with nothing left of the old one; `nil` only stops.
    public var url: URL? {
        get { progress.input?.url }
        set {
            if let newValue { open(.url(newValue)) } else { close() }
        }
    }

    /// The description of the input, once it has been opened.
    public var info: MediaInfo? { progress.info }

    /// The cover picture of the input that is heard, once it has been opened.
    ///
    /// A file without a picture has `cover.jpg`, `folder.png` or another of its kind in its folder, which is found a little later.
    public var artwork: MediaPicture? { controller.lock.withLock { controller.tracks.current.pump?.artwork } }

    /// Returns a stream of its own of the input's bytes that have arrived, now and later; it fetches nothing.
    ///
    /// A file is at hand whole. Of what a server sends the stream has what memory or the cache holds; a read of what has not arrived
    /// waits a moment, then throws `.interrupted`. `nil` before the input is open, for HTTP Live Streaming and for broadcasts.
    public func makeArrivedStream() -> (any ByteStream)? {
        let (input, stream) = controller.lock.withLock {
            (controller.progress.input, controller.tracks.current.pump?.networkInput)
        }
        if let stream = stream as? HTTPByteStream {
            return stream.isBroadcast ? nil : ArrivedByteStream(stream)
        }
        guard case .url(let url)? = input, stream == nil, url.isFileURL else { return nil }
        return try? FileByteStream(url: url)
    }

    /// The status of the streamer.
    public var status: PlaybackStatus { controller.lock.withLock { controller.machine.status } }

    /// Whether it plays.
    public var state: StreamingState { StreamingState(status) }

    /// The format that is decoded to, and that the nodes work in: 44.1 kHz stereo until there is an input.
    public var readFormat: AVAudioFormat { progress.readFormat }

    /// Seconds of the input: how long it is, as soon as that is known.
    public var duration: TimeInterval? { progress.info?.duration }

    /// The gain of everything, 0…1, default 1.
    ///
    /// A change is ramped over 10 ms.
    public var volume: Float {
        get { engine.mainMixerNode.outputVolume }
        set { engine.mainMixerNode.outputVolume = newValue.isFinite ? min(1, max(0, newValue)) : 0 }
    }

    /// The part of the input that can be gone to, in seconds: all of a recording, and the window of a live presentation that its
    /// server still offers.
    ///
    /// `nil` before the input is open, and for one that cannot go back.
    public var seekableRange: ClosedRange<TimeInterval>? {
        controller.lock.withLock {
            guard let info = controller.progress.info else { return nil }
            if let presentation = controller.tracks.current.pump?.presentation { return presentation.seekableRange }
            guard info.isSeekable, let duration = info.duration else { return nil }
            return 0...max(0, duration)
        }
    }

    /// Seconds of the input: what is being heard now.
    ///
    /// `nil` without an input.
    public var currentTime: TimeInterval? {
        controller.lock.withLock { controller.progress.input == nil ? nil : controller.heardTime }
    }

    private var progress: StreamProgress { controller.lock.withLock { controller.progress } }

    /// The items that are played after the current one, in order.
    ///
    /// The next item is opened some 20 seconds before it is needed, and follows on the very next sample, converted to the
    /// `readFormat` of the first. Where that cannot be it is opened in its turn: if it failed to open ahead, is a broadcast, or is
    /// not there in time. After a failure, or `stop()`, nothing follows by itself.
    ///
    /// Setting it passes over the items up to the last that is heard already, or decoded to be heard within seconds. Those that
    /// are decoded are heard also if they are left out.
    public var upcoming: [StreamingItem] {
        get { controller.lock.withLock { controller.tracks.upcoming } }
        set { controller.lock.withLock { controller.tracks.upcoming = newValue } }
    }

    // MARK: Transport

    /// Plays, as soon as there is enough to play.
    ///
    /// After the end, from the start.
    open func play() { controller.lock.withLock { controller.play() } }

    /// Stands still, after a fade of 5 ms, to go on with the very next sample.
    open func pause() { controller.lock.withLock { controller.pause() } }

    /// Ends.
    ///
    /// When it returns nothing of the stream runs; `play()` starts from the beginning.
    open func stop() {
        let pump = controller.lock.withLock { controller.stop() }
        // A pump that waits for bytes has been cancelled; the little that is left does not take long.
        pump?.join(timeout: 0.05)
    }

    /// Goes to a time of the input, whether it has arrived or not.
    ///
    /// Clamped to the input.
    ///
    /// Many in a row end in the last one, and over a network no more than ten a second are carried out on the way. Before the
    /// input is open it is kept, and done then, unless it turns out to be a broadcast, which is heard from where it is. In what
    /// a server gives no ranges of, it goes back as long as all that has come is still held.
    /// - Throws: `SyrinxError`: `usage.badTime` for a time that is not a number, `usage.noInput` without an input.
    ///   `usage.notSeekable` if the input cannot go back, or for a time that a broadcast has not reached.
    open func seek(to time: TimeInterval) throws {
        try controller.lock.withLock { try controller.seek(to: time) }
    }

    /// Starts afresh with `input`, with nothing left of the old one.
    ///
    /// It is opened at once, and played when told to.
    ///
    /// With `andPlay` this is one step, so that an input that fails at once is not tried twice.
    public func open(_ input: StreamingInput, andPlay: Bool = false) {
        open(StreamingItem(input, startTime: startTime, endTime: endTime), andPlay: andPlay)
    }

    /// Starts afresh with `item`, as with an input; its own part of the input counts, and not `startTime` and `endTime`.
    /// - Parameters:
    ///   - item: The item to play.
    ///   - andPlay: Whether it plays at once.
    ///   - next: What is `upcoming` then; `nil` leaves that as it is.
    public func open(_ item: StreamingItem, andPlay: Bool = false, followedBy next: [StreamingItem]? = nil) {
        controller.lock.withLock {
            controller.tracks.dropFollowers()
            if let next { controller.tracks.replaceItems(with: next) }
            controller.open(item, andPlay: andPlay)
        }
    }

    /// Starts afresh with `item`, as `open(_:andPlay:followedBy:)`, and reports the events from then on.
    /// - Parameter observer: Gets the events, in order, without any of the input before. It is called under the streamer's lock, so
    ///   it may not wait, nor call the streamer. It takes the place of the one before.
    package func open(
        _ item: StreamingItem,
        andPlay: Bool,
        followedBy next: [StreamingItem],
        observer: @escaping @Sendable (StreamingEvent) -> Void
    ) {
        controller.lock.withLock {
            controller.reporter.observer = observer
            open(item, andPlay: andPlay, followedBy: next)
        }
    }

    private func close() {
        stop()
        controller.lock.withLock { controller.tracks.resetCurrent(keepsItem: false) }
    }
}

extension Streamer: StreamerNodes {}
