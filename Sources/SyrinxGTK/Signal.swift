import CSyrinxGTK

/// The arguments of a signal, without the emitting object.
package struct SignalArguments {
    let values: UnsafePointer<GValue>
    let count: Int

    private func value<T>(_ index: Int, _ type: String, _ read: (UnsafePointer<GValue>) -> T) -> T? {
        guard index >= 0, index < count, syrinx_value_holds(values + index, g_type_from_name(type)) != 0 else {
            return nil
        }
        return read(values + index)
    }

    /// Returns a floating-point argument; 0 if it has another type.
    package func double(_ index: Int) -> Double { value(index, "gdouble") { g_value_get_double($0) } ?? 0 }
    /// Returns a text argument; `nil` if it has another type.
    package func string(_ index: Int) -> String? {
        value(index, "gchararray") { g_value_get_string($0).map { String(cString: $0) } } ?? nil
    }
    /// Returns an integer, enumeration or flags argument; 0 if it has another type.
    package func int(_ index: Int) -> Int {
        value(index, "gint") { Int(g_value_get_int($0)) } ?? value(index, "guint") { Int(g_value_get_uint($0)) }
            ?? value(index, "GEnum") { Int(g_value_get_enum($0)) }
            ?? value(index, "GFlags") { Int(g_value_get_flags($0)) } ?? 0
    }
    /// Returns an object argument; `nil` if it has another type.
    @MainActor
    package func object<T: Object>(_ index: Int, _ type: T.Type = T.self) -> T? {
        value(index, "GObject") { g_value_get_object($0) }.flatMap { $0 }.map { T($0) }
    }
    /// Returns the number in a variant argument of type `i`; `nil` if it has another type.
    package func variantInt(_ index: Int) -> Int? {
        guard index >= 0, index < count, syrinx_value_holds(values + index, syrinx_variant_type()) != 0,
            let variant = g_value_get_variant(values + index),
            g_variant_is_of_type(variant, syrinx_int32_variant()) != 0
        else { return nil }
        return Int(g_variant_get_int32(variant))
    }
    func pointer(_ index: Int) -> UnsafeMutableRawPointer? {
        value(index, "gpointer") { g_value_get_pointer($0) } ?? nil
    }
    func boxed(_ index: Int) -> UnsafeMutableRawPointer? { value(index, "GBoxed") { g_value_get_boxed($0) } ?? nil }
}

/// Holds a Swift closure for GLib.
private final class Handler {
    let call: @MainActor (SignalArguments) -> Bool
    init(_ call: @escaping @MainActor (SignalArguments) -> Bool) { self.call = call }
}

/// A signal connection, which lasts as long as the object, even if this value is discarded.
@MainActor
package struct SignalConnection {
    fileprivate let raw: UnsafeMutableRawPointer
    fileprivate let id: gulong

    /// Runs `body` while the handler is blocked.
    ///
    /// The object must still exist.
    package func blocked(_ body: () -> Void) {
        g_signal_handler_block(raw, id)
        body()
        g_signal_handler_unblock(raw, id)
    }

    /// Ends the connection; call it at most once.
    ///
    /// The object must still exist.
    package func disconnect() { g_signal_handler_disconnect(raw, id) }
}

extension Object {
    /// Calls `handler` at each emission of a signal.
    ///
    /// The object owns the closure until it is disposed of. A closure that captures the object, or its owner, must
    /// capture it weakly.
    /// - Parameters:
    ///   - signal: The name of the signal with its detail, such as `notify::value`.
    ///   - after: Whether the handler is called after the default handler of the class.
    ///   - handler: The closure, whose result is that of a signal with a Boolean result. For a signal with an integer
    ///     result, `false` continues the emission, and `true` ends it with 0.
    @discardableResult
    package func connect(
        _ signal: String,
        after: Bool = false,
        handler: @escaping @MainActor (SignalArguments) -> Bool
    ) -> SignalConnection {
        let box = Unmanaged.passRetained(Handler(handler)).toOpaque()
        guard let closure = g_closure_new_simple(guint(MemoryLayout<GClosure>.size), box) else {
            fatalError("GLib made no closure")
        }
        g_closure_add_finalize_notifier(closure, box) { data, _ in
            data.map { Unmanaged<Handler>.fromOpaque($0).release() }
        }
        g_closure_set_marshal(closure, marshal)
        let id = g_signal_connect_closure(raw, signal, closure, after ? 1 : 0)
        precondition(id != 0, "no signal \(signal)")
        return SignalConnection(raw: raw, id: id)
    }

    /// Calls `handler` at each emission of a signal without a result.
    @discardableResult
    package func on(_ signal: String, _ handler: @escaping @MainActor (SignalArguments) -> Void) -> SignalConnection {
        connect(signal) {
            handler($0)
            return false
        }
    }
}

extension Object {
    /// Calls `handler` with the object at each emission of a signal without a result.
    ///
    /// Use this instead of a closure that captures its own object, which would keep the object alive forever.
    @discardableResult
    package func observe(_ signal: String, _ handler: @escaping @MainActor (Object) -> Void) -> SignalConnection {
        // The object exists while it emits a signal.
        on(signal) { [raw] _ in handler(Object(raw)) }
    }
}

private let marshal: GClosureMarshal = { closure, result, count, values, _, _ in
    guard let data = closure?.pointee.data, let values else { return }
    // GTK emits its signals on the main thread.
    nonisolated(unsafe) let arguments = SignalArguments(values: values + 1, count: Int(count) - 1)
    let handler = Unmanaged<Handler>.fromOpaque(data)
    let call = handler.takeUnretainedValue().call
    let answer = MainActor.assumeIsolated { call(arguments) }
    guard let result else { return }
    if syrinx_value_holds(result, GType.boolean) != 0 { g_value_set_boolean(result, answer ? 1 : 0) }
    if syrinx_value_holds(result, GType.int) != 0 { g_value_set_int(result, answer ? 0 : -1) }
}

/// A closure for a C function, which is freed by a destroy notification.
final class ActionBox {
    let action: @MainActor () -> Bool
    init(_ action: @escaping @MainActor () -> Bool) { self.action = action }

    static let free: GDestroyNotify = { data in data.map { Unmanaged<ActionBox>.fromOpaque($0).release() } }

    static func call(_ data: UnsafeMutableRawPointer?) -> Bool {
        guard let data else { return false }
        nonisolated(unsafe) let box = Unmanaged<ActionBox>.fromOpaque(data).takeUnretainedValue()
        return MainActor.assumeIsolated { box.action() }
    }
}

/// Calls `action` in the main loop every `milliseconds` until it returns false.
@MainActor
package func repeatEvery(milliseconds: UInt32, _ action: @escaping @MainActor () -> Bool) {
    g_timeout_add_full(
        G_PRIORITY_DEFAULT,
        milliseconds,
        { ActionBox.call($0) ? 1 : 0 },
        Unmanaged.passRetained(ActionBox(action)).toOpaque(),
        ActionBox.free
    )
}

/// Returns freed memory to the system, after work that temporarily needed much of it.
///
/// It takes a few milliseconds.
package func trimHeap() { syrinx_trim_heap() }

/// Limits glibc to two heaps instead of one per thread, so that memory freed by one thread is reused by others.
///
/// Call it before other threads are started.
package func limitHeaps() { syrinx_limit_heaps(2) }
