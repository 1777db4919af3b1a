/// The properties of a sink or source that programs can query.
package struct AudioPort: Sendable, Equatable {
    /// The kind of equipment at a port.
    package enum Kind: String, Sendable {
        case speaker, headphones, headset, microphone, line, hdmi, digital, usb, bluetooth, handsFree, network, other
    }

    /// The server's name of the sink or source.
    package var id: String
    /// The name for display.
    package var description: String
    package var kind: Kind
    /// The sample rate, in hertz.
    package var sampleRate: Double
    package var channelCount: Int
    /// The volume on the server's scale: 0 if muted, 1 for full volume, or more if it is amplified.
    package var volume: Double
    /// The latency of the server, in seconds.
    package var latency: Double
    /// The selectable microphones or connectors of a source; empty for a sink.
    package var dataSources: [DataSource] = []
    /// The server's name of the active data source.
    package var activeDataSource: String?

    /// A microphone or connector of a source.
    package struct DataSource: Sendable, Equatable {
        /// The server's name of the data source.
        package var id: String
        /// The name for display.
        package var description: String

        /// - Parameters:
        ///   - id: The server's name of the data source.
        ///   - description: The name for display.
        package init(id: String, description: String) { (self.id, self.description) = (id, description) }
    }

    package init(
        id: String,
        description: String,
        kind: Kind,
        sampleRate: Double,
        channelCount: Int,
        volume: Double,
        latency: Double
    ) {
        (self.id, self.description, self.kind) = (id, description, kind)
        (self.sampleRate, self.channelCount, self.volume, self.latency) = (sampleRate, channelCount, volume, latency)
    }
}

/// The default ports, which programs use unless they select others.
package struct AudioRoute: Sendable, Equatable {
    /// The default sink; `nil` if there is no audible one.
    package var output: AudioPort?
    /// The default source; `nil` if there are only monitors.
    package var input: AudioPort?
    /// All sinks except the server's dummy sink.
    package var outputs: [AudioPort] = []
    /// All sources except monitors.
    package var inputs: [AudioPort] = []

    /// Creates a route without ports.
    package init() {}

    /// Whether both routes have the same ports, ignoring their volumes.
    package func hasSamePorts(as other: AudioRoute) -> Bool {
        Self.key(output) == Self.key(other.output) && Self.key(input) == Self.key(other.input)
    }

    private static func key(_ port: AudioPort?) -> String? { port.map { "\($0.id)\n\($0.kind.rawValue)" } }
}
