public import CoreAudioTypes
public import Foundation
import Synchronization

/// The options of a parameter.
///
/// Raw values are Core Audio's.
public struct AudioUnitParameterOptions: OptionSet, Sendable {
    /// The bits of the options.
    public let rawValue: UInt32

    /// Creates options from their bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The caller has to release the name in an `AudioUnitParameterInfo`; never set by built-in units.
    public static let flag_CFNameRelease = AudioUnitParameterOptions(rawValue: 1 << 4)
    /// The parameter is a meter, whose value the unit reports.
    public static let flag_MeterReadOnly = AudioUnitParameterOptions(rawValue: 1 << 15)
    /// User interfaces show the value on a logarithmic scale.
    public static let flag_DisplayLogarithmic = AudioUnitParameterOptions(rawValue: 1 << 22)
    /// Changes of the value can be ramped.
    public static let flag_CanRamp = AudioUnitParameterOptions(rawValue: 1 << 25)
    /// The name in an `AudioUnitParameterInfo` is a `CFString`.
    public static let flag_HasCFNameString = AudioUnitParameterOptions(rawValue: 1 << 27)
    /// The values have names.
    public static let flag_ValuesHaveStrings = AudioUnitParameterOptions(rawValue: 1 << 21)
    /// The value is readable.
    public static let flag_IsReadable = AudioUnitParameterOptions(rawValue: 1 << 30)
    /// The value is writable.
    public static let flag_IsWritable = AudioUnitParameterOptions(rawValue: 1 << 31)
}

/// A parameter of a unit.
///
/// Callable from any thread except the render thread.
open class AUParameter: AUParameterNode, @unchecked Sendable {
    // Unchecked: everything that changes is atomic, or in a store that is.

    /// The place of the value.
    private enum Storage {
        case own
        case store(ParameterStore, Int)
    }

    private let storage: Storage
    private let ownValue: Atomic<Float>

    /// The minimum value.
    public let minValue: AUValue
    /// The maximum value.
    public let maxValue: AUValue
    /// The unit of the value.
    public let unit: AudioUnitParameterUnit
    /// The name of the unit if `unit` is `customUnit`.
    public let unitName: String?
    /// The options of the parameter.
    public let flags: AudioUnitParameterOptions
    /// The address, unique in the tree.
    public let address: AUParameterAddress
    /// The names of the values, beginning with `minValue`, if `unit` is `indexed`.
    public let valueStrings: [String]?
    /// The addresses of the parameters that may change together with this one.
    public let dependentParameters: [NSNumber]?

    init(
        identifier: String,
        name: String,
        address: AUParameterAddress,
        range: ClosedRange<AUValue>,
        unit: AudioUnitParameterUnit,
        unitName: String?,
        flags: AudioUnitParameterOptions,
        valueStrings: [String]?,
        dependentParameters: [NSNumber]?
    ) {
        storage = .own
        ownValue = Atomic(range.lowerBound)
        (minValue, maxValue, self.unit, self.unitName) = (range.lowerBound, range.upperBound, unit, unitName)
        (self.flags, self.address, self.valueStrings) = (flags, address, valueStrings)
        self.dependentParameters = dependentParameters
        super.init(identifier: identifier, displayName: name)
    }

    /// The parameter at a place of a store.
    init(_ store: ParameterStore, _ index: Int) {
        let parameter = store.parameters[index]
        storage = .store(store, index)
        ownValue = Atomic(0)
        (minValue, maxValue) = (parameter.range.lowerBound, parameter.range.upperBound)
        (unit, unitName, address, dependentParameters) = (parameter.unit, nil, parameter.address, nil)
        valueStrings = parameter.valueNames.isEmpty ? nil : parameter.valueNames
        flags =
            parameter.isReadOnly
            ? [.flag_MeterReadOnly, .flag_IsReadable] : [.flag_IsReadable, .flag_IsWritable, .flag_CanRamp]
        super.init(identifier: parameter.identifier, displayName: parameter.name)
    }

    /// The current value.
    ///
    /// New values out of range are clamped; NaN is ignored.
    open var value: AUValue {
        get {
            if let provider = implementorValueProvider { return provider(self) }
            switch storage {
            case .own: return ownValue.load(ordering: .relaxed)
            case .store(let store, let index): return store.currentValue(index)
            }
        }
        set { setValue(newValue, originator: nil) }
    }

    /// Sets the value, and notifies all observers except the one with the token `originator`.
    open func setValue(_ value: AUValue, originator: AUParameterObserverToken?) {
        set(value, originator, hostTime: monotonicNanoseconds(), .value)
    }

    private func set(
        _ value: AUValue,
        _ originator: AUParameterObserverToken?,
        hostTime: UInt64,
        _ type: AUParameterAutomationEventType
    ) {
        guard !value.isNaN else { return }
        let clamped = min(max(value, minValue), maxValue)
        switch storage {
        case .own: ownValue.store(clamped, ordering: .relaxed)
        case .store(let store, let index):
            guard !store.parameters[index].isReadOnly else { return }
            store.set(index, to: clamped, tellsObserver: false)
        }
        implementorValueObserver?(self, clamped)
        let event = AUParameterAutomationEvent(hostTime: hostTime, address: address, value: clamped, eventType: type)
        notifyObservers(of: event, originator: originator)
    }

    /// Sets the value as part of an automation.
    ///
    /// The change takes effect at the next block. The host time is only passed to observers of the automation.
    open func setValue(
        _ value: AUValue,
        originator: AUParameterObserverToken?,
        atHostTime hostTime: UInt64,
        eventType: AUParameterAutomationEventType = .value
    ) {
        set(value, originator, hostTime: hostTime, eventType)
    }

    /// Returns the text for a value, by default the parameter's own.
    open func string(fromValue value: UnsafePointer<AUValue>?) -> String {
        if let provider = implementorStringFromValueCallback { return provider(self, value) }
        let number = value?.pointee ?? self.value
        let place = number - minValue
        if let valueStrings, place >= 0, place < Float(valueStrings.count) { return valueStrings[Int(place)] }
        return "\(number)"
    }

    /// Returns the value for a text, which is the name of a value or a number; for other texts, the current value.
    open func value(from string: String) -> AUValue {
        if let parser = implementorValueFromStringCallback { return parser(self, string) }
        if let place = valueStrings?.firstIndex(of: string) { return minValue + AUValue(place) }
        return AUValue(string) ?? value
    }
}

extension AUParameterTree {
    /// The tree of a store, which notifies its observers of all changes of the store.
    convenience init(_ store: ParameterStore) {
        self.init(children: store.parameters.indices.map { AUParameter(store, $0) })
        // The store keeps the observer, which therefore must not keep the store.
        let addresses = store.parameters.map(\.address)
        store.observe { [weak self] index, value in
            let address = addresses[index]
            let event = AUParameterAutomationEvent(
                hostTime: monotonicNanoseconds(),
                address: address,
                value: value,
                eventType: .value
            )
            self?.parameter(withAddress: address)?.notifyObservers(of: event, originator: nil)
        }
    }
}
