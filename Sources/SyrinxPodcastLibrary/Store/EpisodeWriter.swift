import Foundation
import GRDB

/// Stores the episodes of a feed in batches, keeping positions and played marks.
///
/// An episode is matched by its identifier or, if the feed has changed its identifiers, by the URL of its recording.
struct EpisodeWriter {
    /// The counts of a refresh.
    struct Counts: Sendable {
        var added = 0
        var changed = 0
        /// The number of episodes that appear for the first time in this refresh.
        var seen = 0
        /// Whether the last of these episodes is known from an earlier refresh.
        var endsKnown = false

        /// Adds the counts of the following episodes.
        mutating func append(_ next: Counts) {
            added = added.addingClamped(next.added)
            changed = changed.addingClamped(next.changed)
            if next.seen > 0 { endsKnown = next.endsKnown }
            seen = seen.addingClamped(next.seen)
        }
    }

    /// The new episodes of a refresh that are marked as played.
    enum Backlog: Equatable, Sendable {
        /// No episodes, so all new episodes are unplayed.
        case none
        /// All except a number of the newest ones, when a feed is read for the first time.
        case allBut(Int)
        /// The episodes published before the subscription, on pages that an earlier refresh could not read.
        case before(Date)

        /// Returns the backlog of a podcast.
        /// - Parameter newCount: The number of episodes that are initially unplayed; `nil` means all.
        init(of podcast: PodcastRecord.State, newCount: Int?) {
            guard let newCount else {
                self = .none
                return
            }
            if podcast.refreshedAt == nil {
                self = .allBut(max(0, newCount))
            } else {
                self = podcast.hasAllPages ? .none : .before(podcast.addedAt)
            }
        }

        /// Returns whether a new episode is marked as played.
        func contains(_ episode: FeedEpisode) -> Bool {
            switch self {
            case .none: false
            case .allBut: true
            case .before(let date): episode.content.published.map { $0 < date } ?? false
            }
        }
    }

    let podcastID: Podcast.ID
    let now: Double
    private let backlog: Backlog
    /// Names this refresh among those that this process makes at the same time.
    private let run = Int64.random(in: .min ... .max)

    init(podcastID: Podcast.ID, now: Double, backlog: Backlog = .none) {
        (self.podcastID, self.now, self.backlog) = (podcastID, now, backlog)
    }

    /// Deletes the temporary list of the feed's episodes; call it at the end, even after a failure.
    func end(_ database: Database) throws {
        try database.execute(sql: "DELETE FROM temp.seen WHERE run = ?", arguments: [run])
    }

    /// The maximum number of episodes with the same recording URL that are considered when matching.
    private static let mostSharing = 16

    /// Inserts or updates a batch of episodes.
    func write(_ episodes: [FeedEpisode], _ database: Database) throws -> Counts {
        var counts = Counts()
        let bySame = try database.cachedStatement(sql: "SELECT * FROM episode WHERE podcastID = ? AND identity = ?")
        let byMedia = try database.cachedStatement(
            sql: """
                SELECT * FROM (
                    SELECT * FROM episode WHERE podcastID = ?1 AND mediaURL = ?2 LIMIT \(Self.mostSharing)
                ) AS known
                WHERE NOT EXISTS (SELECT 1 FROM temp.seen WHERE run = ?3 AND episodeID = known.id) LIMIT 1
                """
        )
        let see = try database.cachedStatement(sql: "INSERT OR IGNORE INTO temp.seen VALUES (?, ?)")
        for episode in episodes {
            guard var identity = episode.identity else { continue }
            var known = try EpisodeRecord.fetchOne(bySame, arguments: [podcastID, identity])
            if let id = known?.state.id, let media = episode.mediaURL, media != identity,
                media != known?.content.mediaURL, try isSeen(id, database)
            {
                // If two episodes have the same identifier, the second is matched by its recording.
                identity = media
                known = try EpisodeRecord.fetchOne(bySame, arguments: [podcastID, identity])
            }
            if known == nil, let media = episode.mediaURL {
                known = try EpisodeRecord.fetchOne(byMedia, arguments: [podcastID, media, run])
            }
            if let id = known?.state.id, try isSeen(id, database) { continue }
            let id = try save(episode, identity, in: known, database, &counts)
            try see.execute(arguments: [run, id])
            counts.seen += 1
            counts.endsKnown = known != nil
        }
        return counts
    }

