/// Tags, as they are collected from the parts of a file: the values of each name, a cover picture and chapters.
package struct TagList {
    /// The values of each name (`TagName`), in the order of the file, none twice.
    private(set) var values: [String: [String]] = [:]
    /// The names that the values of each had in the file.
    private var origins: [String: String] = [:]
    /// The picture that comes nearest to a cover of the front.
    private(set) var picture: (kind: PictureKind, file: MediaPicture)?
    /// The chapters, as far as the tags have any.
    private(set) var chapters: [MediaChapter] = []

    /// No recording has more values of a name.
    private static let mostValues = 200
    /// Longer values are not compared with each other.
    private static let longestCompared = 1000
    private static let mostNames = 10_000
    private static let mostChapters = 10_000
    /// The fields in which a second value only says the first again.
    private static let single: Set = ["date", "track", "disc", "compilation"]

    package init() {}

    /// Whether there is nothing in it.
    var isEmpty: Bool { values.isEmpty && picture == nil && chapters.isEmpty }

    /// The values of each name as one text; several are separated by semicolons, as libavformat does in Vorbis comments.
    package var texts: [String: String] {
        values.reduce(into: [:]) { texts, field in
            let isSingle = Self.single.contains(field.key) || field.key.hasPrefix("replaygain_")
            texts[field.key] = isSingle ? field.value.first : field.value.joined(separator: ";")
        }
    }

    /// Adds a value; an empty one is none.
    ///
    /// Fields of several names may mean the same: the one of the common name counts, or else the first.
    /// - Parameter given: The name, as the file has it.
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

    /// Adds a picture, which is kept if it comes nearer to a cover of the front than the one before.
    mutating func add(_ file: MediaPicture, _ kind: PictureKind) {
        if let held = picture, held.kind <= kind { return }
        if !file.data.isEmpty { picture = (kind, file) }
    }

    /// Adds a chapter.
    mutating func add(_ chapter: MediaChapter) {
        if chapters.count < Self.mostChapters { chapters.append(chapter) }
    }

    /// The fields with several values alone.
    var onlySeveral: TagList {
        var list = TagList()
        list.values = values.filter { $0.value.count > 1 }
        return list
    }

    /// Adds the fields of `other` that are missing here.
    mutating func fill(from other: TagList) {
        for (name, texts) in other.values where values[name] == nil { values[name] = texts }
        if let (kind, file) = other.picture { add(file, kind) }
        if chapters.isEmpty { chapters = other.chapters }
    }
}

/// The names of tags, of which each has one, whatever the format calls it.
enum TagName {
    private static let aliases = [
        "album artist": "album_artist", "albumartist": "album_artist", "wm/albumartist": "album_artist",
        "year": "date", "wm/year": "date", "date_recorded": "date", "date_released": "date",
        "tracknumber": "track", "wm/tracknumber": "track", "discnumber": "disc", "wm/partofset": "disc",
    ]

    /// The name in lower case, or what it is called elsewhere.
    static func common(_ name: String) -> String {
        let name = name.lowercased()
        return aliases[name] ?? name
    }

    /// Whether a name in lower case is one of several for the same.
    static func isAlias(_ name: String) -> Bool { aliases[name] != nil }
}
