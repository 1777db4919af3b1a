import Foundation
public import SyrinxPlayback

/// The playback settings of a podcast.
extension PodcastLibrary {
    /// Returns the playback settings of a podcast; if none were saved, they override nothing.
    ///
    /// - Parameter id: The podcast.
    /// - Throws: `usage.noSuchPodcast` if the podcast does not exist.
    public func settings(of id: Podcast.ID) throws(PodcastError) -> ShowSettings {
        try database.read { try record(id, $0).state.settings?.value ?? ShowSettings() }
    }

    /// Saves the playback settings of a podcast.
    ///
    /// - Parameters:
    ///   - settings: The settings; settings that override nothing are removed.
    ///   - id: The podcast.
    /// - Throws: `usage.noSuchPodcast` if the podcast does not exist; `file.libraryDamaged` if the saved settings
    ///   cannot be decoded, which are then kept.
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
