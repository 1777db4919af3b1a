public import AVFAudio
public import Foundation
public import SyrinxByteStream
public import SyrinxDevice
public import SyrinxHTTPStream
public import SyrinxMediaCodec

/// Plays a file or an HTTP resource while it downloads.
///
/// Set `url`, or call `open(_:andPlay:)`, then call `play()`. The events report status, position and errors.
///
/// ```swift
/// let streamer = Streamer()
/// streamer.url = URL(string: "https://example.com/episode.mp3")
/// let events = streamer.events
/// streamer.play()
/// for await event in events {
///     switch event {
///     case .position(let time): print("at \(time) s")
///     case .failed(let error): throw error
///     case .ended: return
///     default: break
///     }
/// }
/// ```
///
/// A subclass overrides `attachNodes()` and `connectNodes()` to insert nodes between the player and the mixer. If its
/// nodes change the rate, it also overrides `playedFrameCount` and `playbackRate`. If its nodes buffer audio, it also
/// overrides `resetNodes()`.
///
/// All methods may be called from any thread except the render thread.
open class Streamer: Streaming, @unchecked Sendable {
    // Unchecked: the controller's lock guards all mutable state.
    let controller: PlaybackController

    /// The engine that renders the audio.
    public let engine: AVAudioEngine
    /// The player node that feeds decoded audio into the engine.
    public let playerNode: AVAudioPlayerNode
    /// The speech booster, after the effects; its meters show the current gain.
    ///
    /// `voiceBoost` switches it on and off.
    public let voiceBoostNode = VoiceBoostUnit()
    var keepsLoudness = false

    /// The queue on which the delegate is called; the main queue by default.
    public var delegateQueue: DispatchQueue {
        get { controller.lock.withLock { controller.reporter.delegateQueue } }
        set { controller.lock.withLock { controller.reporter.delegateQueue = newValue } }
    }

    /// The maximum number of frames in a decoded buffer; 8192 by default, at least 64.
    ///
    /// The first buffers after opening and after a seek are smaller. A change takes effect with the next input.
    public var readBufferSize: AVAudioFrameCount {
        get { settings.readBufferSize }
        set { settings.readBufferSize = max(64, newValue) }
    }

    /// The disk cache for bytes received from servers.
    ///
    /// The default, `nil`, keeps the bytes in memory during playback. A change takes effect with the next input.
    ///
    /// ```swift
    /// streamer.cache = DiskCache(directory: "/var/tmp/episodes")
    /// streamer.url = url
    /// ```
    public var cache: DiskCache? {
        get { settings.cache }
        set { settings.cache = newValue }
    }

    /// The network options, such as headers and timeouts.
    ///
    /// The option `cache` in it is ignored: set `cache` of the streamer. A change takes effect with the next input.
    ///
    /// ```swift
    /// streamer.network.headers.append((name: "Authorization", value: "Bearer \(token)"))
    /// streamer.url = url
    /// ```
    public var network: HTTPByteStream.Options {
        get { settings.network }
        set { settings.network = newValue }
    }

    /// A handler that is called for each decoded buffer.
    ///
    /// The first argument is the buffer, which the handler may read but not change. The second is the position of its
    /// first frame in the input, at the sample rate of the buffer.
    public typealias DecodedBufferHandler = @Sendable (AVAudioPCMBuffer, AVAudioFramePosition) -> Void

    /// A handler that receives every decoded buffer before it is heard, for example to draw a waveform during the
    /// download.
    ///
    /// Buffers are contiguous except after a seek. The decoding thread calls the handler and waits until it returns.
    /// The default is `nil`.
    ///
    /// After a change of input, the handler may still receive buffers of the previous input until that input is
    /// released. Buffers of a gapless next item arrive before it is heard, with positions from its own start.
    ///
    /// ```swift
    /// streamer.decodedBufferHandler = { buffer, position in
    ///     guard let samples = buffer.floatChannelData?[0] else { return }
    ///     let peak = (0..<Int(buffer.frameLength)).map { abs(samples[$0]) }.max() ?? 0
    ///     print("peak \(peak) at frame \(position)")
    /// }
    /// ```
    public var decodedBufferHandler: DecodedBufferHandler? {
        get { settings.decodedBufferHandler }
        set { settings.decodedBufferHandler = newValue }
    }

    /// A handler that receives each decoded range of the input, in seconds, on the decoding thread.
    ///
    /// After the last range, the handler is called with a range whose upper bound is infinite.
    package var decodingObserver: (@Sendable (ClosedRange<TimeInterval>) -> Void)? {
        get { settings.decodingObserver }
        set { settings.decodingObserver = newValue }
    }

