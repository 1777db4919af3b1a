import CSyrinxPulse
import Synchronization

/// Plays to a sound server: PulseAudio, or PipeWire, which answers as one.
public final class PulseOutput: OutputDevice, @unchecked Sendable {
    // Unchecked: the plain properties belong to the one control thread that the protocol allows; libpulse's thread
    // touches only the memory of the stream's state, with the main loop's lock, and the atomics of `gauges`.
    private let loss = DeviceLossReporter()
    private let changes = DeviceEventReporter()
    private let gauges: UnsafeMutablePointer<DeviceCounters>
    private var life = DeviceStateMachine()
    private let title = SinkTitle()
    private var endpoint: PulseEndpoint
    private var stream: PulseStream<PulseRenderState>?

    /// A device of the sound server.
    ///
    /// Nothing is connected before `open`.
    /// - Parameters:
    ///   - sink: The server's name of the output, as `pactl list sinks short` shows it; `nil` is the server's default.
    ///   - server: As `PULSE_SERVER` is written, for example `unix:/run/user/1000/pulse/native`; `nil` is the user's own.
    ///   - latency: Seconds from render to hearing that the server is asked for, 0.1 unless told. The server decides.
    public init(sink: String? = nil, server: String? = nil, latency: Double = 0.1) {
        endpoint = PulseEndpoint(.playback, target: sink, server: server, latency: latency)
        gauges = .make(DeviceCounters(latency: Atomic(endpoint.latency)))
    }

    deinit {
        stop()
        gauges.destroy()
    }

    /// The word `pulse`, and the sink if one was named: `pulse:out`.
    public var name: String { endpoint.name }

    /// The server's description of the sink that plays, once the device has been opened.
    public var outputName: String? { title.value }

    /// Always `true`.
    public var isPaced: Bool { true }

    /// Whether the server is PulseAudio, once the device has been opened: PipeWire says too late where its sink is.
    public var takesBackSilence: Bool { endpoint.serverKind == .pulseAudio }

    /// Seconds between the render of a frame and its being heard, as the server says: updated with each block.
    public var latency: Double { gauges.pointee.latency.load(ordering: .relaxed) }

    /// The number of times that the server has run dry since `start`, while playing.
    public var underrunCount: Int { gauges.pointee.underruns.load(ordering: .relaxed) }

    /// Called once, from libpulse's thread, if the server ends or takes the last sink away.
    ///
    /// Must not call the device.
    public var onLoss: (@Sendable (DeviceError) -> Void)? {
        get { loss.handler }
        set { loss.handler = newValue }
    }

    /// Called from libpulse's thread when the server has moved the sound to another sink: since the default one has
    /// changed, or somebody has asked it to.
    ///
    /// Must not call the device.
    public var onChange: (@Sendable () -> Void)? {
        get { changes.handler }
        set { changes.handler = newValue }
    }

    /// Connects, and settles the format.
    /// - Parameter preferred: The server converts what is not the sink's own. With `nil`, or what no server takes
    ///   (over 8 channels, over 384 kHz), the format is the sink's own, of which at most 8 channels are used.
    /// - Throws: `DeviceError`: `.unavailable` if no server answers within two seconds or it has no output but the silent one
    ///   that servers make up, `.notFound` if it has no sink of that name.
    public func open(preferred: DeviceFormat?) throws(DeviceError) -> DeviceFormat {
        try life.willOpen(name)
        let format = try endpoint.open(preferred: preferred)
        title.set(endpoint.title)
        life.opened(format)
        return format
    }

    /// Begins to play.
    ///
    /// Connects anew if the device was stopped or the server restarted since `open`.
    /// - Throws: `DeviceError` as `open` does.
    public func start(_ callback: RenderCallback) throws(DeviceError) {
        let format = try life.willStart(name)
        gauges.pointee.underruns.store(0, ordering: .relaxed)
        gauges.pointee.latency.store(endpoint.latency, ordering: .relaxed)
        stream = try endpoint.stream(
            format,
            loss: loss,
            state: PulseRenderState(
                callback,
                format: format,
                serverKind: endpoint.serverKind,
                gauges: gauges,
                moves: PulseMoves(
                    changes: changes,
                    loss: loss,
                    title: title,
                    server: endpoint.server,
                    device: name
                )
            ),
            setCallbacks: Self.setCallbacks
        )
        life.started()
    }

    private static func setCallbacks(_ stream: OpaquePointer, _ state: UnsafeMutablePointer<PulseRenderState>) {
        pa_stream_set_write_callback(
            stream,
            { stream, byteCount, userdata in
                guard let stream else { return }
                userdata?.assumingMemoryBound(to: PulseRenderState.self).pointee.serve(
                    stream,
                    byteCount: Int(byteCount)
                )
            },
            state
        )
        pa_stream_set_started_callback(
            stream,
            { stream, userdata in
                guard let stream else { return }
                userdata?.assumingMemoryBound(to: PulseRenderState.self).pointee.didBeginToPlay(stream)
            },
            state
        )
        pa_stream_set_latency_update_callback(
            stream,
            { stream, userdata in
                guard let stream else { return }
                userdata?.assumingMemoryBound(to: PulseRenderState.self).pointee.noteTiming(stream)
            },
            state
        )
        pa_stream_set_underflow_callback(
            stream,
            { _, userdata in userdata?.assumingMemoryBound(to: PulseRenderState.self).pointee.didUnderflow() },
            state
        )
        pa_stream_set_moved_callback(
            stream,
            { stream, userdata in
                guard let stream else { return }
                userdata?.assumingMemoryBound(to: PulseRenderState.self).pointee.didMove(stream)
            },
            state
        )
    }

    /// Corks the stream: unheard frames of the server are kept.
    public func pause() {
        if life.pause() == .perform { stream?.hold() }
    }

    /// Uncorks the stream.
    public func resume() {
        if life.resume() == .perform { stream?.release() }
    }

    /// Writes over what the server has and has not handed to the sink, and what a sink of PulseAudio has and gives back.
    ///
    /// What records a sink's monitor may have got that before: then it misses as much of what comes next.
    public func dropUnheard(atMost frameCount: Int, _ change: () -> Void) -> Bool {
        guard life.isStarted else { return false }
        return stream?.dropUnheard(atMost: frameCount, change) ?? false
    }

    /// Ends the stream and the connection; what was not yet heard is dropped.
    public func stop() {
        loss.disarm()
        stream = nil
        endpoint.close()
        _ = life.stop()
    }
}
