import Foundation
import SyrinxByteStream
import SyrinxPlayerUI

/// The user's keys and colours: `$XDG_CONFIG_HOME/syrinx/config.toml`.
enum UserConfig {
    /// Larger files are no settings.
    private static let maximumSize = 1 << 20

    /// Reads the settings; those of the program where there is no file.
    /// - Returns: The settings, and the sentences about lines of the file, or about all of it, that cannot be used.
    static func read(environment: [String: String]) -> (config: PlayerConfig, problems: [String]) {
        guard let folder = UserFolder.config.path(environment: environment) else { return (PlayerConfig(), []) }
        let path = folder + "/config.toml"
        do throws(SyrinxError) {
            let stream = try FileByteStream(path: path)
            defer { stream.cancel() }
            guard let text = String(validating: try stream.readAll(limit: maximumSize), as: UTF8.self) else {
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
