import ArgumentParser
import SyrinxDevice
import SyrinxListening
import SyrinxTerminal

/// `syrinx devices`: lists the available sound outputs.
struct DevicesCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "Lists the sound outputs, the default first."
    )
    static let examples = ["syrinx devices", "syrinx devices --json"]

    @Flag(help: "Write one JSON object per output")
    var json = false

    @OptionGroup var text: TextOptions

    var writesJSON: Bool { json }

    func run(in context: CommandContext) throws(Failure) -> ExitStatus {
        let devices = OutputDevices.list().map(DeviceReport.init)
        for device in devices { context.console.write(json ? device.json : device.text) }
        if devices.isEmpty && !json {
            context.console.say("syrinx: devices: no sound server and no sound card was found")
        }
        return .success
    }
}

/// An output in the list.
struct DeviceReport: Encodable, Equatable {
    /// The name for `--output`.
    var name: String
    /// `pulse` or `alsa`.
    var kind: String
    /// The display name.
    var description: String
    /// The sample rate in hertz; `null` if it is unknown until the output is opened.
    @NullEncoded var sampleRate: Double?
    /// The number of channels; `null` if it is unknown until the output is opened.
    @NullEncoded var channels: Int?
    /// Whether `--output auto` uses this output.
    var isDefault: Bool

    private enum CodingKeys: String, CodingKey {
        case name, kind, description, sampleRate, channels
        case isDefault = "default"
    }

    /// The object as a single-line JSON object.
    var json: String { (try? JSONText.encode(self)) ?? "{}" }

    /// The report as a line of text.
    var text: String {
        var details: [String] = []
        if let sampleRate { details.append("\(SoundLimits.number(sampleRate)) Hz") }
        if let channels { details.append(channels == 1 ? "1 channel" : "\(channels) channels") }
        let format = details.isEmpty ? "" : " (\(details.joined(separator: ", ")))"
        return PrintableText.line("\(isDefault ? "*" : " ") \(name)  \(description)\(format)")
    }
}

extension DeviceReport {
    /// Creates a report from the description of a device.
    init(_ device: OutputDeviceDescription) {
        self.init(
            name: device.id,
            kind: String(describing: device.kind),
            description: device.description,
            sampleRate: device.sampleRate,
            channels: device.channelCount,
            isDefault: device.isDefault
        )
    }
}
