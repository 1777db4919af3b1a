@testable import SyrinxStreaming

extension Streamer {
    /// Looks at the controller under its lock.
    func withController<Value>(_ body: (PlaybackController) throws -> Value) rethrows -> Value {
        try controller.lock.withLock { try body(controller) }
    }
}
