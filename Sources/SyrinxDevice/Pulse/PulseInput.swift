import CSyrinxPulse
import Synchronization

/// Records from a sound server: PulseAudio, or PipeWire, which answers as one.
public final class PulseInput: InputDevice, @unchecked Sendable {
    // Unchecked: the plain properties belong to the one control thread that the protocol allows; libpulse's thread
    // touches only the memory of the stream's state, with the main loop's lock, and the atomics of `gauges`.
    private let loss = DeviceLossReporter()
    private let gauges: UnsafeMutablePointer<DeviceCounters>
    private var life = DeviceStateMachine()
    private var endpoint: PulseEndpoint
    private var stream: PulseStream<PulseCaptureState>?

    /// A device of the sound server.
    ///
    /// Nothing is connected before `open`.
    /// - Parameters:
    ///   - source: The server's name of the input, as `pactl list sources short` shows it; `nil` is the server's default.
    ///   - server: As `PULSE_SERVER` is written; `nil` is the user's own.
    ///   - latency: Seconds from sound to callback that the server is asked for, 0.02 unless told. The server decides.
    public init(source: String? = nil, server: String? = nil, latency: Double = 0.02) {
        endpoint = PulseEndpoint(.recording, target: source, server: server, latency: latency)
        gauges = .make(DeviceCounters(latency: Atomic(endpoint.latency)))
    }

    deinit {
        stop()
        gauges.destroy()
    }

    /// The word `pulse`, and the source if one was named: `pulse:microphone`.
    public var name: String { endpoint.name }

    /// Seconds between a sound and the callback with it, as the server says: updated with each block.
    public var latency: Double { gauges.pointee.latency.load(ordering: .relaxed) }

    /// Called once, from libpulse's thread, if the server ends or takes the source away.
    ///
    /// Must not call the device.
    public var onLoss: (@Sendable (DeviceError) -> Void)? {
        get { loss.handler }
        set { loss.handler = newValue }
    }

    /// Connects, and settles the format.
    /// - Parameter preferred: The server converts what is not the source's own.
    /// - Throws: `DeviceError`: `.unavailable` if no server answers within two seconds or it has no input, `.notFound` if it
    ///   has no source of that name.
    public func open(preferred: DeviceFormat?) throws(DeviceError) -> DeviceFormat {
        try life.willOpen(name)
        let format = try endpoint.open(preferred: preferred)
        life.opened(format)
        return format
    }

    /// Begins to record.
    ///
    /// Connects anew if the device was stopped or the server restarted since `open`.
    /// - Throws: `DeviceError` as `open` does.
    public func start(_ callback: CaptureCallback) throws(DeviceError) {
        let format = try life.willStart(name)
        stream = try endpoint.stream(
            format,
            loss: loss,
            state: PulseCaptureState(callback, channelCount: format.channelCount, gauges: gauges)
        ) { stream, state in
            pa_stream_set_read_callback(
                stream,
                { stream, _, userdata in
                    guard let stream else { return }
                    userdata?.assumingMemoryBound(to: PulseCaptureState.self).pointee.drain(stream)
                },
                state
            )
        }
        life.started()
    }

    /// Ends the stream and the connection.
    public func stop() {
        loss.disarm()
        stream = nil
        endpoint.close()
        _ = life.stop()
    }
}
