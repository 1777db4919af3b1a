internal import SyrinxByteStream

/// The iTunes tag list of an MP4 file: fields with several values, and pictures without a stated format.
enum MP4Tags {
    private static let names = [
        "\u{A9}nam": "title", "\u{A9}ART": "artist", "\u{A9}alb": "album", "aART": "album_artist",
        "\u{A9}wrt": "composer",
        "\u{A9}gen": "genre", "\u{A9}cmt": "comment", "\u{A9}grp": "grouping", "\u{A9}lyr": "lyrics",
    ]
    private static let largestValue = 1 << 20
    private static let largestPicture: Int64 = LibavOpening.largestHeader
    /// The picture formats that libavformat supports.
    private static let statedFormats: Set<Int64> = [13, 14, 27]

    static func read(_ look: @escaping TagsWithin.Look) -> TagList {
        let boxes = MP4Boxes(bytes: look)
        var list = TagList()
        guard let movie = boxes.boxes(from: 0, to: .max, until: "moov").last, movie.kind == "moov",
            let items = boxes.find(["udta", "meta", "ilst"], in: movie)
        else { return list }
        var pictures = TagList()
        for item in boxes.boxes(from: items.body, to: items.end) {
            let parts = boxes.boxes(from: item.body, to: item.end)
            let name = item.kind == "----" ? freeName(parts, look) : names[latin(look(item.start.addingClamped(4), 4))]
            for data in parts where data.kind == "data" {
                let size = data.end.subtractingClamped(data.body).subtractingClamped(8)
                let type = MP4Boxes.number(look(data.body, 4)[...])
                let start = data.body.addingClamped(8)
                if item.kind == "covr", !statedFormats.contains(type), pictures.isEmpty, 1...largestPicture ~= size {
                    let file = look(start, Int(size))
                    if PictureHead(file) != nil { pictures.add(MediaPicture(file: file), .unstated) }
                } else if let name, type == 1, 1...Int64(largestValue) ~= size {
                    list.add(String(utf8OrWindows1252: look(start, Int(size))), to: name)
                }
            }
        }
        list = list.onlySeveral
        list.fill(from: pictures)
        return list
    }

    private static func freeName(_ parts: [MP4Boxes.Box], _ look: TagsWithin.Look) -> String? {
        guard let box = parts.first(where: { $0.kind == "name" }), case let size = box.end.subtractingClamped(box.body),
            5...1024 ~= size
        else { return nil }
        return String(utf8OrWindows1252: look(box.body.addingClamped(4), Int(size) - 4))
    }

    /// Decodes a box name in Mac Roman or Latin-1, whose first letter may be invalid UTF-8.
    private static func latin(_ bytes: [UInt8]) -> String {
        String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
}
