import CSyrinxPulse

/// A sink or a source, as described by the sound server.
struct PulseSink: Sendable {
    /// The server's name of the sink or source.
    var name: String
    /// The name for display.
    var description: String
    /// The sample rate and channel count.
    var format: DeviceFormat
    /// The speaker positions of the channels.
    var map: pa_channel_map
    /// The kind of the active port; `nil` if the server does not report it.
    var kind: AudioPort.Kind?
    /// The volume, as in `AudioPort.volume`.
    var volume: Double
    /// The latency of the server, in seconds.
    var latency: Double
    /// Whether it is a source that records the output of a sink.
    var isMonitor = false
    /// The ports of a source.
    var dataSources: [AudioPort.DataSource] = []
    /// The server's name of the active port.
    var activeDataSource: String?

    /// The inaudible sink that PulseAudio creates if there is no sound card.
    static let dummyName = "auto_null"
}

/// The program that provides the sound server.
enum PulseServerKind: Equatable {
    case pulseAudio, pipeWire, unknown

    /// - Parameter serverName: The name that the server reports.
    init(serverName: String?) {
        switch serverName {
        case "pulseaudio": self = .pulseAudio
        // The full name is "PulseAudio (on PipeWire 1.2.7)".
        case let name? where name.contains("PipeWire"): self = .pipeWire
        default: self = .unknown
        }
    }
}

/// Collects the results of a request.
private struct PulseReply {
    let loop: OpaquePointer
    var sinks: [PulseSink] = []
    var defaultName: String?
    var defaultSourceName: String?
    var serverName: String?
    var succeeded = false
    var isComplete = false

    mutating func add(_ info: pa_sink_info) {
        add(info.name, info.description, info.sample_spec, info.channel_map)
        describe(info.active_port?.pointee.type, info.proplist, info.mute, info.volume, info.latency)
    }

    mutating func add(_ info: pa_source_info) {
        add(info.name, info.description, info.sample_spec, info.channel_map)
        describe(info.active_port?.pointee.type, info.proplist, info.mute, info.volume, info.latency)
        let last = sinks.count - 1
        sinks[last].isMonitor = info.monitor_of_sink_name != nil
        let ports = UnsafeBufferPointer(start: info.ports, count: info.ports == nil ? 0 : Int(info.n_ports))
        sinks[last].dataSources = ports.compactMap { port in
            guard let port = port?.pointee, let name = port.name.map({ String(cString: $0) }) else { return nil }
            return AudioPort.DataSource(id: name, description: port.description.map { String(cString: $0) } ?? name)
        }
        sinks[last].activeDataSource = info.active_port?.pointee.name.map { String(cString: $0) }
    }

    private mutating func add(
        _ name: UnsafePointer<CChar>?,
        _ description: UnsafePointer<CChar>?,
        _ spec: pa_sample_spec,
        _ map: pa_channel_map
    ) {
        let name = name.map { String(cString: $0) } ?? ""
        let description = description.map { String(cString: $0) } ?? name
        let format = DeviceFormat(sampleRate: Double(spec.rate), channelCount: Int(spec.channels))
        sinks.append(
            PulseSink(name: name, description: description, format: format, map: map, volume: 0, latency: 0)
        )
    }

    /// Completes the sink or source that was added last.
    private mutating func describe(
        _ portType: UInt32?,
        _ properties: OpaquePointer?,
        _ mute: Int32,
        _ volume: pa_cvolume,
        _ latency: pa_usec_t
    ) {
        let last = sinks.count - 1
        sinks[last].kind = AudioPort.Kind(portType: portType) ?? AudioPort.Kind(properties: properties)
        // 65,536 is libpulse's `PA_VOLUME_NORM`.
        let loudest = withUnsafePointer(to: volume) { Double(pa_cvolume_max($0)) } / 65_536
        sinks[last].volume = mute != 0 ? 0 : loudest
        sinks[last].latency = Double(latency) / 1e6
    }

    mutating func complete() {
        isComplete = true
        pa_threaded_mainloop_signal(loop, 0)
    }
}

extension PulseConnection {
    /// Returns the sink of this name, or the default sink; `nil` if there is none.
    func sink(named name: String?) throws(DeviceError) -> PulseSink? {
        try ask { context, answer in
            pa_context_get_sink_info_by_name(context, name ?? "@DEFAULT_SINK@", collectSink, answer)
        }.sinks.first
    }

