import NIOCore

/// Notices that nothing has come for too long.
///
/// Touched on one event loop only. It looks again when the time would be over, rather than setting a timer for every packet.
final class StallWatch {
    private let loop: any EventLoop
    private let seconds: Double
    private let connecting: Double
    private var lastSign = NIODeadline.now()
    private var timer: Scheduled<Void>?
    private var stalled: (() -> Void)?
    private var hasHead = false
    /// Whether bytes are not wanted at the moment: then silence means nothing.
    var isPaused = false { didSet { lastSign = .now() } }

    /// A watch that allows `stallTimeout` of silence, and before the head the time for connecting as well.
    init(_ options: HTTPByteStream.Options, loop: any EventLoop) {
        self.loop = loop
        seconds = options.stallTimeout
        connecting = options.connectTimeout
    }

    /// Something has come.
    func sign(isHead: Bool = false) {
        lastSign = .now()
        guard isHead, !hasHead else { return }
        hasHead = true
        // From here on less is allowed than the timer was set for.
        timer?.cancel()
        look()
    }

    /// Calls `stalled` once, unless `end()` is called before.
    func start(_ stalled: @escaping () -> Void) {
        lastSign = .now()
        self.stalled = stalled
        look()
    }

    func end() {
        timer?.cancel()
        timer = nil
        stalled = nil
    }

    private func look() {
        guard let stalled else { return }
        let allowed = TimeAmount.nanoseconds(Int64((seconds + (hasHead ? 0 : connecting)) * 1e9))
        let due = (isPaused ? .now() : lastSign) + allowed
        guard due > .now() else { return stalled() }
        let me = NIOLoopBound(self, eventLoop: loop)
        timer = loop.scheduleTask(deadline: due) { me.value.look() }
    }
}
