import SyrinxByteStream
package import SyrinxPlayback

/// The settings that are kept for a folder or a recording.
package struct KeptSettings: Codable, Equatable, Sendable {
    /// The settings that a podcast may have too.
    package var sound = ShowSettings()
    /// The repetition.
    package var loop: LoopMode?

    /// Creates settings that override nothing.
    package init() {}
}

/// Stores the settings of folders and recordings, in the file `kept.settings` beside the positions.
///
/// Several processes may use it at once. Thread-safe; each call blocks while it accesses the disk.
package struct KeptSettingsStore: Sendable {
    /// The maximum number of folders and recordings, of which those that were changed first are removed.
    package static let maximumCount = 500
    /// The maximum length of a stored name, in characters.
    private static let maximumNameLength = 200

    /// The settings of a place.
    private struct Record: Codable {
        /// The name of the folder or the recording, for people who read the file.
        var name: String
        var settings: KeptSettings
        /// The time of the last change, in seconds since 1970.
        var date: Double
    }

    private let records: RecordFolder
    private let limit: Int
    private var file: FilePath { records.path.appending("kept.settings") }

    /// Creates a store in a folder, which is created by the first write.
    ///
    /// - Parameters:
    ///   - folder: The folder of the user's state.
    ///   - limit: The maximum number of folders and recordings.
    package init(folder: FilePath, limit: Int = Self.maximumCount) {
        self.limit = limit
        records = RecordFolder(path: folder, pathExtension: "settings", maximumBytes: 1 << 20)
    }

    /// Returns all settings, by the keys of their places; empty if the file cannot be read.
    package func all() -> [String: KeptSettings] {
        ((try? records.load([String: Record].self, from: file)) ?? [:]).mapValues(\.settings)
    }

    /// Stores the settings of a place.
    ///
    /// - Parameters:
    ///   - settings: The settings; `nil` removes those of the place.
    ///   - place: The folder or the recording.
    ///   - now: The present, in seconds since 1970.
    /// - Throws: ``PlaybackError``: `file.positionNotWritten`, or `file.recordUnreadable` if the file contains something else.
    package func store(_ settings: KeptSettings?, of place: KeptPlace, now: Double) throws(PlaybackError) {
        try records.exclusively { () throws(PlaybackError) in
            var all = try records.load([String: Record].self, from: file) ?? [:]
            if settings == nil, all[place.key] == nil { return }
            all[place.key] = settings.map {
                Record(name: String(place.name.prefix(Self.maximumNameLength)), settings: $0, date: now)
            }
            let excess = max(all.count - limit, 0)
            for (key, _) in all.sorted(by: { $0.value.date < $1.value.date }).prefix(excess) { all[key] = nil }
            try records.store(all, to: file)
        }
    }
}

extension KeptPlace {
    /// The name of the place in the file, which does not show a password.
    var key: String { SHA256Digest.hexadecimal(of: Array(location.utf8)) }
}
