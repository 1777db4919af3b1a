/// A rule that determines which episodes of a podcast are downloaded and removed automatically.
public struct DownloadRule: Hashable, Sendable, Codable {
    /// The number of newest episodes to keep; `nil` keeps all.
    public var keptCount: Int?
    /// Whether played episodes are not downloaded, and their downloads removed.
    public var isUnplayedOnly: Bool
    /// The maximum total size of the podcast's downloads, in bytes; `nil` for no limit.
    public var byteLimit: Int64?

    /// Creates a rule, by default for the newest three unplayed episodes.
    public init(keptCount: Int? = 3, isUnplayedOnly: Bool = true, byteLimit: Int64? = nil) {
        self.keptCount = keptCount
        self.isUnplayedOnly = isUnplayedOnly
        self.byteLimit = byteLimit
    }
}

/// The episodes of a podcast to download and to remove, computed without access to disk or network.
public struct DownloadPlan: Hashable, Sendable {
    /// The episodes to download, newest first.
    public internal(set) var fetched: [Episode.ID] = []
    /// The episodes whose files to remove.
    public internal(set) var removed: [Episode.ID] = []

    /// The episodes in `fetched` that the user asked for.
    private(set) var asked: Set<Episode.ID> = []
    /// The number of bytes that the other downloads may take together, after the files that are kept.
    private(set) var room = Int64.max

    /// The properties of an episode that determine whether it is downloaded.
    struct Candidate: Hashable, Sendable {
        let id: Episode.ID
        /// The size in bytes: of the file, else as stated by the server, else as stated by the feed.
        var byteCount: Int64?
        var isPlayed = false
        /// Whether the episode is in progress or queued, and therefore not removed.
        var isInUse = false
        /// Whether the user asked for the download, so that the rule does not apply.
        var isWanted = false
        var isDownloaded = false
    }

    /// The size that is assumed for an episode whose size is unknown, in bytes.
    static let usualSize: Int64 = 64 << 20

    /// Creates the plan for one podcast.
    ///
    /// Without a rule, only episodes that the user asked for are downloaded.
    /// - Parameter candidates: The episodes, newest first.
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
                // Once an episode exceeds the limit, older ones are not downloaded in its place, even if they fit.
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
