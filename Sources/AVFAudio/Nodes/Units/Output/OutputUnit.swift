import CoreAudioTypes
import Foundation
import Synchronization
import SyrinxDevice

/// A unit that plays to a device and records from one: an independent unit, or the unit of an engine.
///
/// An independent unit has a private engine, which opens the device, converts formats, and switches to another device
/// if one is lost. The program's output is a source node of that engine, and recorded audio is from a sink node.
final class OutputUnit: AUAudioUnit, @unchecked Sendable {
    // Unchecked: the lock guards mutable state; the feed is configured while nothing renders; only `init` sets
    // `observer`.

    private struct Settings {
        var isOutputEnabled = true
        var isInputEnabled = false
        var chosenOutput: (any OutputDevice)?
        var nodes: [AVAudioNode] = []
        var isGenericRunning = false
    }

    let kind: OutputUnitKind
    /// The engine of the unit; `nil` for the unit of an engine of the program's.
    private let own: AVAudioEngine?
    /// The program's engine, if this is the unit of that engine's device.
    private weak var other: AVAudioEngine?
    private let settings = Mutex(Settings())
    private var observer: (any NSObjectProtocol)?
    let feed: DeviceFeed
    private let callbacks = CallbackSlot()
    private let inputs = Mutex<AUAudioUnitBusArray?>(nil)
    private let outputs = Mutex<AUAudioUnitBusArray?>(nil)

    /// Creates an independent unit with its own device.
    init(_ kind: OutputUnitKind) {
        self.kind = kind
        let engine = AVAudioEngine()
        own = engine
        feed = DeviceFeed(callbacks)
        do {
            try super.init(componentDescription: kind.description, options: [])
        } catch {
            fatalError("AUAudioUnit.init does not throw.")
        }
        observer = NotificationCenter.default.addObserver(
            forName: .AVAudioEngineConfigurationChange,
            object: engine,
            queue: nil
        ) { [weak self] _ in self?.deviceHasChanged() }
    }

    /// The unit of an engine.
    init(of engine: AVAudioEngine?) {
        kind = .halOutput
        own = nil
        other = engine
        feed = DeviceFeed(callbacks)
        do {
            try super.init(componentDescription: OutputUnitKind.halOutput.description, options: [])
        } catch {
            fatalError("AUAudioUnit.init does not throw.")
        }
    }

    /// The unit of a description; `nil` if that is none of an output unit.
    convenience init?(_ description: AudioComponentDescription) {
        guard let kind = OutputUnitKind(description) else { return nil }
        self.init(kind)
    }

    required convenience init(
        registeredAs description: AudioComponentDescription,
        options: AudioComponentInstantiationOptions
    ) throws {
        self.init(OutputUnitKind(description) ?? .defaultOutput)
    }

    deinit {
        if let observer { NotificationCenter.default.removeObserver(observer) }
        own?.stop()
    }

    /// The components of output units.
    static var components: [ComponentRecord] {
        OutputUnitKind.allCases.map { kind in
            ComponentRecord(kind.description, name: "Syrinx: \(kind.name)", version: 1) { OutputUnit(kind) }
        }
    }

    /// The engine that has the device.
    private var engine: AVAudioEngine? { own ?? other }

    override var hostingEngine: AVAudioEngine? { other }
    override var unitCallbacks: CallbackSlot { callbacks }
    override var ownProperties: [AudioUnitPropertyID: UnitProperty] { UnitProperty.outputUnits }
    override var componentName: String? { "Syrinx: \(kind.name)" }
    override var audioUnitName: String? { kind.name }
    override var manufacturerName: String? { "Syrinx" }
    override var componentVersion: UInt32 { 1 }

    // MARK: Busses

    override var inputBusses: AUAudioUnitBusArray {
        busses(inputs, .input) { unit, element in
            // For the unit of an engine: the output format of the graph, and the format of its input node.
            switch (element, unit.other) {
            case (0, let engine?): engine.outputNode.inputFormat(forBus: 0)
            case (0, nil): unit.hardwareFormat
            default: unit.inputHardwareFormat
            }
        }
    }

