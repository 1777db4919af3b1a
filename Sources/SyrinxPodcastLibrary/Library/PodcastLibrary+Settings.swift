import Foundation
public import SyrinxPlayback

/// The settings with which the episodes of a podcast are played.
extension PodcastLibrary {
    /// Returns the settings of a podcast; they replace nothing where none have been kept.
    ///
    /// - Parameter id: The podcast.
    /// - Throws: `usage.noSuchPodcast` if there is none.
    public func settings(of id: Podcast.ID) throws(PodcastError) -> ShowSettings {
        try database.read { try record(id, $0).state.settings?.value ?? ShowSettings() }
    }

    /// Keeps the settings of a podcast.
    ///
    /// - Parameters:
    ///   - settings: The settings; those that replace nothing are removed.
    ///   - id: The podcast.
    /// - Throws: `usage.noSuchPodcast` if there is none; `file.libraryDamaged` if the library holds settings that cannot be understood,
    ///   which then stay.
    public func setSettings(_ settings: ShowSettings, of id: Podcast.ID) throws(PodcastError) {
        let path = database.path
        try change(id) { record in
            if let kept = record.state.settings, kept.value == nil {
                let message = "the settings of this podcast are damaged or of another version, and are left as they are"
                throw PodcastError(.libraryDamaged, message, name: path)
            }
            record.state.settings = settings == ShowSettings() ? nil : try JSONText(settings)
        }
    }
}
