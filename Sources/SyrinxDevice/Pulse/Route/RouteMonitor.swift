import CSyrinxPulse
import Dispatch
import Synchronization

/// Monitors the default output and input of a sound server.
///
/// Connects on its own queue, and retries every second while there is no server. Thread-safe.
package final class RouteMonitor: @unchecked Sendable {
    // Unchecked: `connection` is used only on `queue`, and shared state is protected by `state`.

    /// Receives the previous and the new route after a change.
    package typealias Handler = @Sendable (_ former: AudioRoute, _ route: AudioRoute) -> Void

    private struct State {
        var route = AudioRoute()
        var hasAsked = false
        var handler: Handler?
    }

    private let server: String?
    private let queue = DispatchQueue(label: "syrinx.route")
    private let state = Mutex(State())
    private let isDue = Atomic<Bool>(false)
    private var connection: PulseConnection?

    /// The time between attempts to connect, in seconds.
    private static let retryInterval = 1.0
    /// The delay in seconds after an event, because several events usually arrive together.
    private static let settlingTime = 0.05

    /// Starts to monitor.
    /// - Parameter server: The address of the server, as in `PULSE_SERVER`; `nil` is that of the user.
    package init(server: String? = nil) {
        self.server = server
        look(after: 0)
    }

    /// The handler that is called on the monitor's queue after each change.
    package var handler: Handler? {
        get { state.withLock { $0.handler } }
        set { state.withLock { $0.handler = newValue } }
    }

    /// The route that the server reported last.
    ///
    /// The first call waits for the first report, at most two seconds.
    package var route: AudioRoute {
        // The update requested by `init` may already have run.
        if !hasAsked { queue.sync { if !hasAsked { update() } } }
        return state.withLock { $0.route }
    }

    /// Selects the data source of a port.
    /// - Throws: `DeviceError` with `.deviceUnavailable` if there is no server, or it has no such source or port.
    package func selectDataSource(_ name: String, of port: String) throws(DeviceError) {
        let result: Result<Void, DeviceError> = queue.sync {
            if connection?.isUsable != true { update() }
            guard let connection else {
                return .failure(DeviceError(.deviceUnavailable, "no sound server can be reached", device: port))
            }
            do throws(DeviceError) {
                try connection.selectPort(named: name, ofSource: port)
            } catch {
                return .failure(error)
            }
            update()
            return .success(())
        }
        try result.get()
    }

    private var hasAsked: Bool { state.withLock { $0.hasAsked } }

    /// Schedules an update.
    private func look(after seconds: Double) {
        guard !isDue.exchange(true, ordering: .acquiringAndReleasing) else { return }
        queue.asyncAfter(deadline: .now() + seconds) { [weak self] in
            guard let self else { return }
            isDue.store(false, ordering: .releasing)
            update()
        }
    }

    private func update() {
        if connection?.isUsable != true {
            connection = try? PulseConnection(server: server, device: "route")
            // Don't use libpulse's thread: if the monitor were released on it, the thread would wait for itself.
            connection?.observe { [weak self, queue] in
                queue.async { [weak self] in self?.look(after: Self.settlingTime) }
            }
        }
        let route = try? connection?.route()
        if route == nil {
            connection = nil
            look(after: Self.retryInterval)
        }
        note(route ?? AudioRoute())
    }

    private func note(_ route: AudioRoute) {
        let (former, handler) = state.withLock { state in
            defer { (state.route, state.hasAsked) = (route, true) }
            return (state.hasAsked ? state.route : route, state.handler)
        }
        if former != route { handler?(former, route) }
    }
}
