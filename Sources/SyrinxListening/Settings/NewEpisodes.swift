import Foundation

/// The number of the newest episodes of a new podcast that are new: `new-episodes` in `config.toml`.
package struct NewEpisodes: Equatable, Sendable {
    /// The name of the setting.
    package static let key = "new-episodes"
    /// The number, 1 to 10,000; `nil` means all, and 3 is the default.
    package let count: Int?

    /// Creates the standard number.
    package init() { count = 3 }

    /// Reads the setting: a whole number, or `"all"`.
    ///
    /// - Parameter entry: The entry of the setting.
    /// - Throws: An error of the code `badValue` for another value.
    package init(_ entry: TOMLDocument.Entry) throws(ConfigError) {
        switch entry.value {
        case .string("all"): count = nil
        case .number(let number) where (1...10_000).contains(number) && number == number.rounded():
            // Bounded: 1 to 10,000.
            count = Int(number)
        default:
            throw ConfigError(
                code: .badValue,
                message: "The value of “\(entry.key)” must be a whole number, 1 to 10000, or \"all\".",
                line: entry.line
            )
        }
    }

    /// Reads the setting from the text of `config.toml`; the standard one if there is none that can be used.
    package init(settings text: String) {
        let entry = TOMLDocument(text).entries.last { $0.table.isEmpty && $0.key == Self.key }
        self = entry.flatMap { try? Self($0) } ?? Self()
    }

    /// Reads the setting of the user; the standard one if there is no file of settings that can be read.
    ///
    /// May wait for the disk.
    package static var ofUser: NewEpisodes {
        guard let path = SettingsFile.path(environment: ProcessInfo.processInfo.environment),
            let text = (try? SettingsFile.text(at: path)) ?? nil
        else { return NewEpisodes() }
        return NewEpisodes(settings: text)
    }
}
