import Foundation
import GRDB
public import SyrinxPlayback

/// The settings with which the episodes of a podcast are played.
extension PodcastLibrary {
    /// Returns the settings of a podcast; they replace nothing where none have been kept.
    ///
    /// - Parameter id: The podcast.
    /// - Throws: `usage.noSuchPodcast` if there is none.
    public func settings(of id: Podcast.ID) throws(PodcastError) -> ShowSettings {
        try database.read { database in
            let sql = "SELECT settings FROM podcast WHERE id = ?"
            guard let row = try Row.fetchOne(database, sql: sql, arguments: [id]) else { throw noSuchPodcast(id) }
            return JSONColumn.decode(ShowSettings.self, row.value("settings")) ?? ShowSettings()
        }
    }

    /// Keeps the settings of a podcast.
    ///
    /// - Parameters:
    ///   - settings: The settings; those that replace nothing are removed.
    ///   - id: The podcast.
    /// - Throws: `usage.noSuchPodcast` if there is none; `file.libraryDamaged` if the library holds settings that cannot be understood,
    ///   which then stay.
    public func setSettings(_ settings: ShowSettings, of id: Podcast.ID) throws(PodcastError) {
        let text = settings == ShowSettings() ? nil : JSONColumn.encode(settings)
        let path = database.path
        try database.write { database in
            let sql = "SELECT settings FROM podcast WHERE id = ? AND settings IS NOT NULL"
            if let row = try Row.fetchOne(database, sql: sql, arguments: [id]),
                JSONColumn.decode(ShowSettings.self, row.value("settings")) == nil
            {
                let message = "the settings of this podcast are damaged or of another version, and are left as they are"
                throw PodcastError(.libraryDamaged, message, name: path)
            }
            try database.execute(sql: "UPDATE podcast SET settings = ? WHERE id = ?", arguments: [text, id])
            if database.changesCount == 0 { throw noSuchPodcast(id) }
        }
    }
}