    override var outputBusses: AUAudioUnitBusArray {
        busses(outputs, .output) { unit, element in
            element == 0 ? unit.hardwareFormat : unit.inputHardwareFormat
        }
    }

    private func busses(
        _ place: borrowing Mutex<AUAudioUnitBusArray?>,
        _ type: AUAudioUnitBusType,
        _ format: @escaping @Sendable (OutputUnit, Int) -> AVAudioFormat
    ) -> AUAudioUnitBusArray {
        place.withLock { array in
            if let array { return array }
            let busses = (0..<(canPerformInput ? 2 : 1)).compactMap { element in
                // The program sets the format on its side of a bus; for a unit without a device, on both sides.
                let isClients = (element == 0) == (type == .input) || kind == .genericOutput
                return try? DeviceBus(isFixed: own == nil || !isClients) { [weak self] in
                    self.map { format($0, element) } ?? EngineOutput.fallbackFormat
                }
            }
            let new = AUAudioUnitBusArray(audioUnit: self, busType: type, busses: busses)
            array = new
            return new
        }
    }

    /// The format of the output device; a common format if there is no device.
    private var hardwareFormat: AVAudioFormat {
        guard kind != .genericOutput else { return EngineOutput.fallbackFormat }
        return engine?.output.format ?? EngineOutput.fallbackFormat
    }

    /// The format of the device that records, as the engine has it.
    private var inputHardwareFormat: AVAudioFormat {
        guard let engine else { return EngineOutput.fallbackFormat }
        let format = engine.inputNode.inputFormat(forBus: 0)
        return format.isValid ? format : EngineOutput.fallbackFormat
    }

    // MARK: Settings

    override var canPerformOutput: Bool { true }
    override var canPerformInput: Bool { kind.hasInput }

    override var isOutputEnabled: Bool {
        get { settings.withLock { $0.isOutputEnabled } }
        set { if own != nil { settings.withLock { $0.isOutputEnabled = newValue } } }
    }

    override var isInputEnabled: Bool {
        get {
            guard own == nil else { return settings.withLock { $0.isInputEnabled } }
            return other.map { engine in engine.lock.withLock { engine.graph.usesInputNode } } ?? false
        }
        set { if own != nil, canPerformInput { settings.withLock { $0.isInputEnabled = newValue } } }
    }

    override var outputProvider: AURenderPullInputBlock? {
        get {
            if case .block(let block) = callbacks.callbacks.inputs[0] { return block }
            return nil
        }
        set {
            guard own != nil else { return }
            callbacks.change { $0.inputs[0] = newValue.map { .block($0) } }
        }
    }

    override var inputHandler: AUInputHandler? {
        get { callbacks.callbacks.inputHandler }
        set {
            guard own != nil, canPerformInput else { return }
            callbacks.change { $0.inputHandler = newValue }
        }
    }

    /// The device that plays; `nil` is the system's own.
    var chosenOutput: (any OutputDevice)? {
        guard own != nil else { return other?.outputDevice }
        return settings.withLock { $0.chosenOutput }
    }

    /// The device that records; `nil` is the system's own.
    var chosenInput: (any InputDevice)? { engine?.inputDevice }

    /// Selects a device.
    ///
    /// A running device is replaced, and the new one is started.
    func choose(output: (any OutputDevice)?) throws {
        try change { engine in
            settings.withLock { $0.chosenOutput = output }
            if isOutputEnabled || own == nil { engine.outputDevice = output }
        }
    }

    func choose(input: (any InputDevice)?) throws { try change { $0.inputDevice = input } }

    private func change(_ body: (AVAudioEngine) -> Void) throws {
        guard let engine else { return }
        let wasRunning = engine.isRunning
        engine.stop()
        body(engine)
        if wasRunning { try engine.start() }
    }

    // MARK: Resources

