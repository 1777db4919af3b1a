import NIOCore

/// Decides when nothing has come for too long.
///
/// No clock: times are nanoseconds since whenever.
struct StallLimit {
    private let silence: UInt64
    private let connecting: UInt64
    private var lastSign: UInt64 = 0
    private(set) var hasHead = false
    /// Whether bytes are not wanted at the moment: then silence means nothing.
    private(set) var isPaused = false

    /// Allows `stallTimeout` of silence, and before the head the time for connecting as well.
    init(_ options: HTTPByteStream.Options) {
        silence = UInt64(TimeAmount.clamped(seconds: options.stallTimeout).nanoseconds)
        connecting = UInt64(TimeAmount.clamped(seconds: options.connectTimeout).nanoseconds)
    }

    /// Something has come, or begun.
    mutating func sign(at now: UInt64, isHead: Bool = false) {
        lastSign = now
        hasHead = hasHead || isHead
    }

    mutating func setPaused(_ isPaused: Bool, at now: UInt64) {
        self.isPaused = isPaused
        lastSign = now
    }

    /// When it will have been too long if nothing comes: not after `now` if it has.
    func due(at now: UInt64) -> UInt64 { (isPaused ? now : lastSign) + silence + (hasHead ? 0 : connecting) }
}

/// Looks on an event loop whether nothing has come for too long.
///
/// Touched on that loop only. It looks again when the time would be over, rather than setting a timer for every packet.
final class StallTimer {
    private let loop: any EventLoop
    private var limit: StallLimit
    private var timer: Scheduled<Void>?
    private var stalled: (() -> Void)?

    /// Whether bytes are not wanted at the moment: then silence means nothing.
    var isPaused: Bool {
        get { limit.isPaused }
        set { limit.setPaused(newValue, at: Self.now) }
    }

    /// A watch with the limits of `options`.
    init(_ options: HTTPByteStream.Options, loop: any EventLoop) {
        self.loop = loop
        limit = StallLimit(options)
    }

    private static var now: UInt64 { NIODeadline.now().uptimeNanoseconds }

    /// Something has come.
    func sign(isHead: Bool = false) {
        let isFirst = isHead && !limit.hasHead
        limit.sign(at: Self.now, isHead: isHead)
        guard isFirst else { return }
        // From here on less is allowed than the timer was set for.
        timer?.cancel()
        look()
    }

    /// Calls `stalled` once, unless `end()` is called before.
    func start(_ stalled: @escaping () -> Void) {
        limit.sign(at: Self.now)
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
        let now = Self.now
        let due = limit.due(at: now)
        guard due > now else { return stalled() }
        let me = NIOLoopBound(self, eventLoop: loop)
        timer = loop.scheduleTask(deadline: .uptimeNanoseconds(due)) { me.value.look() }
    }
}
