/// The choice of the seeks that a player is asked for, of all those that a pointer or a finger wishes for.
///
/// One seek is in flight at a time; of the wishes that come meanwhile the newest is kept. An exact seek starts at once
/// and supersedes the one in flight. Instants are seconds of a clock that never goes back.
public struct SeekScheduler: Sendable, Equatable {
    /// A seek to start.
    public struct Seek: Sendable, Equatable {
        /// The number by which its end is reported.
        public var id: Int
        /// Seconds from the start of the recording.
        public var time: Double
        /// Whether the position has to be met exactly; else a key frame or packet nearby will do.
        public var isExact: Bool
    }

    /// The least seconds between the starts of two seeks that are not exact, 0 or more.
    public var minimumInterval: Double
    /// The seek that has started and not ended.
    public private(set) var inFlight: Seek?
    /// The time of the newest wish that has not started.
    public private(set) var pendingTime: Double?
    private var lastStart = -Double.infinity
    private var nextID = 0

    /// Creates a scheduler without a wish.
    /// - Parameter minimumInterval: The least seconds between the starts of two seeks that are not exact; 0.04 by default.
    public init(minimumInterval: Double = 0.04) {
        self.minimumInterval = max(minimumInterval.finite(or: 0), 0)
    }

    /// The newest time that was wished for and is not reached yet.
    public var target: Double? { pendingTime ?? inFlight?.time }

    /// The instant at which a wish can start that only the interval holds back.
    public var nextStart: Double? {
        pendingTime != nil && inFlight == nil ? lastStart + minimumInterval : nil
    }

    /// Notes a wish.
    /// - Parameters:
    ///   - time: Seconds from the start of the recording; what is infinite or no number is no wish.
    ///   - isExact: Whether it is the last one of a gesture.
    ///   - now: The present instant.
    /// - Returns: The seek to start, if one can start now.
    public mutating func request(_ time: Double, isExact: Bool = false, now: Double) -> Seek? {
        guard time.isFinite else { return nil }
        if isExact { return start(time, isExact: true, now: now) }
        pendingTime = time
        return advance(now: now)
    }

    /// Notes that a seek has ended, reached or failed; the end of one that was superseded changes nothing.
    /// - Parameters:
    ///   - id: The number of the seek.
    ///   - now: The present instant.
    /// - Returns: The seek to start next, if there is one.
    public mutating func finish(_ id: Int, now: Double) -> Seek? {
        guard inFlight?.id == id else { return nil }
        inFlight = nil
        return advance(now: now)
    }

    /// Starts the newest wish, if nothing holds it back any longer.
    /// - Parameter now: The present instant.
    /// - Returns: The seek to start, if there is one.
    public mutating func advance(now: Double) -> Seek? {
        guard let time = pendingTime, inFlight == nil, now - lastStart >= minimumInterval else { return nil }
        return start(time, isExact: false, now: now)
    }

    /// Forgets the wish and the seek in flight, whose end no longer counts.
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
