/// The rule by which episodes of a podcast are downloaded by themselves, and removed again.
public struct DownloadRule: Hashable, Sendable, Codable {
    /// The number of newest episodes that are kept; `nil` means all.
    public var keptCount: Int?
    /// Whether episodes that have been listened to are left out, and removed.
    public var isUnplayedOnly: Bool
    /// Bytes that the podcast's downloads may take; `nil` means any number.
    public var byteLimit: Int64?

    /// Creates a rule; by default the newest three that have not been listened to are kept.
    public init(keptCount: Int? = 3, isUnplayedOnly: Bool = true, byteLimit: Int64? = nil) {
        self.keptCount = keptCount
        self.isUnplayedOnly = isUnplayedOnly
        self.byteLimit = byteLimit
    }
}

/// The decision which episodes to fetch and which to remove: a value, without a disk or a network.
public struct DownloadPlan: Hashable, Sendable {
    /// The episodes to fetch, the newest first.
    public internal(set) var fetched: [Episode.ID] = []
    /// The episodes whose files are to be removed.
    public internal(set) var removed: [Episode.ID] = []

    /// The episodes to fetch that somebody has asked for.
    private(set) var asked: Set<Episode.ID> = []
    /// Bytes that the others may take together: what the rule leaves beside the files that are there and stay.
    private(set) var room = Int64.max

    /// The facts about an episode that the decision depends on.
    struct Candidate: Hashable, Sendable {
        let id: Episode.ID
        /// The size that the file has, or that the server states, or else the feed.
        var byteCount: Int64?
        var isPlayed = false
        /// Whether it has been begun, or waits in the queue: then it is not removed.
        var isInUse = false
        /// Whether somebody has asked for this one: then no rule applies.
        var isWanted = false
        var isDownloaded = false
    }

    /// The size assumed of an episode whose feed states none.
    static let usualSize: Int64 = 64 << 20

    /// Decides for the episodes of one podcast, the newest first; without a rule only those asked for count.
    init(_ candidates: [Candidate], rule: DownloadRule?) {
        var count = 0
        var bytes: Int64 = 0
        var isFull = false
        if let limit = rule?.byteLimit { room = limit }
        for candidate in candidates {
            var isKept = candidate.isWanted
            if let rule, !isKept, !isFull, !(rule.isUnplayedOnly && candidate.isPlayed), count < rule.keptCount ?? .max
            {
                let sum = bytes.addingClamped(max(0, candidate.byteCount ?? Self.usualSize))
                // An older one that would still fit is no substitute for a newer one.
                isFull = sum > rule.byteLimit ?? .max
                if !isFull {
                    (count, bytes, isKept) = (count + 1, sum, true)
                    if candidate.isDownloaded, rule.byteLimit != nil {
                        room = room.subtractingClamped(candidate.byteCount ?? 0)
                    }
                }
            }
            if isKept, !candidate.isDownloaded {
                fetched.append(candidate.id)
                if candidate.isWanted { asked.insert(candidate.id) }
            }
            let mayGo = rule != nil && !candidate.isInUse && !candidate.isWanted
            if !isKept, candidate.isDownloaded, mayGo { removed.append(candidate.id) }
        }
    }
}
