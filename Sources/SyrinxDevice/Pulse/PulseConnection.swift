import CSyrinxPulse

/// A connection to a sound server, with libpulse's thread.
///
/// Use it from one control thread at a time. Code between `lock` and `unlock` excludes libpulse's thread.
final class PulseConnection {
    private let loop: OpaquePointer
    let context: OpaquePointer
    private let device: String
    /// The observer of changes, which libpulse's thread calls.
    private var observer: Unmanaged<Observer>?

    /// The userdata of the callbacks of `observe`.
    private final class Observer {
        let loop: OpaquePointer
        let handler: @Sendable () -> Void

        init(_ loop: OpaquePointer, _ handler: @escaping @Sendable () -> Void) {
            (self.loop, self.handler) = (loop, handler)
        }
    }

    /// The maximum time to wait for a response of the server, in seconds.
    private static let patience = 2.0

    /// Connects to a sound server.
    /// - Parameters:
    ///   - server: The address of the server, as in `PULSE_SERVER`; `nil` is that of the user.
    ///   - device: The name of the device in error messages.
    /// - Throws: `DeviceError` with `.deviceUnavailable` if no server responds within two seconds.
    init(server: String?, device: String) throws(DeviceError) {
        guard let loop = pa_threaded_mainloop_new() else {
            throw DeviceError(.deviceUnavailable, "the PulseAudio library could not be set up", device: device)
        }
        pa_threaded_mainloop_set_name(loop, "syrinx-pulse")
        guard let context = pa_context_new(pa_threaded_mainloop_get_api(loop), "Syrinx") else {
            pa_threaded_mainloop_free(loop)
            throw DeviceError(.deviceUnavailable, "the PulseAudio library could not be set up", device: device)
        }
        self.loop = loop
        self.context = context
        self.device = device
        try connect(server)
    }

    deinit {
        pa_threaded_mainloop_lock(loop)
        pa_context_set_state_callback(context, nil, nil)
        pa_context_set_subscribe_callback(context, nil, nil)
        pa_context_disconnect(context)
        pa_context_unref(context)
        pa_threaded_mainloop_unlock(loop)
        pa_threaded_mainloop_stop(loop)
        pa_threaded_mainloop_free(loop)
        observer?.release()
    }

    private func connect(_ server: String?) throws(DeviceError) {
        signalOnContextChange()
        // Don't start a server, because one started outside of a session has no access to the sound card.
        var status = pa_context_connect(context, server, PA_CONTEXT_NOAUTOSPAWN, nil)
        if status >= 0 { status = pa_threaded_mainloop_start(loop) }
        guard status >= 0 else { throw unavailable() }
        lock()
        defer { unlock() }
        let answered = wait { !PA_CONTEXT_IS_GOOD(contextState) || contextState == PA_CONTEXT_READY }
        guard answered else {
            throw DeviceError(.deviceUnavailable, "the sound server does not answer", device: device)
        }
        guard isReady else { throw unavailable() }
    }

    private func unavailable() -> DeviceError {
        DeviceError(.deviceUnavailable, "no sound server can be reached (\(reason))", device: device)
    }

    /// libpulse's description of the last error.
    var reason: String { String(cString: pa_strerror(pa_context_errno(context))) }

    /// Whether the connection is ready.
    ///
    /// Requires the lock.
    var isReady: Bool { contextState == PA_CONTEXT_READY }

    private var contextState: pa_context_state_t { pa_context_get_state(context) }

    private func PA_CONTEXT_IS_GOOD(_ state: pa_context_state_t) -> Bool {
        state != PA_CONTEXT_FAILED && state != PA_CONTEXT_TERMINATED
    }

    /// Makes changes of the connection's state wake `wait`.
    private func signalOnContextChange() {
        pa_context_set_state_callback(
            context,
            { _, userdata in pa_threaded_mainloop_signal(OpaquePointer(userdata), 0) },
            signalTarget
        )
    }

    /// Calls `handler` on libpulse's thread when a sink, a source or a default changes, and when the server ends.
    ///
    /// Can be called once per connection. The handler must not use the connection.
    func observe(_ handler: @escaping @Sendable () -> Void) {
        precondition(observer == nil, "a connection has one observer")
        let observer = Unmanaged.passRetained(Observer(loop, handler))
        self.observer = observer
        lock()
        defer { unlock() }
        pa_context_set_state_callback(
            context,
            { _, userdata in
                guard let userdata else { return }
                let observer = Unmanaged<Observer>.fromOpaque(userdata).takeUnretainedValue()
                observer.handler()
                pa_threaded_mainloop_signal(observer.loop, 0)
            },
            observer.toOpaque()
        )
        pa_context_set_subscribe_callback(
            context,
            { _, _, _, userdata in
                guard let userdata else { return }
                Unmanaged<Observer>.fromOpaque(userdata).takeUnretainedValue().handler()
            },
            observer.toOpaque()
        )
        let events =
            PA_SUBSCRIPTION_MASK_SINK.rawValue | PA_SUBSCRIPTION_MASK_SOURCE.rawValue
            | PA_SUBSCRIPTION_MASK_SERVER.rawValue
        let operation = pa_context_subscribe(context, pa_subscription_mask_t(rawValue: events), nil, nil)
        if let operation { pa_operation_unref(operation) }
    }

    /// Whether the connection is ready.
    var isUsable: Bool {
        lock()
        defer { unlock() }
        return isReady
    }

    /// The userdata of callbacks that only wake `wait`.
    var signalTarget: UnsafeMutableRawPointer { UnsafeMutableRawPointer(loop) }

    func lock() { pa_threaded_mainloop_lock(loop) }

    func unlock() { pa_threaded_mainloop_unlock(loop) }

    /// Waits until `isDone` returns `true`; it is called after each signal.
    ///
    /// Requires the lock.
    /// - Parameter patience: The maximum time to wait, in seconds.
    /// - Returns: Whether `isDone` returned `true` in time.
    func wait(patience: Double = patience, until isDone: () -> Bool) -> Bool {
        let end = pa_rtclock_now() + UInt64(patience * 1_000_000)
        let timer = pa_context_rttime_new(
            context,
            end,
            { _, _, _, userdata in pa_threaded_mainloop_signal(OpaquePointer(userdata), 0) },
            signalTarget
        )
        defer {
            if let timer { pa_threaded_mainloop_get_api(loop)?.pointee.time_free?(timer) }
        }
        while !isDone() {
            guard timer != nil, pa_rtclock_now() < end else { return false }
            pa_threaded_mainloop_wait(loop)
        }
        return true
    }
}
