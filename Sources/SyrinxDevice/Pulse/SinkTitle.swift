import Dispatch
import Synchronization

/// The display name of the sink of a stream, which can change while the stream runs.
///
/// Thread-safe.
final class SinkTitle: Sendable {
    private let title = Mutex<String?>(nil)

    /// The name; `nil` before the device is opened.
    var value: String? { title.withLock { $0 } }

    /// Sets the name, after the device has been opened.
    func set(_ name: String?) { title.withLock { $0 = name } }

    /// Looks up the display name after the server has moved the stream to another sink.
    func move(to sink: String, server: String?) {
        set(sink)
        // libpulse's thread, which calls this method, must not wait for a response of the server.
        DispatchQueue.global(qos: .utility).async { [weak self] in
            guard let connection = try? PulseConnection(server: server, device: "pulse"),
                let description = try? connection.sink(named: sink)?.description
            else { return }
            self?.title.withLock { if $0 == sink { $0 = description } }
        }
    }
}
