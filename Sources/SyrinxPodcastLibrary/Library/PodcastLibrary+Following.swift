import Foundation
import GRDB
import SyrinxPlayback

/// The episodes that follow another one.
extension PodcastLibrary {
    /// Returns the episodes that follow an episode: the queue, and then episodes of a podcast as its settings have it.
    ///
    /// After the queue, the podcast of its last episode counts; if the queue is empty, that of the episode itself. Its `autoplay` decides
    /// between newer and older episodes. Those that the listener has heard are left out, but those that count as played since the
    /// subscription are not. Episodes without a recording do not follow.
    ///
    /// ```swift
    /// if let next = try library.following(episode.id, limit: 1).first { play(next) }
    /// ```
    /// - Parameters:
    ///   - id: The episode that plays or has ended.
    ///   - limit: The largest number of episodes; 200 by default.
    /// - Returns: The episodes, the next one first, without their notes and without the episode itself.
    /// - Throws: `usage.noSuchEpisode` if there is no such episode.
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

    /// Lists the episodes of a podcast that are newer or older than one of them, the nearest first, in the order of lists.
    private static func unheard(
        _ autoplay: Autoplay,
        than episode: Episode,
        except known: Set<Episode.ID>,
        limit: Int,
        _ database: Database
    ) throws -> [Episode] {
        // Episodes without a date are the oldest, as in lists.
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
        // The queue may hold as many of them as it has episodes.
        let found = try list.limit(limit.addingClamped(known.count)).fetchAll(database).map(Episode.init)
        return Array(found.filter { !known.contains($0.id) }.prefix(limit))
    }
}
