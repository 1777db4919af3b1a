import ArgumentParser
import SyrinxDevice
import SyrinxListening
import SyrinxTerminal

/// `syrinx devices`: the sound outputs that there are.
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

/// One output as it is listed.
struct DeviceReport: Encodable, Equatable {
    /// The name for `--output`.
    var name: String
    /// `pulse` or `alsa`.
    var kind: String
    /// The name for people.
    var description: String
    /// In frames per second; `null` where the output only tells when it is opened.
    @NullEncoded var sampleRate: Double?
    /// The number of channels; `null` as above.
    @NullEncoded var channels: Int?
    /// Whether it is the one that `--output auto` takes.
    var isDefault: Bool

    private enum CodingKeys: String, CodingKey {
        case name, kind, description, sampleRate, channels
        case isDefault = "default"
    }

    /// The object as one line.
    var json: String { (try? JSONText.encode(self)) ?? "{}" }

    /// The line that people read.
    var text: String {
        var details: [String] = []
        if let sampleRate { details.append("\(SoundLimits.number(sampleRate)) Hz") }
        if let channels { details.append(channels == 1 ? "1 channel" : "\(channels) channels") }
        let format = details.isEmpty ? "" : " (\(details.joined(separator: ", ")))"
        return PrintableText.line("\(isDefault ? "*" : " ") \(name)  \(description)\(format)")
    }
}

extension DeviceReport {
    /// Takes over what a description says.
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
