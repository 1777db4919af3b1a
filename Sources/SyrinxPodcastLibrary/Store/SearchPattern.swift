import Foundation
import GRDB

/// The words of a search as a pattern of SQLite's full-text search.
struct SearchPattern {
    /// The largest number of matches that are ranked: ranking takes some microseconds for each.
    static let mostRanked = 5_000
    /// Characters that are read of a text, and words.
    private static let (longestText, mostWords) = (1_000, 32)

    private let text: String

    /// Creates the pattern of all words of a text, of which the last may be unfinished; `nil` if the text has no word.
    init?(_ text: String) {
        let text = text.prefix(Self.longestText)
        let words = text.split { !$0.isLetter && !$0.isNumber }.prefix(Self.mostWords)
        guard !words.isEmpty else { return nil }
        // Quoted, a word is never taken for an operator.
        self.text =
            words.map { "\"\($0)\"" }.joined(separator: " ") + (text.last.map { $0.isWhitespace } == true ? "" : "*")
    }

    private init(pattern: String) { text = pattern }

    /// The pattern for titles alone.
    var inTitles: SearchPattern { SearchPattern(pattern: "{title} : (\(text))") }

    /// Returns the numbers of all episodes that match, in no order.
    func matches(_ database: Database) throws -> some Cursor<Int64> {
        let sql = "SELECT rowid FROM episodeSearch WHERE episodeSearch MATCH ?"
        return try Int64.fetchCursor(database, sql: sql, arguments: [text])
    }

    /// Returns the numbers of the episodes that match best; `nil` if there are too many matches to rank them.
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
