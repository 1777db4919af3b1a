public import CoreAudioTypes
public import Foundation
import Synchronization

/// A unit from the view of a host: its parameters, presets, state, busses and rendering.
///
/// Each `AVAudioUnit` has one, as ``AVAudioUnit/auAudioUnit``. To write a unit, subclass this class, override
/// `internalRenderBlock` and the busses, set `parameterTree`, and register the class. `AVAudioUnit.instantiate(with:)`
/// then creates a node that renders the unit. Call it from any thread except the render thread.
open class AUAudioUnit: NSObject, @unchecked Sendable {
    // Unchecked: constants, atomics, and state that the lock guards.
    private struct State {
        var tree: AUParameterTree?
        var preset: AUAudioUnitPreset?
        var maximumFrames: AUAudioFrameCount = 4096
        var isAllocated = false
        var isOffline = false
        var contextName: String?
        var registration: ComponentRecord?
        var instance: UnitInstance?
        var store: ParameterStore?
        weak var node: AVAudioUnit?
    }

    private let state = Mutex(State())
    /// Bypass and resets, as the node of the unit takes them up.
    let control = UnitControl()
    /// The events that are scheduled.
    let events: UnitEventQueue

    /// Core Audio's description of the unit.
    public let componentDescription: AudioComponentDescription

    // MARK: Creating

    /// Creates a unit from a description.
    ///
    /// Subclasses override this initializer. This implementation never throws.
    public init(
        componentDescription: AudioComponentDescription,
        options: AudioComponentInstantiationOptions = []
    ) throws {
        self.componentDescription = componentDescription
        events = UnitEventQueue()
        super.init()
    }

    /// Creates a unit of a registered class through the class's own initializer.
    ///
    /// The engine uses it, because it knows a registered class only by its metatype. Subclasses inherit it if they
    /// override `init(componentDescription:options:)` or no initializer.
    public required convenience init(
        registeredAs description: AudioComponentDescription,
        options: AudioComponentInstantiationOptions
    ) throws {
        try self.init(componentDescription: description, options: options)
    }

    /// Registers a class under a description, for `instantiate` and `AVAudioUnit.instantiate`.
    ///
    /// ```swift
    /// final class GainUnit: AUAudioUnit, @unchecked Sendable {}  // overrides `internalRenderBlock`
    /// let description = AudioComponentDescription(
    ///     componentType: kAudioUnitType_Effect, componentSubType: 0x6761_696E,  // 'gain'
    ///     componentManufacturer: 0x4D65_2E2E, componentFlags: 0, componentFlagsMask: 0)
    /// AUAudioUnit.registerSubclass(GainUnit.self, as: description, name: "Me: Gain", version: 1)
    /// let unit = try await AVAudioUnit.instantiate(with: description, options: [])
    /// ```
    /// - Parameters:
    ///   - cls: A subclass of `AUAudioUnit`. Any other class stops the program.
    ///   - componentDescription: Units of the types `augn` and `aumu` are rendered without an input; all others have
    ///     one.
    ///   - name: The name in the form `Manufacturer: Unit`.
    ///   - version: If several classes have the same description, the highest version is used; of equal versions, the
    ///     last.
    open class func registerSubclass(
        _ cls: AnyClass,
        as componentDescription: AudioComponentDescription,
        name: String,
        version: UInt32
    ) {
        guard let unit = cls as? AUAudioUnit.Type else {
            fatalError("\(cls) is no subclass of AUAudioUnit.")
        }
        UnitRegistry.shared.add(unit, componentDescription, name: name, version: version)
    }

    /// Creates a unit from its description: a registered class, or a built-in effect.
    ///
    /// The handler is called on the calling thread before the method returns. It receives the unit or an error: an
    /// `AVAudioEngineError` with code `unknownUnit`, or the error of the unit's initializer.
    open class func instantiate(
        with componentDescription: AudioComponentDescription,
        options: AudioComponentInstantiationOptions = [],
        completionHandler: @escaping @Sendable (AUAudioUnit?, (any Error)?) -> Void
    ) {
        do {
            completionHandler(try UnitComponent.makeUnit(componentDescription), nil)
        } catch {
            completionHandler(nil, error)
        }
    }

    /// Creates a unit from its description: a registered class, or a built-in effect.
    open class func instantiate(
        with componentDescription: AudioComponentDescription,
        options: AudioComponentInstantiationOptions = []
    ) async throws -> AUAudioUnit {
        try UnitComponent.makeUnit(componentDescription)
    }

    /// Notes under which name the class of the unit is registered.
    func adopt(_ entry: ComponentRecord) { state.withLock { $0.registration = entry } }

    // MARK: Core Audio's calls

    /// The unit for Core Audio functions, created on first access.
    var instance: UnitInstance {
        if let known = state.withLock({ $0.instance }) { return known }
        let new = UnitInstance(self)
        return state.withLock { state in
            if let known = state.instance { return known }
            state.instance = new
            return new
        }
    }

    /// The callbacks that the program has set with Core Audio functions.
    var unitCallbacks: CallbackSlot { defaultCallbacks }
    private let defaultCallbacks = CallbackSlot()

