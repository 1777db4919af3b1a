/// A sound output that was found.
public struct OutputDeviceDescription: Hashable, Sendable {
    /// The system that an output belongs to.
    public enum Kind: String, Hashable, Sendable {
        /// A sink of the sound server.
        case pulse
        /// A PCM of ALSA.
        case alsa
    }

    /// The system that it belongs to.
    public let kind: Kind
    /// The name for `OutputDevices.make` and the command's `--output`: `pulse:alsa_output.analog-stereo`.
    public let id: String
    /// The name for people.
    public let description: String
    /// Frames per second, where that is known without opening it.
    public let sampleRate: Double?
    /// The number of channels, where that is known without opening it.
    public let channelCount: Int?
    /// Whether `OutputDevices.automatic` takes it.
    public let isDefault: Bool
}

/// Finds outputs, and makes devices of their names.
public enum OutputDevices {
    /// All sound outputs there are, the default first: sinks of the sound server, then PCMs of sound cards.
    ///
    /// Takes up to two seconds if a sound server does not answer. What cannot be asked is left out: an empty list says
    /// that nothing can be heard here.
    /// - Parameter server: The sound server, as `PULSE_SERVER` is written; `nil` is the user's own.
    public static func list(server: String? = nil) -> [OutputDeviceDescription] {
        let sinks = pulse(server)
        let pcms = ALSAListing.descriptions(hasDefault: !sinks.contains { $0.isDefault })
        let all = sinks + pcms
        return all.filter(\.isDefault) + all.filter { !$0.isDefault }
    }

    private static func pulse(_ server: String?) -> [OutputDeviceDescription] {
        // No server is no error here: it has no sinks.
        guard let connection = try? PulseConnection(server: server, device: "pulse"),
            let answer = try? connection.sinks()
        else { return [] }
        return answer.sinks.filter { $0.name != PulseSink.dummyName }.map { sink in
            OutputDeviceDescription(
                kind: .pulse,
                id: "pulse:\(sink.name)",
                description: sink.description,
                sampleRate: sink.format.sampleRate,
                channelCount: sink.format.channelCount,
                isDefault: sink.name == answer.defaultName
            )
        }
    }

    /// The device that is best without being told: the sound server's default, else ALSA's.
    ///
    /// Nothing of it is open yet.
    /// - Parameter server: The sound server, as `PULSE_SERVER` is written; `nil` is the user's own.
    /// - Returns: `nil` if nothing can be heard here, for the caller to fall back to `NullOutput` and say so.
    public static func automatic(server: String? = nil) -> (any OutputDevice)? {
        if let connection = try? PulseConnection(server: server, device: "pulse"),
            let sink = try? connection.sink(named: nil), sink.name != PulseSink.dummyName
        {
            return PulseOutput(server: server)
        }
        if ALSAListing.hasCard, (try? ALSAPCM(pcm: nil, preferred: nil, device: "alsa")) != nil { return ALSAOutput() }
        return nil
    }

    /// The device of a specification.
    ///
    /// Nothing of it is open yet.
    /// - Parameter specification: `auto`, `pulse`, `pulse:SINK`, `alsa`, `alsa:PCM`, `null` or `file:PATH`.
    /// - Throws: `DeviceError`: `.notFound` for anything else, `.unavailable` if `auto` finds nothing.
    public static func make(_ specification: String) throws(DeviceError) -> any OutputDevice {
        let parts = specification.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let kind = parts.first.map(String.init) ?? ""
        let argument = parts.count > 1 && !parts[1].isEmpty ? String(parts[1]) : nil
        switch (kind, argument) {
        case ("auto", nil):
            guard let device = automatic() else {
                throw DeviceError(
                    .deviceUnavailable,
                    "no sound server and no sound card answers",
                    device: specification
                )
            }
            return device
        case ("pulse", let sink): return PulseOutput(sink: sink)
        case ("alsa", let pcm): return ALSAOutput(pcm: pcm)
        case ("null", nil): return NullOutput(blockDuration: NullOutput.playbackBlockDuration)
        case ("file", let path?): return WAVFileOutput(path: path)
        default:
            throw DeviceError(
                .deviceNotFound,
                "an output is one of auto, pulse[:SINK], alsa[:PCM], null and file:PATH.wav",
                device: specification
            )
        }
    }
}
