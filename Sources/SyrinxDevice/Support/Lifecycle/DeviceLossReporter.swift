import Synchronization

/// Notifies the owner of a device, once per run, that the device is lost.
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

    /// Enables reporting of the next loss.
    func arm() { state.withLock { $0.isArmed = true } }

    /// Disables reporting, before the device is stopped.
    func disarm() { state.withLock { $0.isArmed = false } }

    /// Calls the handler if this is the first loss since `arm()`.
    ///
    /// Not real-time safe, because the sound has already ended.
    func report(_ error: DeviceError) {
        let handler = state.withLock { state -> (@Sendable (DeviceError) -> Void)? in
            guard state.isArmed else { return nil }
            state.isArmed = false
            return state.handler
        }
        handler?(error)
    }
}