    /// The position in the input at which playback starts, in seconds; 0 by default.
    ///
    /// A change takes effect with the next input. Broadcasts ignore it. A start at or after the end of the input fails
    /// with `usage.startBeyondEnd`.
    public var startTime: TimeInterval {
        get { settings.startTime }
        set { settings.startTime = newValue.isFinite ? min(max(0, newValue), PlaybackTimeline.longest) : 0 }
    }

    /// The position in the input at which playback ends, in seconds.
    ///
    /// The default, `nil`, is the end of the input. A change takes effect with the next input.
    public var endTime: TimeInterval? {
        get { settings.endTime }
        set {
            settings.endTime = newValue.flatMap { $0.isFinite ? min(max(0, $0), PlaybackTimeline.longest) : nil }
        }
    }

    /// Whether playback waits for a new output after its output device was lost and no other exists; true by default.
    ///
    /// Playback then holds its position with the status `buffering`, and continues when an output appears, unless it
    /// was paused or stopped. If this is false, a lost output is a failure (`device.lost`). A streamer that finds no
    /// output at the first start fails. Playback into a file never waits.
    public var waitsForOutput: Bool {
        get { settings.waitsForOutput }
        set { settings.waitsForOutput = newValue }
    }

    /// The crossfade between consecutive items; off by default.
    ///
    /// The streamer reports the next item as current when its fade-in starts. A change takes effect with the next
    /// input.
    ///
    /// ```swift
    /// streamer.crossfade = Crossfade(duration: 4)
    /// streamer.upcoming = ["second.flac", "third.flac"].map { StreamingItem(.url(URL(fileURLWithPath: $0))) }
    /// ```
    public var crossfade: Crossfade {
        get { settings.crossfade }
        set { settings.crossfade = newValue }
    }

    /// The effects between the player and the mixer, in order; empty by default.
    ///
    /// The list and the parameters of an effect may change during playback. A new effect is heard with the next render,
    /// and the others keep their sound. An effect can belong to one streamer only.
    ///
    /// ```swift
    /// let equalizer = AVAudioUnitEQ(numberOfBands: 1)
    /// equalizer.bands[0].frequency = 100
    /// equalizer.bands[0].gain = 6
    /// equalizer.bands[0].bypass = false
    /// streamer.effects = [equalizer]
    /// ```
    public var effects: [AVAudioUnitEffect] {
        get { controller.lock.withLock { wantedEffects } }
        set {
            controller.lock.withLock {
                guard !wantedEffects.elementsEqual(newValue, by: ===) else { return }
                wantedEffects = newValue
                // Before the first input there is nothing to connect.
                guard let node = nodeBeforeEffects else { return }
                connectToMixer(node)
                controller.output.noteLatency()
            }
        }
    }

    private var wantedEffects: [AVAudioUnitEffect] = []
    private var attachedEffects: [AVAudioUnitEffect] = []
    /// The node that was connected through the effects to the mixer.
    private weak var nodeBeforeEffects: AVAudioNode?

    private var settings: StreamerSettings {
        get { controller.lock.withLock { controller.tracks.settings } }
        set { controller.lock.withLock { controller.tracks.settings = newValue } }
    }

    /// Creates a streamer without an input.
    /// - Parameter device: The output device; `nil`, the default, is the system's default output.
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

    /// Attaches the nodes to the engine.
    ///
    /// The initializer calls it once.
    open func attachNodes() { engine.attach(playerNode) }

    /// Connects the nodes from `playerNode` to the engine's mixer, in `readFormat`.
    ///
    /// The streamer calls it for each input.
    open func connectNodes() { connectToMixer(playerNode) }

    /// Connects `node` through the effects to the engine's mixer, in `readFormat`: the last step of `connectNodes()`.
    public final func connectToMixer(_ node: AVAudioNode) {
        controller.lock.withLock {
            for effect in wantedEffects + [voiceBoostNode] where effect.engine !== engine { engine.attach(effect) }
            engine.connect(node, through: wantedEffects + [voiceBoostNode], format: readFormat)
            // Behind the new connections, so that the sound is not interrupted.
            for effect in attachedEffects where !wantedEffects.contains(where: { $0 === effect }) {
                engine.detach(effect)
            }
            (attachedEffects, nodeBeforeEffects) = (wantedEffects, node)
        }
    }

    /// The latency of the effects in seconds; bypassed effects have none.
    var effectLatency: Double {
        controller.lock.withLock {
            attachedEffects.reduce(Self.delay(by: voiceBoostNode)) { $0 + Self.delay(by: $1) }
        }
    }

