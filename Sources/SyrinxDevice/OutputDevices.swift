/// The description of an available audio output.
public struct OutputDeviceDescription: Hashable, Sendable {
    /// The system that provides an output.
    public enum Kind: String, Hashable, Sendable {
        /// A sink of the sound server.
        case pulse
        /// A PCM of ALSA.
        case alsa
    }

    /// The system that provides the output.
    public let kind: Kind
    /// The name for `OutputDevices.make` and for the command's `--output`, such as `pulse:alsa_output.analog-stereo`.
    public let id: String
    /// The name for display.
    public let description: String
    /// The sample rate in hertz; `nil` if it is unknown without opening the device.
    public let sampleRate: Double?
    /// The number of channels; `nil` if it is unknown without opening the device.
    public let channelCount: Int?
    /// Whether `OutputDevices.automatic` selects this output.
    public let isDefault: Bool
}

/// Lists audio outputs, and creates devices by name.
public enum OutputDevices {
    /// Returns all audio outputs, the default first: sinks of the sound server, then PCMs of sound cards.
    ///
    /// Takes up to two seconds if a sound server does not respond. Systems that do not respond are omitted; an empty
    /// list means that there is no audio output.
    /// - Parameter server: The address of the sound server, as in `PULSE_SERVER`; `nil` is that of the user.
    public static func list(server: String? = nil) -> [OutputDeviceDescription] {
        let sinks = pulse(server)
        let pcms = ALSAListing.descriptions(hasDefault: !sinks.contains { $0.isDefault })
        let all = sinks + pcms
        return all.filter(\.isDefault) + all.filter { !$0.isDefault }
    }

    private static func pulse(_ server: String?) -> [OutputDeviceDescription] {
        // Without a sound server there are no sinks, which is not an error.
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

    /// Returns the default device: that of the sound server, otherwise that of ALSA.
    ///
    /// The device is not opened.
    /// - Parameter server: The address of the sound server, as in `PULSE_SERVER`; `nil` is that of the user.
    /// - Returns: `nil` if there is no audio output; the caller can use a `NullOutput` and inform the user.
    public static func automatic(server: String? = nil) -> (any OutputDevice)? {
        if let connection = try? PulseConnection(server: server, device: "pulse"),
            let sink = try? connection.sink(named: nil), sink.name != PulseSink.dummyName
        {
            return PulseOutput(server: server)
        }
        if ALSAListing.hasCard, (try? ALSAPCM(pcm: nil, preferred: nil, device: "alsa")) != nil { return ALSAOutput() }
        return nil
    }

    /// Creates a device from a specification.
    ///
    /// The device is not opened.
    /// - Parameter specification: `auto`, `pulse`, `pulse:SINK`, `alsa`, `alsa:PCM`, `null` or `file:PATH`.
    /// - Throws: `DeviceError`: `.deviceNotFound` for other specifications, `.deviceUnavailable` if `auto` finds no
    ///   output.
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
