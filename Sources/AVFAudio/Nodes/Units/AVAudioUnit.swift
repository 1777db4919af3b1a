public import CoreAudioTypes
import Foundation
import Synchronization

/// A node that processes its input.
///
/// The units that exist are made with their own initialisers, or by the description that Core Audio has for them. To write
/// one's own, see `AVAudioUnitEffect`.
open class AVAudioUnit: AVAudioNode, @unchecked Sendable {
    // Unchecked: the store is atomic.

    /// The values of its parameters.
    let store: ParameterStore

    override init() {
        store = ParameterStore([])
        super.init()
    }

    /// A unit whose parameters are in `store`.
    init(store: ParameterStore) {
        self.store = store
        super.init()
    }

    /// The component that the unit is one of; `nil` for a unit of the program's own.
    var component: UnitComponent? { UnitComponent.of(type(of: self)) }

    /// One.
    open override var numberOfInputs: Int { 1 }

    /// Core Audio's description of the unit: type `aufx` and nothing else for a unit of the program's own.
    open var audioComponentDescription: AudioComponentDescription { component?.description ?? UnitComponent.custom }

    /// The name of the unit for people.
    open var name: String { component?.name ?? "\(type(of: self))" }

    /// The manufacturer of the unit.
    open var manufacturerName: String { component == nil ? "" : "Syrinx" }

    /// The unit's version: 1.
    open var version: Int { 1 }

    /// Makes the unit of a description, as Core Audio would.
    ///
    /// The handler is called before this returns, on the calling thread.
    /// - Parameters:
    ///   - audioComponentDescription: Type and subtype say which; the rest is not looked at.
    ///   - options: Not looked at: units run in the process.
    ///   - completionHandler: Given the unit, or an `AVAudioEngineError` of code `unknownUnit`.
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

    /// Makes the unit of a description, as Core Audio would.
    /// - Throws: `AVAudioEngineError` of code `unknownUnit`.
    public class func instantiate(
        with audioComponentDescription: AudioComponentDescription,
        options: AudioComponentInstantiationOptions = []
    ) async throws -> AVAudioUnit {
        try UnitComponent.make(audioComponentDescription)
    }
}

/// A unit that gives another number of frames than it takes.
open class AVAudioUnitTimeEffect: AVAudioUnit, @unchecked Sendable {
    // Unchecked: the state is an atomic.
    let parameters = RateEffectParameters()

    override init() { super.init() }

    /// The unit of a description, which has to be one of this class.
    ///
    /// Stops the program, with a sentence, if it is of another.
    public init(audioComponentDescription: AudioComponentDescription) {
        super.init()
        require(
            UnitComponent.of(type(of: self))?.matches(audioComponentDescription) == true,
            "\(type(of: self)) is not the unit of that description: use AVAudioUnit.instantiate(with:)."
        )
    }

    /// Whether the input goes through unchanged.
    ///
    /// Default false.
    open var bypass: Bool {
        get { parameters.bypass.load(ordering: .relaxed) }
        set { parameters.bypass.store(newValue, ordering: .relaxed) }
    }
}
