import CoreAudioTypes
import Foundation

/// The place of a property in a unit.
struct UnitPlace {
    let scope: AudioUnitScope
    let element: AudioUnitElement

    /// The direction of the busses of the scope; `nil` for the global scope.
    var busType: AUAudioUnitBusType? {
        switch scope {
        case kAudioUnitScope_Input: .input
        case kAudioUnitScope_Output: .output
        default: nil
        }
    }
}

/// The content of a property, on its way to the memory of a caller.
enum PropertyContent {
    case bytes([UInt8])
    /// An object. The caller receives its own reference.
    case object(AnyObject)

    /// The bytes of a value.
    static func value<Value: BitwiseCopyable>(_ value: Value) -> PropertyContent {
        .bytes(withUnsafeBytes(of: value) { Array($0) })
    }

    /// The bytes of values.
    static func values<Value: BitwiseCopyable>(_ values: [Value]) -> PropertyContent {
        .bytes(values.withUnsafeBytes { Array($0) })
    }

    static func flag(_ isSet: Bool) -> PropertyContent { .value(UInt32(isSet ? 1 : 0)) }

    var byteCount: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .object: MemoryLayout<UnsafeRawPointer>.size
        }
    }
}

/// A property of units: its places, and how it is read and written.
struct UnitProperty: Sendable {
    typealias Reader = @Sendable (UnitInstance, UnitPlace) throws -> PropertyContent
    typealias Writer = @Sendable (UnitInstance, UnitPlace, PropertyInput) throws -> Void
    /// A function that reads a request from the caller's memory and writes the answer to the same memory.
    typealias Answerer = @Sendable (UnitInstance, UnsafeMutableRawPointer) throws -> Void

    let scopes: [AudioUnitScope]
    /// The size in bytes; `nil` if it depends on the unit.
    let byteCount: Int?
    var read: Reader?
    var write: Writer?
    var answer: Answerer?
    /// Whether the element is one of the property's own, and no bus.
    var hasOwnElements = false

    /// A property that can be read, and perhaps written.
    init(
        _ scopes: AudioUnitScope...,
        size byteCount: Int? = nil,
        write: Writer? = nil,
        read: Reader?
    ) {
        (self.scopes, self.byteCount, self.read, self.write) = (scopes, byteCount, read, write)
    }
}

/// The bytes that a caller writes to a property.
struct PropertyInput {
    let bytes: UnsafeRawBufferPointer

    /// Returns the bytes as a value.
    /// - Throws: `kAudioUnitErr_InvalidPropertyValue` if there are too few bytes.
    func value<Value: BitwiseCopyable>(_ type: Value.Type) throws -> Value {
        guard bytes.count >= MemoryLayout<Value>.size else { throw UnitStatus.invalidValue }
        return bytes.loadUnaligned(as: type)
    }

    /// Returns the bytes as a number that is 0 or not.
    func flag() throws -> Bool { try value(UInt32.self) != 0 }

    /// Returns the object that the bytes point to.
    func object<Object: AnyObject>(_ type: Object.Type) throws -> Object {
        let address = try value(UInt.self)
        guard let raw = UnsafeRawPointer(bitPattern: address),
            let object = Unmanaged<AnyObject>.fromOpaque(raw).takeUnretainedValue() as? Object
        else { throw UnitStatus.invalidValue }
        return object
    }
}

extension UnitInstance {
    /// Returns a property, if the unit has it at a place.
    private func property(_ id: AudioUnitPropertyID, at place: UnitPlace) throws -> UnitProperty {
        guard let property = unit.ownProperties[id] ?? UnitProperty.common[id] else { throw UnitStatus.invalidProperty }
        guard property.scopes.contains(place.scope) else { throw UnitStatus.invalidScope }
        guard property.hasOwnElements || place.element < elementCount(place.scope) else {
            throw UnitStatus.invalidElement
        }
        return property
    }

    /// The number of elements of a scope.
    func elementCount(_ scope: AudioUnitScope) -> UInt32 {
        switch scope {
        case kAudioUnitScope_Global: 1
        case kAudioUnitScope_Input: UInt32(clamping: unit.inputBusses.count)
        case kAudioUnitScope_Output: UInt32(clamping: unit.outputBusses.count)
        default: 0
        }
    }

    /// Returns the bytes that a property takes, and whether it can be written.
    func info(_ id: AudioUnitPropertyID, at place: UnitPlace) throws -> (byteCount: Int, isWritable: Bool) {
        let property = try property(id, at: place)
        if let known = property.byteCount { return (known, property.write != nil) }
        let content = try property.read?(self, place)
        return (content?.byteCount ?? 0, property.write != nil)
    }

    /// Copies a property to memory of `byteCount` bytes.
    /// - Returns: The size of the property in bytes.
    func get(
        _ id: AudioUnitPropertyID,
        at place: UnitPlace,
        into memory: UnsafeMutableRawPointer,
        byteCount: UInt32
    ) throws -> UInt32 {
        let property = try property(id, at: place)
        if let answer = property.answer, let needed = property.byteCount {
            guard Int(byteCount) >= needed else { throw UnitStatus.invalidValue }
            try answer(self, memory)
            return UInt32(clamping: needed)
        }
        guard let read = property.read else { throw UnitStatus.invalidProperty }
        let content = try read(self, place)
        guard Int(byteCount) >= content.byteCount else { throw UnitStatus.invalidValue }
        switch content {
        case .bytes(let bytes):
            bytes.withUnsafeBytes { bytes in
                if let base = bytes.baseAddress { memory.copyMemory(from: base, byteCount: bytes.count) }
            }
        case .object(let object):
            let reference = UnsafeRawPointer(Unmanaged.passRetained(object).toOpaque())
            memory.storeBytes(of: reference, as: UnsafeRawPointer.self)
        }
        return UInt32(clamping: content.byteCount)
    }

    /// Sets a property and calls its listeners.
    func set(_ id: AudioUnitPropertyID, at place: UnitPlace, to bytes: UnsafeRawBufferPointer) throws {
        let property = try property(id, at: place)
        guard let write = property.write else { throw UnitStatus.notWritable }
        try write(self, place, PropertyInput(bytes: bytes))
        notify(id, place.scope, place.element)
    }
}
