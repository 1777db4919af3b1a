import Foundation
import Playback

/// The settings of single podcasts, one file for each in the user's state folder.
struct ShowSettingsStore: Sendable {
    private static func file(_ feed: String) -> URL? {
        guard let folder = SavedState.folder else { return nil }
        let name = String(ArtworkStore.hash(feed), radix: 16)
        return URL(fileURLWithPath: "\(folder)/shows/\(name).json")
    }

    /// Returns the settings of a podcast by its feed's address; those that replace nothing if there are none.
    static func load(_ feed: String) -> ShowSettings {
        guard let file = file(feed), let data = try? Data(contentsOf: file),
            let settings = try? JSONDecoder().decode(ShowSettings.self, from: data)
        else { return ShowSettings() }
        return settings
    }

    /// Keeps the settings of a podcast; without a home nothing is kept.
    static func save(_ settings: ShowSettings, of feed: String) {
        guard let file = file(feed), let data = try? JSONEncoder().encode(settings) else { return }
        try? FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try? data.write(to: file, options: .atomic)
    }
}
