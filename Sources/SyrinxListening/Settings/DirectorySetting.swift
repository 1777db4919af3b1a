import Foundation
package import SyrinxPodcastLibrary

/// The directory in which podcasts are searched: `directory` of `[podcasts]` in `config.toml`.
package struct DirectorySetting: Equatable, Sendable {
    /// The names of the table and of the setting in it.
    package static let table = "podcasts"
    package static let key = "directory"
    /// The directory; `nil` searches nowhere, which is the default.
    package let directory: PodcastDirectory?

    /// Creates the default: no directory.
    package init() { directory = nil }

    /// Reads the setting: a name or a URL, or `"off"`.
    ///
    /// - Parameter entry: The entry of the setting.
    /// - Throws: An error of the code `badValue` for another value.
    package init(_ entry: TOMLDocument.Entry) throws(ConfigError) {
        if case .string("off") = entry.value {
            directory = nil
            return
        }
        guard case .string(let text) = entry.value, let directory = PodcastDirectory(text) else {
            throw ConfigError(badValueOf: entry, "\"off\", " + PodcastDirectory.expected)
        }
        self.directory = directory
    }

    /// Reads the setting from the text of `config.toml`; the default if there is none that can be used.
    package init(settings text: String) {
        let entry = TOMLDocument(text).entries.last { $0.table == Self.table && $0.key == Self.key }
        self = entry.flatMap { try? Self($0) } ?? Self()
    }

    /// Reads the setting of the user; may wait for the disk.
    package static var ofUser: DirectorySetting {
        DirectorySetting(settings: SettingsFile.text(environment: ProcessInfo.processInfo.environment))
    }
}
