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

    /// Returns the value as GLib's, which nothing owns yet.
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

/// The arguments of a call, or the value of a property, as it came over the bus.
struct BusArguments {
    private let variant: OpaquePointer

    init(_ variant: OpaquePointer) { self.variant = variant }

    /// Returns the string or object path at a place.
    func string(at index: Int) -> String {
        with(index) { child in g_variant_get_string(child, nil).map { String(cString: $0) } ?? "" }
    }

    /// Returns the whole number at a place.
    func int64(at index: Int) -> Int64 { with(index) { Int64(g_variant_get_int64($0)) } }

    private func with<Value>(_ index: Int, _ body: (OpaquePointer) -> Value) -> Value {
        // The bus has checked the types against the description of the interface.
        guard let child = g_variant_get_child_value(variant, gsize(index)) else { return body(variant) }
        defer { g_variant_unref(child) }
        return body(child)
    }

    /// The value as a number of that type.
    var double: Double { g_variant_get_double(variant) }
    var bool: Bool { g_variant_get_boolean(variant) != 0 }
    var text: String { g_variant_get_string(variant, nil).map { String(cString: $0) } ?? "" }
}