    /// The store that Core Audio functions access.
    ///
    /// By default it forwards to the parameter tree.
    var parameterStore: ParameterStore {
        if let known = state.withLock({ $0.store }) { return known }
        let new = ParameterStore(self)
        return state.withLock { state in
            if let known = state.store { return known }
            state.store = new
            return new
        }
    }

    /// Additional properties of this kind of unit, which override those of all units.
    var ownProperties: [AudioUnitPropertyID: UnitProperty] { [:] }

    /// The node that renders the unit, if there is one.
    var hostingNode: AVAudioUnit? { state.withLock { $0.node } }

    /// Notes which node renders the unit.
    func host(in node: AVAudioUnit) { state.withLock { $0.node = node } }

    /// The engine that renders the unit; `nil` while no engine does.
    var hostingEngine: AVAudioEngine? { hostingNode?.engine }

    // MARK: Description

    /// The registered name: `Manufacturer: Unit`.
    open var componentName: String? { state.withLock { $0.registration?.name } }
    /// The display name of the unit.
    open var audioUnitName: String? { state.withLock { $0.registration?.unitName } }
    /// The manufacturer of the unit.
    open var manufacturerName: String? { state.withLock { $0.registration?.manufacturerName } }
    /// The registered version.
    open var componentVersion: UInt32 { state.withLock { $0.registration?.version ?? 0 } }
    /// The host's name for the context of the unit, such as the name of a track.
    open var contextName: String? {
        get { state.withLock { $0.contextName } }
        set { state.withLock { $0.contextName = newValue } }
    }

    // MARK: Parameters and presets

    /// The parameters; `nil` for a unit without parameters.
    ///
    /// Set by a subclass.
    open var parameterTree: AUParameterTree? {
        get { state.withLock { $0.tree } }
        set { state.withLock { $0.tree = newValue } }
    }

    /// Returns the addresses of the `count` most important parameters: by default the first ones.
    open func parametersForOverview(withCount count: Int) -> [NSNumber] {
        (parameterTree?.allParameters ?? []).prefix(max(count, 0)).map { NSNumber(value: $0.address) }
    }

    /// The presets of the unit; `nil` if it has none.
    open var factoryPresets: [AUAudioUnitPreset]? { nil }

    /// The most recently set preset.
    open var currentPreset: AUAudioUnitPreset? {
        get { state.withLock { $0.preset } }
        set { state.withLock { $0.preset = newValue } }
    }

    /// The state for a document: by default, the values of all writable parameters under the key `parameters`, by
    /// address as text.
    ///
    /// Setting it restores these values. Parameters that are not in the dictionary keep their values.
    open var fullState: [String: Any]? {
        get {
            var values: [String: Any] = [:]
            for parameter in parameterTree?.allParameters ?? [] where !parameter.flags.contains(.flag_MeterReadOnly) {
                values["\(parameter.address)"] = NSNumber(value: parameter.value)
            }
            return ["parameters": values]
        }
        set {
            guard let values = newValue?["parameters"] as? [String: Any] else { return }
            for parameter in parameterTree?.allParameters ?? [] where !parameter.flags.contains(.flag_MeterReadOnly) {
                if let value = values["\(parameter.address)"] as? NSNumber { parameter.value = value.floatValue }
            }
        }
    }

    /// The state for a document, by default `fullState`.
    open var fullStateForDocument: [String: Any]? {
        get { fullState }
        set { fullState = newValue }
    }

    // MARK: Busses and resources

    /// The input busses; none by default.
    open var inputBusses: AUAudioUnitBusArray { AUAudioUnitBusArray(audioUnit: self, busType: .input) }
    /// The output busses; none by default.
    open var outputBusses: AUAudioUnitBusArray { AUAudioUnitBusArray(audioUnit: self, busType: .output) }

    /// The maximum number of frames per render, which a host sets before it allocates render resources; default 4,096.
    open var maximumFramesToRender: AUAudioFrameCount {
        get { state.withLock { $0.maximumFrames } }
        set { state.withLock { $0.maximumFrames = newValue } }
    }

    /// Allocates the memory for rendering.
    ///
    /// An override calls `super` first.
    /// - Throws: The error of the subclass.
    open func allocateRenderResources() throws { state.withLock { $0.isAllocated = true } }

    /// Frees the memory that `allocateRenderResources` allocated.
    open func deallocateRenderResources() { state.withLock { $0.isAllocated = false } }

    /// Whether the render resources are allocated.
    open var renderResourcesAllocated: Bool { state.withLock { $0.isAllocated } }

    // MARK: Rendering

    /// The block that renders the unit.
    ///
    /// Each unit overrides it; the host reads it once before rendering.
    open var internalRenderBlock: AUInternalRenderBlock {
        { _, _, _, _, _, _, _ in kAudioUnitErr_Uninitialized }
    }

    /// Renders the unit for a host without an engine, with the events that are due.
    ///
    /// Get the block once; then call it on one thread at a time, between `allocateRenderResources()` and
    /// `deallocateRenderResources()`.
    open var renderBlock: AURenderBlock {
        let render = internalRenderBlock
        let list = UnitEventList(events)
        return { flags, time, frameCount, bus, data, pull in
            // Bounded: a sample time is counted in frames.
            let head = list.take(from: Int64(clamped: time.pointee.mSampleTime), frameCount: Int64(frameCount))
            return render(flags, time, frameCount, bus, data, head, pull)
        }
    }

