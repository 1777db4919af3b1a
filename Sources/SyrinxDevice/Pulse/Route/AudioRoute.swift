/// A sink or a source of a sound server, as far as programs ask about it.
package struct AudioPort: Sendable, Equatable {
    /// The kind of equipment at a port.
    package enum Kind: String, Sendable {
        case speaker, headphones, headset, microphone, line, hdmi, digital, usb, bluetooth, handsFree, network, other
    }

    /// The server's name for it.
    package var id: String
    /// The name for people.
    package var description: String
    package var kind: Kind
    /// Frames per second.
    package var sampleRate: Double
    package var channelCount: Int
    /// Position on the server's scale, from 0 to 1, or more where it amplifies; 0 if it is muted.
    package var volume: Double
    /// Seconds that the server itself takes.
    package var latency: Double
    /// The microphones or sockets of a source that can be chosen; empty for a sink.
    package var dataSources: [DataSource] = []
    /// The server's name for the one of them that is in use.
    package var activeDataSource: String?

    /// A microphone or a socket of a source.
    package struct DataSource: Sendable, Equatable {
        /// The server's name for it.
        package var id: String
        /// The name for people.
        package var description: String

        /// - Parameters:
        ///   - id: The server's name for it.
        ///   - description: The name for people.
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

/// The ports that a program without a choice of its own plays to and records from.
package struct AudioRoute: Sendable, Equatable {
    /// The default sink; `nil` if there is none that can be heard.
    package var output: AudioPort?
    /// The default source; `nil` if there is none but monitors of sinks.
    package var input: AudioPort?
    /// All sinks but the one that a server makes up where there is no sound card.
    package var outputs: [AudioPort] = []
    /// All sources but monitors of sinks.
    package var inputs: [AudioPort] = []

    /// Without a port.
    package init() {}

    /// Whether both name the same ports, whatever their volumes.
    package func hasSamePorts(as other: AudioRoute) -> Bool {
        Self.key(output) == Self.key(other.output) && Self.key(input) == Self.key(other.input)
    }

    private static func key(_ port: AudioPort?) -> String? { port.map { "\($0.id)\n\($0.kind.rawValue)" } }
}
