import Foundation
import GRDB

/// Lists of episodes that are filtered and searched.
extension PodcastLibrary {
    /// The episodes that a list shows.
    public struct EpisodeFilter: Hashable, Sendable {
        /// The podcast; `nil`, the default, means all.
        public var podcastID: Podcast.ID?
        /// Whether only those that have not been listened to are listed; false by default.
        public var isUnplayedOnly = false
        /// Whether only those that have been begun and not finished are listed; false by default.
        public var isInProgressOnly = false
        /// Whether only those that are downloaded are listed; false by default.
        public var isDownloadedOnly = false
        /// Words that must all occur in the title or the notes, as in ``PodcastLibrary/search(_:limit:)``.
        ///
        /// A text without a word, the default, lists all episodes. The list is in the order of dates also with a text.
        public var text = ""
        /// Whether the oldest comes first; false by default.
        public var isOldestFirst = false
        /// The largest number of episodes; 500 by default.
        public var limit = 500
        /// The number of episodes left out at the beginning; 0 by default.
        public var offset = 0

        /// Every episode, newest first.
        public init() {}

        /// All episodes of the list, without its text, its limit and its offset, in their order.
        fileprivate var request: QueryInterfaceRequest<EpisodeRecord> {
            typealias Columns = EpisodeRecord.Columns
            var request = EpisodeRecord.all()
            if let podcastID { request = request.filter(Columns.podcastID == podcastID) }
            // As the partial indexes have it, which another form of the condition does not use.
            if isUnplayedOnly || isInProgressOnly { request = request.filter(sql: "isPlayed = 0") }
            if isInProgressOnly { request = request.filter(sql: "position > 0") }
            if isDownloadedOnly {
                let isDone = DownloadRecord.Columns.state == EpisodeDownload.State.completed.rawValue
                request = request.joining(required: EpisodeRecord.download.filter(isDone))
            }
            return isOldestFirst
                ? request.order(Columns.published.asc, Columns.id.desc)
                : request.order(Columns.published.desc, Columns.id)
        }
    }

    /// Lists episodes by date, without their notes.
    public func episodes(_ filter: EpisodeFilter = EpisodeFilter()) throws(PodcastError) -> [Episode] {
        try database.read { try Self.episodes(filter, $0) }
    }

    static func episodes(_ filter: EpisodeFilter, _ database: Database) throws -> [Episode] {
        let (limit, offset) = (max(0, filter.limit), max(0, filter.offset))
        guard let pattern = SearchPattern(filter.text) else {
            let page = filter.request.limit(limit, offset: offset)
            return try page.select(EpisodeRecord.listedColumns).fetchAll(database).map(Episode.init)
        }
        let found = try Set(pattern.matches(database))
        let ids = try first(limit, of: filter.request, after: offset, among: found, database)
        return try episodes(ids, database)
    }

    /// Searches titles and notes for all words of a text, of which the last may be unfinished; the best matches first.
    ///
    /// Case and accents do not count. A text without a word finds nothing. If more than 5,000 episodes match, those that match with their
    /// titles come first, the newest before older ones, and then the others, the newest first.
    public func search(_ text: String, limit: Int = 100) throws(PodcastError) -> [Episode] {
        try database.read { try Self.search(text, limit: limit, $0) }
    }

    static func search(_ text: String, limit: Int, _ database: Database) throws -> [Episode] {
        guard let pattern = SearchPattern(text) else { return [] }
        let limit = max(0, limit)
        if let ids = try pattern.rankedMatches(limit: limit, database) { return try episodes(ids, database) }
        let newest = EpisodeFilter().request
        var ids = try first(limit, of: newest, among: Set(pattern.inTitles.matches(database)), database)
        if ids.count < limit {
            let others = try Set(pattern.matches(database)).subtracting(ids)
            ids += try first(limit - ids.count, of: newest, among: others, database)
        }
        return try episodes(ids, database)
    }

    /// Numbers of episodes up to which a statement names them; a statement takes some ten thousand values.
    private static let mostNamed = 1_000

    /// Returns the first episodes of a list that are among `found`, in the order of the list.
    ///
    /// - Complexity: Linear in the number of episodes of the list up to the last one that is returned.
    private static func first(
        _ limit: Int,
        of list: QueryInterfaceRequest<EpisodeRecord>,
        after offset: Int = 0,
        among found: Set<Episode.ID>,
        _ database: Database
    ) throws -> [Episode.ID] {
        let isNamed = found.count <= mostNamed
        let list = isNamed ? list.filter(found.contains(EpisodeRecord.Columns.id)) : list
        let ids = try list.select(EpisodeRecord.Columns.id, as: Int64.self).fetchCursor(database)
        var result: [Episode.ID] = []
        var left = offset
        while result.count < limit, let id = try ids.next() {
            guard found.contains(id) else { continue }
            if left > 0 { left -= 1 } else { result.append(id) }
        }
        return result
    }

    /// Reads episodes, without their notes, in the order of their numbers.
    private static func episodes(_ ids: [Episode.ID], _ database: Database) throws -> [Episode] {
        var episodes: [Episode.ID: Episode] = [:]
        for start in stride(from: 0, to: ids.count, by: mostNamed) {
            let piece = ids[start..<min(start + mostNamed, ids.count)]
            for record in try EpisodeRecord.listed.filter(keys: piece).fetchAll(database) {
                let episode = Episode(record)
                episodes[episode.id] = episode
            }
        }
        return ids.compactMap { episodes[$0] }
    }
}
