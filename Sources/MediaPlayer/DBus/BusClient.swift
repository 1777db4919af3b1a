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
        guard case .strings(let names)? = try send("ListNames", of: bus, to: bus, "/org/freedesktop/DBus", []).first
        else {
            throw BusError(message: "The session bus answers with something other than names.")
        }
        return names
    }

    /// Returns a property that is a string.
    func property(
        _ property: String,
        of interface: String,
        at name: String,
        _ path: String
    ) throws(BusError) -> String {
        let arguments = [interface, property].map(BusValue.string)
        let answer = try send("Get", of: "org.freedesktop.DBus.Properties", to: name, path, arguments)
        // Another program may own that name, and have a property of another type.
        guard case .string(let text)? = answer.first else {
            throw BusError(message: "The property \(property) of \(name) is not a string.")
        }
        return text
    }

    /// Calls a method with a string argument and without a result.
    func call(
        _ method: String,
        of interface: String,
        at name: String,
        _ path: String,
        _ argument: String
    ) throws(BusError) {
        _ = try send(method, of: interface, to: name, path, [.string(argument)])
    }

    /// Calls a method, and returns the values of the answer; none if they have types that no answer should have.
    private func send(
        _ method: String,
        of interface: String,
        to name: String,
        _ path: String,
        _ arguments: [BusValue]
    ) throws(BusError) -> [BusValue] {
        let values = arguments.map { $0.variant() }
        var error: UnsafeMutablePointer<GError>?
        let answer = g_dbus_connection_call_sync(
            connection,
            name,
            path,
            interface,
            method,
            g_variant_new_tuple(values, gsize(values.count)),
            nil,
            G_DBUS_CALL_FLAGS_NO_AUTO_START,
            Self.patience,
            nil,
            &error
        )
        if let answer {
            defer { g_variant_unref(answer) }
            return BusValue.tuple(answer) ?? []
        }
        defer { g_clear_error(&error) }
        if let error { _ = g_dbus_error_strip_remote_error(error) }
        throw BusError(message: error.map { String(cString: $0.pointee.message) } ?? "The session bus gave no reason.")
    }
}
