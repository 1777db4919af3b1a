package import SyrinxByteStream

/// The interval at which players refresh podcasts by themselves: `refresh-podcasts` in `config.toml`.
package struct PodcastRefreshing: Equatable, Sendable {
    /// The name of the setting.
    package static let key = "refresh-podcasts"
    /// Seconds between two refreshes, 5 minutes to a week; `nil` if it is off.
    package let interval: Double?

    /// Creates the standard interval: an hour.
    package init() { interval = 3_600 }

    /// Reads the setting: minutes, or `"off"`.
    ///
    /// - Parameter entry: The entry of the setting.
    /// - Throws: An error of the code `badValue` for another value.
    package init(_ entry: TOMLDocument.Entry) throws(ConfigError) {
        switch entry.value {
        case .string("off"), .boolean(false): interval = nil
        case .number(let minutes) where (5...10_080).contains(minutes): interval = minutes * 60
        default:
            throw ConfigError(badValueOf: entry, "a number of minutes, 5 to 10080, or \"off\"")
        }
    }

    /// Reads the setting from the text of `config.toml`; the standard one if there is none that can be used.
    package init(settings text: String) {
        let entry = TOMLDocument(text).entries.last { $0.table.isEmpty && $0.key == Self.key }
        self = entry.flatMap { try? Self($0) } ?? Self()
    }
}

/// The file of the user's settings: `$XDG_CONFIG_HOME/syrinx/config.toml`.
package enum SettingsFile {
    /// Larger files are no settings.
    private static let maximumSize = 1 << 20

    /// The path; `nil` if there is no home.
    ///
    /// - Parameter environment: The variables of the process.
    package static func path(environment: [String: String]) -> String? {
        UserFolder.config.path(environment: environment).map { $0 + "/config.toml" }
    }

    /// Reads the text of the user's file; empty if there is none that can be read.
    ///
    /// - Parameter environment: The variables of the process.
    package static func text(environment: [String: String]) -> String {
        path(environment: environment).flatMap { try? text(at: $0) } ?? ""
    }

    /// Reads the text of a file of settings.
    ///
    /// - Returns: The text; `nil` if it is not UTF-8.
    /// - Throws: If there is no file, or it cannot be read.
    package static func text(at path: String) throws(SyrinxError) -> String? {
        let stream = try FileByteStream(path: path)
        defer { stream.cancel() }
        return String(validating: try stream.readAll(limit: maximumSize), as: UTF8.self)
    }
}
