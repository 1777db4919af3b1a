internal import Foundation
internal import SyrinxByteStream
internal import SyrinxMediaCodec

/// Converts the tags of a container to metadata items.
struct MetadataMapping {
    /// The format of the metadata.
    let format: AVMetadataFormat

    /// Creates the mapping for a tag format.
    init(_ family: Container.TagFormat) {
        format =
            switch family {
            case .iTunes: .iTunesMetadata
            case .vorbisComment: .vorbisComment
            case .id3: .id3Metadata
            case .unknown: .unknown
            }
    }

    /// The name of a tag in each key space, and its common key.
    fileprivate struct Row {
        let tag: String
        let commonKey: AVMetadataKey?
        let id3: String
        let iTunes: String
    }

    private static let rows: [Row] = [
        Row(tag: "title", commonKey: .commonKeyTitle, id3: "TIT2", iTunes: "\u{A9}nam"),
        Row(tag: "artist", commonKey: .commonKeyArtist, id3: "TPE1", iTunes: "\u{A9}ART"),
        Row(tag: "album", commonKey: .commonKeyAlbumName, id3: "TALB", iTunes: "\u{A9}alb"),
        Row(tag: "album_artist", commonKey: nil, id3: "TPE2", iTunes: "aART"),
        Row(tag: "composer", commonKey: .commonKeyCreator, id3: "TCOM", iTunes: "\u{A9}wrt"),
        Row(tag: "genre", commonKey: .commonKeyType, id3: "TCON", iTunes: "\u{A9}gen"),
        Row(tag: "date", commonKey: .commonKeyCreationDate, id3: "TDRC", iTunes: "\u{A9}day"),
        Row(tag: "description", commonKey: .commonKeyDescription, id3: "TIT3", iTunes: "desc"),
        Row(tag: "comment", commonKey: nil, id3: "COMM", iTunes: "\u{A9}cmt"),
        Row(tag: "copyright", commonKey: .commonKeyCopyrights, id3: "TCOP", iTunes: "cprt"),
        Row(tag: "publisher", commonKey: .commonKeyPublisher, id3: "TPUB", iTunes: "\u{A9}pub"),
        Row(tag: "language", commonKey: .commonKeyLanguage, id3: "TLAN", iTunes: "\u{A9}lan"),
        Row(tag: "encoder", commonKey: .commonKeySoftware, id3: "TSSE", iTunes: "\u{A9}too"),
        Row(tag: "lyrics", commonKey: nil, id3: "USLT", iTunes: "\u{A9}lyr"),
        Row(tag: "track", commonKey: nil, id3: "TRCK", iTunes: "trkn"),
        Row(tag: "disc", commonKey: nil, id3: "TPOS", iTunes: "disk"),
        Row(tag: "grouping", commonKey: nil, id3: "TIT1", iTunes: "\u{A9}grp"),
        Row(tag: "artwork", commonKey: .commonKeyArtwork, id3: "APIC", iTunes: "covr"),
    ]

    /// Returns the items for tags, in the order of their names, and for a cover picture.
    func items(of tags: [String: String], artwork: MediaPicture?) -> [AVMetadataItem] {
        var items = tags.sorted { $0.key < $1.key }.map { item($0.key, NSString(string: $0.value)) }
        if let artwork {
            let picture = item("artwork", NSData(data: Data(artwork.data)))
            picture.contents.extraAttributes[.info] = artwork.mimeType
            items.append(picture)
        }
        return items
    }

    /// Returns the items for the title of a broadcast, in the key space `icy`.
    static func items(ofBroadcast fields: [String: String]) -> [AVMetadataItem] {
        fields.sorted { $0.key < $1.key }.map { tag, value in
            var contents = AVMetadataItem.Contents()
            contents.keySpace = .icy
            contents.key = tag == "title" ? "StreamTitle" : tag == "titleURL" ? "StreamUrl" : tag
            contents.commonKey = tag == "title" ? .commonKeyTitle : nil
            contents.value = NSString(string: value)
            return AVMetadataItem(contents)
        }
    }

    private func item(_ tag: String, _ value: any NSCopying & NSObjectProtocol) -> AVMetadataItem {
        let row = Self.rows.first { $0.tag == tag }
        var contents = AVMetadataItem.Contents()
        contents.keySpace = format.keySpace
        contents.commonKey = row?.commonKey
        contents.value = value
        switch format {
        case .id3Metadata: contents.key = row?.id3 ?? tag.uppercased()
        case .iTunesMetadata: contents.key = row?.iTunes ?? tag
        case .quickTimeMetadata: contents.key = "com.apple.quicktime.\(tag)"
        default: contents.key = format == .vorbisComment ? tag.uppercased() : tag
        }
        return AVMetadataItem(contents)
    }

    /// Returns the common key for a key in a key space, or `nil`.
    static func commonKey(of key: String?, in keySpace: AVMetadataKeySpace?) -> AVMetadataKey? {
        rows.first { $0.name(in: keySpace) == key }?.commonKey
    }

    /// Converts items to tags and a cover picture, for a writer.
    static func tags(of items: [AVMetadataItem]) -> (tags: [String: String], artwork: MediaPicture?) {
        var tags: [String: String] = [:]
        var artwork: MediaPicture?
        for item in items {
            let row = rows.first { row in
                item.commonKey.map { $0 == row.commonKey } ?? (row.name(in: item.keySpace) == item.contents.key)
            }
            if row?.tag == "artwork", let data = item.dataValue {
                artwork = picture(data)
            } else if let value = item.stringValue, let tag = row?.tag ?? item.contents.key?.lowercased() {
                tags[tag] = value
            }
        }
        return (tags, artwork)
    }

    private static func picture(_ data: Data) -> MediaPicture {
        let isPNG = data.starts(with: [0x89, 0x50, 0x4E, 0x47])
        return MediaPicture(mimeType: isPNG ? "image/png" : "image/jpeg", width: 0, height: 0, data: [UInt8](data))
    }
}

extension MetadataMapping.Row {
    fileprivate func name(in keySpace: AVMetadataKeySpace?) -> String? {
        switch keySpace {
        case .id3?: id3
        case .iTunes?: iTunes
        case .quickTimeMetadata?: "com.apple.quicktime.\(tag)"
        case .vorbisComment?: tag.uppercased()
        default: tag
        }
    }
}

/// Parses the dates of tags in ISO 8601: a year, a month, a day or a time.
enum MetadataDate {
    static func date(_ text: String) -> Date? {
        let parts = text.prefix(10).split(separator: "-", omittingEmptySubsequences: false)
        guard (1...3).contains(parts.count), parts.allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isNumber } }),
            parts[0].count == 4, let year = Int(parts[0])
        else { return nil }
        if text.count > 10, let exact = ISO8601DateFormatter().date(from: text) { return exact }
        var components = DateComponents(
            calendar: Calendar(identifier: .gregorian),
            timeZone: TimeZone(secondsFromGMT: 0)
        )
        components.year = year
        components.month = parts.count > 1 ? Int(parts[1]) : 1
        components.day = parts.count > 2 ? Int(parts[2]) : 1
        guard let month = components.month, let day = components.day, (1...12).contains(month), (1...31).contains(day)
        else { return nil }
        return components.date
    }
}
