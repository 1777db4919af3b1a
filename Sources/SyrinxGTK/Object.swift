import CSyrinxGTK

/// A reference to a GObject.
///
/// Each instance holds one strong reference, which it releases when it is deallocated. The first instance takes the
/// floating reference of a new object, such as a widget.
@MainActor
package class Object {
    /// The class of GLib that instances refer to.
    class var kind: GType { GType.object }

    let raw: UnsafeMutableRawPointer

    /// Creates an instance that retains an object, and takes its floating reference if there is one.
    required package init(_ raw: UnsafeMutableRawPointer) {
        self.raw = raw
        g_object_ref_sink(raw)
    }

    /// Creates an instance that takes over a reference, which must not be floating, from a C function.
    convenience init(owned raw: UnsafeMutableRawPointer) {
        self.init(raw)
        g_object_unref(raw)
    }

    isolated deinit { g_object_unref(raw) }

    var opaque: OpaquePointer { OpaquePointer(raw) }
    func pointer<T>(_ type: T.Type = T.self) -> UnsafeMutablePointer<T> { raw.assumingMemoryBound(to: type) }

    /// Returns whether two instances refer to the same object.
    package static func === (a: Object, b: Object) -> Bool { a.raw == b.raw }

    // MARK: Properties

    /// The value of a property.
    package enum Value {
        case bool(Bool)
        case int(Int)
        case double(Double)
        case string(String)
        case object(Object?)
    }

    /// Sets a property by name; GLib converts numbers and enumerations.
    package func set(_ name: String, _ value: Value) {
        var storage = GValue()
        switch value {
        case .bool(let flag):
            syrinx_value_init(&storage, GType.boolean)
            g_value_set_boolean(&storage, flag ? 1 : 0)
        case .int(let number):
            syrinx_value_init(&storage, GType.int)
            g_value_set_int(&storage, gint(clamping: number))
        case .double(let number):
            syrinx_value_init(&storage, GType.double)
            g_value_set_double(&storage, number)
        case .string(let text):
            syrinx_value_init(&storage, GType.string)
            g_value_set_string(&storage, text)
        case .object(let object):
            syrinx_value_init(&storage, GType.object)
            g_value_set_object(&storage, object?.raw)
        }
        g_object_set_property(pointer(), name, &storage)
        g_value_unset(&storage)
    }

    private func get<T>(_ name: String, _ type: GType, _ read: (UnsafePointer<GValue>) -> T) -> T {
        var storage = GValue()
        syrinx_value_init(&storage, type)
        g_object_get_property(pointer(), name, &storage)
        defer { g_value_unset(&storage) }
        return read(&storage)
    }

    /// Returns a Boolean property.
    package func bool(_ name: String) -> Bool { get(name, GType.boolean) { g_value_get_boolean($0) != 0 } }
    /// Returns an integer property.
    package func int(_ name: String) -> Int { get(name, GType.int) { Int(g_value_get_int($0)) } }
    /// Returns a floating-point property.
    package func double(_ name: String) -> Double { get(name, GType.double) { g_value_get_double($0) } }
    /// Returns a text property; an empty string if it has no value.
    package func string(_ name: String) -> String {
        get(name, GType.string) { g_value_get_string($0).map { String(cString: $0) } ?? "" }
    }
    /// Returns an object property.
    package func object<T: Object>(_ name: String, _ type: T.Type = T.self) -> T? {
        get(name, GType.object) { g_value_get_object($0).map { T($0) } }
    }
}

extension GType {
    static let boolean = syrinx_boolean_type()
    static let string = syrinx_string_type()
    static let int = g_type_from_name("gint")
    static let double = g_type_from_name("gdouble")
    static let object = g_object_get_type()
}
