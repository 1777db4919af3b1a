/// The turns that the streamer was told to play after the current one.
struct FollowingTurns: Sendable {
    /// The state that decides which turns come next: the list takes time to make, and nothing else changes it.
    struct Basis: Equatable {
        var revision: Int
        var turn: ListeningQueue.Turn.ID
        var openingCount: Int
        var loop: LoopMode
        var part: RepeatedPart?
        var endsWithItem: Bool
        var hasSounded: Bool
        var roundHasSounded: Bool
    }

    private var turns: [ListeningQueue.Turn] = []
    private var basis: Basis?

    /// Takes the turns that the streamer gets with an opening.
    mutating func open(with turns: [ListeningQueue.Turn]) { self.turns = turns }

    /// Whether the turns may be others than those that the streamer was told.
    mutating func mayChange(_ new: Basis) -> Bool {
        defer { basis = new }
        return new != basis
    }

    /// Returns the action that tells the streamer of turns, if they are others than before.
    mutating func follow(_ new: [ListeningQueue.Turn]) -> [SessionAction] {
        defer { turns = new }
        return new == turns ? [] : [.follow(new)]
    }
}
