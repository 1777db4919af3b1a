import Foundation

/// A folder for Syrinx's files in the user's home, according to the XDG Base Directory Specification.
package struct UserFolder: Sendable {
    /// The environment variable with the base folder.
    private let variable: String
    /// The default base folder, relative to the home folder.
    private let standard: String

    /// Cached data.
    package static let cache = UserFolder(variable: "XDG_CACHE_HOME", standard: ".cache")
    /// Settings.
    package static let config = UserFolder(variable: "XDG_CONFIG_HOME", standard: ".config")
    /// Persistent data.
    package static let data = UserFolder(variable: "XDG_DATA_HOME", standard: ".local/share")
    /// State, such as positions and histories.
    package static let state = UserFolder(variable: "XDG_STATE_HOME", standard: ".local/state")

    /// Returns the path of Syrinx's own folder.
    ///
    /// Relative paths in the environment are ignored, as the specification requires.
    /// - Parameter environment: The environment variables; `nil` uses those of the process.
    /// - Returns: The path; `nil` if neither the variable nor `HOME` is an absolute path.
    package func path(environment: [String: String]? = nil) -> String? {
        let environment = environment ?? ProcessInfo.processInfo.environment
        if let base = environment[variable], base.hasPrefix("/") { return base + "/syrinx" }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        return "\(home)/\(standard)/syrinx"
    }
}
