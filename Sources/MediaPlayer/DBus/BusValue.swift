import CSyrinxGIO

/// A value on the bus, of the types that media players use.
package enum BusValue: Equatable, Sendable {
    case string(String)
    case objectPath(String)
    case int32(Int32)
    case int64(Int64)
    case double(Double)
    case bool(Bool)
    case strings([String])
    /// Names and values of any type: `a{sv}`.
    case dictionary([String: BusValue])

    /// Returns the value as a GLib variant with a floating reference.
    func variant() -> OpaquePointer? {
        switch self {
        case .string(let text): return g_variant_new_string(Self.valid(text))
        case .objectPath(let path): return g_variant_new_object_path(path)
        case .int32(let number): return g_variant_new_int32(number)
        case .int64(let number): return g_variant_new_int64(gint64(number))
        case .double(let number): return g_variant_new_double(number)
        case .bool(let flag): return g_variant_new_boolean(flag ? 1 : 0)
        case .strings(let texts): return Self.array("s", texts.map { g_variant_new_string(Self.valid($0)) })
        case .dictionary(let fields):
            let entries = fields.sorted { $0.key < $1.key }.map { name, value in
                g_variant_new_dict_entry(g_variant_new_string(Self.valid(name)), g_variant_new_variant(value.variant()))
            }
            return Self.array("{sv}", entries)
        }
    }

    private static func array(_ type: String, _ elements: [OpaquePointer?]) -> OpaquePointer? {
        let elementType = g_variant_type_new(type)
        defer { g_variant_type_free(elementType) }
        return g_variant_new_array(elementType, elements, gsize(elements.count))
    }

    /// The text up to a null character, which D-Bus does not carry.
    private static func valid(_ text: String) -> String { String(text.prefix { $0 != "\0" }) }
}

extension BusValue {
    /// Creates a value from a GLib variant; `nil` if its type is not supported.
    ///
    /// GLib's accessor functions fail an assertion if the value has another type.
    package init?(_ variant: OpaquePointer) {
        switch Self.type(of: variant) {
        case "s": self = .string(Self.text(variant))
        case "o": self = .objectPath(Self.text(variant))
        case "i": self = .int32(g_variant_get_int32(variant))
        case "x": self = .int64(Int64(g_variant_get_int64(variant)))
        case "d": self = .double(g_variant_get_double(variant))
        case "b": self = .bool(g_variant_get_boolean(variant) != 0)
        case "as": self = .strings(Self.children(of: variant, Self.text))
        case "v":
            guard let value = Self.child(0, of: variant, BusValue.init) else { return nil }
            self = value
        case "a{sv}":
            let entries = Self.children(of: variant) { entry in
                let name = Self.child(0, of: entry, Self.text)
                let value = Self.child(1, of: entry, BusValue.init)
                return value.map { (name, $0) }
            }
            // A field of an unsupported type is omitted.
            self = .dictionary(Dictionary(entries.compactMap { $0 }) { $1 })
        default: return nil
        }
    }

    /// Returns the values of a tuple, such as the arguments of a method; `nil` for other or unsupported types.
    package static func tuple(_ variant: OpaquePointer) -> [BusValue]? {
        guard type(of: variant).hasPrefix("(") else { return nil }
        let values = children(of: variant, BusValue.init)
        return values.contains { $0 == nil } ? nil : values.compactMap { $0 }
    }

    private static func type(of variant: OpaquePointer) -> String {
        g_variant_get_type_string(variant).map { String(cString: $0) } ?? ""
    }

    private static func text(_ variant: OpaquePointer) -> String {
        g_variant_get_string(variant, nil).map { String(cString: $0) } ?? ""
    }

    /// Returns the results of `body` for all values in a container.
    private static func children<Value>(of container: OpaquePointer, _ body: (OpaquePointer) -> Value) -> [Value] {
        (0..<Int(clamping: g_variant_n_children(container))).map { child($0, of: container, body) }
    }

    /// Returns the result of `body` for one value in a container.
    private static func child<Value>(
        _ index: Int,
        of container: OpaquePointer,
        _ body: (OpaquePointer) -> Value
    ) -> Value {
        guard let child = g_variant_get_child_value(container, gsize(index)) else {
            preconditionFailure("a container holds as many values as it says")
        }
        defer { g_variant_unref(child) }
        return body(child)
    }
}
