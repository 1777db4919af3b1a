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

    /// Returns these settings, overridden by the values that `other` sets.
    func replaced(by other: KeptSettings) -> KeptSettings {
        var result = self
        result.sound = sound.replaced(by: other.sound)
        result.loop = other.loop ?? loop
        return result
    }
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

    /// Stores the changed settings of a place, and keeps those that another process or window has stored.
    ///
    /// - Parameters:
    ///   - changes: The settings that have changed; `nil` removes all settings of the place.
    ///   - place: The folder or the recording.
    ///   - now: The present, in seconds since 1970.
    /// - Throws: ``PlaybackError``: `file.positionNotWritten`, or `file.recordUnreadable` if the file contains something else.
    package func store(_ changes: KeptSettings?, of place: KeptPlace, now: Double) throws(PlaybackError) {
        try records.exclusively { () throws(PlaybackError) in
            var all = try records.load([String: Record].self, from: file) ?? [:]
            let former = all[place.key]?.settings
            if changes == nil, former == nil { return }
            all[place.key] = changes.map {
                let settings = (former ?? KeptSettings()).replaced(by: $0)
                return Record(name: String(place.name.prefix(Self.maximumNameLength)), settings: settings, date: now)
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
