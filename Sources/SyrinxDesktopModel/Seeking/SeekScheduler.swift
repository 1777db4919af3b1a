/// Limits the seeks of a player to the most recent ones that a pointer or finger requests.
///
/// Only one seek runs at a time; of the requests meanwhile, the newest is kept. An exact seek starts immediately and
/// replaces the running one. Times of the clock are seconds of a monotonic clock.
public struct SeekScheduler: Sendable, Equatable {
    /// A seek to start.
    public struct Seek: Sendable, Equatable {
        /// The identifier with which the end of the seek is reported.
        public var id: Int
        /// The target position, in seconds.
        public var time: Double
        /// Whether the position must be reached exactly; otherwise a nearby key frame or packet is sufficient.
        public var isExact: Bool
    }

    /// The minimum time between the starts of two inexact seeks, in seconds, not negative.
    public var minimumInterval: Double
    /// The running seek; `nil` if there is none.
    public private(set) var inFlight: Seek?
    /// The target of the newest request that has not started; `nil` if there is none.
    public private(set) var pendingTime: Double?
    private var lastStart = -Double.infinity
    private var nextID = 0

    /// Creates a scheduler without requests.
    /// - Parameter minimumInterval: The minimum time between the starts of two inexact seeks, in seconds (default:
    ///   0.04).
    public init(minimumInterval: Double = 0.04) {
        self.minimumInterval = max(minimumInterval.finite(or: 0), 0)
    }

    /// The newest requested position that has not been reached; `nil` if there is none.
    public var target: Double? { pendingTime ?? inFlight?.time }

    /// The earliest time at which the pending request can start; `nil` if it is not waiting for the interval.
    public var nextStart: Double? {
        pendingTime != nil && inFlight == nil ? lastStart + minimumInterval : nil
    }

    /// Requests a seek.
    /// - Parameters:
    ///   - time: The target position in seconds; infinity and NaN are ignored.
    ///   - isExact: Whether this is the last request of a gesture.
    ///   - now: The current time of the clock.
    /// - Returns: The seek to start now; `nil` if the request must wait.
    public mutating func request(_ time: Double, isExact: Bool = false, now: Double) -> Seek? {
        guard time.isFinite else { return nil }
        if isExact { return start(time, isExact: true, now: now) }
        pendingTime = time
        return advance(now: now)
    }

    /// Called when a seek has completed or failed; the end of a replaced seek is ignored.
    /// - Parameters:
    ///   - id: The identifier of the seek.
    ///   - now: The current time of the clock.
    /// - Returns: The seek to start next; `nil` if there is none.
    public mutating func finish(_ id: Int, now: Double) -> Seek? {
        guard inFlight?.id == id else { return nil }
        inFlight = nil
        return advance(now: now)
    }

    /// Starts the pending request, if it does not have to wait any longer.
    /// - Parameter now: The current time of the clock.
    /// - Returns: The seek to start; `nil` if there is none.
    public mutating func advance(now: Double) -> Seek? {
        guard let time = pendingTime, inFlight == nil, now - lastStart >= minimumInterval else { return nil }
        return start(time, isExact: false, now: now)
    }

    /// Discards the pending request and the running seek, whose end is then ignored.
    public mutating func reset() {
        pendingTime = nil
        inFlight = nil
    }

    private mutating func start(_ time: Double, isExact: Bool, now: Double) -> Seek {
        pendingTime = nil
        lastStart = now
        nextID &+= 1
        let seek = Seek(id: nextID, time: time, isExact: isExact)
        inFlight = seek
        return seek
    }
}
