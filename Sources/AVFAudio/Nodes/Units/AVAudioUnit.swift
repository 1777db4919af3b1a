public import CoreAudioTypes
import Foundation
import Synchronization

/// A node that processes audio with a unit.
///
/// Create built-in units with their own initializers, or with Core Audio's descriptions. To write a unit, see
/// `AVAudioUnitEffect`.
open class AVAudioUnit: AVAudioNode, @unchecked Sendable {
    // Unchecked: the store is atomic.

    /// The values of its parameters.
    package let store: ParameterStore
    /// The unit of the program's own that the node renders; `nil` for a node of the library, or of the program's own.
    let hosted: AUAudioUnit?
    private let libraryUnit = Mutex<AUAudioUnit?>(nil)

    /// The unit with its parameter tree, presets and state, all of which it shares with the node.
    ///
    /// Always the same object.
    public override var auAudioUnit: AUAudioUnit {
        if let hosted { return hosted }
        return libraryUnit.withLock { unit in
            if let unit { return unit }
            let new = LibraryAudioUnit(self)
            unit = new
            return new
        }
    }

    /// Creates a placeholder unit, which processes nothing and which no engine can render.
    public override init() {
        store = ParameterStore([])
        hosted = nil
        super.init()
    }

    /// Creates a unit whose parameters are in `store`.
    init(store: ParameterStore) {
        self.store = store
        hosted = nil
        super.init()
    }

    /// A node that renders a unit of the program's own.
    init(hosting unit: AUAudioUnit) {
        store = unit.parameterStore
        hosted = unit
        super.init()
        unit.host(in: self)
    }

    /// The rendering of a unit without an input; `nil` for one with an input.
    var hostedSource: HostedSource? { nil }

    /// The component that the unit is one of; `nil` for a unit of the program's own.
    var component: UnitComponent? { UnitComponent.of(type(of: self)) }

    /// Always 1.
    open override var numberOfInputs: Int { 1 }

    /// Core Audio's description of the unit.
    ///
    /// A custom unit has the type `aufx`, and zeros in the other fields.
    open var audioComponentDescription: AudioComponentDescription {
        hosted?.componentDescription ?? component?.description ?? UnitComponent.custom
    }

    /// The display name of the unit.
    open var name: String { hosted?.audioUnitName ?? component?.name ?? "\(type(of: self))" }

    /// The manufacturer of the unit.
    open var manufacturerName: String { hosted?.manufacturerName ?? (component == nil ? "" : "Syrinx") }

    /// The version of the unit: the registered version of a custom unit, else 1.
    open var version: Int { hosted.map { Int($0.componentVersion) } ?? 1 }

    /// Creates a unit from its description.
    ///
    /// The handler is called on the calling thread before the method returns.
    /// - Parameters:
    ///   - audioComponentDescription: The description of a class registered with `AUAudioUnit.registerSubclass`, or
    ///     the type and subtype of a built-in unit.
    ///   - options: Ignored: all units run in the process of the program.
    ///   - completionHandler: Receives the unit or an error: an `AVAudioEngineError` with code `unknownUnit`, or the
    ///     error that a registered class throws.
    public class func instantiate(
        with audioComponentDescription: AudioComponentDescription,
        options: AudioComponentInstantiationOptions = [],
        completionHandler: @escaping @Sendable (AVAudioUnit?, (any Error)?) -> Void
    ) {
        do {
            completionHandler(try UnitComponent.make(audioComponentDescription), nil)
        } catch {
            completionHandler(nil, error)
        }
    }

    /// Creates a unit from its description.
    ///
    /// ```swift
    /// let delay = AudioComponentDescription(
    ///     componentType: kAudioUnitType_Effect, componentSubType: kAudioUnitSubType_Delay,
    ///     componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0, componentFlagsMask: 0)
    /// let unit = try await AVAudioUnit.instantiate(with: delay, options: [])
    /// engine.attach(unit)
    /// ```
    /// - Throws: `AVAudioEngineError` with code `unknownUnit`, or the error that a registered class throws.
    public class func instantiate(
        with audioComponentDescription: AudioComponentDescription,
        options: AudioComponentInstantiationOptions = []
    ) async throws -> AVAudioUnit {
        try UnitComponent.make(audioComponentDescription)
    }
}

/// The base class of units whose output has a different number of frames than their input.
open class AVAudioUnitTimeEffect: AVAudioUnit, @unchecked Sendable {
    // Unchecked: the state is an atomic.
    let parameters: RateEffectParameters

    /// Creates a unit whose store is made from its values by `makeStore`.
    init(_ makeStore: (RateEffectParameters) -> ParameterStore) {
        parameters = RateEffectParameters()
        super.init(store: makeStore(parameters))
    }

    /// Stops the program with a message if the description is that of another unit.
    func requireMatch(_ description: AudioComponentDescription) {
        require(
            UnitComponent.of(type(of: self))?.matches(description) == true,
            "\(type(of: self)) is not the unit with this description: use AVAudioUnit.instantiate(with:)."
        )
    }

    /// Whether the input passes through unchanged.
    ///
    /// Default `false`.
    open var bypass: Bool {
        get { parameters.bypass.load(ordering: .relaxed) }
        set { parameters.bypass.store(newValue, ordering: .relaxed) }
    }
}
