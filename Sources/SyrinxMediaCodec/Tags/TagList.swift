/// Tags collected from the parts of a file: values by name, a cover picture and chapters.
package struct TagList {
    /// The values of each name (`TagName`), in the order of the file, without duplicates.
    private(set) var values: [String: [String]] = [:]
    /// The name that each field had in the file.
    private var origins: [String: String] = [:]
    /// The picture that is most likely the front cover.
    private(set) var picture: (kind: PictureKind, file: MediaPicture)?
    /// The chapters of the tags.
    private(set) var chapters: [MediaChapter] = []

    /// The maximum number of values per name.
    private static let mostValues = 200
    /// The length above which values are not compared for duplicates.
    private static let longestCompared = 1000
    private static let mostNames = 10_000
    private static let mostChapters = 10_000
    /// The fields that have only one value; further values are repetitions in another format.
    private static let single: Set = ["date", "track", "disc", "compilation"]

    package init() {}

    var isEmpty: Bool { values.isEmpty && picture == nil && chapters.isEmpty }

    /// The values of each name as one text, separated by semicolons, like libavformat's Vorbis comments.
    package var texts: [String: String] {
        values.reduce(into: [:]) { texts, field in
            let isSingle = Self.single.contains(field.key) || field.key.hasPrefix("replaygain_")
            texts[field.key] = isSingle ? field.value.first : field.value.joined(separator: ";")
        }
    }

    /// Adds a value, unless it is empty.
    ///
    /// If several names mean the same field, the common name is preferred, then the first one.
    /// - Parameter given: The name in the file.
    mutating func add(_ value: String, to given: String) {
        let given = given.lowercased()
        let name = TagName.common(given)
        guard !value.isEmpty, !name.isEmpty, values[name] != nil || values.count < Self.mostNames else { return }
        if let origin = origins[name], origin != given {
            guard given == name else { return }
            values[name] = nil
        }
        origins[name] = given
        guard values[name, default: []].count < Self.mostValues,
            value.utf8.count > Self.longestCompared || values[name]?.contains(value) != true
        else { return }
        values[name, default: []].append(value)
    }

    /// Adds a picture, which replaces the current one if it is more likely the front cover.
    mutating func add(_ file: MediaPicture, _ kind: PictureKind) {
        if let held = picture, held.kind <= kind { return }
        if !file.data.isEmpty { picture = (kind, file) }
    }

    mutating func add(_ chapter: MediaChapter) {
        if chapters.count < Self.mostChapters { chapters.append(chapter) }
    }

    /// The fields that have several values.
    var onlySeveral: TagList {
        var list = TagList()
        list.values = values.filter { $0.value.count > 1 }
        return list
    }

    /// Adds the fields of `other` that this list lacks.
    mutating func fill(from other: TagList) {
        for (name, texts) in other.values where values[name] == nil { values[name] = texts }
        if let (kind, file) = other.picture { add(file, kind) }
        if chapters.isEmpty { chapters = other.chapters }
    }
}

/// The common names of tags, into which the names of all formats are converted.
enum TagName {
    private static let aliases = [
        "album artist": "album_artist", "albumartist": "album_artist", "wm/albumartist": "album_artist",
        "year": "date", "wm/year": "date", "date_recorded": "date", "date_released": "date",
        "tracknumber": "track", "wm/tracknumber": "track", "discnumber": "disc", "wm/partofset": "disc",
    ]

    /// Returns the common name of a tag, or its name in lower case.
    static func common(_ name: String) -> String {
        let name = name.lowercased()
        return aliases[name] ?? name
    }

    /// Whether a name in lower case is an alias of a common name.
    static func isAlias(_ name: String) -> Bool { aliases[name] != nil }
}
