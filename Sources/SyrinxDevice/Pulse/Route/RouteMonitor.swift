import CSyrinxPulse
import Dispatch
import Synchronization

/// Watches which ports a sound server's sound goes to and comes from.
///
/// Connects on a queue of its own, and again every second while there is no server. Any thread.
package final class RouteMonitor: @unchecked Sendable {
    // Unchecked: `connection` is used on `queue` only; what others read is behind `state`.

    /// Told of a change: the former route and the new one.
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

    /// Seconds between attempts to connect.
    private static let retryInterval = 1.0
    /// Events come in groups: seconds that one is waited for after another.
    private static let settlingTime = 0.05

    /// Begins to watch.
    /// - Parameter server: As `PULSE_SERVER` is written; `nil` is the user's own.
    package init(server: String? = nil) {
        self.server = server
        look(after: 0)
    }

    /// Called on the monitor's queue after each change.
    package var handler: Handler? {
        get { state.withLock { $0.handler } }
        set { state.withLock { $0.handler = newValue } }
    }

    /// The route as last told by the server.
    ///
    /// The first call waits for the first answer, two seconds at most.
    package var route: AudioRoute {
        // The look that `init` has asked for may come first.
        if !hasAsked { queue.sync { if !hasAsked { update() } } }
        return state.withLock { $0.route }
    }

    /// Has a source record from one of its ports.
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

    /// Looks at the server soon.
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
            // Not on libpulse's thread: if that let the monitor go, it would wait for itself.
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
