import CoreAudioTypes
import Foundation
import Synchronization

/// An available unit: the object behind an `AudioComponent`.
///
/// Built-in and registered components are never freed.
final class ComponentRecord: Sendable {
    let description: AudioComponentDescription
    /// As `Manufacturer: Unit`.
    let name: String
    let version: UInt32
    private let makeUnit: @Sendable () throws -> AUAudioUnit

    init(
        _ description: AudioComponentDescription,
        name: String,
        version: UInt32,
        make: @escaping @Sendable () throws -> AUAudioUnit
    ) {
        (self.description, self.name, self.version, makeUnit) = (description, name, version, make)
    }

    /// The part of the name after the manufacturer.
    var unitName: String { parts.last ?? name }
    /// The part of the name before the unit's; empty if there is none.
    var manufacturerName: String { parts.count > 1 ? parts[0] : "" }

    private var parts: [String] {
        guard let colon = name.firstIndex(of: ":") else { return [name] }
        let unit = name[name.index(after: colon)...].drop { $0 == " " }
        return [String(name[..<colon]), String(unit)]
    }

    /// Creates a unit.
    /// - Throws: The error of the unit's initializer.
    func make() throws -> AUAudioUnit {
        let made = try makeUnit()
        made.adopt(self)
        return made
    }

    /// The handle for Core Audio's calls.
    var handle: AudioComponent { OpaquePointer(Unmanaged.passUnretained(self).toOpaque()) }

    /// Returns the component of a handle.
    static func of(_ handle: AudioComponent) -> ComponentRecord {
        Unmanaged<ComponentRecord>.fromOpaque(UnsafeRawPointer(handle)).takeUnretainedValue()
    }

    /// Returns the component of a unit; a new component for a unit that no component creates.
    static func of(_ unit: AUAudioUnit) -> ComponentRecord {
        let description = unit.componentDescription
        if let known = UnitRegistry.shared.components.first(where: { $0.description.isSameUnit(as: description) }) {
            return known
        }
        return ComponentRecord(
            description,
            name: unit.audioUnitName ?? "\(type(of: unit))",
            version: unit.componentVersion
        ) {
            throw AVAudioEngineError(.unknownUnit, "The unit is not registered.")
        }
    }
}

/// The available units: registered by the program, and built in.
final class UnitRegistry: Sendable {
    static let shared = UnitRegistry()
    private let registered = Mutex<[ComponentRecord]>([])
    private let library = OutputUnit.components + UnitComponent.all.map(\.record)

    func add(_ unit: AUAudioUnit.Type, _ description: AudioComponentDescription, name: String, version: UInt32) {
        let record = ComponentRecord(description, name: name, version: version) {
            try unit.init(registeredAs: description, options: [])
        }
        registered.withLock { $0.append(record) }
    }

    /// All components: first the registered ones in order of registration, then the built-in ones.
    var components: [ComponentRecord] { registered.withLock { $0 } + library }

    /// Returns the registered class of a description: the highest version, or the last one of equal versions.
    func entry(_ description: AudioComponentDescription) -> ComponentRecord? {
        var best: ComponentRecord?
        for entry in registered.withLock({ $0 }) where entry.description.isSameUnit(as: description) {
            if best.map({ entry.version >= $0.version }) ?? true { best = entry }
        }
        return best
    }
}

extension AudioComponentDescription {
    /// Whether both have the same type, subtype and manufacturer.
    func isSameUnit(as other: AudioComponentDescription) -> Bool {
        componentType == other.componentType && componentSubType == other.componentSubType
            && componentManufacturer == other.componentManufacturer
    }

    /// Whether this description matches `pattern`, in which 0 matches any value.
    func matches(_ pattern: AudioComponentDescription) -> Bool {
        [
            (componentType, pattern.componentType), (componentSubType, pattern.componentSubType),
            (componentManufacturer, pattern.componentManufacturer),
        ].allSatisfy { $1 == 0 || $0 == $1 }
    }
}
