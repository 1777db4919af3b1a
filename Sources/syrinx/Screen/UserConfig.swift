import SyrinxByteStream
import SyrinxListening
import SyrinxPlayerUI

/// The user's keys and colours: `$XDG_CONFIG_HOME/syrinx/config.toml`.
enum UserConfig {
    /// Reads the settings; without a file, the defaults.
    /// - Returns: The settings, and messages about invalid lines, or about an invalid file.
    static func read(environment: [String: String]) -> (config: PlayerConfig, problems: [String]) {
        guard let path = SettingsFile.path(environment: environment) else { return (PlayerConfig(), []) }
        do throws(SyrinxError) {
            guard let text = try SettingsFile.text(at: path) else {
                return (PlayerConfig(), ["\(path): It is no text in UTF-8."])
            }
            let config = PlayerConfig(text)
            return (config, config.errors.map { "config.toml, line \($0.line): \($0.message)" })
        } catch {
            let problem = "\(path): The settings are not used. \(error.message)"
            return (PlayerConfig(), error.code == .fileNotFound ? [] : [problem])
        }
    }
}
