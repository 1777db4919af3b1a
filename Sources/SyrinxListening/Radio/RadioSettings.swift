package import SyrinxByteStream
package import SyrinxHTTPStream

/// The settings of `config.toml` for stations: folder and size limit of recordings, and the timeshift buffer.
package struct RadioSettings: Equatable, Sendable {
    /// The names of the settings.
    package static let keys = ["record-folder", "record-limit", "radio-buffer"]

    /// The folder of recordings; `nil` if there is no home folder.
    package private(set) var folder: FilePath?
    /// The maximum size of a recording, in bytes: 2 GiB by default.
    package private(set) var limit: Int64 = 2 << 30
    /// The length of the timeshift buffer in minutes; 30 by default, 0 turns it off.
    package private(set) var bufferMinutes = 30.0

    /// The folder of the buffer; `nil` if there is no home folder.
    private let cache: String?

    /// The timeshift buffer; `nil` if it is off.
    package var buffer: HTTPByteStream.Options.BroadcastBuffer? {
        guard let cache, bufferMinutes > 0 else { return nil }
        return HTTPByteStream.Options.BroadcastBuffer(folder: FilePath(cache), seconds: bufferMinutes * 60)
    }

    /// Creates the standard settings: recordings are in `Music/Syrinx` of the home folder.
    ///
    /// - Parameter environment: The variables of the process.
    package init(environment: [String: String]) {
        let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        folder = home.map { FilePath($0 + "/Music/Syrinx") }
        cache = UserFolder.cache.path(environment: environment)
    }

    /// Reads the settings from the text of `config.toml`; invalid lines are ignored.
    ///
    /// The command reports these lines.
    package init(settings text: String, environment: [String: String]) {
        self.init(environment: environment)
        for entry in TOMLDocument(text).entries { _ = try? take(entry, environment: environment) }
    }

    /// Applies an entry of the file.
    ///
    /// - Returns: Whether it is one of these settings.
    /// - Throws: If it is one of these, and its value is wrong.
    package mutating func take(
        _ entry: TOMLDocument.Entry,
        environment: [String: String] = [:]
    ) throws(ConfigError) -> Bool {
        guard entry.table.isEmpty else { return false }
        switch entry.key {
        case "record-folder":
            guard case .string(let text) = entry.value, text.hasPrefix("/") || text.hasPrefix("~/") else {
                throw ConfigError(badValueOf: entry, "the path of a folder, which begins with / or ~/")
            }
            let home = environment["HOME"] ?? ""
            folder = FilePath(text.hasPrefix("~/") ? home + text.dropFirst() : text)
        case "record-limit":
            guard case .number(let size) = entry.value, (1...1_048_576).contains(size) else {
                throw ConfigError(badValueOf: entry, "a number of MiB, 1 to 1048576")
            }
            // Bounded: by the guard above.
            limit = Int64(size * 1_048_576)
        case "radio-buffer":
            switch entry.value {
            case .string("off"), .boolean(false): bufferMinutes = 0
            case .number(let minutes) where (1...240).contains(minutes): bufferMinutes = minutes
            default: throw ConfigError(badValueOf: entry, "a number of minutes, 1 to 240, or \"off\"")
            }
        default: return false
        }
        return true
    }
}
