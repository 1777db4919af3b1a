/// Decides which recording of a queue comes next: shuffling, repetition, and the two ends of the queue.
public struct PlayOrder: Sendable, Equatable {
    /// The repetition of what has been played to its end.
    public enum Repetition: Sendable, Equatable, CaseIterable {
        /// Nothing is played again.
        case none
        /// After the last recording the first one follows.
        case all
        /// The recording begins again.
        case one

        /// The repetition that the button and the key change to, as in the terminal.
        public var next: Repetition {
            switch self {
            case .none: .one
            case .one: .all
            case .all: .none
            }
        }

        /// The name of the button's icon.
        public var icon: String { "media-playlist-repeat\(self == .one ? "-song" : "")-symbolic" }

        /// The name of the button.
        public var label: String {
            switch self {
            case .none: "Repeat: Off"
            case .all: "Repeat: All"
            case .one: "Repeat: One"
            }
        }

        /// The message after a key.
        public var message: String {
            switch self {
            case .none: "Repeat is off"
            case .all: "Repeating all recordings"
            case .one: "Repeating this recording"
            }
        }
    }

    /// The effect of the end of a recording.
    public enum End: Sendable, Equatable {
        /// The same recording begins again.
        case again
        /// The recording with this index follows.
        case go(to: Int)
        /// Nothing follows.
        case stop
    }

    /// The repetition; default `none`.
    public var repetition = Repetition.none
    /// Whether the order is by chance; default `false`.
    public var isShuffled = false
    /// Whether the recording has been heard since it was begun.
    private var hasSounded = false
    /// Whether any recording has been heard since the queue was begun, or was begun again.
    private var roundHasSounded = false

    /// Creates the order of a queue as it is.
    public init() {}

    /// Whether the recordings may be played again.
    ///
    /// Recordings without sound, such as a queue of damaged files, would be repeated without end.
    public var mayRepeat: Bool { repetition == .one ? hasSounded : roundHasSounded }

    /// Whether an episode that has been played stays in the library's queue, as its turn comes again.
    public var keepsPlayed: Bool { repetition == .all }

    /// The message after the key that shuffles.
    public var shuffleMessage: String { isShuffled ? "Shuffle is on" : "Shuffle is off" }

    // MARK: Events

    /// Takes note of another queue.
    public mutating func replaced() { (hasSounded, roundHasSounded) = (false, false) }

    /// Takes note that a recording is begun.
    /// - Parameters:
    ///   - index: Its index.
    ///   - former: The index of the recording before; `nil` if the same is opened anew.
    public mutating func began(_ index: Int, after former: Int?) {
        hasSounded = false
        if let former, index <= former { roundHasSounded = false }
    }

    /// Takes note that the recording is heard.
    /// - Returns: Whether what follows on it is to be announced anew.
    public mutating func sounded() -> Bool {
        guard !hasSounded || !roundHasSounded else { return false }
        (hasSounded, roundHasSounded) = (true, true)
        return repetition != .none
    }

    // MARK: Decisions

    /// Returns the recording that the listener goes on to, beyond the last one the first if all are repeated.
    /// - Parameters:
    ///   - index: The index of the recording that plays.
    ///   - count: The number of recordings.
    /// - Returns: An index; `nil` if there is no other recording to go on to.
    public func next(after index: Int, count: Int) -> Int? {
        if index + 1 < count { return index + 1 }
        return repetition == .all && count > 1 ? 0 : nil
    }

    /// Returns the recording that the listener goes back to, before the first one the last if all are repeated.
    /// - Parameters:
    ///   - index: The index of the recording that plays.
    ///   - count: The number of recordings.
    /// - Returns: An index; `nil` if there is no other recording to go back to.
    public func previous(before index: Int, count: Int) -> Int? {
        if index > 0 { return index - 1 }
        return repetition == .all && count > 1 ? count - 1 : nil
    }

    /// Returns the recording that follows on one that cannot be opened.
    /// - Parameters:
    ///   - index: The index of the recording that cannot be opened.
    ///   - count: The number of recordings.
    /// - Returns: An index; `nil` if none of the queue has been heard in this round, so that it would not end.
    public func following(_ index: Int, count: Int) -> Int? {
        index + 1 < count || roundHasSounded ? next(after: index, count: count) : nil
    }

    /// Returns the effect of the end of a recording, also at its outro.
    /// - Parameters:
    ///   - index: Its index.
    ///   - count: The number of recordings.
    public func end(of index: Int, count: Int) -> End {
        switch repetition {
        case .one where hasSounded, .all where hasSounded && count == 1: return .again
        default: return following(index, count: count).map { .go(to: $0) } ?? .stop
        }
    }
}
