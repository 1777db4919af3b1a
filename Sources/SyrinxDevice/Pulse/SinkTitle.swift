import Dispatch
import Synchronization

/// The name for people of the sink that a stream plays to, which the server may change while the stream runs.
///
/// Any thread.
final class SinkTitle: Sendable {
    private let title = Mutex<String?>(nil)

    /// The name; `nil` before the device is opened.
    var value: String? { title.withLock { $0 } }

    /// The device has been opened on a sink of this name.
    func set(_ name: String?) { title.withLock { $0 = name } }

    /// The server has moved the stream to another sink, of which only the server's own name is known so far.
    func move(to sink: String, server: String?) {
        set(sink)
        // libpulse's thread, which calls this, must not wait for an answer of the server.
        DispatchQueue.global(qos: .utility).async { [weak self] in
            guard let connection = try? PulseConnection(server: server, device: "pulse"),
                let description = try? connection.sink(named: sink)?.description
            else { return }
            self?.title.withLock { if $0 == sink { $0 = description } }
        }
    }
}
