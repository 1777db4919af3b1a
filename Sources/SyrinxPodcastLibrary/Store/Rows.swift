import Foundation
import GRDB
import SyrinxByteStream

/// Values of a row, whatever the file holds: another program may have written it.
extension Row {
    /// The value of a column; `nil` if it is none of the type.
    func value<Value: DatabaseValueConvertible>(_ column: String) -> Value? {
        Value.fromDatabaseValue(self[column] as DatabaseValue)
    }

    /// The URL in a column as it may be shown: without user and password.
    func shownURL(_ column: String) -> String? { (value(column) as String?).map { Redaction.redact($0) } }

    /// The value of a column; the empty one if it is none of the type.
    func value<Value: ColumnValue>(_ column: String) -> Value {
        Value.fromDatabaseValue(self[column] as DatabaseValue) ?? Value.empty
    }
}

/// Types of columns that have a value which stands for a missing one.
protocol ColumnValue: DatabaseValueConvertible {
    static var empty: Self { get }
}

extension String: ColumnValue { static var empty: String { "" } }
extension Int64: ColumnValue { static var empty: Int64 { 0 } }
extension Int: ColumnValue { static var empty: Int { 0 } }
extension Double: ColumnValue { static var empty: Double { 0 } }
extension Bool: ColumnValue { static var empty: Bool { false } }

extension Podcast {
    /// The columns that `init(row:)` reads.
    static let selection = """
        SELECT podcast.*,
            (SELECT COUNT(*) FROM episode WHERE podcastID = podcast.id) AS episodeCount,
            (SELECT COUNT(*) FROM episode WHERE podcastID = podcast.id AND isPlayed = 0) AS unplayedCount
        FROM podcast
        """

    init(row: Row) {
        let code: String? = row.value("failureCode")
        id = row.value("id")
        feedURL = row.shownURL("feedURL") ?? ""
        title = row.value("title")
        author = row.value("author")
        summary = row.value("summary")
        link = row.shownURL("link")
        artworkURL = row.shownURL("artworkURL")
        language = row.value("language")
        categories = JSONColumn.decode([String].self, row.value("categories")) ?? []
        fundingURL = row.shownURL("fundingURL")
        state = State(rawValue: row.value("state")) ?? .active
        addedAt = Date(timeIntervalSince1970: row.value("addedAt"))
        refreshedAt = (row.value("refreshedAt") as Double?).map(Date.init(timeIntervalSince1970:))
        failure = code.map { Failure(code: ErrorCode(rawValue: $0), message: row.value("failureMessage") ?? "") }
        episodeCount = row.value("episodeCount")
        unplayedCount = row.value("unplayedCount")
    }
}

extension Episode {
    /// The columns that `init(row:)` reads; without the notes, which lists need not carry.
    static let columns = """
        episode.id, episode.podcastID, episode.identity, episode.title, episode.link, episode.published, episode.duration,
        episode.mediaURL, episode.mediaType, episode.mediaLength, episode.artworkURL, episode.season, episode.number,
        episode.kind, episode.isExplicit, episode.isListed, episode.position, episode.isPlayed, episode.playedAt
        """

    init(row: Row) {
        id = row.value("id")
        podcastID = row.value("podcastID")
        identity = row.shownURL("identity") ?? ""
        title = row.value("title")
        summary = row.hasColumn("summary") ? row.value("summary") : ""
        link = row.shownURL("link")
        published = (row.value("published") as Double?).map(Date.init(timeIntervalSince1970:))
        duration = row.value("duration")
        mediaURL = row.shownURL("mediaURL")
        mediaType = row.value("mediaType")
        mediaLength = row.value("mediaLength")
        artworkURL = row.shownURL("artworkURL")
        season = row.value("season")
        number = row.value("number")
        kind = row.value("kind")
        isExplicit = row.value("isExplicit")
        isListed = row.value("isListed")
        position = row.value("position")
        isPlayed = row.value("isPlayed")
        playedAt = (row.value("playedAt") as Double?).map(Date.init(timeIntervalSince1970:))
    }
}

/// Values that are kept as JSON in a column.
enum JSONColumn {
    static func encode(_ value: some Encodable) -> String? {
        (try? JSONEncoder().encode(value)).map { String(decoding: $0, as: UTF8.self) }
    }

    static func decode<Value: Decodable>(_ type: Value.Type, _ text: String?) -> Value? {
        text.flatMap { try? JSONDecoder().decode(type, from: Data($0.utf8)) }
    }
}
