import CSyrinxGIO
import Foundation

/// The error of a service that cannot be offered on the session bus.
package struct BusError: Error, LocalizedError, Equatable {
    /// A sentence that describes the reason.
    package let message: String
    package var errorDescription: String? { message }
}

/// The object behind a service, which answers calls on the thread of the service.
///
/// Each method either returns or throws, so the caller on the bus receives exactly one answer.
protocol BusServiceDelegate: AnyObject, Sendable {
    /// Executes a method without a result.
    func call(_ method: String, of interface: String, _ arguments: [BusValue]) throws(BusFailure)
    /// Returns the value of a property.
    func value(of property: String, of interface: String) throws(BusFailure) -> BusValue
    /// Sets a property.
    func set(_ property: String, of interface: String, to value: BusValue) throws(BusFailure)
}

/// The error that a call of another program is answered with.
struct BusFailure: Error, Equatable {
    /// The kinds of errors, each with a name that D-Bus defines.
    enum Kind {
        case failed
        case invalidArguments
        case unknownMethod
        case unknownProperty

        fileprivate var code: gint {
            let code =
                switch self {
                case .failed: G_DBUS_ERROR_FAILED
                case .invalidArguments: G_DBUS_ERROR_INVALID_ARGS
                case .unknownMethod: G_DBUS_ERROR_UNKNOWN_METHOD
                case .unknownProperty: G_DBUS_ERROR_UNKNOWN_PROPERTY
                }
            return gint(code.rawValue)
        }
    }

    let kind: Kind
    let message: String

    init(_ kind: Kind, _ message: String) { (self.kind, self.message) = (kind, message) }

    /// The answer when the object has gone.
    fileprivate static var gone: BusFailure { BusFailure(.failed, "The player has ended.") }

    /// Sets the error of a callback of GIO.
    fileprivate func set(_ error: UnsafeMutablePointer<UnsafeMutablePointer<GError>?>?) {
        g_set_error_literal(error, g_dbus_error_quark(), kind.code, message)
    }

    /// Answers a method.
    fileprivate func answer(_ invocation: OpaquePointer?) {
        g_dbus_method_invocation_return_error_literal(invocation, g_dbus_error_quark(), kind.code, message)
    }
}

/// An object on the session bus under a well-known name, with its own connection and thread.
///
/// You may send signals from any thread.
final class BusService: @unchecked Sendable {
    // Unchecked: only `init` and `stop` change the state, and GLib's objects are thread-safe.

    private let path: String
    private let connection: OpaquePointer
    private let context: OpaquePointer
    private let loop: OpaquePointer
    private let description: UnsafeMutablePointer<GDBusNodeInfo>
    private weak var delegate: (any BusServiceDelegate)?
    private let finished = DispatchSemaphore(value: 0)
    private var isRunning = false

    /// Connects to the session bus.
    /// - Parameters:
    ///   - path: The path of the object.
    ///   - xml: The description of its interfaces.
    ///   - address: The address of the bus; `nil` is the session bus.
    /// - Throws: `BusError` if there is no session bus, or it refuses the connection.
    init(path: String, xml: String, address: String?, delegate: any BusServiceDelegate) throws(BusError) {
        self.path = path
        self.delegate = delegate
        connection = try Self.connect(to: address)
        var error: UnsafeMutablePointer<GError>?
        guard let description = g_dbus_node_info_new_for_xml(xml, &error),
            let context = g_main_context_new(), let loop = g_main_loop_new(context, 0)
        else {
            g_object_unref(UnsafeMutableRawPointer(connection))
            throw Self.failure(error)
        }
        (self.description, self.context, self.loop) = (description, context, loop)
    }

    deinit {
        stop()
        g_dbus_node_info_unref(description)
        g_main_loop_unref(loop)
        g_main_context_unref(context)
        g_object_unref(UnsafeMutableRawPointer(connection))
    }

    /// Connects to the bus at an address; `nil` is the session bus.
    static func connect(to address: String? = nil) throws(BusError) -> OpaquePointer {
        var error: UnsafeMutablePointer<GError>?
        guard
            let address = address.map({ g_strdup($0) })
                ?? g_dbus_address_get_for_bus_sync(G_BUS_TYPE_SESSION, nil, &error)
        else { throw failure(error) }
        defer { g_free(address) }
        let flags = GDBusConnectionFlags(
            rawValue: G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT.rawValue
                | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION.rawValue
        )
        guard let connection = g_dbus_connection_new_for_address_sync(address, flags, nil, nil, &error) else {
            throw failure(error)
        }
        // Playback continues when the session bus goes away.
        g_dbus_connection_set_exit_on_close(connection, 0)
        return connection
    }

    private static func failure(_ error: UnsafeMutablePointer<GError>?) -> BusError {
        var error = error
        defer { g_clear_error(&error) }
        let reason = error.map { String(cString: $0.pointee.message) } ?? "GIO gives no reason."
        return BusError(message: "The session bus cannot be used: \(reason)")
    }

    // MARK: Running

