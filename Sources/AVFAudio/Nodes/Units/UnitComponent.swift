import CoreAudioTypes
import Foundation

/// A built-in unit and the descriptions under which it is found.
struct UnitComponent {
    let unit: AVAudioUnit.Type
    let name: String
    /// The type of its description.
    var type = kAudioUnitType_FormatConverter
    /// The unit's own subtype, followed by the subtypes of Core Audio units that it replaces.
    let subtypes: [OSType]
    let make: @Sendable () -> AVAudioUnit

    static var all: [UnitComponent] {
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
            .sampler,
        ] + EffectDefinition.all.map(effect)
    }

    private static func effect(_ definition: EffectDefinition) -> UnitComponent {
        let (unit, make): (AVAudioUnit.Type, @Sendable () -> AVAudioUnit) =
            switch definition.subtype {
            case kAudioUnitSubType_NBandEQ: (AVAudioUnitEQ.self, { AVAudioUnitEQ(numberOfBands: 16) })
            case kAudioUnitSubType_Delay: (AVAudioUnitDelay.self, { AVAudioUnitDelay() })
            case kAudioUnitSubType_Distortion: (AVAudioUnitDistortion.self, { AVAudioUnitDistortion() })
            case kAudioUnitSubType_MatrixReverb: (AVAudioUnitReverb.self, { AVAudioUnitReverb() })
            case EffectDefinition.voiceBoost.subtype: (VoiceBoostUnit.self, { VoiceBoostUnit() })
            case EffectDefinition.stereoBalance.subtype: (StereoBalanceUnit.self, { StereoBalanceUnit() })
            default: (AVAudioUnitEffect.self, { AVAudioUnitEffect(definition) })
            }
        return UnitComponent(
            unit: unit,
            name: definition.name,
            type: kAudioUnitType_Effect,
            subtypes: [definition.subtype],
            make: make
        )
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

    /// The unit as a component.
    var record: ComponentRecord {
        let description = self.description
        return ComponentRecord(description, name: "Syrinx: \(name)", version: 1) {
            try UnitComponent.makeUnit(description)
        }
    }

    func matches(_ other: AudioComponentDescription) -> Bool {
        other.componentType == type && subtypes.contains(other.componentSubType)
    }

    /// Returns the component of a class or of its nearest superclass with a component.
    static func of(_ type: AVAudioUnit.Type) -> UnitComponent? {
        all.first { $0.unit != AVAudioUnitEffect.self && type.isSubclass(of: $0.unit) }
    }

    /// The component of an effect.
    static func of(_ definition: EffectDefinition) -> UnitComponent { effect(definition) }

    /// Creates the node of a unit: of a registered class, or built in.
    static func make(_ description: AudioComponentDescription) throws -> AVAudioUnit {
        if let entry = UnitRegistry.shared.entry(description) { return AVAudioUnit.hosting(try entry.make()) }
        if let output = OutputUnit(description) { return AVAudioUnit(hosting: output) }
        guard let component = all.first(where: { $0.matches(description) }) else {
            throw AVAudioEngineError(
                .unknownUnit,
                "There is no unit of type \(text(description.componentType)) and subtype "
                    + "\(text(description.componentSubType)) here."
            )
        }
        return component.make()
    }

    /// Creates the unit of an instrument: of a registered class, or the sampler.
    static func makeInstrument(_ description: AudioComponentDescription) throws -> AUAudioUnit? {
        if let entry = UnitRegistry.shared.entry(description) { return try entry.make() }
        return sampler.matches(description) ? SamplerUnit() : nil
    }

    /// Creates the unit of a description, without a hosting node.
    static func makeUnit(_ description: AudioComponentDescription) throws -> AUAudioUnit {
        if let entry = UnitRegistry.shared.entry(description) { return try entry.make() }
        if let output = OutputUnit(description) { return output }
        if sampler.matches(description) { return SamplerUnit() }
        return LibraryAudioUnit(try make(description), owns: true)
    }

    /// A four-character code as its characters.
    private static func text(_ code: OSType) -> String {
        let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: code >> $0) }
        let isPrintable = bytes.allSatisfy { (0x20..<0x7F).contains($0) }
        return isPrintable ? "\"\(String(decoding: bytes, as: UTF8.self))\"" : "\(code)"
    }
}
