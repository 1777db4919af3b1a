import Synchronization

/// Tells the owner of a device that its sound has gone on somewhere else.
final class DeviceEventReporter: Sendable {
    private let state = Mutex<(@Sendable () -> Void)?>(nil)

    var handler: (@Sendable () -> Void)? {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }

    func report() { handler?() }
}
