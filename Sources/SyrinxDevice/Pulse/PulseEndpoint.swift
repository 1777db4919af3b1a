import CSyrinxPulse

/// A sink or source of a sound server with the connection to it, used by the control thread of a device.
struct PulseEndpoint {
    private let direction: PulseDirection
    /// The server's name of the sink or source; `nil` is the default.
    private let target: String?
    let server: String?
    /// The latency requested from the server, in seconds.
    let latency: Double
    /// The name of the sink or source for display, once the stream is open.
    private(set) var title: String?
    private var map = pa_channel_map()
    private var connection: PulseConnection?
    /// The program that provides the sound server.
    private(set) var serverKind = PulseServerKind.unknown

    init(_ direction: PulseDirection, target: String?, server: String?, latency: Double) {
        self.direction = direction
        self.target = target
        self.server = server
        self.latency = min(max(latency, 0.005), 2)
    }

    /// `pulse`, followed by the name of the sink or source if one was specified.
    var name: String { target.map { "pulse:\($0)" } ?? "pulse" }

    /// Connects to the server, and negotiates the format.
    mutating func open(preferred: DeviceFormat?) throws(DeviceError) -> DeviceFormat {
        connection = nil
        let connection = try PulseConnection(server: server, device: name)
        let found =
            switch direction {
            case .playback: try connection.sink(named: target)
            case .recording: try connection.source(named: target)
            }
        // The server's dummy sink is inaudible, so it is used only if it was specified by name.
        guard let found, found.name != PulseSink.dummyName || target == found.name else {
            guard let target else {
                throw DeviceError(.deviceUnavailable, "the sound server has no \(direction.port)", device: name)
            }
            throw .missing(direction, target, device: name)
        }
        self.connection = connection
        serverKind = try connection.serverKind()
        map = found.map
        title = found.description
        return Self.settle(preferred, own: found.format)
    }

    /// Returns the preferred format if the server supports it, otherwise the device's own.
    private static func settle(_ preferred: DeviceFormat?, own: DeviceFormat) -> DeviceFormat {
        let own = DeviceFormat(sampleRate: own.sampleRate, channelCount: min(8, max(1, own.channelCount)))
        // The server's rates are integers up to `PA_RATE_MAX`.
        guard let preferred, (1...8).contains(preferred.channelCount), (1...384_000).contains(preferred.sampleRate),
            preferred.sampleRate == preferred.sampleRate.rounded()
        else { return own }
        return preferred
    }

    /// Creates a stream of `format`, after reconnecting if there is no connection or the server was restarted.
    mutating func stream<State: ~Copyable>(
        _ format: DeviceFormat,
        loss: DeviceLossReporter,
        state: consuming State,
        setCallbacks: (OpaquePointer, UnsafeMutablePointer<State>) -> Void
    ) throws(DeviceError) -> PulseStream<State> {
        let wish = PulseStreamRequest(
            direction: direction,
            target: target,
            format: format,
            map: PulseChannelMap.map(channelCount: format.channelCount, sink: map),
            latency: latency,
            device: name
        )
        let connection = try usableConnection()
        loss.arm()
        do throws(DeviceError) {
            return try PulseStream(connection, wish, loss: loss, state: state, setCallbacks: setCallbacks)
        } catch {
            loss.disarm()
            self.connection = nil
            throw error
        }
    }

    private mutating func usableConnection() throws(DeviceError) -> PulseConnection {
        if let connection {
            connection.lock()
            defer { connection.unlock() }
            if connection.isReady { return connection }
        }
        let fresh = try PulseConnection(server: server, device: name)
        connection = fresh
        return fresh
    }

    /// Closes the connection, after all streams have ended.
    mutating func close() { connection = nil }
}
