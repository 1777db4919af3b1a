import Foundation
import Synchronization

/// Values that are costly to make, each made once in a process.
///
/// A request for a value that is being made waits for it.
public final class MadeOnce<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private final class Entry: Sendable {
        let value = Mutex<Value?>(nil)
    }

    private let entries = Mutex<[Key: Entry]>([:])

    /// An empty collection.
    public init() {}

    /// Returns the value of a key, made by `make` if it has not been made before.
    ///
    /// - Parameters:
    ///   - key: All that the value depends on.
    ///   - make: Makes the value. If it throws, the next who asks tries again.
    public func value(_ key: Key, make: () throws -> Value) rethrows -> Value {
        let entry = entries.withLock { entries in
            let entry = entries[key] ?? Entry()
            entries[key] = entry
            return entry
        }
        return try entry.value.withLock { value in
            let made = try value ?? make()
            value = made
            return made
        }
    }
}
