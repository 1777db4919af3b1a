import CPulse
import Synchronization

/// Records from a sound server: PulseAudio, or PipeWire, which answers as one.
public final class PulseInput: InputDevice, @unchecked Sendable {
    // Unchecked: the plain properties belong to the one control thread that the protocol allows; libpulse's thread
    // touches only the memory of the stream's state, with the main loop's lock, and the atomics of `gauges`.
    private let source: String?
    private let server: String?
    private let wantedLatency: Double
    private let loss = LossReporter()
    private let gauges: UnsafeMutablePointer<Gauges>
    private var life = DeviceLife()
    private var sourceMap = pa_channel_map()
    private var connection: PulseConnection?
    private var stream: PulseRecordStream?

    /// A device of the sound server.
    ///
    /// Nothing is connected before `open`.
    /// - Parameters:
    ///   - source: The server's name of the input, as `pactl list sources short` shows it; `nil` is the server's default.
    ///   - server: As `PULSE_SERVER` is written; `nil` is the user's own.
    ///   - latency: Seconds from sound to callback that the server is asked for, 0.02 unless told. The server decides.
    public init(source: String? = nil, server: String? = nil, latency: Double = 0.02) {
        self.source = source
        self.server = server
        wantedLatency = min(max(latency, 0.005), 2)
        gauges = .make(Gauges(latency: Atomic(wantedLatency)))
    }

    deinit {
        stop()
        gauges.destroy()
    }

    /// The word `pulse`, and the source if one was named: `pulse:microphone`.
    public var name: String { source.map { "pulse:\($0)" } ?? "pulse" }

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
        connection = nil
        let connection = try PulseConnection(server: server, device: name)
        guard let found = try connection.source(named: source) else {
            guard let source else {
                throw DeviceError(.unavailable, "the sound server has no input", device: name)
            }
            throw DeviceError(.notFound, "the sound server has no source \"\(source)\"", device: name)
        }
        self.connection = connection
        let format = PulseOutput.settle(preferred, sink: found.format)
        sourceMap = found.map
        life.opened(format)
        return format
    }

    /// Begins to record.
    ///
    /// Connects anew if the device was stopped since `open`.
    /// - Throws: `DeviceError` as `open` does.
    public func start(_ callback: CaptureCallback) throws(DeviceError) {
        let format = try life.willStart(name)
        let connection: PulseConnection
        if let open = self.connection {
            connection = open
        } else {
            connection = try PulseConnection(server: server, device: name)
            self.connection = connection
        }
        loss.arm()
        do throws(DeviceError) {
            stream = try PulseRecordStream(
                connection,
                source: source,
                format: format,
                map: PulseChannelMap.map(channelCount: format.channelCount, sink: sourceMap),
                latency: wantedLatency,
                device: name,
                state: PulseCaptureState(
                    callback,
                    channelCount: format.channelCount,
                    gauges: gauges,
                    loss: loss,
                    name: name
                )
            )
        } catch {
            loss.disarm()
            self.connection = nil
            throw error
        }
        life.started()
    }

    /// Ends the stream and the connection.
    public func stop() {
        loss.disarm()
        stream = nil
        connection = nil
        _ = life.stop()
    }
}
