import Foundation
import GRDB

/// Brings the episodes of a feed into the database, batch by batch; the listener's positions and marks stay.
///
/// An episode is known by its identity. Where a feed has changed its identities, it is known by its recording's URL.
struct EpisodeWriter {
    /// The counts of a refresh.
    struct Counts: Sendable {
        var added = 0
        var changed = 0
    }

    let podcastID: Podcast.ID
    let now: Double
    /// Names this refresh among those that this process makes at the same time.
    private let run = Int64.random(in: .min ... .max)

    init(podcastID: Podcast.ID, now: Double) {
        self.podcastID = podcastID
        self.now = now
    }

    /// Forgets which episodes the feed has had: at the end, however that comes.
    func end(_ database: Database) throws {
        try database.execute(sql: "DELETE FROM temp.seen WHERE run = ?", arguments: [run])
    }

    /// Episodes that share a recording and are known by it; where there are more, it tells nothing.
    private static let mostSharing = 16

    /// Inserts or updates a batch.
    func write(_ episodes: [FeedEpisode], _ database: Database) throws -> Counts {
        var counts = Counts()
        let bySame = try database.cachedStatement(
            sql: "SELECT id, digest, isListed FROM episode WHERE podcastID = ? AND identity = ?"
        )
        let byMedia = try database.cachedStatement(
            sql: """
                SELECT id, digest, isListed FROM (
                    SELECT id, digest, isListed FROM episode WHERE podcastID = ?1 AND mediaURL = ?2
                    LIMIT \(Self.mostSharing)
                ) AS known
                WHERE NOT EXISTS (SELECT 1 FROM temp.seen WHERE run = ?3 AND episodeID = known.id) LIMIT 1
                """
        )
        let see = try database.cachedStatement(sql: "INSERT OR IGNORE INTO temp.seen VALUES (?, ?)")
        for episode in episodes {
            guard var identity = episode.identity else { continue }
            var row = try Row.fetchOne(bySame, arguments: [podcastID, identity])
            if let known = row, let media = episode.mediaURL, media != identity, try isSeen(known.value("id"), database)
            {
                // Two with the same identity: the second is known by its recording.
                identity = media
                row = try Row.fetchOne(bySame, arguments: [podcastID, identity])
            }
            if row == nil, let media = episode.mediaURL {
                row = try Row.fetchOne(byMedia, arguments: [podcastID, media, run])
            }
            let digest = Self.digest(episode, identity)
            let id: Int64
            if let row {
                id = row.value("id")
                if try isSeen(id, database) { continue }
                let isChanged = row.value("digest") as Int64? != digest
                if isChanged || !(row.value("isListed") as Bool) {
                    try update(id, episode, identity, digest, database)
                    if isChanged { counts.changed += 1 }
                }
            } else {
                id = try insert(episode, identity, digest, database)
                counts.added += 1
            }
            try see.execute(arguments: [run, id])
        }
        return counts
    }

    /// Ends a refresh; episodes that a complete feed did not have are marked.
    ///
    /// Of the episodes that the feed did not have only the newest `limits.unlisted` stay, beside those that somebody has played, queued or
    /// downloaded: a feed may have other identities each time. Of a feed that is not complete, as many more as a feed may have.
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
        try database.execute(
            sql: """
                DELETE FROM episode WHERE id IN (
                    SELECT id FROM episode WHERE podcastID = ?1
                    AND NOT EXISTS (SELECT 1 FROM temp.seen WHERE run = ?2 AND episodeID = episode.id)
                    AND playedAt IS NULL AND isPlayed = 0 AND position = 0
                    AND id NOT IN (SELECT episodeID FROM queue) AND id NOT IN (SELECT episodeID FROM download)
                    ORDER BY isListed DESC, published DESC, id DESC LIMIT -1 OFFSET ?3
                )
                """,
            arguments: [podcastID, run, isComplete ? limits.unlisted : limits.unlisted.addingClamped(limits.episodes)]
        )
        try end(database)
    }

    private func isSeen(_ id: Int64, _ database: Database) throws -> Bool {
        let statement = try database.cachedStatement(
            sql: "SELECT 1 FROM temp.seen WHERE run = ? AND episodeID = ?"
        )
        return try Int.fetchOne(statement, arguments: [run, id]) != nil
    }

    private static let names = [
        "identity", "digest", "title", "summary", "link", "published", "duration", "mediaURL", "mediaType",
        "mediaLength",
        "artworkURL", "season", "number", "kind", "isExplicit", "details", "isListed",
    ]

    private func values(_ episode: FeedEpisode, _ identity: String, _ digest: Int64) -> StatementArguments {
        let details = episode.details == Episode.Details() ? nil : JSONColumn.encode(episode.details)
        return [
            identity, digest, episode.title, episode.summary, episode.link, episode.published, episode.duration,
            episode.mediaURL, episode.mediaType, episode.mediaLength, episode.artworkURL, episode.season,
            episode.number,
            episode.kind, episode.isExplicit, details, true,
        ]
    }

    private func insert(_ episode: FeedEpisode, _ identity: String, _ digest: Int64, _ database: Database) throws
        -> Int64
    {
        let marks = Array(repeating: "?", count: Self.names.count + 2).joined(separator: ", ")
        let sql = "INSERT INTO episode (\(Self.names.joined(separator: ", ")), podcastID, addedAt) VALUES (\(marks))"
        try database.cachedStatement(sql: sql).execute(arguments: values(episode, identity, digest) + [podcastID, now])
        return database.lastInsertedRowID
    }

    private func update(
        _ id: Int64,
        _ episode: FeedEpisode,
        _ identity: String,
        _ digest: Int64,
        _ database: Database
    ) throws {
        let assignments = Self.names.map { "\($0) = ?" }.joined(separator: ", ")
        let sql = "UPDATE episode SET \(assignments) WHERE id = ?"
        try database.cachedStatement(sql: sql).execute(arguments: values(episode, identity, digest) + [id])
    }

    /// A number that changes with what the feed says (FNV-1a).
    private static func digest(_ episode: FeedEpisode, _ identity: String) -> Int64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        func take(_ text: String?) {
            for byte in (text ?? "\u{1}").utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
            hash = (hash ^ 0xFF) &* 0x100_0000_01B3
        }
        for text in [
            identity, episode.title, episode.summary, episode.link, episode.mediaURL, episode.mediaType,
            episode.artworkURL,
            episode.kind,
        ] { take(text) }
        for number in [episode.published, episode.duration] { take(number.map { "\($0)" }) }
        take("\(episode.mediaLength ?? -1) \(episode.season ?? -1) \(episode.number ?? -1) \(episode.isExplicit)")
        if episode.details != Episode.Details() { take("\(episode.details)") }
        return Int64(bitPattern: hash)
    }
}