    /// Saves an episode in its existing record or a new one.
    private func save(
        _ episode: FeedEpisode,
        _ identity: String,
        in known: EpisodeRecord?,
        _ database: Database,
        _ counts: inout Counts
    ) throws -> Episode.ID? {
        let added = Date(timeIntervalSince1970: now)
        var record =
            known ?? EpisodeRecord(.init(podcastID: podcastID, identity: identity, addedAt: added), episode.content)
        record.state.identity = identity
        record.content = episode.content
        if record.state.details?.value ?? Episode.Details() != episode.details {
            record.state.details = episode.details == Episode.Details() ? nil : try JSONText(episode.details)
        }
        guard let known else {
            record.position.isPlayed = backlog.contains(episode)
            try record.insert(database)
            counts.added += 1
            return record.state.id
        }
        // Compare with tolerance, because storing a date may change its last bits.
        let isSame = record.state == known.state && record.content == known.content
        if try !isSame && !record.databaseChanges(from: known).isEmpty { counts.changed += 1 }
        if isSame, known.state.isListed { return known.state.id }
        record.state.isListed = true
        try record.updateChanges(database, from: known)
        return record.state.id
    }

    /// Ends a refresh, and marks the episodes that a complete feed no longer contains.
    ///
    /// Some feeds change their identifiers with every refresh. Therefore only the newest `limits.unlisted` of the
    /// episodes that are no longer in the feed are kept, besides played, queued and downloaded ones. After an
    /// incomplete refresh, `limits.episodes` more are kept.
    func finish(isComplete: Bool, limits: FeedLimits = FeedLimits(), _ database: Database) throws {
        if isComplete {
            try database.execute(
                sql: """
                    UPDATE episode SET isListed = 0 WHERE podcastID = ?1 AND isListed = 1
                    AND NOT EXISTS (SELECT 1 FROM temp.seen WHERE run = ?2 AND episodeID = episode.id)
                    """,
                arguments: [podcastID, run]
            )
        }
        try markNewest(database)
        try database.execute(
            sql: """
                DELETE FROM episode WHERE id IN (
                    SELECT id FROM episode WHERE podcastID = ?1
                    AND NOT EXISTS (SELECT 1 FROM temp.seen WHERE run = ?2 AND episodeID = episode.id)
                    AND playedAt IS NULL AND position = 0
                    AND id NOT IN (SELECT episodeID FROM queue) AND id NOT IN (SELECT episodeID FROM download)
                    ORDER BY isListed DESC, published DESC, id DESC LIMIT -1 OFFSET ?3
                )
                """,
            arguments: [podcastID, run, isComplete ? limits.unlisted : limits.unlisted.addingClamped(limits.episodes)]
        )
        try end(database)
    }

    /// Marks the newest episodes of a feed that was read for the first time as unplayed.
    private func markNewest(_ database: Database) throws {
        guard case .allBut(let count) = backlog else { return }
        try database.execute(
            sql: """
                UPDATE episode SET isPlayed = 0 WHERE isPlayed = 1 AND playedAt IS NULL AND id IN (
                    SELECT id FROM episode WHERE podcastID = ? ORDER BY published DESC, id LIMIT ?
                )
                """,
            arguments: [podcastID, count]
        )
    }

    private func isSeen(_ id: Int64, _ database: Database) throws -> Bool {
        let statement = try database.cachedStatement(
            sql: "SELECT 1 FROM temp.seen WHERE run = ? AND episodeID = ?"
        )
        return try Int.fetchOne(statement, arguments: [run, id]) != nil
    }
}
