import Foundation
import GRDB

/// Filtering and searching episodes.
extension PodcastLibrary {
    /// A filter, an order and a range for lists of episodes.
    ///
    /// ```swift
    /// var filter = PodcastLibrary.EpisodeFilter()
    /// filter.isUnplayedOnly = true
    /// filter.limit = 20
    /// for episode in try library.episodes(filter) { print(episode.title) }
    /// ```
    public struct EpisodeFilter: Hashable, Sendable {
        /// The podcast; `nil`, the default, includes all.
        public var podcastID: Podcast.ID?
        /// Whether only unplayed episodes are included (default: false).
        public var isUnplayedOnly = false
        /// Whether only episodes that were started but not finished are included (default: false).
        public var isInProgressOnly = false
        /// Whether only downloaded episodes are included (default: false).
        public var isDownloadedOnly = false
        /// Words that must all occur in the title or the notes, as for ``PodcastLibrary/search(_:limit:)``.
        ///
        /// A text without words, the default, includes all episodes. The list is sorted by date even with a text.
        public var text = ""
        /// Whether the oldest episode comes first (default: false).
        public var isOldestFirst = false
        /// The maximum number of episodes (default: 500).
        public var limit = 500
        /// The number of episodes to skip at the start of the list (default: 0).
        public var offset = 0

        /// Creates a filter that includes all episodes, newest first.
        public init() {}

        /// A request for all episodes of the list in order, ignoring text, limit and offset.
        fileprivate var request: QueryInterfaceRequest<EpisodeRecord> {
            typealias Columns = EpisodeRecord.Columns
            var request = EpisodeRecord.all()
            if let podcastID { request = request.filter(Columns.podcastID == podcastID) }
            // The condition must have the form of the partial indexes, or they are not used.
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

    /// Returns episodes sorted by date, without their notes.
    public func episodes(_ filter: EpisodeFilter = EpisodeFilter()) throws(PodcastError) -> [Episode] {
        try database.read { try Self.episodes(filter, $0) }
    }

    static func episodes(_ filter: EpisodeFilter, _ database: Database) throws -> [Episode] {
        let (limit, offset) = (max(0, filter.limit), max(0, filter.offset))
        guard let pattern = SearchPattern(filter.text) else {
            let page = filter.request.limit(limit, offset: offset)
            return try page.select(EpisodeRecord.listedColumns).fetchAll(database).map(Episode.init)
        }
        let ids = try first(limit, of: filter.request, after: offset, among: pattern.matches(database), database)
        return try episodes(ids, database)
    }

    /// Returns the identifiers of all episodes that a filter selects, optionally only those published before a date.
    ///
    /// Ignores the order, the limit and the offset of the filter.
    static func ids(_ filter: EpisodeFilter, before date: Date?, _ database: Database) throws -> [Episode.ID] {
        var request = filter.request.unordered()
        if let date { request = request.filter(EpisodeRecord.Columns.published < date.timeIntervalSince1970) }
        let ids = try request.select(EpisodeRecord.Columns.id, as: Int64.self).fetchAll(database)
        guard let pattern = SearchPattern(filter.text) else { return ids }
        let matches = try pattern.matches(database)
        return ids.filter(matches.contains)
    }

    /// Searches titles and notes for episodes that contain all words of a text, and returns the best matches first.
    ///
    /// The last word may be incomplete. Case and accents are ignored. A text without words finds nothing. If more than
    /// 5,000 episodes match, those with matching titles come first, then the others, each newest first.
    public func search(_ text: String, limit: Int = 100) throws(PodcastError) -> [Episode] {
        try database.read { try Self.search(text, limit: limit, $0) }
    }

    static func search(_ text: String, limit: Int, _ database: Database) throws -> [Episode] {
        guard let pattern = SearchPattern(text) else { return [] }
        let limit = max(0, limit)
        if let ids = try pattern.rankedMatches(limit: limit, database) { return try episodes(ids, database) }
        let newest = EpisodeFilter().request
        var ids = try first(limit, of: newest, among: pattern.inTitles.matches(database), database)
        if ids.count < limit {
            let known = Set(ids)
            let matches = try pattern.matches(database)
            ids += try first(limit - ids.count, of: newest, among: matches, except: known, database)
        }
        return try episodes(ids, database)
    }

    /// The maximum number of identifiers in a statement; SQLite's limit is some ten thousand.
    private static let mostNamed = 1_000

    /// Returns the first episodes of a list that are in `found` and not in `known`, in the order of the list.
    ///
    /// - Complexity: O(*n*) in the number of episodes up to the last one that is returned.
    private static func first(
        _ limit: Int,
        of list: QueryInterfaceRequest<EpisodeRecord>,
        after offset: Int = 0,
        among found: SearchPattern.Matches,
        except known: Set<Episode.ID> = [],
        _ database: Database
    ) throws -> [Episode.ID] {
        let isNamed = found.ids.count <= mostNamed
        let list = isNamed ? list.filter(found.ids.contains(EpisodeRecord.Columns.id)) : list
        let ids = try list.select(EpisodeRecord.Columns.id, as: Int64.self).fetchCursor(database)
        var result: [Episode.ID] = []
        var left = offset
        while result.count < limit, let id = try ids.next() {
            guard found.contains(id), !known.contains(id) else { continue }
            if left > 0 { left -= 1 } else { result.append(id) }
        }
        return result
    }

    /// Returns episodes without their notes, in the order of `ids`.
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
