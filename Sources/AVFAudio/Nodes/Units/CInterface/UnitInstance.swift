import CoreAudioTypes
import Foundation
import Synchronization

/// The object behind an `AudioUnit` handle.
///
/// It belongs to its `AUAudioUnit`. An instance that was created by `AudioComponentInstanceNew` keeps its unit alive.
final class UnitInstance: @unchecked Sendable {
    // Unchecked: mutable state is guarded by the lock, is atomic, or belongs to the render that the gate has admitted.

    /// A function that is called after a change of a property.
    struct Listener: @unchecked Sendable {
        // Unchecked: a function of C and a pointer that is passed on.
        let property: AudioUnitPropertyID
        let function: AudioUnitPropertyListenerProc
        let context: UnsafeMutableRawPointer?

        func matches(_ id: AudioUnitPropertyID, _ other: AudioUnitPropertyListenerProc) -> Bool {
            property == id && unsafeBitCast(function, to: Int.self) == unsafeBitCast(other, to: Int.self)
        }
    }

    private struct State {
        /// The unit, for an instance that keeps it alive.
        var owned: AUAudioUnit?
        var isInitialized = false
        var listeners: [Listener] = []
        /// The busses that hand out no memory of their own.
        var withoutMemory: Set<[Int]> = []
        /// The component; `nil` before the first access.
        var component: ComponentRecord?
        /// Names of parameters and units that were returned to callers, by parameter address.
        var names: [AUParameterAddress: CFString] = [:]
        var unitNames: [AUParameterAddress: CFString] = [:]
        var presets: PresetArray?
    }

    /// The most frames of a slice.
    static let frameLimit: UInt32 = 1 << 17

    unowned let unit: AUAudioUnit
    let store: ParameterStore
    let callbacks: CallbackSlot
    private let state = Mutex(State())
    private let gate = RenderGate()
    private var renderer: UnitRenderer?
    /// The renderer, for the render that the gate lets in.
    @exclusivity(unchecked) private var rendering: Unmanaged<UnitRenderer>?
    /// Held while the unit is initialized or uninitialized.
    private let life = NSRecursiveLock()

    init(_ unit: AUAudioUnit) {
        self.unit = unit
        store = unit.parameterStore
        callbacks = unit.unitCallbacks
    }

    /// The handle for Core Audio's calls.
    var handle: AudioUnit { OpaquePointer(Unmanaged.passUnretained(self).toOpaque()) }

    /// Returns the instance of a handle.
    static func of(_ handle: AudioUnit) -> UnitInstance {
        Unmanaged<UnitInstance>.fromOpaque(UnsafeRawPointer(handle)).takeUnretainedValue()
    }

    // MARK: Life

    /// Returns the handle of a unit that is kept alive until `dispose()`.
    static func owning(_ unit: AUAudioUnit) -> AudioUnit {
        let instance = unit.instance
        instance.state.withLock { $0.owned = unit }
        return OpaquePointer(Unmanaged.passRetained(instance).toOpaque())
    }

    /// Ends an instance that keeps its unit alive.
    /// - Returns: `false` if it is the unit of a node, which lives as long as that.
    func dispose() -> Bool {
        guard let owned = state.withLock({ $0.owned }) else { return false }
        owned.stopHardware()
        uninitialize()
        state.withLock { $0.owned = nil }
        withExtendedLifetime(owned) { Unmanaged.passUnretained(self).release() }
        return true
    }

    /// The component that the unit is one of.
    var component: ComponentRecord {
        state.withLock { state in
            if let known = state.component { return known }
            let found = ComponentRecord.of(unit)
            state.component = found
            return found
        }
    }

    // MARK: Initialising

    /// Whether the unit renders for `AudioUnitRender`.
    var isInitialized: Bool { state.withLock { $0.isInitialized } }