    /// A block that schedules parameter changes with sample accuracy.
    ///
    /// Call it from any thread except the render thread.
    ///
    /// Times refer to the timeline on which the unit is rendered; in an engine, to `AVAudioNode.lastRenderTime`. At
    /// most 1,024 events are pending; further ones are dropped.
    open var scheduleParameterBlock: AUScheduleParameterBlock {
        { [events] time, rampFrames, address, value in
            events.add(UnitEvent(time: time, address: address, value: value, rampFrames: rampFrames))
        }
    }

    /// A block that schedules MIDI messages with sample accuracy, or `nil` if the unit's type does not accept MIDI.
    ///
    /// Call it from any thread except the render thread. A message has at most 512 bytes. At most 32 messages of more
    /// than three bytes are pending.
    open var scheduleMIDIEventBlock: AUScheduleMIDIEventBlock? {
        guard [kAudioUnitType_MusicDevice, kAudioUnitType_MusicEffect].contains(componentDescription.componentType)
        else { return nil }
        return { [events] time, cable, length, bytes in
            guard (1...LongMessages.capacity).contains(length) else { return }
            events.add(UnsafeBufferPointer(start: bytes, count: length), at: time, cable: cable)
        }
    }

    /// Clears the unit's internal audio, such as delay lines, at the next block.
    open func reset() { control.resets.wrappingAdd(1, ordering: .releasing) }

    /// Whether the input passes through unchanged.
    ///
    /// In an engine, the node performs the bypass with a fade of 5 ms.
    open var shouldBypassEffect: Bool {
        get { control.bypass.load(ordering: .relaxed) }
        set { control.bypass.store(newValue, ordering: .relaxed) }
    }

    /// The delay of the output in seconds; default 0.
    open var latency: TimeInterval { 0 }
    /// The maximum time in seconds during which the unit outputs sound after its input has become silent; default 0.
    open var tailTime: TimeInterval { 0 }
    /// Whether the unit can write its output to the memory of its input; default `false`.
    ///
    /// The engine does not use this ability.
    open var canProcessInPlace: Bool { false }
    /// Whether the host renders faster or slower than real time.
    open var isRenderingOffline: Bool {
        get { state.withLock { $0.isOffline } }
        set { state.withLock { $0.isOffline = newValue } }
    }

    // MARK: Devices

    /// Whether the unit can play to a device.
    open var canPerformOutput: Bool { false }
    /// Whether the unit can record from a device.
    open var canPerformInput: Bool { false }
    /// Whether an output unit plays; default true.
    ///
    /// Set it before `allocateRenderResources()`.
    open var isOutputEnabled: Bool {
        get { false }
        set { _ = newValue }
    }
    /// Whether an output unit records; default false.
    ///
    /// Set it before `allocateRenderResources()`.
    open var isInputEnabled: Bool {
        get { false }
        set { _ = newValue }
    }
    /// A block that supplies the frames that an output unit plays, in the format of `inputBusses[0]`.
    ///
    /// The block runs on the device's thread and must not allocate, lock, log or wait. If it fails, the unit plays
    /// silence. You may set it while the unit runs. Always `nil` for other units.
    open var outputProvider: AURenderPullInputBlock? {
        get { nil }
        set { _ = newValue }
    }
    /// A block that is called on the device's thread when an output unit has recorded frames.
    ///
    /// Get them with `renderBlock` for bus 1 during the call.
    ///
    /// You may set it while the unit runs. Always `nil` for other units.
    open var inputHandler: AUInputHandler? {
        get { nil }
        set { _ = newValue }
    }
    /// Whether the device of an output unit is started.
    open var isRunning: Bool { false }

    /// Starts the device of an output unit.
    /// - Throws: `AVAudioEngineError` with `invalidMode` for other units; see ``AVAudioEngine/start()``.
    open func startHardware() throws {
        throw AVAudioEngineError(.invalidMode, "\(audioUnitName ?? "The unit") has no device: use an output unit.")
    }

    /// Stops the device of an output unit.
    open func stopHardware() {}

    /// The device of an output unit, as `kAudioOutputUnitProperty_CurrentDevice` has it; 0 for the system's own, and
    /// of other units.
    open var deviceID: AudioObjectID { kAudioObjectUnknown }

    /// Sets the device of an output unit.
    /// - Throws: `AVAudioEngineError` with `invalidMode` for other units, `noSuchDevice` for a number that is none of
    ///   a device.
    open func setDeviceID(_ outputID: AudioObjectID) throws {
        throw AVAudioEngineError(.invalidMode, "\(audioUnitName ?? "The unit") has no device: use an output unit.")
    }

    /// Seconds from a sound at the input device until the unit provides it.
    open var deviceInputLatency: TimeInterval { 0 }
    /// Seconds from the render of a frame until the frame is audible.
    open var deviceOutputLatency: TimeInterval { 0 }
}
