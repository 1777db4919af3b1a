import CoreAudioTypes
import Foundation

/// The properties that describe parameters and presets.
extension UnitProperty {
    static let parameters: [AudioUnitPropertyID: UnitProperty] = [
        kAudioUnitProperty_ParameterList: UnitProperty(
            kAudioUnitScope_Global,
            kAudioUnitScope_Input,
            kAudioUnitScope_Output
        ) { unit, place in
            guard place.busType == nil else { return .bytes([]) }
            return .values(unit.parameters.map { AudioUnitParameterID(truncatingIfNeeded: $0.address) })
        },
        // The element is the parameter.
        kAudioUnitProperty_ParameterInfo: UnitProperty(
            kAudioUnitScope_Global,
            size: MemoryLayout<AudioUnitParameterInfo>.size
        ) { unit, place in
            let parameter = try unit.parameter(place.element)
            let names = unit.names(of: parameter)
            let index = unit.store.index(ofAddress: parameter.address)
            let info = AudioUnitParameterInfo(
                parameter,
                initial: index.map { unit.store.parameters[$0].initial } ?? parameter.value,
                name: names.name,
                unitName: names.unitName
            )
            return .bytes(withUnsafeBytes(of: info) { Array($0) })
        }.withOwnElements,
        kAudioUnitProperty_ParameterValueStrings: UnitProperty(kAudioUnitScope_Global, size: 8) { unit, place in
            guard let strings = try unit.parameter(place.element).valueStrings else { throw UnitStatus.invalidProperty }
            return .object(NSArray(array: strings.map { NSString(string: $0) }))
        }.withOwnElements,
        kAudioUnitProperty_ParameterStringFromValue: answering(AudioUnitParameterStringFromValue.self) {
            unit,
            question in
            let parameter = try unit.parameter(question.inParamID)
            let text = parameter.string(fromValue: question.inValue)
            question.outString = Unmanaged.passRetained(NSString(string: text))
        },
        kAudioUnitProperty_ParameterValueFromString: answering(AudioUnitParameterValueFromString.self) {
            unit,
            question in
            let parameter = try unit.parameter(question.inParamID)
            guard let text = question.inString?.takeUnretainedValue() else { throw UnitStatus.invalidValue }
            question.outValue = parameter.value(from: String(describing: text))
        },
    ]

    static let presets: [AudioUnitPropertyID: UnitProperty] = [
        kAudioUnitProperty_FactoryPresets: UnitProperty(kAudioUnitScope_Global, size: 8) { unit, _ in
            guard let presets = unit.unit.factoryPresets, !presets.isEmpty else { throw UnitStatus.invalidProperty }
            return .object(unit.presets(presets))
        },
        kAudioUnitProperty_PresentPreset: UnitProperty(
            kAudioUnitScope_Global,
            size: MemoryLayout<AUPreset>.size,
            write: { unit, _, input in
                let number = Int(try input.value(Int32.self))
                let preset = unit.unit.factoryPresets?.first { $0.number == number }
                if let preset {
                    unit.unit.currentPreset = preset
                    return
                }
                // A negative number is a user preset, whose name the caller supplies.
                guard number < 0, input.bytes.count >= MemoryLayout<AUPreset>.size else {
                    throw UnitStatus.invalidValue
                }
                let address = input.bytes.loadUnaligned(
                    fromByteOffset: MemoryLayout<AUPreset>.offset(of: \.presetName) ?? 8,
                    as: UInt.self
                )
                let name = UnsafeRawPointer(bitPattern: address).map {
                    String(describing: Unmanaged<CFString>.fromOpaque($0).takeUnretainedValue())
                }
                unit.unit.currentPreset = AUAudioUnitPreset(number: number, name: name ?? "")
            },
            read: { unit, _ in
                let preset = unit.unit.currentPreset ?? AUAudioUnitPreset(number: -1, name: "Untitled")
                // The name belongs to the caller.
                let name = Unmanaged.passRetained(NSString(string: preset.name))
                let value = AUPreset(presetNumber: Int32(clamping: preset.number), presetName: name)
                return .bytes(withUnsafeBytes(of: value) { Array($0) })
            }
        ),
    ]

    /// A property that answers a question in the memory of the caller.
    private static func answering<Question>(
        _ type: Question.Type,
        _ body: @escaping @Sendable (UnitInstance, inout Question) throws -> Void
    ) -> UnitProperty {
        var property = UnitProperty(kAudioUnitScope_Global, size: MemoryLayout<Question>.size, read: nil)
        property.answer = { unit, memory in
            var question = memory.loadUnaligned(as: Question.self)
            try body(unit, &question)
            withUnsafeBytes(of: question) { bytes in
                if let base = bytes.baseAddress { memory.copyMemory(from: base, byteCount: bytes.count) }
            }
        }
        return property
    }
}

extension UnitInstance {
    fileprivate var parameters: [AUParameter] { unit.parameterTree?.allParameters ?? [] }

    /// Returns a parameter of the unit's tree.
    fileprivate func parameter(_ id: AudioUnitParameterID) throws(UnitStatus) -> AUParameter {
        guard let parameter = unit.parameterTree?.parameter(withAddress: AUParameterAddress(id)) else {
            throw UnitStatus.invalidParameter
        }
        return parameter
    }
}