    /// Allocates the render resources.
    func initialize() throws(UnitStatus) {
        guard unit.hostingEngine == nil else { throw UnitStatus.wrongContext }
        life.lock()
        defer { life.unlock() }
        guard !isInitialized else { return }
        do {
            try unit.allocateRenderResources()
        } catch {
            throw UnitStatus(error)
        }
        let withoutMemory = state.withLock { $0.withoutMemory }
        let renderer = UnitRenderer(unit, callbacks, ownsInput: unit is OutputUnit) { type, element in
            !withoutMemory.contains([type.rawValue, element])
        }
        self.renderer = renderer
        rendering = Unmanaged.passUnretained(renderer)
        state.withLock { $0.isInitialized = true }
        gate.open()
    }

    /// Frees the render resources after the current render.
    /// - Returns: `false` if called from within that render.
    @discardableResult
    func uninitialize() -> Bool {
        guard !gate.isOwnRender else { return false }
        life.lock()
        defer { life.unlock() }
        guard isInitialized else { return true }
        gate.close()
        rendering = nil
        renderer = nil
        unit.deallocateRenderResources()
        state.withLock { $0.isInitialized = false }
        return true
    }

    // MARK: Render

    /// Renders a block, on the thread of the caller.
    func render(
        _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
        _ time: UnsafePointer<AudioTimeStamp>,
        _ bus: UInt32,
        _ frameCount: UInt32,
        _ data: UnsafeMutablePointer<AudioBufferList>
    ) -> OSStatus {
        var status = gate.enter()
        if status == noErr {
            status =
                rendering?._withUnsafeGuaranteedRef { $0.render(flags, time, bus, frameCount, data) }
                ?? kAudioUnitErr_Uninitialized
            gate.leave()
        }
        if status != noErr { callbacks.lastError.store(status, ordering: .relaxed) }
        return status
    }

    // MARK: Listeners

    func add(_ listener: Listener) { state.withLock { $0.listeners.append(listener) } }

    func removeListeners(_ areRemoved: (Listener) -> Bool) {
        state.withLock { $0.listeners.removeAll(where: areRemoved) }
    }

    /// Calls the listeners of a changed property, on the calling thread.
    func notify(_ property: AudioUnitPropertyID, _ scope: AudioUnitScope, _ element: AudioUnitElement) {
        let listeners = state.withLock { $0.listeners.filter { $0.property == property } }
        let handle = self.handle
        for listener in listeners {
            listener.function(listener.context ?? UnsafeMutableRawPointer(handle), handle, property, scope, element)
        }
    }

    // MARK: Stored properties

    /// Returns whether a bus supplies its own memory to buffers without memory.
    func allocatesMemory(_ type: AUAudioUnitBusType, _ element: Int) -> Bool {
        state.withLock { !$0.withoutMemory.contains([type.rawValue, element]) }
    }

    func setAllocatesMemory(_ allocates: Bool, _ type: AUAudioUnitBusType, _ element: Int) {
        state.withLock { state in
            if allocates {
                state.withoutMemory.remove([type.rawValue, element])
            } else {
                state.withoutMemory.insert([type.rawValue, element])
            }
        }
    }

    /// The names of a parameter, which live as long as the instance.
    func names(of parameter: AUParameter) -> (name: CFString, unitName: CFString?) {
        state.withLock { state in
            let name = state.names[parameter.address] ?? NSString(string: parameter.displayName)
            state.names[parameter.address] = name
            guard let text = parameter.unitName else { return (name, nil) }
            let unitName = state.unitNames[parameter.address] ?? NSString(string: text)
            state.unitNames[parameter.address] = unitName
            return (name, unitName)
        }
    }

    /// The presets, which live as long as the instance.
    func presets(_ presets: [AUAudioUnitPreset]) -> PresetArray {
        state.withLock { state in
            if let known = state.presets, known.count == presets.count { return known }
            let new = PresetArray.make(presets)
            state.presets = new
            return new
        }
    }
}
