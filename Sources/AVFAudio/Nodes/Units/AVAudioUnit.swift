public import CoreAudioTypes
import Foundation
import Synchronization

/// A node that processes its input.
///
/// The units that exist are made with their own initialisers, or by the description that Core Audio has for them. To write
/// one's own, see `AVAudioUnitEffect`.
open class AVAudioUnit: AVAudioNode, @unchecked Sendable {
    // Unchecked: no state of its own.

    /// One.
    open override var numberOfInputs: Int { 1 }

    /// Core Audio's description of the unit: type `aufx` and nothing else for a unit of the program's own.
    open var audioComponentDescription: AudioComponentDescription {
        UnitComponent.of(type(of: self))?.description ?? UnitComponent.custom
    }

    /// The name of the unit for people.
    open var name: String { UnitComponent.of(type(of: self))?.name ?? "\(type(of: self))" }

    /// The manufacturer of the unit.
    open var manufacturerName: String { UnitComponent.of(type(of: self)) == nil ? "" : "Syrinx" }

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

/// A unit that exists, and the descriptions by which it is known.
struct UnitComponent {
    let unit: AVAudioUnit.Type
    let name: String
    /// The type of its description.
    var type = kAudioUnitType_FormatConverter
    /// The first is its own, the others are those of Core Audio's units that it stands in for.
    let subtypes: [OSType]
    let make: @Sendable () -> AVAudioUnit

    private static var all: [UnitComponent] {
        [
            UnitComponent(
                unit: AVAudioUnitTimePitch.self,
                name: "AUNewTimePitch",
                subtypes: [
                    kAudioUnitSubType_NewTimePitch, kAudioUnitSubType_TimePitch, kAudioUnitSubType_AUiPodTimeOther,
                    kAudioUnitSubType_AUiPodTime,
                ]
            ) { AVAudioUnitTimePitch() },
            UnitComponent(
                unit: AVAudioUnitVarispeed.self,
                name: "AUVarispeed",
                subtypes: [kAudioUnitSubType_Varispeed]
            ) { AVAudioUnitVarispeed() },
            UnitComponent(
                unit: AVAudioUnitEQ.self,
                name: "AUNBandEQ",
                type: kAudioUnitType_Effect,
                subtypes: [kAudioUnitSubType_NBandEQ]
            ) { AVAudioUnitEQ(numberOfBands: 16) },
            UnitComponent(
                unit: AVAudioUnitDelay.self,
                name: "AUDelay",
                type: kAudioUnitType_Effect,
                subtypes: [kAudioUnitSubType_Delay]
            ) { AVAudioUnitDelay() },
        ]
    }

    /// The description of a unit of the program's own.
    static var custom: AudioComponentDescription {
        AudioComponentDescription(
            componentType: kAudioUnitType_Effect,
            componentSubType: 0,
            componentManufacturer: 0,
            componentFlags: 0,
            componentFlagsMask: 0
        )
    }

    var description: AudioComponentDescription {
        AudioComponentDescription(
            componentType: type,
            componentSubType: subtypes[0],
            componentManufacturer: kAudioUnitManufacturer_Apple,
            componentFlags: 0,
            componentFlagsMask: 0
        )
    }

    func matches(_ other: AudioComponentDescription) -> Bool {
        other.componentType == type && subtypes.contains(other.componentSubType)
    }

    /// The component of a class, or of the one that it is derived from.
    static func of(_ type: AVAudioUnit.Type) -> UnitComponent? { all.first { type.isSubclass(of: $0.unit) } }

    static func make(_ description: AudioComponentDescription) throws -> AVAudioUnit {
        guard let component = all.first(where: { $0.matches(description) }) else {
            throw AVAudioEngineError(
                .unknownUnit,
                "There is no unit of type \(text(description.componentType)) and subtype "
                    + "\(text(description.componentSubType)) here."
            )
        }
        return component.make()
    }

    /// A four-character code as its characters.
    private static func text(_ code: OSType) -> String {
        let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: code >> $0) }
        let isPrintable = bytes.allSatisfy { (0x20..<0x7F).contains($0) }
        return isPrintable ? "\"\(String(decoding: bytes, as: UTF8.self))\"" : "\(code)"
    }
}
