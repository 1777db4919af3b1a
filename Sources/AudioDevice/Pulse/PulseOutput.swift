import CPulse
import Synchronization

/// Plays to a sound server: PulseAudio, or PipeWire, which answers as one.
public final class PulseOutput: OutputDevice, @unchecked Sendable {
    // Unchecked: the plain properties belong to the one control thread that the protocol allows; libpulse's thread
    // touches only the memory of `state`, with the main loop's lock, and the atomics of `gauges`.
    private let sink: String?
    private let server: String?
    private let wantedLatency: Double
    private let loss = LossReporter()
    private let changes = ChangeReporter()
    private let gauges: UnsafeMutablePointer<Gauges>
    private var life = DeviceLife()
    private var sinkMap = pa_channel_map()
    private var connection: PulseConnection?
    private var stream: PulseStream?

    /// A device of the sound server.
    ///
    /// Nothing is connected before `open`.
    /// - Parameters:
    ///   - sink: The server's name of the output, as `pactl list sinks short` shows it; `nil` is the server's default.
    ///   - server: As `PULSE_SERVER` is written, for example `unix:/run/user/1000/pulse/native`; `nil` is the user's own.
    ///   - latency: Seconds from render to hearing that the server is asked for, 0.1 unless told. The server decides.
    public init(sink: String? = nil, server: String? = nil, latency: Double = 0.1) {
        self.sink = sink
        self.server = server
        wantedLatency = min(max(latency, 0.005), 2)
        gauges = .make(Gauges(latency: Atomic(wantedLatency)))
    }

    deinit {
        stop()
        gauges.destroy()
    }

    /// The word `pulse`, and the sink if one was named: `pulse:out`.
    public var name: String { sink.map { "pulse:\($0)" } ?? "pulse" }

    /// Always `true`.
    public var isPaced: Bool { true }

    /// Seconds between the render of a frame and its being heard, as the server says: updated with each block.
    public var latency: Double { gauges.pointee.latency.load(ordering: .relaxed) }

    /// How often the server has run dry since `start`, while playing.
    public var underrunCount: Int { gauges.pointee.underruns.load(ordering: .relaxed) }

    /// Called once, from libpulse's thread, if the server ends or takes the sink away.
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
    /// - Throws: `DeviceError`: `.unavailable` if no server answers within two seconds or it has no output, `.notFound`
    ///   if it has no sink of that name.
    public func open(preferred: DeviceFormat?) throws(DeviceError) -> DeviceFormat {
        try life.willOpen(name)
        connection = nil
        let connection = try PulseConnection(server: server, device: name)
        guard let found = try connection.sink(named: sink) else {
            guard let sink else {
                throw DeviceError(.unavailable, "the sound server has no output", device: name)
            }
            throw DeviceError(.notFound, "the sound server has no sink \"\(sink)\"", device: name)
        }
        self.connection = connection
        let format = Self.settle(preferred, sink: found.format)
        sinkMap = found.map
        life.opened(format)
        return format
    }

    /// The format for a wish and a sink: the wish if a server can take it.
    static func settle(_ preferred: DeviceFormat?, sink: DeviceFormat) -> DeviceFormat {
        let own = DeviceFormat(sampleRate: sink.sampleRate, channelCount: min(8, max(1, sink.channelCount)))
        // The server's rates are whole numbers up to PA_RATE_MAX.
        guard let preferred, (1...8).contains(preferred.channelCount), (1...384_000).contains(preferred.sampleRate),
            preferred.sampleRate == preferred.sampleRate.rounded()
        else { return own }
        return preferred
    }

    /// Begins to play.
    ///
    /// Connects anew if the device was stopped or the server restarted since `open`.
    /// - Throws: `DeviceError` as `open` does.
    public func start(_ callback: RenderCallback) throws(DeviceError) {
        let format = try life.willStart(name)
        let connection = try usableConnection()
        gauges.pointee.underruns.store(0, ordering: .relaxed)
        gauges.pointee.latency.store(wantedLatency, ordering: .relaxed)
        let state = PulseRenderState(
            callback,
            format: format,
            gauges: gauges,
            loss: loss,
            changes: changes,
            name: name
        )
        loss.arm()
        do throws(DeviceError) {
            stream = try PulseStream(
                connection,
                sink: sink,
                format: format,
                map: PulseChannelMap.map(channelCount: format.channelCount, sink: sinkMap),
                latency: wantedLatency,
                device: name,
                state: state
            )
        } catch {
            loss.disarm()
            self.connection = nil
            throw error
        }
        life.started()
    }

    private func usableConnection() throws(DeviceError) -> PulseConnection {
        if let connection {
            connection.lock()
            defer { connection.unlock() }
            if connection.isReady { return connection }
        }
        let fresh = try PulseConnection(server: server, device: name)
        connection = fresh
        return fresh
    }

    /// Corks the stream: what the server has and nobody has heard is kept.
    public func pause() {
        if life.pause() == .perform { stream?.hold() }
    }

    /// Uncorks the stream.
    public func resume() {
        if life.resume() == .perform { stream?.release() }
    }

    /// Ends the stream and the connection; what was not yet heard is dropped.
    public func stop() {
        loss.disarm()
        stream = nil
        connection = nil
        _ = life.stop()
    }
}