    private static func delay(by effect: AVAudioUnitEffect) -> Double { effect.bypass ? 0 : max(0, effect.latency) }

    /// Discards all audio that the nodes hold.
    ///
    /// The streamer calls it at a seek and for a new input, after it has faded the output out.
    open func resetNodes() {
        playerNode.stop()
        let (effects, keepsLoudness) = controller.lock.withLock { (attachedEffects, self.keepsLoudness) }
        for effect in effects { effect.reset() }
        voiceBoostNode.startingGain = keepsLoudness ? voiceBoostNode.currentGain : 0
        voiceBoostNode.reset()
    }

    /// Does slow preparations for connecting the nodes, ahead of time.
    func prepareNodes(for format: AVAudioFormat) {}

    /// Whether `readFormat(for:)` returns the output's own format, so that the output can start before an input is
    /// open; true by default.
    package var takesFormatOfOutput: Bool {
        get { controller.lock.withLock { controller.output.mayStartEarly } }
        set { controller.lock.withLock { controller.output.mayStartEarly = newValue } }
    }

    /// The number of frames, in `readFormat`, that were rendered since the last call to `resetNodes()`.
    open var playedFrameCount: Double { Double(playerNode.playedFrames) }

    /// The playback rate: seconds of the input for each second of output.
    open var playbackRate: Double { 1 }

    /// Returns the format into which `source` is decoded: by default the format of the output device, which this call
    /// opens.
    ///
    /// If the returned format differs from that of the output device, the device is asked for it.
    open func readFormat(for source: MediaInfo) -> AVAudioFormat {
        (try? engine.openOutput()) ?? readFormat
    }

    // MARK: State

    /// The delegate, which is called on `delegateQueue`.
    public var delegate: (any StreamingDelegate)? {
        get { controller.lock.withLock { controller.reporter.delegate } }
        set { controller.lock.withLock { controller.reporter.delegate = newValue } }
    }

    /// A new stream of all later events.
    ///
    /// Each access returns an independent stream. All streams end when the streamer is deallocated.
    public var events: AsyncStream<StreamingEvent> { controller.reporter.makeStream() }

    /// The URL of the current input.
    ///
    /// Setting it stops playback, discards the previous input and opens the new one. Setting `nil` only stops playback.
    public var url: URL? {
        get { progress.input?.url }
        set {
            if let newValue { open(.url(newValue)) } else { close() }
        }
    }

    /// The description of the input; `nil` until the input is open.
    public var info: MediaInfo? { progress.info }

    /// The cover picture of the current input; `nil` until the input is open.
    ///
    /// For a local file without an embedded picture, the streamer uses `cover.jpg`, `folder.png` or a similar file in
    /// the same folder. That picture appears shortly after opening.
    public var artwork: MediaPicture? { controller.lock.withLock { controller.tracks.current.pump?.artwork } }

    /// Returns an independent stream of the bytes of the input that have already arrived; it never starts a request.
    ///
    /// A local file is complete. For an HTTP resource, the stream offers the bytes in memory or in the cache. A read of
    /// bytes that have not arrived waits briefly, then throws `.interrupted`.
    ///
    /// Returns `nil` before the input is open, for HTTP Live Streaming and for broadcasts.
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

    /// The status of playback.
    public var status: PlaybackStatus { controller.lock.withLock { controller.machine.status } }

    /// The status of playback, reduced to three states.
    public var state: StreamingState { StreamingState(status) }

    /// The format of decoded audio and of the nodes; 44.1 kHz stereo until there is an input.
    public var readFormat: AVAudioFormat { progress.readFormat }

    /// The duration of the input in seconds; `nil` until it is known.
    public var duration: TimeInterval? { progress.info?.duration }

    /// The output gain, 0…1; 1 by default.
    ///
    /// A change is ramped over 10 ms. Values outside are clamped; a value that is not finite sets 0.
    public var volume: Float {
        get { engine.mainMixerNode.outputVolume }
        set { engine.mainMixerNode.outputVolume = newValue.isFinite ? min(1, max(0, newValue)) : 0 }
    }

    /// The seekable range in seconds: the whole recording, or the window of a live presentation that its server still
    /// offers.
    ///
    /// `nil` before the input is open, and for an input that is not seekable.
    public var seekableRange: ClosedRange<TimeInterval>? {
        controller.lock.withLock {
            guard let info = controller.progress.info else { return nil }
            if let presentation = controller.tracks.current.pump?.presentation { return presentation.seekableRange }
            guard info.isSeekable, let duration = info.duration else { return nil }
            return 0...max(0, duration)
        }
    }

