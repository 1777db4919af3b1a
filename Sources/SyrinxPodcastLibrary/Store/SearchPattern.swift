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

    /// Returns the identifiers of all matching episodes, in no particular order.
    func matches(_ database: Database) throws -> some Cursor<Int64> {
        let sql = "SELECT rowid FROM episodeSearch WHERE episodeSearch MATCH ?"
        return try Int64.fetchCursor(database, sql: sql, arguments: [text])
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
