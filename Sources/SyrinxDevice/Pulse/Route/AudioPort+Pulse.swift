import CSyrinxPulse

extension PulseSink {
    /// Returns the sink or source as a port.
    /// - Parameter kind: The kind to use if the server does not report one.
    func port(else kind: AudioPort.Kind) -> AudioPort {
        var port = AudioPort(
            id: name,
            description: description,
            kind: self.kind ?? kind,
            sampleRate: format.sampleRate,
            channelCount: format.channelCount,
            volume: volume,
            latency: latency
        )
        (port.dataSources, port.activeDataSource) = (dataSources, activeDataSource)
        return port
    }
}

extension AudioPort.Kind {
    /// - Parameter portType: A value of `pa_device_port_type`.
    init?(portType: UInt32?) {
        guard let portType else { return nil }
        switch pa_device_port_type_t(rawValue: portType) {
        case PA_DEVICE_PORT_TYPE_SPEAKER: self = .speaker
        case PA_DEVICE_PORT_TYPE_HEADPHONES, PA_DEVICE_PORT_TYPE_EARPIECE: self = .headphones
        case PA_DEVICE_PORT_TYPE_HEADSET, PA_DEVICE_PORT_TYPE_HANDSET: self = .headset
        case PA_DEVICE_PORT_TYPE_MIC: self = .microphone
        case PA_DEVICE_PORT_TYPE_LINE, PA_DEVICE_PORT_TYPE_AUX, PA_DEVICE_PORT_TYPE_HIFI: self = .line
        case PA_DEVICE_PORT_TYPE_HDMI, PA_DEVICE_PORT_TYPE_TV, PA_DEVICE_PORT_TYPE_VIDEO: self = .hdmi
        case PA_DEVICE_PORT_TYPE_SPDIF: self = .digital
        case PA_DEVICE_PORT_TYPE_USB: self = .usb
        case PA_DEVICE_PORT_TYPE_BLUETOOTH, PA_DEVICE_PORT_TYPE_PORTABLE: self = .bluetooth
        case PA_DEVICE_PORT_TYPE_HANDSFREE, PA_DEVICE_PORT_TYPE_CAR: self = .handsFree
        case PA_DEVICE_PORT_TYPE_NETWORK: self = .network
        default: return nil
        }
    }

    /// - Parameter properties: The property list of a sink or a source.
    init?(properties: OpaquePointer?) {
        let property = { (key: String) in
            properties.flatMap { pa_proplist_gets($0, key) }.map { String(cString: $0) }
        }
        let formFactor = property("device.form_factor")
        switch (formFactor, property("device.bus")) {
        case (_, "bluetooth"): self = formFactor == "hands-free" ? .handsFree : .bluetooth
        case ("headphone", _): self = .headphones
        case ("headset", _), ("handset", _): self = .headset
        case ("microphone", _), ("webcam", _): self = .microphone
        case ("tv", _): self = .hdmi
        case (_, "usb"): self = .usb
        default: return nil
        }
    }
}
