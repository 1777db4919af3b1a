import Foundation

/// A place for Syrinx's files of one kind in the user's home, by the XDG Base Directory Specification.
package struct UserFolder: Sendable {
    /// The environment variable that names the folder for files of all programs.
    private let variable: String
    /// The path of that folder, from the home on, if the variable names none.
    private let standard: String

    /// Data that can be made again.
    package static let cache = UserFolder(variable: "XDG_CACHE_HOME", standard: ".cache")
    /// Settings.
    package static let config = UserFolder(variable: "XDG_CONFIG_HOME", standard: ".config")
    /// Data that is kept.
    package static let data = UserFolder(variable: "XDG_DATA_HOME", standard: ".local/share")
    /// Positions, histories and the like.
    package static let state = UserFolder(variable: "XDG_STATE_HOME", standard: ".local/state")

    /// Returns the path of Syrinx's own folder.
    ///
    /// Relative paths in the environment are ignored, as the specification requires for its variables.
    /// - Parameter environment: The variables; `nil` for those of the process.
    /// - Returns: `nil` if neither the variable nor `HOME` has an absolute path.
    package func path(environment: [String: String]? = nil) -> String? {
        let environment = environment ?? ProcessInfo.processInfo.environment
        if let base = environment[variable], base.hasPrefix("/") { return base + "/syrinx" }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        return "\(home)/\(standard)/syrinx"
    }
}
