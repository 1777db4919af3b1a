import Synchronization

/// Tells the owner of a device, once a run, that the device is lost.
final class DeviceLossReporter: Sendable {
    private struct State {
        var handler: (@Sendable (DeviceError) -> Void)?
        var isArmed = false
    }

    private let state = Mutex(State())

    var handler: (@Sendable (DeviceError) -> Void)? {
        get { state.withLock { $0.handler } }
        set { state.withLock { $0.handler = newValue } }
    }

    /// From here on a loss is reported, the first one only.
    func arm() { state.withLock { $0.isArmed = true } }

    /// From here on a loss is the expected end.
    func disarm() { state.withLock { $0.isArmed = false } }

    /// Calls the handler if this is the first loss since `arm()`.
    ///
    /// Not real-time safe: the sound has ended by then.
    func report(_ error: DeviceError) {
        let handler = state.withLock { state -> (@Sendable (DeviceError) -> Void)? in
            guard state.isArmed else { return nil }
            state.isArmed = false
            return state.handler
        }
        handler?(error)
    }
}
