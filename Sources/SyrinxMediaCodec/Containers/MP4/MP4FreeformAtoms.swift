import SyrinxByteStream

/// Tags that an M4A has no atom of its own for, in atoms of the form that iTunes brought in: `----`, with a name in them.
///
/// libavformat reads them, and does not write them. It gets an unused tag that takes as many bytes; when the
/// file is complete, theirs are put into its place, so that nothing in the file moves.
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
    /// These tell how another file was made.
    private static let foreign: Set = [
        "itunsmpb", "itunnorm", "encoder", "encoding_tool", "creation_time", "major_brand", "minor_version",
        "compatible_brands", "handler_name", "vendor_id", "language",
    ]
    /// Tags of television, of which music has none.
    private static let placeholders = [("network", "tvnn"), ("episode_id", "tven"), ("show", "tvsh")]
    /// The size, the kind, and the same again with a type and a language, of the tag that stands in.
    private static let overhead = 24

    /// `nil` if there are none.
    init?(_ tags: [String: String]) {
        let free = tags.filter { !Self.known.contains($0.key) && !Self.foreign.contains($0.key.lowercased()) }
        guard !free.isEmpty, let unused = Self.placeholders.first(where: { tags[$0.0] == nil }) else { return nil }
        // In one order, so that the same tags give the same bytes.
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
