import SyrinxByteStream

/// Tags without an atom of their own in M4A, stored in iTunes' freeform atoms: `----`, with a name.
///
/// libavformat reads but does not write them. It is given an unused tag of the same size, which is replaced in the
/// complete file, so that no other data moves.
struct MP4FreeformAtoms {
    /// The entry that replaces them.
    let placeholder: (key: String, value: String)
    private let kind: String
    private let atoms: [UInt8]

    /// The tags that libavformat writes as atoms of their own.
    static let known: Set = [
        "title", "artist", "album_artist", "composer", "album", "date", "comment", "genre", "copyright", "grouping",
        "lyrics", "description", "synopsis", "show", "episode_id", "network", "keywords", "track", "disc", "tmpo",
        "episode_sort", "season_number", "media_type", "hd_video", "gapless_playback", "compilation",
    ]
    /// Tags that describe the creation of another file.
    private static let foreign: Set = [
        "itunsmpb", "itunnorm", "encoder", "encoding_tool", "creation_time", "major_brand", "minor_version",
        "compatible_brands", "handler_name", "vendor_id", "language",
    ]
    /// Tags of television, of which music has none.
    private static let placeholders = [("network", "tvnn"), ("episode_id", "tven"), ("show", "tvsh")]
    /// The size in bytes of the placeholder tag's headers: size and type, twice, with a type and a language.
    private static let overhead = 24

    /// Returns `nil` if there are no such tags.
    init?(_ tags: [String: String]) {
        let free = tags.filter { !Self.known.contains($0.key) && !Self.foreign.contains($0.key.lowercased()) }
        guard !free.isEmpty, let unused = Self.placeholders.first(where: { tags[$0.0] == nil }) else { return nil }
        // Sorted, so that equal tags result in equal bytes.
        atoms = free.sorted { $0.key < $1.key }.flatMap { Self.atom(name: $0.key, value: $0.value) }
        kind = unused.1
        placeholder = (unused.0, String(repeating: "-", count: atoms.count - Self.overhead))
    }

    private static func atom(name: String, value: String) -> [UInt8] {
        let parts =
            box("mean", [0, 0, 0, 0] + Array("com.apple.iTunes".utf8)) + box("name", [0, 0, 0, 0] + Array(name.utf8))
            // Type 1 is UTF-8.
            + box("data", [0, 0, 0, 1, 0, 0, 0, 0] + Array(value.utf8))
        return box("----", parts)
    }

    private static func box(_ kind: String, _ body: [UInt8]) -> [UInt8] {
        let size = UInt32(body.count + 8)
        return (0..<4).reversed().map { UInt8(truncatingIfNeeded: size >> (8 * UInt32($0))) } + Array(kind.utf8) + body
    }

    /// Puts them into the file, which is complete.
    func put(into file: AVIOOutputFile) throws(SyrinxError) {
        let boxes = MP4Boxes { file.read(at: $0, count: $1) }
        guard let movie = boxes.boxes(from: 0, to: .max, until: "moov").last, movie.kind == "moov",
            let place = boxes.find(["udta", "meta", "ilst", kind], in: movie),
            place.end - place.start == Int64(atoms.count)
        else {
            let message = "Its tags \(placeholder.key) could not be written."
            throw SyrinxError(.encodeFailed, message, name: file.path)
        }
        try file.overwrite(atoms, at: place.start)
    }
}