    /// Returns the source of this name, or the default source; `nil` if there is none.
    func source(named name: String?) throws(DeviceError) -> PulseSink? {
        try ask { context, answer in
            pa_context_get_source_info_by_name(context, name ?? "@DEFAULT_SOURCE@", collectSource, answer)
        }.sinks.first
    }

    /// Returns all sinks, and the name of the default one.
    func sinks() throws(DeviceError) -> (sinks: [PulseSink], defaultName: String?) {
        (try allSinks(), try askTheServer().defaultName)
    }

    /// Returns the default sink and source, and all others except monitors.
    func route() throws(DeviceError) -> AudioRoute {
        let server = try askTheServer()
        let sources = try ask { context, answer in
            pa_context_get_source_info_list(context, collectSource, answer)
        }.sinks
        var route = AudioRoute()
        route.outputs = try allSinks().filter { $0.name != PulseSink.dummyName }.map { $0.port(else: .speaker) }
        route.output = route.outputs.first { $0.id == server.defaultName }
        route.inputs = sources.filter { !$0.isMonitor }.map { $0.port(else: .microphone) }
        route.input = route.inputs.first { $0.id == server.defaultSourceName }
        return route
    }

    /// Selects the port of a source.
    /// - Throws: `DeviceError` with `.deviceUnavailable` if the server has no such source or port.
    func selectPort(named port: String, ofSource source: String) throws(DeviceError) {
        let reply = try ask { context, answer in
            pa_context_set_source_port_by_name(
                context,
                source,
                port,
                { _, success, userdata in
                    guard let answer = userdata?.assumingMemoryBound(to: PulseReply.self) else { return }
                    answer.pointee.succeeded = success != 0
                    answer.pointee.complete()
                },
                answer
            )
        }
        guard reply.succeeded else {
            throw DeviceError(.deviceUnavailable, "the sound server has no such input (\(reason))", device: source)
        }
    }

    private func allSinks() throws(DeviceError) -> [PulseSink] {
        try ask { context, answer in pa_context_get_sink_info_list(context, collectSink, answer) }.sinks
    }

    /// Returns the program that provides the sound server.
    func serverKind() throws(DeviceError) -> PulseServerKind {
        PulseServerKind(serverName: try askTheServer().serverName)
    }

    private func askTheServer() throws(DeviceError) -> PulseReply {
        try ask { context, answer in
            pa_context_get_server_info(
                context,
                { _, info, userdata in
                    guard let answer = userdata?.assumingMemoryBound(to: PulseReply.self) else { return }
                    answer.pointee.defaultName = info?.pointee.default_sink_name.map { String(cString: $0) }
                    answer.pointee.defaultSourceName = info?.pointee.default_source_name.map { String(cString: $0) }
                    answer.pointee.serverName = info?.pointee.server_name.map { String(cString: $0) }
                    answer.pointee.complete()
                },
                answer
            )
        }
    }

    private func ask(
        _ send: (OpaquePointer, UnsafeMutableRawPointer) -> OpaquePointer?
    ) throws(DeviceError) -> PulseReply {
        // Freed only after the operation has ended or was cancelled, because libpulse's thread writes to it until then.
        let answer = UnsafeMutablePointer.make(PulseReply(loop: OpaquePointer(signalTarget)))
        defer { answer.destroy() }
        lock()
        defer { unlock() }
        guard let operation = send(context, answer) else { throw failure() }
        let answered = wait { answer.pointee.isComplete || !isReady }
        if !answer.pointee.isComplete { pa_operation_cancel(operation) }
        pa_operation_unref(operation)
        guard answered, answer.pointee.isComplete else { throw failure() }
        return answer.pointee
    }

    private func failure() -> DeviceError {
        DeviceError(.deviceUnavailable, "the sound server did not answer (\(reason))", device: "pulse")
    }
}

private let collectSink: pa_sink_info_cb_t = { _, info, end, userdata in
    guard let answer = userdata?.assumingMemoryBound(to: PulseReply.self) else { return }
    if end == 0, let info {
        answer.pointee.add(info.pointee)
    } else {
        answer.pointee.complete()
    }
}

private let collectSource: pa_source_info_cb_t = { _, info, end, userdata in
    guard let answer = userdata?.assumingMemoryBound(to: PulseReply.self) else { return }
    if end == 0, let info {
        answer.pointee.add(info.pointee)
    } else {
        answer.pointee.complete()
    }
}
