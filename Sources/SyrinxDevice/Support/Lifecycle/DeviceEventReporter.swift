import Synchronization

/// Notifies the owner of a device that the sound has moved to another output.
final class DeviceEventReporter: Sendable {
    private let state = Mutex<(@Sendable () -> Void)?>(nil)

    var handler: (@Sendable () -> Void)? {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }

    func report() { handler?() }
}