    /// The playback position in seconds; `nil` without an input.
    public var currentTime: TimeInterval? {
        controller.lock.withLock { controller.progress.input == nil ? nil : controller.heardTime }
    }

    private var progress: StreamProgress { controller.lock.withLock { controller.progress } }

    /// The items after the current one, in playback order.
    ///
    /// The streamer opens the next item about 20 seconds before its start, and plays it without a gap, converted to the
    /// `readFormat` of the first item. If the next item failed to open ahead, is a broadcast or is late, the streamer
    /// opens it when the current item ends. After a failure, or after `stop()`, the streamer does not advance.
    ///
    /// Setting this list does not affect items that are already heard or decoded: items up to the last of these are
    /// skipped in the new list. Items that are already decoded are heard even if the new list omits them.
    ///
    /// ```swift
    /// streamer.url = url
    /// streamer.upcoming = ["second.flac", "third.flac"].map { StreamingItem(.url(URL(fileURLWithPath: $0))) }
    /// streamer.play()
    /// ```
    public var upcoming: [StreamingItem] {
        get { controller.lock.withLock { controller.tracks.upcoming } }
        set { controller.lock.withLock { controller.tracks.upcoming = newValue } }
    }

    // MARK: Transport

    /// Starts or resumes playback as soon as enough audio is decoded.
    ///
    /// After the end of the input, playback starts again at the beginning.
    open func play() { controller.lock.withLock { controller.play() } }

    /// Pauses playback after a fade-out of 5 ms; `play()` continues with the next sample.
    open func pause() { controller.lock.withLock { controller.pause() } }

    /// Stops playback and cancels all work for the input.
    ///
    /// A later `play()` starts from the beginning. Waits at most 50 ms for the decoding thread.
    open func stop() {
        let pump = controller.lock.withLock { controller.stop() }
        // A pump that waits for bytes has been cancelled; the little that is left does not take long.
        pump?.join(timeout: 0.05)
    }

    /// Seeks to a time in the input, also if that part has not arrived.
    ///
    /// The time is clamped to the input. Of several seeks in a row, the last one wins; over a network, at most ten
    /// seeks a second are carried out. A seek before the input is open is carried out after opening, unless the input
    /// is a broadcast. If a server does not support ranges, a backward seek works while all received bytes are still
    /// held.
    ///
    /// ```swift
    /// do {
    ///     try streamer.seek(to: (streamer.currentTime ?? 0) + 30)
    /// } catch let error as SyrinxError where error.code == .notSeekable {
    ///     print("This stream cannot be searched.")
    /// }
    /// ```
    /// - Parameter time: The target in seconds.
    /// - Throws: `SyrinxError` with `usage.badTime` if `time` is not a number, `usage.noInput` without an input, or
    ///   `usage.notSeekable` if the input cannot seek to `time`.
    open func seek(to time: TimeInterval) throws {
        try controller.lock.withLock { try controller.seek(to: time) }
    }

    /// Opens `input` and discards the previous input.
    ///
    /// The streamer opens the input at once. Playback starts if `andPlay` is true, or with a later `play()`. An input
    /// that fails to open is not tried a second time if `andPlay` is true.
    ///
    /// ```swift
    /// let disc = URL(fileURLWithPath: "disc.flac")
    /// let track = StreamingInput.part(StreamingInput.Part(start: 61.5, end: 240), of: disc)
    /// streamer.open(track, andPlay: true)
    /// ```
    public func open(_ input: StreamingInput, andPlay: Bool = false) {
        open(StreamingItem(input, startTime: startTime, endTime: endTime), andPlay: andPlay)
    }

    /// Opens `item` and discards the previous input; the item's own start and end apply, not `startTime` and `endTime`.
    /// - Parameters:
    ///   - item: The item to play.
    ///   - andPlay: Whether playback starts at once.
    ///   - next: The new value of `upcoming`; `nil`, the default, keeps the list.
    public func open(_ item: StreamingItem, andPlay: Bool = false, followedBy next: [StreamingItem]? = nil) {
        controller.lock.withLock {
            controller.tracks.dropFollowers()
            if let next { controller.tracks.replaceItems(with: next) }
            controller.open(item, andPlay: andPlay)
        }
    }

    /// Opens `item` as `open(_:andPlay:followedBy:)` does, and reports all later events to `observer`.
    /// - Parameter observer: Receives the events in order, without events of the previous input. The streamer calls it
    ///   with its lock held, so the observer must not block or call the streamer. It replaces the previous observer.
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
