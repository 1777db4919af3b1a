import CoreAudioTypes
import Synchronization

/// The classes of units that the program has registered.
final class UnitRegistry: Sendable {
    /// A registered class.
    struct Entry: Sendable {
        let unit: AUAudioUnit.Type
        let description: AudioComponentDescription
        /// As `Manufacturer: Unit`.
        let name: String
        let version: UInt32

        /// The part of the name behind the manufacturer.
        var unitName: String { parts.last ?? name }
        /// The part of the name before the unit's; empty if there is none.
        var manufacturerName: String { parts.count > 1 ? parts[0] : "" }

        private var parts: [String] {
            guard let colon = name.firstIndex(of: ":") else { return [name] }
            let unit = name[name.index(after: colon)...].drop { $0 == " " }
            return [String(name[..<colon]), String(unit)]
        }

        /// Makes a unit.
        /// - Throws: What its initialiser throws.
        func make(_ options: AudioComponentInstantiationOptions = []) throws -> AUAudioUnit {
            let made = try unit.init(registeredAs: description, options: options)
            made.adopt(self)
            return made
        }
    }

    static let shared = UnitRegistry()
    private let entries = Mutex<[Entry]>([])

    func add(_ unit: AUAudioUnit.Type, _ description: AudioComponentDescription, name: String, version: UInt32) {
        entries.withLock {
            $0.append(Entry(unit: unit, description: description, name: name, version: version))
        }
    }

    /// All classes, in the order in which they were registered.
    var all: [Entry] { entries.withLock { $0 } }

    /// Returns the class of a description: of several the one with the highest version, and of these the last.
    func entry(_ description: AudioComponentDescription) -> Entry? {
        var best: Entry?
        for entry in all where entry.description.isSameUnit(as: description) {
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

    /// Whether the unit of this description is one of those that `pattern` asks for, where 0 is any.
    func matches(_ pattern: AudioComponentDescription) -> Bool {
        [
            (componentType, pattern.componentType), (componentSubType, pattern.componentSubType),
            (componentManufacturer, pattern.componentManufacturer),
        ].allSatisfy { $1 == 0 || $0 == $1 }
    }
}
