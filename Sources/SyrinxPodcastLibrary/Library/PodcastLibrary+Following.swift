import Foundation
import GRDB
import SyrinxPlayback

/// The episodes to play after another one.
extension PodcastLibrary {
    /// Returns the episodes to play after an episode: the queue, followed by episodes of a podcast.
    ///
    /// The podcast is that of the queue's last episode or, if the queue is empty, that of the given episode. Its
    /// `autoplay` setting selects newer or older episodes. Episodes that the user has played are omitted, but not those
    /// that were marked as played when the podcast was subscribed to. Episodes without a recording are omitted.
    ///
    /// ```swift
    /// if let next = try library.following(episode.id, limit: 1).first { play(next) }
    /// ```
    /// - Parameters:
    ///   - id: The current or finished episode.
    ///   - limit: The maximum number of episodes (default: 200).
    /// - Returns: The episodes in playing order, without their notes and without the given episode.
    /// - Throws: `usage.noSuchEpisode` if the episode does not exist.
    public func following(_ id: Episode.ID, limit: Int = 200) throws(PodcastError) -> [Episode] {
        let limit = max(0, limit)
        return try database.read { database in
            let current = Episode(try record(ofEpisode: id, database))
            let queue = try Self.queue(database)
            let queued = queue.filter { $0.id != id && $0.mediaURL != nil }.prefix(limit)
            let last = queue.last { $0.id != id } ?? current
            let settings = try record(last.podcastID, database).state.settings?.value
            guard queued.count < limit, let autoplay = settings?.autoplay, autoplay != .off else {
                return Array(queued)
            }
            let known = Set(queue.map(\.id)).union([id])
            let more = try Self.unheard(autoplay, than: last, except: known, limit: limit - queued.count, database)
            return queued + more
        }
    }

    /// Requests the episodes of a podcast that are newer or older than a given one, nearest first.
    private static func unheard(
        _ autoplay: Autoplay,
        than episode: Episode,
        except known: Set<Episode.ID>,
        limit: Int,
        _ database: Database
    ) throws -> [Episode] {
        // Episodes without a date count as the oldest, as in lists.
        let date = SQL("COALESCE(published, \(-Double.greatestFiniteMagnitude))")
        let own = episode.published?.timeIntervalSince1970 ?? -Double.greatestFiniteMagnitude
        let place: SQL =
            autoplay == .newer
            ? "(\(date) > \(own) OR (\(date) = \(own) AND id < \(episode.id)))"
            : "(\(date) < \(own) OR (\(date) = \(own) AND id > \(episode.id)))"
        let condition: SQL = """
            podcastID = \(episode.podcastID) AND mediaURL IS NOT NULL AND (isPlayed = 0 OR playedAt IS NULL) AND \(place)
            """
        typealias Columns = EpisodeRecord.Columns
        let order: [any SQLOrderingTerm] =
            autoplay == .newer ? [Columns.published.asc, Columns.id.desc] : [Columns.published.desc, Columns.id]
        let list = EpisodeRecord.listed.filter(literal: condition).order(order)
        // Any of the queued episodes may be among the results.
        let found = try list.limit(limit.addingClamped(known.count)).fetchAll(database).map(Episode.init)
        return Array(found.filter { !known.contains($0.id) }.prefix(limit))
    }
}
