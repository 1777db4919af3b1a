import CSyrinxPulse

/// A sink or a source of a server, and the connection to it: what control has of a device.
struct PulseEndpoint {
    private let direction: PulseDirection
    /// The server's name of it; `nil` is its default.
    private let target: String?
    let server: String?
    /// Seconds that the server is asked for.
    let latency: Double
    /// The name of the sink or source, as people read it, once the stream is open.
    private(set) var title: String?
    private var map = pa_channel_map()
    private var connection: PulseConnection?
    /// Which program answers.
    private(set) var serverKind = PulseServerKind.unknown

    init(_ direction: PulseDirection, target: String?, server: String?, latency: Double) {
        self.direction = direction
        self.target = target
        self.server = server
        self.latency = min(max(latency, 0.005), 2)
    }

    /// The word `pulse`, and the target if one was named.
    var name: String { target.map { "pulse:\($0)" } ?? "pulse" }

    /// Connects, and settles the format.
    mutating func open(preferred: DeviceFormat?) throws(DeviceError) -> DeviceFormat {
        connection = nil
        let connection = try PulseConnection(server: server, device: name)
        let found =
            switch direction {
            case .playback: try connection.sink(named: target)
            case .recording: try connection.source(named: target)
            }
        // The silent sink that servers make up is no output, unless it is asked for by its name.
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

    /// The format for a wish and what the server has: the wish if a server can take it.
    private static func settle(_ preferred: DeviceFormat?, own: DeviceFormat) -> DeviceFormat {
        let own = DeviceFormat(sampleRate: own.sampleRate, channelCount: min(8, max(1, own.channelCount)))
        // The server's rates are whole numbers up to PA_RATE_MAX.
        guard let preferred, (1...8).contains(preferred.channelCount), (1...384_000).contains(preferred.sampleRate),
            preferred.sampleRate == preferred.sampleRate.rounded()
        else { return own }
        return preferred
    }

    /// A stream of `format`, on a new connection if there is none or its server has ended since.
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

    /// Ends the connection, once no stream has it.
    mutating func close() { connection = nil }
}
