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
        help: ArgumentHelp("How fast: \(SoundLimits.help(SoundLimits.rate)); by default 1.", valueName: "rate")
    )
    var givenRate: Double?

    @Option(parsing: .unconditional, help: "How much higher, in cents: \(SoundLimits.help(SoundLimits.pitch)).")
    var pitch = 0.0

    @Option(help: "The method that changes rate and pitch: automatic, spectral or timeDomain.")
    var algorithm = Algorithm.automatic

    @Option(
        name: .customLong("volume"),
        parsing: .unconditional,
        help: ArgumentHelp("How loud: \(SoundLimits.help(SoundLimits.volume)); by default 1.", valueName: "volume")
    )
    var givenVolume: Double?

    @Option(parsing: .unconditional, help: "Where to begin: seconds, or [hh:]mm:ss[.fff].")
    var start: ClockTime?

    @Option(parsing: .unconditional, help: "How much of the input: seconds, or [hh:]mm:ss[.fff].")
    var duration: ClockTime?

    func validate() throws {
        try Self.check("--rate", rate, SoundLimits.rate)
        try Self.check("--pitch", pitch, SoundLimits.pitch)
        try Self.check("--volume", volume, SoundLimits.volume)
    }

    /// The rate; 1 where none is given.
    var rate: Double { givenRate ?? 1 }
    /// The volume; 1 where none is given.
    var volume: Double { givenVolume ?? 1 }

    /// The seconds of the input that are asked for, the end `nil` for all that there is.
    var span: (start: Double, end: Double?) {
        let from = start?.seconds ?? 0
        return (from, duration.map { from + $0.seconds })
    }

    /// Refuses a value outside of its range, and what is not a number.
    static func check(_ option: String, _ value: Double, _ range: ClosedRange<Double>) throws {
        guard range.contains(value) else {
            throw ValidationError("\(option) is \(SoundLimits.number(value)), outside \(SoundLimits.text(range))")
        }
    }
}

/// The options of every command that says something on a terminal.
struct TextOptions: ParsableArguments {
    @Flag(name: .customLong("no-color"), help: "Plain text, as with the variable NO_COLOR.")
    var noColor = false
}

/// The options of every command that reads from the web.
struct NetworkOptions: ParsableArguments {
    /// Seconds without a byte after which a command whose result somebody waits for gives up.
    private static let scriptPatience = 30.0
    /// The shortest and the longest patience that can be asked for, in seconds.
    private static let range = 0.01...ClockTime.limit

    @Option(
        parsing: .unconditional,
        help: "Seconds without a byte from the web until it gives up: by default 3600 to a device, else 30."
    )
    var networkTimeout: Double?

    func validate() throws {
        if let networkTimeout { try SoundOptions.check("--network-timeout", networkTimeout, Self.range) }
    }

    /// Returns the settings of the network use.
    ///
    /// A listener waits until the network is back, and a script does not.
    func options(isHeard: Bool) -> HTTPByteStream.Options {
        var options = HTTPByteStream.Options()
        guard let seconds = networkTimeout ?? (isHeard ? nil : Self.scriptPatience) else { return options }
        options.maximumOutage = seconds
        options.maximumBroadcastOutage = seconds
        return options
    }
}