    override func allocateRenderResources() throws {
        guard let own else {
            throw AVAudioEngineError(.invalidMode, "The unit belongs to an engine, which renders it.")
        }
        deallocateRenderResources()
        let isInputEnabled = isInputEnabled
        let client = inputBusses[0].format
        feed.set(
            output: client,
            input: isInputEnabled ? outputBusses[1].format : nil,
            maximumFrameCount: Int(maximumFramesToRender)
        )
        if kind == .genericOutput {
            try own.enableManualRenderingMode(
                .realtime,
                format: outputBusses[0].format,
                maximumFrameCount: maximumFramesToRender
            )
        } else {
            // A unit that only records uses its own clock, and opens no device to play silence.
            own.outputDevice = isOutputEnabled ? chosenOutput : NullOutput()
        }
        var nodes: [AVAudioNode] = []
        if isOutputEnabled {
            let source = AVAudioSourceNode(format: client) { [feed] in feed.fill($0, $1, $2, $3) }
            own.attach(source)
            own.connect(source, to: own.mainMixerNode, format: client.asStandard)
            nodes.append(source)
        }
        if isInputEnabled {
            let sink = AVAudioSinkNode { [feed] in feed.take($0, $1, $2) }
            own.attach(sink)
            own.connect(own.inputNode, to: sink, format: outputBusses[1].format.asStandard)
            nodes.append(sink)
        }
        settings.withLock { $0.nodes = nodes }
        if kind == .genericOutput {
            feed.manual = own.manualRenderingBlock
            try own.start()
        }
        try super.allocateRenderResources()
    }

    override func deallocateRenderResources() {
        guard let own, renderResourcesAllocated else { return }
        stopHardware()
        own.stop()
        let nodes = settings.withLock { settings in
            defer { settings.nodes = [] }
            return settings.nodes
        }
        for node in nodes { own.detach(node) }
        feed.manual = nil
        super.deallocateRenderResources()
    }

    // MARK: Running

    override var isRunning: Bool {
        kind == .genericOutput ? settings.withLock { $0.isGenericRunning } : engine?.isRunning ?? false
    }

    override func startHardware() throws {
        guard let engine else { throw AVAudioEngineError(.notRunning, "The engine of the unit is gone.") }
        guard own == nil || renderResourcesAllocated else {
            throw AVAudioEngineError(.unitUninitialized, "Allocate the unit's resources before starting it.")
        }
        guard !isRunning else { return }
        if kind == .genericOutput { settings.withLock { $0.isGenericRunning = true } } else { try engine.start() }
        instance.notify(kAudioOutputUnitProperty_IsRunning, kAudioUnitScope_Global, 0)
    }

    override func stopHardware() {
        guard isRunning else { return }
        if kind == .genericOutput { settings.withLock { $0.isGenericRunning = false } } else { engine?.stop() }
        instance.notify(kAudioOutputUnitProperty_IsRunning, kAudioUnitScope_Global, 0)
    }

    /// The device has another format, or is gone.
    private func deviceHasChanged() {
        instance.notify(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 0)
        if !isRunning { instance.notify(kAudioOutputUnitProperty_IsRunning, kAudioUnitScope_Global, 0) }
    }

    override func reset() { engine?.reset() }

    override var latency: TimeInterval { 0 }
    override var deviceOutputLatency: TimeInterval { engine?.output.latency ?? 0 }
    override var deviceInputLatency: TimeInterval { engine?.input.latency ?? 0 }

    override var deviceID: AudioObjectID {
        let device = chosenOutput ?? engine?.lock.withLock { engine?.output.device }
        return device.map { AudioDeviceNumbers.number(of: $0) } ?? kAudioObjectUnknown
    }

    override func setDeviceID(_ outputID: AudioObjectID) throws {
        switch try AudioDeviceNumbers.device(outputID) {
        case .output(let device): try choose(output: device)
        case .input(let device): try choose(input: device)
        case .system: try choose(output: nil)
        }
    }

    // MARK: Rendering

    override var internalRenderBlock: AUInternalRenderBlock {
        let isGeneric = kind == .genericOutput
        return { [feed] _, _, frameCount, bus, data, _, _ in
            if bus == 1 { return feed.giveInput(frameCount, data) }
            return isGeneric ? feed.renderGraph(frameCount, data) : kAudioUnitErr_CannotDoInCurrentContext
        }
    }
}
