import AVFAudio
import ArgumentParser
import SyrinxHTTPStream
import SyrinxListening

/// The options of `play` and `render` that change the sound.
struct SoundOptions: ParsableArguments {
    /// The methods of time-pitch, by the names that the unit gives them.
    enum Algorithm: String, ExpressibleByArgument, CaseIterable {
        case automatic, spectral, timeDomain

        var method: AVAudioUnitTimePitch.Algorithm { .init(rawValue: rawValue) ?? .automatic }
    }

    @Option(
        name: .customLong("rate"),
        parsing: .unconditional,
        help: ArgumentHelp("Playback rate (\(SoundLimits.help(SoundLimits.rate)), default: 1)", valueName: "rate")
    )
    var givenRate: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Pitch shift in cents (\(SoundLimits.help(SoundLimits.pitch)))", valueName: "cents")
    )
    var pitch = 0.0

    @Option(help: ArgumentHelp("Method that changes rate and pitch", valueName: "method"))
    var algorithm = Algorithm.automatic

    @Option(
        name: .customLong("volume"),
        parsing: .unconditional,
        help: ArgumentHelp("Volume (\(SoundLimits.help(SoundLimits.volume)), default: 1)", valueName: "volume")
    )
    var givenVolume: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Start in the input, in seconds or as [hh:]mm:ss[.fff]", valueName: "time")
    )
    var start: ClockTime?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Length of the part of the input, in seconds or as [hh:]mm:ss[.fff]", valueName: "time")
    )
    var duration: ClockTime?

    func validate() throws {
        try Self.check("--rate", rate, SoundLimits.rate)
        try Self.check("--pitch", pitch, SoundLimits.pitch)
        try Self.check("--volume", volume, SoundLimits.volume)
    }

    /// The rate (default: 1).
    var rate: Double { givenRate ?? 1 }
    /// The volume (default: 1).
    var volume: Double { givenVolume ?? 1 }

    /// The requested part of the input, in seconds; an end of `nil` is the end of the input.
    var span: (start: Double, end: Double?) {
        let from = start?.seconds ?? 0
        return (from, duration.map { from + $0.seconds })
    }

    /// Checks the value of an option.
    /// - Throws: `ValidationError` if the value is outside of `range` or NaN.
    static func check(_ option: String, _ value: Double, _ range: ClosedRange<Double>) throws {
        guard range.contains(value) else {
            throw ValidationError("\(option) is \(SoundLimits.number(value)), outside \(SoundLimits.text(range))")
        }
    }
}

/// The options of commands that print text.
struct TextOptions: ParsableArguments {
    @Flag(name: .customLong("no-color"), help: "Write without colors, as with the variable NO_COLOR")
    var noColor = false
}

/// The options of commands that read from the network.
struct NetworkOptions: ParsableArguments {
    /// The time without data, in seconds, after which a command that does not play to a sound device fails.
    private static let scriptPatience = 30.0
    /// The allowed values of `--network-timeout`, in seconds.
    private static let range = 0.01...ClockTime.limit

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Seconds without data after which a download fails (default: 3600 for a sound device, else 30)",
            valueName: "seconds"
        )
    )
    var networkTimeout: Double?

    func validate() throws {
        if let networkTimeout { try SoundOptions.check("--network-timeout", networkTimeout, Self.range) }
    }

    /// Returns the options for network requests.
    ///
    /// - Parameter isHeard: Whether the audio goes to a sound device: then the default timeout is an hour.
    func options(isHeard: Bool) -> HTTPByteStream.Options {
        var options = HTTPByteStream.Options()
        guard let seconds = networkTimeout ?? (isHeard ? nil : Self.scriptPatience) else { return options }
        options.maximumOutage = seconds
        options.maximumBroadcastOutage = seconds
        return options
    }
}