    /// Publishes the object under `name`, on a thread of its own.
    /// - Throws: `BusError` if the interfaces cannot be registered.
    func start(name: String) throws(BusError) {
        try register(name: name)
        isRunning = true
        let thread = Thread { [context = UInt(bitPattern: context), loop = UInt(bitPattern: loop), finished] in
            let context = OpaquePointer(bitPattern: context)
            g_main_context_push_thread_default(context)
            g_main_loop_run(OpaquePointer(bitPattern: loop))
            g_main_context_pop_thread_default(context)
            finished.signal()
        }
        thread.name = "syrinx.bus"
        thread.start()
    }

    /// Registers the interfaces and requests the name.
    ///
    /// The thread of the service starts afterwards; until then the context belongs to the calling thread.
    private func register(name: String) throws(BusError) {
        g_main_context_push_thread_default(context)
        defer { g_main_context_pop_thread_default(context) }
        var table = GDBusInterfaceVTable()
        table.method_call = { _, _, _, interface, method, arguments, invocation, data in
            BusService.from(data)?.call(interface, method, arguments, invocation)
        }
        table.get_property = { _, _, _, interface, property, error, data in
            BusService.from(data)?.value(interface, property, error)
        }
        table.set_property = { _, _, _, interface, property, value, error, data in
            BusService.from(data)?.set(interface, property, value, error) == true ? 1 : 0
        }
        var index = 0
        while let interface = description.pointee.interfaces?[index] {
            var error: UnsafeMutablePointer<GError>?
            // The service is there until its thread has ended.
            let own = Unmanaged.passUnretained(self).toOpaque()
            guard g_dbus_connection_register_object(connection, path, interface, &table, own, nil, &error) != 0 else {
                throw Self.failure(error)
            }
            index += 1
        }
        _ = g_bus_own_name_on_connection(connection, name, G_BUS_NAME_OWNER_FLAGS_NONE, nil, nil, nil, nil)
    }

    /// Removes the object from the bus, and returns when no call is in progress.
    func stop() {
        guard isRunning else { return }
        isRunning = false
        var error: UnsafeMutablePointer<GError>?
        // Messages already sent are still delivered, if the bus exists.
        g_dbus_connection_close_sync(connection, nil, &error)
        g_clear_error(&error)
        // A loop that has not started yet ignores the request, so it is repeated.
        repeat { g_main_loop_quit(loop) } while finished.wait(timeout: .now() + 0.02) == .timedOut
    }

    // MARK: Signals

    /// Sends a signal of the object.
    func send(_ signal: String, of interface: String, _ arguments: [BusValue]) {
        let values = arguments.map { $0.variant() }
        g_dbus_connection_emit_signal(
            connection,
            nil,
            path,
            interface,
            signal,
            g_variant_new_tuple(values, gsize(values.count)),
            nil
        )
    }

    /// Reports changed properties.
    func reportChanges(_ values: [String: BusValue], of interface: String) {
        let none = BusValue.strings([])
        send(
            "PropertiesChanged",
            of: "org.freedesktop.DBus.Properties",
            [.string(interface), .dictionary(values), none]
        )
    }

    // MARK: Calls, on the thread of the service

    // GIO requires that each callback answers a method exactly once, and sets an error if a property is not returned
    // or not set. Otherwise GIO ends the process.

    private static func from(_ data: gpointer?) -> BusService? {
        data.map { Unmanaged<BusService>.fromOpaque($0).takeUnretainedValue() }
    }

    private func call(
        _ interface: UnsafePointer<CChar>?,
        _ method: UnsafePointer<CChar>?,
        _ arguments: OpaquePointer?,
        _ invocation: OpaquePointer?
    ) {
        do throws(BusFailure) {
            guard let delegate else { throw .gone }
            guard let arguments = arguments.flatMap(BusValue.tuple) else {
                throw BusFailure(.invalidArguments, "The arguments have types that no method accepts.")
            }
            try delegate.call(Self.text(method), of: Self.text(interface), arguments)
            g_dbus_method_invocation_return_value(invocation, nil)
        } catch {
            error.answer(invocation)
        }
    }

    private func value(
        _ interface: UnsafePointer<CChar>?,
        _ property: UnsafePointer<CChar>?,
        _ error: UnsafeMutablePointer<UnsafeMutablePointer<GError>?>?
    ) -> OpaquePointer? {
        do throws(BusFailure) {
            guard let delegate else { throw .gone }
            return try delegate.value(of: Self.text(property), of: Self.text(interface)).variant()
        } catch let failure {
            failure.set(error)
            return nil
        }
    }

    private func set(
        _ interface: UnsafePointer<CChar>?,
        _ property: UnsafePointer<CChar>?,
        _ value: OpaquePointer?,
        _ error: UnsafeMutablePointer<UnsafeMutablePointer<GError>?>?
    ) -> Bool {
        do throws(BusFailure) {
            guard let delegate else { throw .gone }
            guard let value = value.flatMap(BusValue.init) else {
                throw BusFailure(.invalidArguments, "The value has a type that no property has.")
            }
            try delegate.set(Self.text(property), of: Self.text(interface), to: value)
            return true
        } catch let failure {
            failure.set(error)
            return false
        }
    }

    private static func text(_ name: UnsafePointer<CChar>?) -> String { name.map { String(cString: $0) } ?? "" }
}
