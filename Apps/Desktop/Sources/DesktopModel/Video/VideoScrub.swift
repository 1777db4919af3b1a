/// The pictures that a decoder is asked for while a finger drags over a video.
///
/// One request is in flight at a time. Within a group of pictures the decoder goes on from where it is; the newest wish wins,
/// and what lies between is shown as far as the decoder passes it anyway. The work for one request is bounded.
public struct VideoScrub: Sendable, Equatable {
    /// A request to the decoder.
    public struct Request: Sendable, Equatable {
        /// The number by which its end is reported.
        public var id: Int
        /// The time of the picture to show.
        public var time: Double
        /// Whether the decoder may go on from the picture that it decoded last, without a seek.
        public var continues: Bool
        /// Whether the exact picture is needed; else, after `maximumPictures`, the one that has been reached will do.
        public var isExact: Bool
        /// The pictures to decode at most.
        public var maximumPictures: Int
    }

    /// Seconds ahead up to which decoding on is cheaper than a seek to the key frame before.
    public let reach: Double
    /// The pictures to decode at most for one request during a drag.
    public let maximumPictures: Int
    /// The pictures to decode at most for the last request of a drag.
    public static let maximumExactPictures = 1000
    /// The request in flight.
    public private(set) var inFlight: Request?
    private var pending: Wish?
    private var decodedTime: Double?
    private var nextID = 0

    private struct Wish: Sendable, Equatable {
        var time: Double
        var isExact: Bool
    }

    /// Creates a scheduler without a wish.
    /// - Parameters:
    ///   - reach: Seconds ahead up to which the decoder goes on without a seek; 1 by default.
    ///   - maximumPictures: The pictures to decode at most for one request during a drag; 60 by default.
    public init(reach: Double = 1, maximumPictures: Int = 60) {
        self.reach = reach.finite(or: 0).clamped(to: 0...60)
        self.maximumPictures = maximumPictures.clamped(to: 1...10_000)
    }

    /// Whether nothing is wished for and nothing in flight.
    public var isIdle: Bool { inFlight == nil && pending == nil }

    /// Notes a wish.
    /// - Parameters:
    ///   - time: The time of the picture; what is infinite or no number is no wish.
    ///   - isExact: Whether it is the last one of a drag.
    /// - Returns: The request to make, if none is in flight.
    public mutating func want(_ time: Double, isExact: Bool = false) -> Request? {
        guard time.isFinite else { return nil }
        pending = Wish(time: max(time, 0), isExact: isExact)
        return advance()
    }

    /// Notes that a request has ended.
    /// - Parameters:
    ///   - id: The number of the request; of one that is not in flight, nothing changes.
    ///   - decodedTime: The time of the last picture that was decoded; `nil` if it failed or the decoder was moved since.
    /// - Returns: The request to make next, if there is one.
    public mutating func finish(_ id: Int, decodedTime: Double?) -> Request? {
        guard inFlight?.id == id else { return nil }
        inFlight = nil
        self.decodedTime = decodedTime.flatMap { $0.isFinite ? $0 : nil }
        return advance()
    }

    /// Forgets all, as another item begins.
    public mutating func reset() {
        inFlight = nil
        pending = nil
        decodedTime = nil
    }

    private mutating func advance() -> Request? {
        guard inFlight == nil, let wish = pending else { return nil }
        pending = nil
        let continues = decodedTime.map { wish.time >= $0 && wish.time - $0 <= reach } ?? false
        nextID &+= 1
        let request = Request(
            id: nextID,
            time: wish.time,
            continues: continues,
            isExact: wish.isExact,
            maximumPictures: wish.isExact ? Self.maximumExactPictures : maximumPictures
        )
        inFlight = request
        return request
    }
}
