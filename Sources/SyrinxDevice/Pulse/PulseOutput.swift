import CSyrinxPulse
import Synchronization

/// An output device that plays to PulseAudio, or to PipeWire through its PulseAudio interface.
public final class PulseOutput: OutputDevice, @unchecked Sendable {
    // Unchecked: only the one control thread that the protocol allows uses the plain properties. libpulse's thread uses
    // the memory of the stream's state, with the main loop's lock, and the atomics of `gauges`.
    private let loss = DeviceLossReporter()
    private let changes = DeviceEventReporter()
    private let gauges: UnsafeMutablePointer<DeviceCounters>
    private var life = DeviceStateMachine()
    private let title = SinkTitle()
    private var endpoint: PulseEndpoint
    private var stream: PulseStream<PulseRenderState>?

    /// Creates an output device of a sound server.
    ///
    /// No connection is made before `open`.
    /// - Parameters:
    ///   - sink: The server's name of the output, as shown by `pactl list sinks short`; `nil` is the server's default.
    ///   - server: The address of the server, for example `unix:/run/user/1000/pulse/native`; `nil` is that of the
    ///     user.
    ///   - latency: The requested latency in seconds (default: 0.1). The server may use another one.
    public init(sink: String? = nil, server: String? = nil, latency: Double = 0.1) {
        endpoint = PulseEndpoint(.playback, target: sink, server: server, latency: latency)
        gauges = .make(DeviceCounters(latency: Atomic(endpoint.latency)))
    }

    deinit {
        stop()
        gauges.destroy()
    }

    /// `pulse`, followed by the name of the sink if one was specified: `pulse:out`.
    public var name: String { endpoint.name }

    /// The server's description of the sink, once the device has been opened.
    public var outputName: String? { title.value }

    /// Always `true`.
    public var isPaced: Bool { true }

    /// Whether the server is PulseAudio, once the device has been opened; PipeWire reports its sink's position too
    /// late.
    public var takesBackSilence: Bool { endpoint.serverKind == .pulseAudio }

    /// The time between rendering a frame and hearing it, in seconds, as reported by the server; updated with each
    /// block.
    public var latency: Double { gauges.pointee.latency.load(ordering: .relaxed) }

    /// The number of underruns since `start`, not counting pauses.
    public var underrunCount: Int { gauges.pointee.underruns.load(ordering: .relaxed) }

    /// Called once, on libpulse's thread, if the server ends or the last sink is removed.
    ///
    /// It must not call methods of the device.
    public var onLoss: (@Sendable (DeviceError) -> Void)? {
        get { loss.handler }
        set { loss.handler = newValue }
    }

    /// Called on libpulse's thread when the server has moved the sound to another sink, such as a new default.
    ///
    /// It must not call methods of the device.
    public var onChange: (@Sendable () -> Void)? {
        get { changes.handler }
        set { changes.handler = newValue }
    }

    /// Connects to the server, and negotiates the format.
    /// - Parameter preferred: The preferred format, to which the server converts if necessary. With `nil`, or more than
    ///   8 channels or 384 kHz, the sink's own format is used, with at most 8 channels.
    /// - Throws: `DeviceError`: `.deviceUnavailable` if no server responds within two seconds, if it has only a dummy
    ///   output, or if the device is running; `.deviceNotFound` if the server has no sink of this name.
    public func open(preferred: DeviceFormat?) throws(DeviceError) -> DeviceFormat {
        try life.willOpen(name)
        let format = try endpoint.open(preferred: preferred)
        title.set(endpoint.title)
        life.opened(format)
        return format
    }

    /// Starts playback.
    ///
    /// Reconnects if the device was stopped or the server was restarted since `open`.
    /// - Throws: The errors of `open`; `.unsupportedFormat` if `open` was not called or the server refuses the format;
    ///   `.deviceUnavailable` if the device is already running.
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

    /// Pauses playback by corking the stream; the server keeps queued frames.
    public func pause() {
        if life.pause() == .perform { stream?.hold() }
    }

    /// Resumes playback by uncorking the stream.
    public func resume() {
        if life.resume() == .perform { stream?.release() }
    }

    /// Overwrites the frames that the sink has not received, and those that a PulseAudio sink can take back.
    ///
    /// A program that records the sink's monitor may already have received the old frames, and then misses as many new
    /// ones.
    public func dropUnheard(atMost frameCount: Int, _ change: () -> Void) -> Bool {
        guard life.isStarted else { return false }
        return stream?.dropUnheard(atMost: frameCount, change) ?? false
    }

    /// Closes the stream and the connection, and discards queued frames.
    public func stop() {
        loss.disarm()
        stream = nil
        endpoint.close()
        _ = life.stop()
    }
}
