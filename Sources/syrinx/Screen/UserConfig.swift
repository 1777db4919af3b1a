import Foundation
import SyrinxPlayerUI

/// The user's keys and colours: `$XDG_CONFIG_HOME/syrinx/config.toml`.
enum UserConfig {
    /// Larger files are no settings.
    private static let maximumSize = 1 << 20

    /// Returns the path of the file; `nil` if there is no home.
    static func path(environment: [String: String]) -> String? {
        // A relative path is to be ignored (XDG Base Directory Specification).
        if let base = environment["XDG_CONFIG_HOME"], base.hasPrefix("/") { return base + "/syrinx/config.toml" }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        return home + "/.config/syrinx/config.toml"
    }

    /// Reads the settings; those of the program where there is no file.
    /// - Returns: The settings, and the sentence about why the file cannot be used.
    static func read(environment: [String: String]) -> (config: PlayerConfig, problem: String?) {
        guard let path = path(environment: environment), let file = FileHandle(forReadingAtPath: path) else {
            return (PlayerConfig(), nil)
        }
        defer { try? file.close() }
        guard let data = try? file.read(upToCount: maximumSize + 1), data.count <= maximumSize,
            let text = String(data: data, encoding: .utf8)
        else { return (PlayerConfig(), "\(path): It is no text, or too large.") }
        do throws(ConfigError) {
            return (try PlayerConfig(text), nil)
        } catch {
            return (PlayerConfig(), "\(path): \(error.message)")
        }
    }
}
