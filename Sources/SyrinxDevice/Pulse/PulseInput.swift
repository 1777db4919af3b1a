import CSyrinxPulse
import Synchronization

/// An input device that records from PulseAudio, or from PipeWire through its PulseAudio interface.
public final class PulseInput: InputDevice, @unchecked Sendable {
    // Unchecked: only the one control thread that the protocol allows uses the plain properties. libpulse's thread uses
    // the memory of the stream's state, with the main loop's lock, and the atomics of `gauges`.
    private let loss = DeviceLossReporter()
    private let gauges: UnsafeMutablePointer<DeviceCounters>
    private var life = DeviceStateMachine()
    private var endpoint: PulseEndpoint
    private var stream: PulseStream<PulseCaptureState>?

    /// Creates an input device of a sound server.
    ///
    /// No connection is made before `open`.
    /// - Parameters:
    ///   - source: The server's name of the input, as shown by `pactl list sources short`; `nil` is the server's
    ///     default.
    ///   - server: The address of the server, as in `PULSE_SERVER`; `nil` is that of the user.
    ///   - latency: The requested latency in seconds (default: 0.02). The server may use another one.
    public init(source: String? = nil, server: String? = nil, latency: Double = 0.02) {
        endpoint = PulseEndpoint(.recording, target: source, server: server, latency: latency)
        gauges = .make(DeviceCounters(latency: Atomic(endpoint.latency)))
    }

    deinit {
        stop()
        gauges.destroy()
    }

    /// `pulse`, followed by the name of the source if one was specified: `pulse:microphone`.
    public var name: String { endpoint.name }

    /// The time between a sound and the callback with it, in seconds, as reported by the server; updated with each
    /// block.
    public var latency: Double { gauges.pointee.latency.load(ordering: .relaxed) }

    /// Called once, on libpulse's thread, if the server ends or the source is removed.
    ///
    /// It must not call methods of the device.
    public var onLoss: (@Sendable (DeviceError) -> Void)? {
        get { loss.handler }
        set { loss.handler = newValue }
    }

    /// Connects to the server, and negotiates the format.
    /// - Parameter preferred: The preferred format, to which the server converts if necessary.
    /// - Throws: `DeviceError`: `.deviceUnavailable` if no server responds within two seconds, if it has no input, or
    ///   if the device is running; `.deviceNotFound` if the server has no source of this name.
    public func open(preferred: DeviceFormat?) throws(DeviceError) -> DeviceFormat {
        try life.willOpen(name)
        let format = try endpoint.open(preferred: preferred)
        life.opened(format)
        return format
    }

    /// Starts to record.
    ///
    /// Reconnects if the device was stopped or the server was restarted since `open`.
    /// - Throws: The errors of `open`; `.unsupportedFormat` if `open` was not called or the server refuses the format;
    ///   `.deviceUnavailable` if the device is already running.
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

    /// Closes the stream and the connection.
    public func stop() {
        loss.disarm()
        stream = nil
        endpoint.close()
        _ = life.stop()
    }
}
