public import Foundation
import SyrinxDevice

/// The ports of a route.
open class AVAudioSessionRouteDescription: NSObject, @unchecked Sendable {
    // Unchecked: constants.

    /// The input ports: one or none.
    public let inputs: [AVAudioSessionPortDescription]
    /// The output ports: one or none.
    public let outputs: [AVAudioSessionPortDescription]

    init(_ route: AudioRoute) {
        inputs = [route.input].compactMap { $0.map { AVAudioSessionPortDescription(input: $0) } }
        outputs = [route.output].compactMap { $0.map { AVAudioSessionPortDescription(output: $0) } }
    }
}

/// A port: a sink or a source of the sound server.
open class AVAudioSessionPortDescription: NSObject, @unchecked Sendable {
    // Unchecked: constants.

    /// The kind of the port.
    public let portType: AVAudioSession.Port
    /// The display name.
    public let portName: String
    /// The sound server's name of the port, which is the same after a restart.
    public let uid: String
    /// Its channels; `nil` if there are none.
    public let channels: [AVAudioSessionChannelDescription]?
    /// The selectable microphones or sockets of an input; `nil` if there is no choice.
    public let dataSources: [AVAudioSessionDataSourceDescription]?
    /// The selected microphone or socket; `nil` if there is no choice.
    public let selectedDataSource: AVAudioSessionDataSourceDescription?

    init(output port: AudioPort) {
        portType =
            switch port.kind {
            case .headphones, .headset: .headphones
            case .line, .digital: .lineOut
            case .hdmi: .HDMI
            case .usb: .usbAudio
            case .bluetooth: .bluetoothA2DP
            case .handsFree: .bluetoothHFP
            case .network: .airPlay
            case .speaker: .builtInSpeaker
            case .microphone, .other: .virtual
            }
        (portName, uid) = (port.description, port.id)
        channels = AVAudioSessionChannelDescription.all(of: port)
        (dataSources, selectedDataSource) = (nil, nil)
    }

    package init(input port: AudioPort) {
        portType =
            switch port.kind {
            case .microphone: .builtInMic
            case .headset, .headphones: .headsetMic
            case .usb: .usbAudio
            case .bluetooth, .handsFree: .bluetoothHFP
            case .line, .digital, .hdmi: .lineIn
            case .network, .speaker, .other: .virtual
            }
        (portName, uid) = (port.description, port.id)
        channels = AVAudioSessionChannelDescription.all(of: port)
        let sources = AVAudioSessionDataSourceDescription.all(of: port)
        dataSources = sources.isEmpty ? nil : sources
        selectedDataSource = sources.first { $0.serverName == port.activeDataSource }
    }
}

/// A microphone or a socket of an input: a port of the sound server's source.
open class AVAudioSessionDataSourceDescription: NSObject, @unchecked Sendable {
    // Unchecked: constants.

    /// The index among the data sources of the input, from 0.
    public let dataSourceID: NSNumber
    /// The display name.
    public let dataSourceName: String
    /// The server's name for it.
    let serverName: String
    /// The server's name for the input.
    let portUID: String

    private init(_ index: Int, of port: AudioPort) {
        dataSourceID = NSNumber(value: index)
        (dataSourceName, serverName) = (port.dataSources[index].description, port.dataSources[index].id)
        portUID = port.id
    }

    static func all(of port: AudioPort) -> [AVAudioSessionDataSourceDescription] {
        port.dataSources.indices.map { AVAudioSessionDataSourceDescription($0, of: port) }
    }

    /// Whether both are the same socket of the same input.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? AVAudioSessionDataSourceDescription else { return false }
        return portUID == other.portUID && serverName == other.serverName
    }

    /// A hash value, equal for equal data sources.
    open override var hash: Int {
        var hasher = Hasher()
        hasher.combine(portUID)
        hasher.combine(serverName)
        return hasher.finalize()
    }
}

/// A channel of a port.
open class AVAudioSessionChannelDescription: NSObject, @unchecked Sendable {
    // Unchecked: constants.

    /// The display name, which ends with the number of the channel, from 1.
    public let channelName: String
    /// The server's name for the port.
    public let owningPortUID: String
    /// The number of the channel, counted from 1.
    public let channelNumber: Int

    private init(_ number: Int, of port: AudioPort) {
        channelName = "\(port.description) \(number)"
        owningPortUID = port.id
        channelNumber = number
    }

    static func all(of port: AudioPort) -> [AVAudioSessionChannelDescription]? {
        port.channelCount > 0 ? (1...port.channelCount).map { AVAudioSessionChannelDescription($0, of: port) } : nil
    }
}
