import Foundation
import SyrinxByteStream
import SyrinxPlayerUI

/// The user's keys and colours: `$XDG_CONFIG_HOME/syrinx/config.toml`.
enum UserConfig {
    /// Larger files are no settings.
    private static let maximumSize = 1 << 20

    /// Reads the settings; those of the program where there is no file.
    /// - Returns: The settings, and the sentence about why the file cannot be used.
    static func read(environment: [String: String]) -> (config: PlayerConfig, problem: String?) {
        guard let folder = UserFolder.config.path(environment: environment) else { return (PlayerConfig(), nil) }
        let path = folder + "/config.toml"
        do {
            let stream = try FileByteStream(path: path)
            defer { stream.cancel() }
            guard let text = String(validating: try stream.readAll(limit: maximumSize), as: UTF8.self) else {
                return (PlayerConfig(), "\(path): It is no text in UTF-8.")
            }
            return (try PlayerConfig(text), nil)
        } catch let error as ConfigError {
            return (PlayerConfig(), "\(path): \(error.message)")
        } catch let error as SyrinxError where error.code == .fileNotFound {
            return (PlayerConfig(), nil)
        } catch {
            let reason = (error as? SyrinxError)?.message ?? "\(error)"
            return (PlayerConfig(), "\(path): The settings are not used. \(reason)")
        }
    }
}
