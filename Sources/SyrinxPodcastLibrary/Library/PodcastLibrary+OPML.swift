public import Foundation
import GRDB

/// Import and export of subscriptions.
extension PodcastLibrary {
    /// Subscribes to all feeds of an OPML list, without fetching them; the next refresh does.
    /// - Returns: The new podcasts.
    /// - Throws: `media.notOPML` for another format, `media.opmlTruncated` if the end is missing, `media.opmlTooLarge`
    ///   for more than 32 MiB or 20,000 feeds. Then nothing has changed.
    @discardableResult
    public func importOPML(_ data: Data, name: String = "OPML") throws(PodcastError) -> [Podcast] {
        let entries = try OPML.entries(in: data, name: name)
        let now = Date().timeIntervalSince1970
        return try database.write { database in
            var added: [Podcast] = []
            for entry in entries {
                let title = entry.title.isEmpty ? nil : entry.title
                let (id, isNew) = try insert(entry.url, title: title, now: now, database)
                if isNew { added.append(try podcast(id, database)) }
            }
            return added
        }
    }

    /// Returns all subscriptions as OPML in UTF-8, without the user names and passwords of URLs.
    public func exportOPML() throws(PodcastError) -> Data {
        let entries = try podcasts().map { OPML.Entry(url: $0.feedURL, title: $0.title) }
        return Data(OPML.text(entries, date: Date()).utf8)
    }
}
