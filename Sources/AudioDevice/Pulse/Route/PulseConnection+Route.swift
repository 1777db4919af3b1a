import CPulse

/// The answers of a server to the questions about its route.
private struct RouteReply {
    var outputs: [AudioPort] = []
    var inputs: [AudioPort] = []
    var defaultOutput: String?
    var defaultInput: String?
    /// Answers that have not come.
    var pending = 0
}

extension PulseConnection {
    /// Asks for the default sink, the default source and all sources.
    /// - Returns: `nil` if the server does not answer.
    func route() -> AudioRoute? {
        // Freed only after the operations have ended or were cancelled: libpulse's thread writes to it until then.
        let reply = UnsafeMutablePointer.make(RouteReply(pending: 3))
        defer { reply.destroy() }
        let loop = OpaquePointer(signalTarget)
        return withRouteReply(reply, loop)
    }

    private func withRouteReply(_ reply: UnsafeMutablePointer<RouteReply>, _ loop: OpaquePointer) -> AudioRoute? {
        lock()
        defer { unlock() }
        let box = UnsafeMutablePointer.make((reply, loop))
        defer { box.destroy() }
        let operations = [
            pa_context_get_server_info(context, collectDefaults, box),
            pa_context_get_sink_info_list(context, collectOutput, box),
            pa_context_get_source_info_list(context, collectInput, box),
        ].compactMap { $0 }
        defer {
            for operation in operations {
                if reply.pointee.pending > 0 { pa_operation_cancel(operation) }
                pa_operation_unref(operation)
            }
        }
        guard operations.count == 3, wait(until: { reply.pointee.pending == 0 || !isReady }),
            reply.pointee.pending == 0
        else { return nil }
        let answer = reply.pointee
        var route = AudioRoute()
        route.outputs = answer.outputs.filter { $0.id != PulseSink.dummyName }
        route.output = route.outputs.first { $0.id == answer.defaultOutput }
        route.inputs = answer.inputs
        route.input = answer.inputs.first { $0.id == answer.defaultInput }
        return route
    }
}

private typealias RouteBox = (reply: UnsafeMutablePointer<RouteReply>, loop: OpaquePointer)

private func box(_ userdata: UnsafeMutableRawPointer?) -> RouteBox? {
    userdata?.assumingMemoryBound(to: RouteBox.self).pointee
}

private func complete(_ box: RouteBox) {
    box.reply.pointee.pending -= 1
    pa_threaded_mainloop_signal(box.loop, 0)
}

private let collectDefaults: pa_server_info_cb_t = { _, info, userdata in
    guard let box = box(userdata) else { return }
    box.reply.pointee.defaultOutput = info?.pointee.default_sink_name.map { String(cString: $0) }
    box.reply.pointee.defaultInput = info?.pointee.default_source_name.map { String(cString: $0) }
    complete(box)
}

private let collectOutput: pa_sink_info_cb_t = { _, info, end, userdata in
    guard let box = box(userdata) else { return }
    guard end == 0, let info = info?.pointee else { return complete(box) }
    box.reply.pointee.outputs.append(
        AudioPort(
            info.name,
            info.description,
            info.active_port?.pointee.type,
            info.proplist,
            info.sample_spec,
            info.mute != 0 ? nil : info.volume,
            info.latency,
            fallback: .speaker
        )
    )
}

private let collectInput: pa_source_info_cb_t = { _, info, end, userdata in
    guard let box = box(userdata) else { return }
    guard end == 0, let info = info?.pointee else { return complete(box) }
    // What a sink plays is no input of the machine's.
    guard info.monitor_of_sink_name == nil else { return }
    box.reply.pointee.inputs.append(
        AudioPort(
            info.name,
            info.description,
            info.active_port?.pointee.type,
            info.proplist,
            info.sample_spec,
            info.mute != 0 ? nil : info.volume,
            info.latency,
            fallback: .microphone
        )
    )
}

extension AudioPort {
    /// - Parameter volume: `nil` if it is muted.
    fileprivate init(
        _ name: UnsafePointer<CChar>?,
        _ description: UnsafePointer<CChar>?,
        _ portType: UInt32?,
        _ properties: OpaquePointer?,
        _ spec: pa_sample_spec,
        _ volume: pa_cvolume?,
        _ latency: pa_usec_t,
        fallback: Kind
    ) {
        id = name.map { String(cString: $0) } ?? ""
        self.description = description.map { String(cString: $0) } ?? id
        let property = { (key: String) in
            properties.flatMap { pa_proplist_gets($0, key) }.map { String(cString: $0) }
        }
        kind =
            Kind(portType: portType) ?? Kind(formFactor: property("device.form_factor"), bus: property("device.bus"))
            ?? fallback
        sampleRate = Double(spec.rate)
        channelCount = Int(spec.channels)
        self.volume =
            volume.map { volume in
                withUnsafePointer(to: volume) { Double(pa_cvolume_max($0)) } / Double(65536)
            } ?? 0
        self.latency = Double(latency) / 1e6
    }
}

extension AudioPort.Kind {
    /// - Parameter portType: As `pa_device_port_type`.
    fileprivate init?(portType: UInt32?) {
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

    /// - Parameters:
    ///   - formFactor: As libpulse's `PA_PROP_DEVICE_FORM_FACTOR`.
    ///   - bus: As `PA_PROP_DEVICE_BUS`.
    fileprivate init?(formFactor: String?, bus: String?) {
        switch (formFactor, bus) {
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
