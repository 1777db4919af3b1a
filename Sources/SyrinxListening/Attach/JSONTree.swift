/// A JSON value of any shape, and the changes from one value to another.
///
/// Changes are merge patches (RFC 7396): an object with the fields that differ, in which `null` removes a field.
///
///     let patch = old.patch(to: new)      // {"time":12.5}
///     var copy = old
///     copy.apply(patch)                   // copy == new
package enum JSONTree: Codable, Equatable, Sendable {
    case null
    case flag(Bool)
    case number(Double)
    case text(String)
    case list([JSONTree])
    case object([String: JSONTree])

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let flag = try? container.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let list = try? container.decode([JSONTree].self) {
            self = .list(list)
        } else {
            self = .object(try container.decode([String: JSONTree].self))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .flag(let flag): try container.encode(flag)
        case .number(let number): try container.encode(number)
        case .text(let text): try container.encode(text)
        case .list(let list): try container.encode(list)
        case .object(let fields): try container.encode(fields)
        }
    }

    /// Returns the merge patch that changes this value to `new`; `nil` if they are equal.
    ///
    /// Objects in objects are patched field by field. A list is replaced as a whole.
    package func patch(to new: JSONTree) -> JSONTree? {
        guard case .object(let old) = self, case .object(let fields) = new else { return self == new ? nil : new }
        var changes: [String: JSONTree] = [:]
        for name in old.keys where fields[name] == nil { changes[name] = .null }
        for (name, value) in fields {
            guard let before = old[name] else {
                changes[name] = value
                continue
            }
            if let change = before.patch(to: value) { changes[name] = change }
        }
        return changes.isEmpty ? nil : .object(changes)
    }

    /// Applies a merge patch.
    package mutating func apply(_ patch: JSONTree) {
        guard case .object(let changes) = patch else {
            self = patch
            return
        }
        var fields: [String: JSONTree] = if case .object(let fields) = self { fields } else { [:] }
        for (name, change) in changes {
            if change == .null {
                fields[name] = nil
            } else {
                var value = fields[name] ?? .null
                value.apply(change)
                fields[name] = value
            }
        }
        self = .object(fields)
    }
}
