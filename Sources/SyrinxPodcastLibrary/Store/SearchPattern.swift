import Foundation
import GRDB

/// A pattern for SQLite's full-text search.
struct SearchPattern {
    /// The maximum number of matches that are ranked, because ranking takes some microseconds per match.
    static let mostRanked = 5_000
    /// The maximum number of characters and of words that are used.
    private static let (longestText, mostWords) = (1_000, 32)

    private let text: String

    /// Creates a pattern for all words of a text, the last of which may be incomplete; `nil` if there are no words.
    init?(_ text: String) {
        let text = text.prefix(Self.longestText)
        let words = text.split { !$0.isLetter && !$0.isNumber }.prefix(Self.mostWords)
        guard !words.isEmpty else { return nil }
        // A quoted word is not parsed as an operator.
        self.text =
            words.map { "\"\($0)\"" }.joined(separator: " ") + (text.last.map { $0.isWhitespace } == true ? "" : "*")
    }

    private init(pattern: String) { text = pattern }

    /// The pattern, restricted to titles.
    var inTitles: SearchPattern { SearchPattern(pattern: "{title} : (\(text))") }

    /// Returns the identifiers of all matching episodes.
    func matches(_ database: Database) throws -> Matches {
        // Full-text search has them in this order.
        let sql = "SELECT rowid FROM episodeSearch WHERE episodeSearch MATCH ? ORDER BY rowid"
        return Matches(ids: try Int64.fetchAll(database, sql: sql, arguments: [text]))
    }

    /// The identifiers of matching episodes, in an array of 8 bytes each.
    ///
    /// To make a set of 100,000 identifiers takes longer than the search.
    struct Matches {
        /// The identifiers, ascending.
        let ids: [Int64]

        /// Returns whether an episode matches.
        ///
        /// - Complexity: O(log *n*) in the number of matches.
        func contains(_ id: Int64) -> Bool {
            var (low, high) = (0, ids.count)
            while low < high {
                let middle = (low + high) / 2
                if ids[middle] < id { low = middle + 1 } else { high = middle }
            }
            return low < ids.count && ids[low] == id
        }
    }

    /// Returns the identifiers of the best matches; `nil` if there are too many matches to rank.
    func rankedMatches(limit: Int, _ database: Database) throws -> [Int64]? {
        let count = "SELECT COUNT(*) FROM (SELECT 1 FROM episodeSearch WHERE episodeSearch MATCH ? LIMIT ?)"
        let found = try Int.fetchOne(database, sql: count, arguments: [text, Self.mostRanked + 1]) ?? 0
        guard found <= Self.mostRanked else { return nil }
        let ranked = """
            SELECT episode.id FROM episodeSearch JOIN episode ON episode.id = episodeSearch.rowid
            WHERE episodeSearch MATCH ? ORDER BY bm25(episodeSearch, 8, 1), episode.published DESC LIMIT ?
            """
        return try Int64.fetchAll(database, sql: ranked, arguments: [text, limit])
    }
}
