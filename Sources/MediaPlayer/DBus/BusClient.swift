import CSyrinxGIO

/// A connection to the session bus that calls the objects of others.
///
/// One thread at a time.
final class BusClient {
    /// The longest wait for an answer, in milliseconds.
    private static let patience: gint = 5000

    private let connection: OpaquePointer

    /// Connects to the session bus.
    /// - Throws: `BusError` if there is no session bus, or it refuses the connection.
    init() throws(BusError) { connection = try BusService.connect() }

    deinit { g_object_unref(UnsafeMutableRawPointer(connection)) }

    /// Returns the names that are owned on the bus.
    func names() throws(BusError) -> [String] {
        let bus = "org.freedesktop.DBus"
        let answer = try send("ListNames", of: bus, to: bus, "/org/freedesktop/DBus", nil)
        defer { g_variant_unref(answer) }
        guard let list = g_variant_get_child_value(answer, 0) else { return [] }
        defer { g_variant_unref(list) }
        return (0..<g_variant_n_children(list)).map { index in
            guard let name = g_variant_get_child_value(list, index) else { return "" }
            defer { g_variant_unref(name) }
            return g_variant_get_string(name, nil).map { String(cString: $0) } ?? ""
        }
    }

    /// Returns a property that is a string.
    func property(
        _ property: String,
        of interface: String,
        at name: String,
        _ path: String
    ) throws(BusError) -> String {
        let arguments = [interface, property].map { BusValue.string($0).variant() }
        let tuple = g_variant_new_tuple(arguments, gsize(arguments.count))
        let answer = try send("Get", of: "org.freedesktop.DBus.Properties", to: name, path, tuple)
        defer { g_variant_unref(answer) }
        guard let boxed = g_variant_get_child_value(answer, 0) else { return "" }
        defer { g_variant_unref(boxed) }
        guard let value = g_variant_get_variant(boxed) else { return "" }
        defer { g_variant_unref(value) }
        // Another program may own that name, and have a property of another type.
        guard let type = g_variant_get_type_string(value), String(cString: type) == "s" else {
            throw BusError(message: "The property \(property) of \(name) is not a string.")
        }
        return g_variant_get_string(value, nil).map { String(cString: $0) } ?? ""
    }

    /// Calls a method that takes a string and returns nothing.
    func call(
        _ method: String,
        of interface: String,
        at name: String,
        _ path: String,
        _ argument: String
    ) throws(BusError) {
        let tuple = g_variant_new_tuple([BusValue.string(argument).variant()], 1)
        g_variant_unref(try send(method, of: interface, to: name, path, tuple))
    }

    /// Calls a method, and returns the answer, which the caller owns.
    private func send(
        _ method: String,
        of interface: String,
        to name: String,
        _ path: String,
        _ arguments: OpaquePointer?
    ) throws(BusError) -> OpaquePointer {
        var error: UnsafeMutablePointer<GError>?
        let answer = g_dbus_connection_call_sync(
            connection,
            name,
            path,
            interface,
            method,
            arguments,
            nil,
            G_DBUS_CALL_FLAGS_NO_AUTO_START,
            Self.patience,
            nil,
            &error
        )
        if let answer { return answer }
        defer { g_clear_error(&error) }
        if let error { _ = g_dbus_error_strip_remote_error(error) }
        throw BusError(message: error.map { String(cString: $0.pointee.message) } ?? "The session bus gives no reason.")
    }
}
